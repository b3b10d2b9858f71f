import { describe, expect, test } from "bun:test";
import { Book, type FirstSight, rowWidth, sharedBit } from "../../../src/platform/witness/ledger.ts";

const [DELETED, CREATED, MOVED_FROM, MOVED_TO] = [0x200, 0x100, 0x40, 0x80];
const sight: FirstSight = { ino: 7, size: 1, mtime: 2, mtimeNs: 3 };

function folder(book: Book, watch: number): void {
  book.addFolder(watch, { dev: 1, ino: watch, path: `/ws/${watch}`, isGone: false });
}

function removed(book: Book, watch: number, name: string): void {
  book.removes(watch, name, () => sight);
  book.tell(watch, DELETED, name, 0);
}

/** By folder and name: whether others had a hand in it. */
function sharedIn(book: Book): Record<string, boolean> {
  const { folders, rows } = book.handOver();
  const found = folders.flatMap(({ ino, names, start }) =>
    (names === "" ? [] : names.split("\0")).map((name, at) => {
      const bits = rows[rowWidth * (start + at)] ?? 0;
      return [`${ino}/${name}`, (bits & sharedBit) !== 0] as const;
    }),
  );
  return Object.fromEntries(found);
}

describe("[RB-1] what a command did to the names in a folder", () => {
  test("is handed over the same whether the folder is gone or not, also what others removed there", () => {
    const [kept, gone] = [new Book(), new Book()];
    for (const book of [kept, gone]) {
      for (const watch of [1, 2, 3]) folder(book, watch);
      for (const watch of [1, 2, 3]) for (const name of ["a", "b"]) removed(book, watch, name);
      // Somebody made it again and removed it, beside the command.
      book.tell(2, DELETED, "b", 0);
      removed(book, 3, "c");
    }
    for (const watch of [1, 2]) gone.folderGone(watch);
    const wanted = { "1/a": false, "1/b": false, "2/a": false, "2/b": true, "3/a": false, "3/b": false, "3/c": false };
    expect([sharedIn(kept), sharedIn(gone)]).toEqual([wanted, wanted]);
    expect(gone.handOver().folders.map(({ isGone }) => isGone)).toEqual([true, true, false]);
  });

  test("stays whole where more than removals happened before the folder was gone", () => {
    const book = new Book();
    for (const watch of [1, 2]) folder(book, watch);
    removed(book, 1, "plain");
    const made = book.of(1, "made");
    made.made++;
    made.isPut = true;
    book.tell(1, CREATED, "made", 0);
    book.moves(100, made, book.of(2, "target"), 8, false);
    book.tell(1, MOVED_FROM, "made", 5);
    book.tell(2, MOVED_TO, "target", 5);
    book.folderGone(1);
    const { folders, moves, holds } = book.handOver();
    expect(folders.map(({ names, start }) => [names, start])).toEqual([
      ["plain\0made", 0],
      ["target", 2],
    ]);
    expect([[...moves], [...holds]]).toEqual([[1, 2], [[2, 8]]]);
  });
});
