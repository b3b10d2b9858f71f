import type { FileChange } from "../../contract/message.ts";
import { isFolderStamp } from "../../platform/files/stamp.ts";

/** One file as it is shown: under its new name, with the old one where it was moved. */
export interface ShownChange extends Pick<FileChange, "path" | "before" | "after"> {
  readonly from?: string;
}

/**
 * Without folders, which have no content. What is gone in one place and the same in another was moved; so was what `told` says.
 * A file may be moved and changed at once: only the tool knows that it is the same one.
 */
export function withMoves(changes: readonly FileChange[], told: ReadonlyMap<string, string>): readonly ShownChange[] {
  const files = changes.filter(({ before, after }) => !isFolderStamp(before) && !isFolderStamp(after));
  const gone = files.filter(({ before, after }) => before !== null && after === null);
  const byPath = Map.groupBy(gone, ({ path }) => path);
  const byHash = Map.groupBy(gone, ({ before }) => before?.hash);
  const moved = new Set<FileChange>();
  const firstOf = (some: FileChange[] | undefined): FileChange | undefined => {
    while (some?.[0] && moved.has(some[0])) some.shift();
    return some?.shift();
  };
  const origins = new Map<FileChange, FileChange>();
  const made = files.filter(({ before, after }) => before === null && after !== null);
  // What the tool says is certain: it comes before what only looks so.
  for (const find of [
    ({ path }: FileChange) => byPath.get(told.get(path) ?? ""),
    // Empty files are all the same.
    ({ after }: FileChange) => (after !== null && after.size > 0 ? byHash.get(after.hash) : undefined),
  ]) {
    for (const one of made) {
      const origin = origins.has(one) ? undefined : firstOf(find(one));
      if (origin === undefined) continue;
      origins.set(one, origin);
      moved.add(origin);
    }
  }
  return files.flatMap((one) => {
    const origin = origins.get(one);
    if (moved.has(one)) return [];
    return [origin ? { ...one, before: origin.before, from: origin.path } : one];
  });
}
