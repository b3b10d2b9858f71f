import type { FileChange, FileStamp } from "../../contract/message.ts";
import type { PastPort } from "../../contract/undo.ts";
import { mergeBytes } from "../../platform/changes/merge.ts";
import type { DiskEntry } from "../../platform/files/entry.ts";
import { sha256 } from "../../platform/files/hash.ts";
import { isFolderStamp, isLinkStamp, keyOf } from "../../platform/files/stamp.ts";

/** The reasons are worded in `undo.why.…`. */
export type LeftAlone =
  | "gone"
  | "recreated"
  | "changed"
  | "mode"
  | "kind"
  | "not_empty"
  | "not_kept"
  | "moved"
  | "outside"
  | "unreadable"
  | "parent"
  | "origin"
  | "shared"
  | "unclear";

export interface PathUndo {
  readonly real: string;
  readonly now: DiskEntry | null;
  readonly target: DiskEntry | null;
  readonly isMerged: boolean;
}

/** Reverts all changes of one path from the newest to the oldest, whatever happened between them. */
export function undoPath(
  changes: readonly FileChange[],
  now: DiskEntry | null | undefined,
  past: PastPort,
): Omit<PathUndo, "real"> | LeftAlone {
  if (now === undefined) return "unreadable";
  let target: DiskEntry | null = now;
  let isMerged = false;
  for (const change of chains(changes).toReversed()) {
    const reverted: Reverted | LeftAlone = revert(target, change, past);
    if (typeof reverted === "string") return reverted;
    target = reverted.entry;
    isMerged ||= reverted.isMerged;
  }
  return { now, target, isMerged };
}

type Link = Pick<FileChange, "before" | "after">;

/** Joins consecutive changes where each starts from the previous result. */
function chains(changes: readonly Link[]): readonly Link[] {
  const joined: Link[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    if (last && isSame(last.after, change.before)) {
      joined[joined.length - 1] = { before: last.before, after: change.after };
    } else joined.push(change);
  }
  return joined.filter(({ before, after }) => !isSame(before, after));
}

function isSame(one: FileStamp | null, other: FileStamp | null): boolean {
  return keyOf(one) === keyOf(other) && (one?.mode ?? 0) === (other?.mode ?? 0);
}

interface Reverted {
  readonly entry: DiskEntry | null;
  readonly isMerged: boolean;
}

function revert(now: DiskEntry | null, { before, after }: Link, past: PastPort): Reverted | LeftAlone {
  const stamp = now?.stamp ?? null;
  if (isSame(stamp, before)) return { entry: now, isMerged: false };
  if (isSame(stamp, after)) return restored(before, past);
  if (stamp === null) return "gone";
  if (before === null && isFolderStamp(after) && isFolderStamp(stamp)) return { entry: null, isMerged: false };
  if (after === null) return "recreated";
  if (before === null) return "changed";
  const stamps = [stamp, before, after];
  if (stamps.every(isFolderStamp)) return "mode";
  if (stamps.some(isFolderStamp)) return "kind";
  if (stamps.some(isLinkStamp)) return stamps.every(isLinkStamp) ? "changed" : "kind";
  return now === null ? "gone" : mergedFile(now, before, after, past);
}

function restored(before: FileStamp | null, past: PastPort): Reverted | LeftAlone {
  if (before === null) return { entry: null, isMerged: false };
  const bytes = isFolderStamp(before) ? new Uint8Array(0) : keptBytes(past, before);
  return bytes === null ? "not_kept" : { entry: { stamp: before, bytes }, isMerged: false };
}

/** Merges content and permissions separately: a change of one need not lose the other. */
function mergedFile(now: DiskEntry, before: FileStamp, after: FileStamp, past: PastPort): Reverted | LeftAlone {
  const mode = mergedMode(now.stamp.mode, before.mode, after.mode);
  if (mode === null) return "mode";
  const bytes = mergedContent(now, before, after, past);
  if (typeof bytes === "string") return bytes;
  return { entry: { bytes, stamp: { hash: sha256(bytes), size: bytes.length, mode } }, isMerged: true };
}

function mergedMode(now: number, before: number, after: number): number | null {
  if (now === after) return before;
  return before === after || now === before ? now : null;
}

function mergedContent(now: DiskEntry, before: FileStamp, after: FileStamp, past: PastPort): Uint8Array | LeftAlone {
  if (before.hash === after.hash || now.stamp.hash === before.hash) return now.bytes;
  const theirs = keptBytes(past, before);
  if (theirs === null) return "not_kept";
  if (now.stamp.hash === after.hash) return theirs;
  const base = keptBytes(past, after);
  return base === null ? "not_kept" : (mergeBytes(base, now.bytes, theirs) ?? "changed");
}

/** A fault in what stored it, or on the disk, must not put anything else in the place of a file. */
function keptBytes(past: PastPort, { hash }: FileStamp): Uint8Array | null {
  const bytes = past.bytes(hash);
  return bytes !== null && sha256(bytes) === hash ? bytes : null;
}
