import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { FileChange, FileStamp } from "../../contract/message.ts";
import type { PlannedChange } from "../../contract/tool.ts";
import type { Unkept } from "../../contract/undo.ts";
import { collectAfter } from "../collect.ts";
import { sha256 } from "../files/hash.ts";
import { folderMode, linkMode } from "../files/stamp.ts";
import { writerFinder } from "../witness/held-files.ts";
import type { Compared, Side, TreeDifference } from "./compare.ts";
import { onDisk } from "./content.ts";
import { changedAt, kindOf, type Stamp, slackOf } from "./file-stat.ts";
import { decoded, type Entry, placeIn, shown } from "./file-tree.ts";
import { Keep } from "./keep.ts";
import type { LookResult, Sight } from "./look.ts";
import { type Repository, readBlobs } from "./repository.ts";
import type { StoreHold } from "./store-hold.ts";
import type { Whose } from "./whose.ts";

export interface LookTime {
  readonly startedAt: number;
  readonly endedAt: number;
  /** Whether another session has written to this real path meanwhile. */
  readonly isOthers: (real: string) => boolean;
  /** Attributes changes, and finds where a file was moved from; `null`: every change within the command's run time counts as its own. */
  readonly attribution: {
    readonly whose: (one: TreeDifference) => Whose;
    readonly cameFrom: (one: TreeDifference) => string | null;
  } | null;
  /** Files that somebody had open for writing after the look. */
  readonly held: ReadonlySet<TreeDifference>;
  readonly room: number;
}

/** One side of a change and the holder of its bytes; `null`: nothing there. */
type HeldSide = { readonly stamp: FileStamp; readonly keep: Keep | null } | null;

/** Splits differences into changes that can be undone, and paths that cannot. */
export async function resultOf(compared: Compared, sight: Sight, time: LookTime): Promise<LookResult> {
  const unkept: Unkept[] = [...compared.unkept];
  const wanted: TreeDifference[] = [];
  const notes = new Map<TreeDifference, Notes>();
  for (const one of compared.differences) {
    const whose = whoseOf(one, sight, time);
    const why = whose === "others" ? whose : refusal(one, sight);
    if (why === null) wanted.push(one);
    else if (why !== "others" || !isOfFolder(one)) unkept.push({ path: shown(one.path), why });
    const doubt = whose === "shared" || whose === "unclear" ? { doubt: whose } : null;
    const origin = one.after?.kind === "entry" ? (time.attribution?.cameFrom(one) ?? null) : null;
    const from = origin === null ? null : { from: placeIn(sight.root, shown(origin)) };
    if (doubt !== null || from !== null) notes.set(one, { ...doubt, ...from });
  }
  await collectAfter(wanted.length);
  sight.found?.close();
  sight.found = new Keep(Math.min(time.room, sight.limits.maxBytes), 0);
  const found: FoundChanges = { changes: [], unkept, left: Math.min(time.room, sight.limits.maxBytes) };
  for (let at = 0; at < wanted.length; at += fetchedAtOnce) {
    const some = wanted.slice(at, at + fetchedAtOnce);
    const stored = await storedIn(some, sight.found, sight.stores);
    for (const one of some) addChange(one, notes.get(one) ?? {}, sight, stored, found);
  }
  return { changes: found.changes, unkept };
}

/** Files that somebody may still be writing to. Must run while the witness still records closes. */
export async function heldOf({ differences }: Compared, { root }: Sight): Promise<LookTime["held"]> {
  const hasWriter = await writerFinder();
  return new Set(differences.filter((one) => isFileNow(one) && hasWriter(placeIn(root, shown(one.path)))));
}

/** A command may change 50,000 files, so contents are fetched and released in batches. */
const fetchedAtOnce = 5_000;

interface FoundChanges {
  readonly changes: PlannedChange[];
  readonly unkept: Unkept[];
  left: number;
}

type Notes = Pick<FileChange, "doubt" | "from">;

function addChange(one: TreeDifference, notes: Notes, sight: Sight, stored: Stored, found: FoundChanges): void {
  const [before, after] = [heldSide(one.before, sight, stored), heldSide(one.after, sight, stored)];
  const path = decoded(one.path) ?? "";
  if (typeof before === "string" || typeof after === "string") {
    found.unkept.push({ path, why: typeof before === "string" ? before : (after as Unkept["why"]) });
    return;
  }
  if (before?.stamp.hash === after?.stamp.hash && before?.stamp.mode === after?.stamp.mode) return;
  found.left -= (before?.stamp.size ?? 0) + (after?.stamp.size ?? 0);
  if (found.left < 0) found.unkept.push({ path, why: "too_much" });
  else found.changes.push(new FoundChange(path, sight.root, before, after, notes));
}

/** Fetches content on demand, valid until the next fetch: all of it at once may exceed the memory. */
class FoundChange implements PlannedChange {
  readonly change: FileChange;
  private readonly before: Keep | null;
  private readonly after: Keep | null;

  constructor(path: string, root: string, before: HeldSide, after: HeldSide, notes: Notes) {
    const stamps = { before: before?.stamp ?? null, after: after?.stamp ?? null };
    this.change = { path, real: placeIn(root, path), ...stamps, ...notes };
    this.before = before?.keep ?? null;
    this.after = after?.keep ?? null;
  }

  get beforeBytes(): Uint8Array | null {
    return bytesOf(this.change.before, this.before);
  }

