import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { lstatSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lookAfter, lookBefore, openSight } from "../../../src/platform/changes/look.ts";
import { type Ground, gitStart, makeGround, seen, settled, told, treeOf } from "./ground.ts";

let ground: Ground;
beforeEach(() => {
  ground = makeGround();
});
afterEach(() => ground[Symbol.dispose]());

const bytes = (name: string): Buffer => Buffer.from(`${ground.root}/${name}`, "latin1");

describe("[RB-1] ignored files are not watched", () => {
  test("neither existing nor new ones; those that git knows all the same are", async () => {
    ground.put(".gitignore", "node_modules/\n*.log\n!keep.log\n");
    ground.put("node_modules/m/index.js", "m\n");
    ground.put("node_modules/known.js", "known\n");
    ground.put("keep.log", "keep\n");
    ground.sh(`git init -q && git add -f node_modules/known.js && ${gitStart} && ${settled}`);
    const found = await seen(ground, () => {
      ground.put("node_modules/m/index.js", "M\n");
      ground.put("node_modules/known.js", "KNOWN\n");
      ground.put("node_modules/new.js", "new\n");
      ground.put("x.log", "x\n");
      ground.put("keep.log", "KEEP\n");
    });
    expect(told(found)).toEqual({
      "keep.log": "644 keep\n → 644 KEEP\n",
      "node_modules/known.js": "644 known\n → 644 KNOWN\n",
    });
  });

  test("a file that was ignored all the time is not taken for a new one when the rules change", async () => {
    ground.put(".gitignore", "secret.txt\n");
    ground.put("secret.txt", "there since long\n");
    ground.put("dir/secret.txt", "there since long\n");
    ground.sh(`${gitStart} && ${settled}`);
    const sight = openSight(ground.root);
    const before = await lookBefore(sight);
    ground.put(".gitignore", "*.tmp\n");
    ground.put("new.txt", "new\n");
    ground.put("x.tmp", "x\n");
    ground.put("dir/new.txt", "new\n");
    expect(told(await lookAfter(before))).toEqual({
      ".gitignore": "644 secret.txt\n → 644 *.tmp\n",
      "dir/new.txt": "nothing → 644 new\n",
      "new.txt": "nothing → 644 new\n",
    });
    // From the next look on it is watched.
    const next = await lookBefore(sight);
    ground.put("secret.txt", "changed\n");
    ground.put("dir/secret.txt", "changed\n");
    const line = "644 there since long\n → 644 changed\n";
    expect(told(await lookAfter(next))).toEqual({ "dir/secret.txt": line, "secret.txt": line });
  });

  test("the same files count as ignored as for git, whatever the rules", async () => {
    ground.put(".gitignore", "/top\n*.o\n!good.o\ndir/**/x\nbuild/\n[ab]?.c\n\\#odd\nsp \\ \n");
    ground.put("sub/.gitignore", "local\n!*.o\n");
    const names = [
      "top",
      "sub/top",
      "a.o",
      "good.o",
      "dir/x",
      "dir/y/x",
      "dir/y/z/x",
      "build/b",
      "sub/build/c",
      "ab.c",
    ];
    for (const name of [...names, "cd.c", "#odd", "sp  ", "sub/local", "sub/a.o", "plain"]) ground.put(name, name);
    ground.sh("git init -q");
    const out = Bun.spawnSync(["git", "ls-files", "-o", "--exclude-standard", "-z"], { cwd: ground.root }).stdout;
    const found = await seen(ground, () => rmSync(ground.path(".git"), { recursive: true }));
    expect(found.changes).toEqual([]);
    const all = treeOf(ground.root);
    const before = await lookBefore(openSight(ground.root));
    const watched = (folder: typeof before.tree): string[] => [
      ...folder.entries.map(({ name }) => (folder.path === "" ? name : `${folder.path}/${name}`)),
      ...folder.folders.flatMap(watched),
    ];
    expect(watched(before.tree).sort()).toEqual(out.toString().split("\0").filter(Boolean).sort());
    expect(Object.keys(all).length).toBeGreaterThan(names.length);
  });
});

