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

/** A session as retention sees it. */
export interface Holding extends SessionRow {
  /** Its share of the file. */
  readonly bytes: number;
  /** The process that has it open now. */
  readonly holder: LeaseHolder | null;
}

export interface LeaseHolder {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
  readonly since: number;
  /** The name of its machine or container, where the pid means nothing here; `null` = it is one of ours. */
  readonly elsewhere: string | null;
}

/** For people: which process has it. */
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
  /** Sequence number of the first entry; must be exactly the next one (a session begins with 1). */
  readonly from: number;
  readonly entries: readonly AppendEntry[];
  /** Pre-images to keep, content-addressed (sha-256 hex). */
  readonly blobs: readonly { readonly hash: string; readonly bytes: Uint8Array }[];
  /** true = synced to disk before returning; false = committed. */
  readonly durable: boolean;
}

export interface PartialText {
  readonly runId: string;
  readonly index: number;
  readonly attempt: number;
  readonly text: string;
}

/** A session open for writing: the lease is held until `close`. Every method throws CoderError(E_STORE) when the disk fails. */
export interface SessionLog {
  readonly id: SessionId;
  /** Log and projections in one transaction. Refused (E_STORE) when the lease was lost. */
  append(batch: Append): void;
  /** Recorded events in order, decoded lazily; without those before `from`. */
  read(from?: number): Iterable<Recorded>;
  blob(hash: string): Uint8Array | null;
  /** The beginning of the reply that is being waited for, so that a kill does not take it away. Best effort. */
  keepPartial(partial: PartialText): void;
  partial(): PartialText | null;
  /** This session needs these contents no more; those that no other needs go. */
  forget(hashes: readonly string[]): void;
  close(): void;
}

export type Removal =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: "missing" }
  | { readonly ok: false; readonly reason: "held"; readonly holder: LeaseHolder };

export interface Store {
  /** `head`: the commit that the workspace stands at. */
  create(id: SessionId, workspace: string, head?: string): SessionLog;
  /** Takes the lease, or says who holds it. */
  open(
    id: SessionId,
  ):
    | { readonly ok: true; readonly log: SessionLog }
    | { readonly ok: false; readonly reason: "missing" }
    | { readonly ok: false; readonly reason: "held"; readonly holder: LeaseHolder };
  /** Reads without the lease. */
  peek(id: SessionId): Iterable<Recorded> | null;
  /** Newest first; of one workspace when given. */
  sessions(filter: { readonly workspace?: string; readonly limit: number }): readonly SessionRow[];
  /** All of other workspaces, with the commit that each began at; "" = none was known. */
  elsewhere(workspace: string): readonly (SessionRow & { readonly head: string })[];
  /** Full ids that begin with `prefix`, newest first, at most 10. */
  find(prefix: string): readonly SessionRow[];
  /** A copy of the whole log under a new id, with the lease of the new one. */
  fork(from: SessionId, to: SessionId): SessionLog;
  /** Another process has it open, and it is a copy or nobody has answered in it yet: what somebody else is just beginning. */
  isBeingStarted(id: SessionId): boolean;
  /** A pre-image or image, whichever session it belongs to. Reads without the lease. */
  blob(hash: string): Uint8Array | null;
  /** All sessions, newest first, also those that never got an event. */
  holdings(): readonly Holding[];
  /**
   * Removes a session: for everybody it is there as a whole or gone. `files` removes what lies outside the database; it runs first, while nobody else
   * can open the session. `hasCopies`: sessions forked from it are still there.
   */
  remove(id: SessionId, files: (row: SessionRow, hasCopies: boolean) => void): Removal;
  /**
   * Deletes what removed sessions left and gives unused space back to the disk: in small steps, so that sessions in other
   * processes go on, and no longer than told; the rest is done the next time. Bytes on disk.
   */
  shrink(patienceMs: number): { readonly before: number; readonly after: number };
  /** What the answer "always" has stored for a workspace (its real path), the oldest first. */
  rulesOf(workspace: string): readonly KeptRule[];
  /** On the disk when it returns, all or none; what is there already is not stored again. */
  addRules(workspace: string, rules: readonly PermissionRule[]): void;
  /** `false` = there is none of that number. */
  removeRule(workspace: string, id: number): boolean;
  /** Whether the person has said no to the command when it was offered to verify in this workspace (VF-2). */
  isRefused(workspace: string, command: string): boolean;
  /** On the disk when it returns. */
  keepRefused(workspace: string, command: string): void;
  /** true at most once a day, over all processes. */
  claimDay(now: number): boolean;
  close(): void;
}
