import type { Event, Recorded } from "./event.ts";
import type { SessionId } from "./ids.ts";
import type { KeptRule, PermissionRule } from "./permission.ts";
import { type Phrase, phrase } from "./text/catalogue.ts";

export interface SessionRow {
  readonly id: SessionId;
  readonly title: string;
  readonly workspace: string;
  readonly model: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly events: number;
}

export interface Holding extends SessionRow {
  readonly bytes: number;
  readonly holder: LeaseHolder | null;
}

export interface LeaseHolder {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
  readonly since: number;
  /** The name of another machine or container, where the pid means nothing here; `null` = ours. */
  readonly elsewhere: string | null;
}

export function holderText({ pid, elsewhere }: LeaseHolder): Phrase {
  return elsewhere === null
    ? phrase("store.holder.here", { pid })
    : phrase("store.holder.elsewhere", { pid, host: elsewhere });
}

export interface AppendEntry {
  readonly event: Event;
  readonly accepted: boolean;
}

export interface Append {
  /** Must be exactly the next sequence number (a session starts at 1). */
  readonly from: number;
  readonly entries: readonly AppendEntry[];
  readonly blobs: readonly { readonly hash: string; readonly bytes: Uint8Array }[];
  /** `true` = synced to disk before returning; `false` = committed. */
  readonly durable: boolean;
}

export interface PartialText {
  readonly runId: string;
  readonly index: number;
  readonly attempt: number;
  readonly text: string;
}

/** A session open for writing, which holds the lease until `close`. Every method throws CoderError(E_STORE) if the disk fails. */
export interface SessionLog {
  readonly id: SessionId;
  /** Writes log and projections in one transaction. Throws E_STORE if the lease was lost. */
  append(batch: Append): void;
  read(from?: number): Iterable<Recorded>;
  blob(hash: string): Uint8Array | null;
  /** Stores the beginning of the current reply in case of a kill. Best effort. */
  keepPartial(partial: PartialText): void;
  partial(): PartialText | null;
  /** Drops blobs that no other session needs. */
  forget(hashes: readonly string[]): void;
  close(): void;
}

type Unavailable =
  | { readonly ok: false; readonly reason: "missing" }
  | { readonly ok: false; readonly reason: "held"; readonly holder: LeaseHolder };

export type Removal = { readonly ok: true } | Unavailable;

export interface Store {
  create(id: SessionId, workspace: string, head?: string): SessionLog;
  open(id: SessionId): { readonly ok: true; readonly log: SessionLog } | Unavailable;
  /** Works without the lease. */
  peek(id: SessionId): Iterable<Recorded> | null;
  sessions(filter: { readonly workspace?: string; readonly limit: number }): readonly SessionRow[];
  /** Sessions of other workspaces, with the commit each started at; "" = unknown. */
  elsewhere(workspace: string): readonly (SessionRow & { readonly head: string })[];
  /** Sessions whose id starts with `prefix`, newest first, at most 10. */
  find(prefix: string): readonly SessionRow[];
  /** Copies the log under a new id and takes the new lease. `before`: only the events with a smaller number. */
  fork(from: SessionId, to: SessionId, before?: number): SessionLog;
  /** Another process has just created it: it is a fork, or has no reply yet. */
  isBeingStarted(id: SessionId): boolean;
  /** A blob of any session. Works without the lease. */
  blob(hash: string): Uint8Array | null;
  /** All sessions, newest first, even those without events. */
  holdings(): readonly Holding[];
  /**
   * Removes a session atomically. `files` removes data outside the database; it runs first, while nobody else can open the session.
   * `hasCopies`: forks of it exist.
   */
  remove(id: SessionId, files: (row: SessionRow, hasCopies: boolean) => void): Removal;
  /**
   * Deletes data of removed sessions and returns free space to the disk, in small steps so that other processes can work, and within the
   * time limit; the rest is done next time. Sizes in bytes.
   */
  shrink(patienceMs: number): { readonly before: number; readonly after: number };
  /** Rules stored by "always" for a workspace (real path), oldest first. */
  rulesOf(workspace: string): readonly KeptRule[];
  /** Durable on return, all or none; skips rules that exist. */
  addRules(workspace: string, rules: readonly PermissionRule[]): void;
  /** `false` = no such id. */
  removeRule(workspace: string, id: number): boolean;
  /** VF-2: whether the user refused this check command in this workspace. */
  isRefused(workspace: string, command: string): boolean;
  /** Durable on return. */
  keepRefused(workspace: string, command: string): void;
  /** `true` at most once a day across all processes. */
  claimDay(now: number): boolean;
  close(): void;
}