describe("[RB-1] limits, by name", () => {
  test("a file that is too large, more than is kept in all, and a folder beyond the number of files", async () => {
    ground.put("big.bin", "x".repeat(2000));
    ground.put("one.txt", "1".repeat(600));
    ground.put("two.txt", "2".repeat(600));
    for (let at = 0; at < 6; at++) ground.put(`many/${at}.txt`, "m");
    ground.sh(settled);
    const limits = { maxFiles: 5, maxFileBytes: 1000, maxBytes: 1000 };
    const found = await seen(
      ground,
      () => {
        for (const name of ["big.bin", "one.txt", "two.txt", "many/3.txt"]) ground.put(name, "new");
      },
      { limits },
    );
    const lines = told(found);
    expect([lines["big.bin"], lines["many/"], Object.keys(lines).length]).toEqual(["too_large", "too_many", 4]);
    // Which of the two there was room for depends on the order in which the disk names them.
    expect([lines["one.txt"], lines["two.txt"]].filter((line) => line === "too_much")).toHaveLength(1);
  });

  test("a folder that was not watched is not taken for new when there is room for it afterwards", async () => {
    for (let at = 0; at < 4; at++) ground.put(`a/${at}.txt`, "a");
    for (let at = 0; at < 4; at++) ground.put(`b/${at}.txt`, "b");
    ground.sh(settled);
    const found = await seen(ground, () => ground.sh("rm -f a/*.txt b/*.txt; echo > b/new"), {
      limits: { maxFiles: 5 },
    });
    const names = Object.keys(told(found));
    expect(names.filter((name) => name.endsWith("/"))).toHaveLength(1);
    expect(names.filter((name) => !name.endsWith("/"))).toHaveLength(names.includes("a/") ? 5 : 4);
  });

  test("pipes and names that are not UTF-8 are named, and hold nobody up", async () => {
    ground.put("a.txt", "a");
    writeFileSync(bytes("bad\xff.txt"), "bad");
    ground.sh(`mkfifo pipe && ${gitStart} && ${settled}`);
    const found = await seen(ground, () => {
      ground.sh("rm pipe; mkfifo other");
      writeFileSync(bytes("bad\xff.txt"), "worse");
      writeFileSync(bytes("bad\xfe.txt"), "new");
      ground.put("a.txt", "A");
    });
    const lines = Object.entries(told(found)).map(([path, line]) => `${path}: ${line}`);
    expect(lines.filter((line) => !line.startsWith("bad"))).toEqual([
      "a.txt: 644 a → 644 A",
      "other: not_a_file",
      "pipe: not_a_file",
    ]);
    expect(found.unkept.filter(({ why }) => why === "bad_name")).toHaveLength(2);
  });

  test("`.git`, `.coder`, our own folder and temporary files of ours are never watched", async () => {
    ground.put("own/store.db", "1");
    ground.put(".coder/notes", "1");
    ground.put("sub/.coder/notes", "1");
    ground.sh(`${gitStart} && ${settled}`);
    const found = await seen(
      ground,
      () => {
        for (const name of ["own/store.db", ".coder/notes", "sub/.coder/notes", ".git/description"])
          ground.put(name, "2");
        ground.put(".coder-0123456789abcdef-0.tmp", "t");
        ground.put(".coder-0123456789abcdef-12.old.tmp", "t");
      },
      { never: [ground.path("own")] },
    );
    expect(found).toEqual({ changes: [], unkept: [] });
  });

  test("a tree of twice as many files as the limit is looked at as far as that goes, and no further", async () => {
    // A hundred thousand files take ten seconds to make and to remove.
    const folders = process.env.CODER_TEST_LONG ? 100 : 4;
    const maxFiles = folders * 500;
    ground.sh(`for d in $(seq ${folders}); do mkdir d$d; (cd d$d && seq 1000 | xargs touch); done; sleep 0.05`);
    const before = await lookBefore(openSight(ground.root, [], { maxFiles }));
    const skipped = before.tree.folders.filter((folder) => folder.skipped === "too_many");
    expect([before.tree.folders.length, skipped.length]).toEqual([folders, folders / 2]);
    const watched = before.tree.folders.find((folder) => folder.skipped === null);
    ground.put(`${watched?.name}/7`, "new");
    const found = await lookAfter(before);
    expect(found.changes.map(({ change }) => change.path)).toEqual([`${watched?.name}/7`]);
    expect(found.unkept).toHaveLength(folders / 2);
  }, 120_000);
});