  get afterBytes(): Uint8Array | null {
    return bytesOf(this.change.after, this.after);
  }
}

function bytesOf(stamp: FileStamp | null, keep: Keep | null): Uint8Array | null {
  if (stamp === null) return null;
  return keep === null ? new Uint8Array(0) : keep.get(stamp.hash);
}

/** Without a witness we have only the command's run time and traces of others. */
function whoseOf(one: TreeDifference, { root }: Sight, time: LookTime): Whose {
  const whose = time.attribution?.whose(one) ?? "ours";
  if (whose === "ours" && time.attribution !== null) return time.held.has(one) ? "shared" : whose;
  const real = `${root}/${shown(one.path)}`;
  if (time.isOthers(real)) return "others";
  if (isOfFolder(one)) return whose;
  if (!isInTime(one, time)) return "others";
  return isOpenInEditor(real) ? "unclear" : whose;
}

function isOfFolder({ before, after }: TreeDifference): boolean {
  return (before ?? after)?.kind === "folder" && (after ?? before)?.kind === "folder";
}

function isFileNow({ after }: TreeDifference): boolean {
  return after?.kind === "entry" && kindOf(after.entry.stamp.mode) === "file";
}

function isInTime({ before, after, above }: TreeDifference, time: LookTime): boolean {
  // A file that was moved with its folder keeps its times.
  const stamps = [...(after?.kind === "entry" ? [after.entry.stamp] : []), ...(before && after ? [] : [above])];
  return stamps.length === 0 || stamps.some((stamp) => isWithin(stamp, time));
}

function refusal({ path, before, after }: TreeDifference, sight: Sight): Unkept["why"] | null {
  if (decoded(path) === null) return "bad_name";
  return refusedSide(before, sight) ?? refusedSide(after, sight);
}

function refusedSide(side: Side | null, { limits }: Sight): Unkept["why"] | null {
  if (side?.kind !== "entry") return null;
  const { content, stamp } = side.entry;
  if (content?.kind === "unkept") return content.id;
  return stamp.size > limits.maxFileBytes ? "too_large" : null;
}

/** Removed files have the time of their folder. */
function isWithin(stamp: Stamp, { startedAt, endedAt }: LookTime): boolean {
  const at = changedAt(stamp);
  const slack = slackOf(stamp);
  return at >= startedAt - slack && at <= endedAt + slack;
}

function isOpenInEditor(real: string): boolean {
  const [folder, name] = [dirname(real), basename(real)];
  return [`.${name}.swp`, `.#${name}`, `.~lock.${name}#`].some((lock) => existsSync(`${folder}/${lock}`));
}

/** Content from git as it was on the disk: its hash per entry, or why it is unknown. */
type Stored = ReadonlyMap<Entry, string | { readonly why: Unkept["why"] }>;

async function storedIn(wanted: readonly TreeDifference[], found: Keep, stores: StoreHold): Promise<Stored> {
  const entries = new Map<Repository, Map<string, Entry[]>>();
  for (const { before, after } of wanted) {
    noteStored(before, entries);
    noteStored(after, entries);
  }
  const stored = new Map<Entry, string | { readonly why: Unkept["why"] }>();
  for (const [repository, byId] of entries) {
    const take = (oid: string, blob: Buffer): void => {
      for (const entry of byId.get(oid) ?? []) {
        const bytes = onDisk(blob, entry.stamp.size);
        stored.set(entry, bytes === null ? { why: "unproved" } : (found.add(bytes) ?? { why: "too_much" }));
      }
      byId.delete(oid);
    };
    await readBlobs(repository, [...byId.keys()], take);
    // The command has removed the object store.
    if (byId.size > 0) await stores.lend(repository, (held) => readBlobs(held, [...byId.keys()], take));
  }
  return stored;
}

function noteStored(side: Side | null, entries: Map<Repository, Map<string, Entry[]>>): void {
  if (side?.kind !== "entry" || side.entry.content?.kind !== "blob") return;
  const { repository } = side.folder.place;
  if (repository === null) return;
  const known = entries.get(repository) ?? new Map<string, Entry[]>();
  const same = known.get(side.entry.content.id);
  if (same === undefined) known.set(side.entry.content.id, [side.entry]);
  else same.push(side.entry);
  entries.set(repository, known);
}

const noBytes = sha256(new Uint8Array(0));

/** The stamp and the holder of the bytes, or why there is none. */
function heldSide(side: Side | null, { keep, found }: Sight, stored: Stored): HeldSide | Unkept["why"] {
  if (side === null) return null;
  if (side.kind === "folder") {
    const mode = folderMode | (side.folder.stamp.mode & 0o7777);
    return { stamp: { hash: noBytes, size: 0, mode }, keep: null };
  }
  const { content, stamp } = side.entry;
  const mode = kindOf(stamp.mode) === "link" ? linkMode : stamp.mode & 0o7777;
  if (content?.kind === "kept") {
    const size = keep.sizeOf(content.id);
    return size === null ? "too_much" : { stamp: { hash: content.id, size, mode }, keep };
  }
  if (content?.kind !== "blob") return content?.id ?? "unreadable";
  const hash = stored.get(side.entry);
  if (hash === undefined) return "unreadable";
  return typeof hash === "string" ? { stamp: { hash, size: stamp.size, mode }, keep: found } : hash.why;
}
