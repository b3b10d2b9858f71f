import type { FileChange } from "../contract/message.ts";
import type { ChangePlan, PlannedChange } from "../contract/tool.ts";
import { missingAbove } from "../platform/files/entry.ts";
import { isFolderStamp } from "../platform/files/stamp.ts";
import type { Blob } from "./loop.ts";

/** So that an undo removes the folders that were made for a file, and no others. */
export function withFolders(change: FileChange): FileChange {
  const folders = change.before === null ? missingAbove(change.real) : 0;
  return folders > 0 ? { ...change, folders } : change;
}

/** Both sides: what was, to go back to, and what came, to see later whether it is still there, and to bring it again. */
export function blobsOf({ change: { before, after }, beforeBytes, afterBytes }: PlannedChange): readonly Blob[] {
  return [
    ...(before && beforeBytes && !isFolderStamp(before) ? [{ hash: before.hash, bytes: beforeBytes }] : []),
    ...(after && afterBytes && !isFolderStamp(after) ? [{ hash: after.hash, bytes: afterBytes }] : []),
  ];
}

/** The same files, from the same content to the same content. */
export function isAsIntended(plan: ChangePlan, intended: readonly FileChange[]): boolean {
  const told = (changes: readonly FileChange[]): string =>
    JSON.stringify(changes.map(({ real, before, after }) => [real, stampText(before), stampText(after)]).sort());
  return told(plan.changes.map(({ change }) => change)) === told(intended);
}

function stampText(stamp: FileChange["before"]): string {
  return stamp === null ? "" : `${stamp.hash} ${stamp.mode}`;
}