describe("[RB-1] what somebody else may have changed meanwhile is named, not undone", () => {
  test("before the command started, after it ended, by another session, or while it is open in an editor", async () => {
    for (const name of ["early", "late", "other", "open", "ours", "gone-late/x"]) ground.put(name, "1");
    ground.sh(`${gitStart} && ${settled}`);
    const before = await lookBefore(openSight(ground.root));
    ground.put("early", "2");
    await Bun.sleep(60);
    const startedAt = Date.now();
    for (const name of ["other", "open", "ours"]) ground.put(name, "2");
    ground.put(".open.swp", "vim");
    await Bun.sleep(2);
    const endedAt = Date.now();
    await Bun.sleep(60);
    ground.put("late", "2");
    rmSync(ground.path("gone-late/x"));
    const found = await lookAfter(before, {
      startedAt,
      endedAt,
      isOthers: (real) => real === join(ground.root, "other"),
    });
    expect(told(found)).toEqual({
      ".open.swp": "nothing → 644 vim",
      early: "others",
      "gone-late/x": "others",
      late: "others",
      open: "644 1 → 644 2 (unclear)",
      other: "others",
      ours: "644 1 → 644 2",
    });
  });

  test("a file that was swapped for a link is the link, and what that leads to is not read", async () => {
    using outside = makeGround();
    outside.put("secret.txt", "secret");
    ground.put("a.txt", "a");
    ground.put("dir/b.txt", "b");
    ground.sh(`${gitStart} && ${settled}`);
    const found = await seen(ground, () => {
      rmSync(ground.path("a.txt"));
      symlinkSync(outside.path("secret.txt"), ground.path("a.txt"));
      rmSync(ground.path("dir"), { recursive: true });
      symlinkSync(outside.root, ground.path("dir"));
    });
    expect(told(found)).toEqual({
      "a.txt": `644 a → 120777 ${outside.path("secret.txt")}`,
      dir: `40755 → 120777 ${outside.root}`,
      "dir/b.txt": "644 b → nothing",
    });
    expect(lstatSync(ground.path("dir")).isSymbolicLink()).toBe(true);
  });
});

describe("[RB-1] a command that removes more files than are fetched from git at once", () => {
  test("leaves each of them with the content that it had", async () => {
    const files = 11_000;
    const textOf = (at: number): string => `${at}\n${"line\n".repeat(at % 50)}`;
    for (let at = 0; at < files; at++) ground.put(`src/${at % 90}/${at}.txt`, textOf(at));
    ground.sh(`${gitStart} && ${settled}`);
    const sight = openSight(ground.root);
    const baseline = await lookBefore(sight);
    rmSync(ground.path("src"), { recursive: true });
    const { changes, unkept } = await lookAfter(baseline);
    const found = changes.filter(({ change }) => change.path.endsWith(".txt"));
    // Its bytes are good until the next one is asked for.
    const wrong = found.filter((one) => {
      const wanted = textOf(Number(/(\d+)\.txt$/.exec(one.change.path)?.[1]));
      return Buffer.from(one.beforeBytes ?? []).toString() !== wanted || one.change.before?.size !== wanted.length;
    });
    expect([found.length, changes.length - found.length, wrong, unkept]).toEqual([files, 91, [], []]);
  }, 120_000);
});
