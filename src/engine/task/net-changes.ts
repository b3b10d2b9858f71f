import type { FileChange } from "../../contract/message.ts";
import { isFolderStamp } from "../../platform/files/stamp.ts";

/** The net change per file: its first "before" and its last "after". Directories are left out. */
export function netChanges(changes: readonly FileChange[]): readonly FileChange[] {
  const net = new Map<string, FileChange>();
  for (const one of changes) net.set(one.real, { ...one, before: (net.get(one.real) ?? one).before });
  return [...net.values()].filter(({ before, after }) => !isFolderStamp(before ?? after));
}

/** False for a file that was created and deleted again, or restored. */
export function isChanged({ before, after }: FileChange): boolean {
  return before?.hash !== after?.hash || before?.mode !== after?.mode;
}
