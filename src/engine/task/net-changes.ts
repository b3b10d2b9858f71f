import type { FileChange } from "../../contract/message.ts";
import { isFolderStamp } from "../../platform/files/stamp.ts";

/** What became of each file, all in all: the first "before" and the last "after" count. Folders themselves are left out. */
export function netChanges(changes: readonly FileChange[]): readonly FileChange[] {
  const net = new Map<string, FileChange>();
  for (const one of changes) net.set(one.real, { ...one, before: (net.get(one.real) ?? one).before });
  return [...net.values()].filter(({ before, after }) => !isFolderStamp(before ?? after));
}

/** A file that was created and deleted again, or put back, is no change. */
export function isChanged({ before, after }: FileChange): boolean {
  return before?.hash !== after?.hash || before?.mode !== after?.mode;
}
