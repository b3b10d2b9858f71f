import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { type Ground, gitStart, makeGround, treeOf } from "../../platform/changes/ground.ts";
import { type Actor, makeActor, type Undone } from "../undoing.ts";

let ground: Ground;
let actor: Actor;
beforeEach(() => {
  ground = makeGround();
  actor = makeActor(ground);
});
afterEach(() => ground[Symbol.dispose]());

const lines = ({ text }: Undone): readonly string[] => text.split("\n");

describe("[RB-2] undo", () => {
  test("takes back what the last task did by tools and by commands, and redo brings it again", async () => {
    ground.put("a.txt", "a\n");
    ground.put("gone.txt", "gone\n", 0o600);
    const before = treeOf(ground.root);
    actor.write({ "a.txt": "A\n", "new/deep/n.txt": "n\n" });
    await actor.shell(() => ground.sh("rm gone.txt; ln -s a.txt link; mkdir -p made/empty; chmod 755 a.txt"));
    actor.endTask("change everything");
    const after = treeOf(ground.root);
    expect(lines(await actor.undo())).toEqual([
      'Undone: "change everything"',
      "restored: a.txt, gone.txt",
      "removed: link, new/deep/n.txt",
    ]);
    expect(treeOf(ground.root)).toEqual(before);
    expect(lines(await actor.redo())[0]).toBe('Restored: "change everything"');
    expect(treeOf(ground.root)).toEqual(after);
  });

  test("gives each of several committed files of one size its own content back", async () => {
    for (const name of ["a.txt", "b.txt", "c.txt"]) ground.put(name, `${name}\n`);
    ground.sh(gitStart);
    const before = treeOf(ground.root);
    await actor.shell(() => ground.sh("mv a.txt x && mv b.txt a.txt && mv x b.txt; rm c.txt"));
    actor.endTask("t");
    const after = treeOf(ground.root);
    expect(lines(await actor.undo())).toEqual(['Undone: "t"', "restored: a.txt, b.txt, c.txt"]);
    expect(treeOf(ground.root)).toEqual(before);
    await actor.redo();
    expect(treeOf(ground.root)).toEqual(after);
  });

  test("of several tasks takes back their sum, and keeps what the person did between them", async () => {
    ground.put("a.txt", "1\n2\n3\n4\n5\n6\n7\n");
    actor.write({ "a.txt": "one\n2\n3\n4\n5\n6\n7\n" });
    actor.endTask("first");
    ground.put("a.txt", "one\n2\n3\nmine\n5\n6\n7\n");
    actor.write({ "a.txt": "one\n2\n3\nmine\n5\n6\nseven\n" });
    actor.endTask("second");
    const { text } = await actor.undo(2);
    expect(text).toBe('Undone: "second", "first"\nmerged with later changes: a.txt');
    expect(treeOf(ground.root)).toEqual({ "a.txt": "644 1\n2\n3\nmine\n5\n6\n7\n" });
  });

  test("leaves alone, by name and with the reason, what it cannot take back; and does the rest", async () => {
    for (const name of ["edited", "deleted", "mode", "kind", "fine"]) ground.put(name, "1\n");
    ground.put("removed", "1\n");
    ground.put("dir/moved", "1\n");
    await actor.shell(() => {
      for (const name of ["edited", "deleted", "kind", "fine", "made", "dir/moved"]) ground.put(name, "2\n");
      unlinkSync(ground.path("removed"));
      chmodSync(ground.path("mode"), 0o600);
    });
    actor.endTask("t");
    ground.put("edited", "3\n");
    ground.put("made", "3\n");
    ground.put("removed", "3\n");
    unlinkSync(ground.path("deleted"));
    chmodSync(ground.path("mode"), 0o640);
    unlinkSync(ground.path("kind"));
    mkdirSync(ground.path("kind"));
    renameSync(ground.path("dir"), ground.path("dir2"));
    symlinkSync("dir2", ground.path("dir"));
    const before = treeOf(ground.root);
    const { text } = await actor.undo();
    const [head, restored, left, ...refused] = text.split("\n");
    expect([head, restored, left]).toEqual(['Undone: "t"', "restored: fine", "not changed:"]);
    expect(refused.sort()).toEqual([
      "  deleted: it was deleted since",
      "  dir/moved: its folder has been replaced, or is a link",
      "  edited: the same lines were changed since",
      "  kind: it is no longer the same kind (file, link or folder)",
      "  made: the same lines were changed since",
      "  mode: its permissions were changed since",
      "  removed: something else is in its place now",
    ]);
    expect(treeOf(ground.root)).toEqual({ ...before, fine: "644 1\n" });
  });

  test("keeps a folder in which there is something of others, and what was never kept is named", async () => {
    await actor.shell(() => {
      ground.put("made/ours.txt", "1\n");
      ground.put("big.bin", "x".repeat(5_000));
    });
    actor.endTask("t");
    ground.put("made/theirs.txt", "2\n");
    expect((await actor.undo()).text).toBe(
      [
        'Undone: "t"',
        "removed: made/ours.txt",
        "folders kept because they contain something else: made",
        "earlier content was not saved, so still as the task left them:",
        "  big.bin: too large to save",
      ].join("\n"),
    );
    expect(Object.keys(treeOf(ground.root))).toEqual(["big.bin", "made", "made/theirs.txt"]);
  });

  test("a file that was moved, and cannot go back because there is another by now, is not lost", async () => {
    ground.put("old.txt", "precious\n");
    await actor.shell(() => renameSync(ground.path("old.txt"), ground.path("new.txt")));
    actor.endTask("t");
    ground.put("old.txt", "mine\n");
    expect((await actor.undo()).text.split("\n").slice(1, 3)).toEqual([
      "old.txt: something else is in its place now",
      "new.txt: it was moved here and cannot go back",
    ]);
    expect(treeOf(ground.root)).toEqual({ "new.txt": "644 precious\n", "old.txt": "644 mine\n" });
  });

  test("an empty folder that was there before a file was written into it stays", async () => {
    mkdirSync(ground.path("old/empty"), { recursive: true });
    actor.write({ "old/empty/new/x.txt": "x\n" });
    actor.endTask("t");
    await actor.undo();
    expect(Object.keys(treeOf(ground.root))).toEqual(["old", "old/empty"]);
  });

  test("a file and a folder that took each other's place change places again", async () => {
    ground.put("file", "f\n");
    ground.put("folder/in/x.txt", "x\n");
    const before = treeOf(ground.root);
    await actor.shell(() =>
      ground.sh("rm file; mkdir -p file/deep; echo y > file/deep/y; rm -r folder; ln -s file folder"),
    );
    actor.endTask("t");
    const after = treeOf(ground.root);
    await actor.undo();
    expect(treeOf(ground.root)).toEqual(before);
    await actor.redo();
    expect(treeOf(ground.root)).toEqual(after);
    // Something of others in the folder keeps the file from its place.
    ground.put("file/theirs", "t\n");
    const { text } = await actor.undo();
    expect(text).toContain("file: the folder in its place is not empty");
    expect(Object.keys(treeOf(ground.root))).toEqual(["file", "file/theirs", "folder", "folder/in", "folder/in/x.txt"]);
  });

  test("says so when there is nothing to undo or redo, when all is refused, and when it runs without a session", async () => {
    const nothing = await actor.undo();
    expect(nothing.text).toBe(
      "E_INVALID_ARGS: nothing to undo: no task of this session changed files, or all are undone\nuse /redo to restore undone changes",
    );
    expect((await actor.redo()).text).toStartWith("E_INVALID_ARGS: nothing to redo");
    actor.write({ "a.txt": "1\n" });
    actor.endTask("t");
    ground.put("a.txt", "mine\n");
    expect((await actor.undo()).text).toBe(
      "E_CONFLICT: nothing was changed: none of these files could be reverted:\na.txt: the same lines were changed since\nchange these files by hand, or move them away, and try again; /undo 2 also undoes the task before",
    );
    rmSync(ground.path("a.txt"));
    expect((await actor.undo()).text).toBe('Undone: "t"\nno file had to change: all are as they were');
  });

  test("[PO-7] never follows a link that took the place of a file or of a folder above it", async () => {
    using outside = makeGround();
    outside.put("a.txt", "2\n");
    outside.put("dir/b.txt", "2\n");
    ground.put("a.txt", "1\n");
    ground.put("dir/b.txt", "1\n");
    actor.write({ "a.txt": "2\n", "dir/b.txt": "2\n" });
    actor.endTask("t");
    unlinkSync(ground.path("a.txt"));
    symlinkSync(outside.path("a.txt"), ground.path("a.txt"));
    rmSync(ground.path("dir"), { recursive: true });
    symlinkSync(outside.path("dir"), ground.path("dir"));
    const before = treeOf(outside.root);
    expect((await actor.undo()).text).toStartWith("E_CONFLICT");
    expect(treeOf(outside.root)).toEqual(before);
  });

  test("names with line breaks are written so that they cannot pass for another line", async () => {
    actor.write({ "a\nremoved: b.txt": "1\n" });
    actor.endTask("t");
    expect((await actor.undo()).text).toBe('Undone: "t"\nremoved: a\\nremoved: b.txt');
  });
});
