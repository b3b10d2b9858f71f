import type { IndexFile } from "../database.ts";
import { pace } from "./pace.ts";

/** Pages of the full-text table per step: takes 6 ms, 13 at most. */
const pagesAtOnce = 16;

/** Merges the segments of a new index in spare time, because that would delay the first map by a tenth; later SQLite does it. */
export async function mergeParts(index: IndexFile, signal: AbortSignal): Promise<void> {
  if (index.rows("select 1 from notes where key = 'unmerged'").length === 0) return;
  const slice = pace();
  while (!signal.aborted) {
    if (!(await mergeSome(index))) {
      await index.transact(() => {
        setLimits(index, 8, 16);
        index.run("delete from notes where key = 'unmerged'");
      });
      return;
    }
    await slice.rest();
  }
}

async function mergeSome(index: IndexFile): Promise<boolean> {
  const changes = (): number => index.rows<[number]>("select total_changes()")[0]?.[0] ?? 0;
  const before = changes();
  await index.transact(() => index.run("insert into words (words, rank) values ('merge', ?)", pagesAtOnce));
  return changes() - before >= 2;
}

/** SQLite merges `parts` segments of one size bit by bit, and `most` of them at once, however long that takes. */
function setLimits(index: IndexFile, parts: number, most: number): void {
  index.run("insert into words (words, rank) values ('automerge', ?)", parts);
  index.run("insert into words (words, rank) values ('crisismerge', ?)", most);
}
