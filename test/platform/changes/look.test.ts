import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { lookAfter, lookBefore, openSight } from "../../../src/platform/changes/look.ts";
import { type Ground, gitStart, makeGround, seen, settled, told, treeOf } from "./ground.ts";

let ground: Ground;
beforeEach(() => {
  ground = makeGround();
});
afterEach(() => ground[Symbol.dispose]());

function someTree(): void {
  ground.put("a.txt", "a\n");
  ground.put("b.txt", "b\n");
  ground.put("dir/c.txt", "c\n");
  ground.put("run.sh", "run\n", 0o755);
  symlinkSync("a.txt", ground.path("link"));
}

function work(): void {
  ground.put("a.txt", "A\n");
  rmSync(ground.path("b.txt"));
  renameSync(ground.path("dir/c.txt"), ground.path("dir/d.txt"));
  chmodSync(ground.path("run.sh"), 0o644);
  rmSync(ground.path("link"));
  symlinkSync("dir", ground.path("link"));
  symlinkSync("nowhere", ground.path("new-link"));
  mkdirSync(ground.path("made/empty"), { recursive: true });
  ground.put("made/e.txt", "e\n");
}

const wanted = {
  "a.txt": "644 a\n → 644 A\n",
  "b.txt": "644 b\n → nothing",
  "dir/c.txt": "644 c\n → nothing",
  "dir/d.txt": "nothing → 644 c\n",
  link: "120777 a.txt → 120777 dir",
  made: "nothing → 40755",
  "made/e.txt": "nothing → 644 e\n",
  "made/empty": "nothing → 40755",
  "new-link": "nothing → 120777 nowhere",
  "run.sh": "755 run\n → 644 run\n",
};

describe("[RB-1] what a command changed is found with what was there before", () => {
  test("in a repository, where the contents of clean files come from git's store", async () => {
    someTree();
    ground.sh(`${gitStart} && ${settled}`);
    expect(told(await seen(ground, work))).toEqual(wanted);
  });

  test("without a repository, where everything is copied", async () => {
    someTree();
    ground.sh(settled);
    expect(told(await seen(ground, work))).toEqual(wanted);
  });

  test("also of files that git does not know, and of those that are not as committed", async () => {
    someTree();
    ground.sh(gitStart);
    ground.put("a.txt", "mine\n");
    ground.put("new.txt", "new\n");
    ground.sh("echo staged > b.txt; git add b.txt; sleep 0.05");
    const found = await seen(ground, () => {
      ground.put("a.txt", "A\n");
      ground.put("b.txt", "B\n");
      rmSync(ground.path("new.txt"));
    });
    expect(told(found)).toEqual({
      "a.txt": "644 mine\n → 644 A\n",
      "b.txt": "644 staged\n → 644 B\n",
      "new.txt": "644 new\n → nothing",
    });
  });

  test("a file that was changed within the same tick of the clock, to the same size, is found", async () => {
    ground.put("a.txt", "1");
    ground.sh("git init -q && git add -A");
    const sight = openSight(ground.root);
    for (let round = 0; round < 30; round++) {
      ground.put("a.txt", String(round % 10));
      const before = await lookBefore(sight);
      ground.put("a.txt", String((round + 1) % 10));
      const line = `644 ${round % 10} → 644 ${(round + 1) % 10}`;
      expect(told(await lookAfter(before))).toEqual({ "a.txt": line });
    }
  });

  test("what is handed out of several files of one size stays what each of them was", async () => {
    for (const name of ["a.txt", "b.txt", "c.txt"]) ground.put(name, `${name}\n`);
    ground.sh(`${gitStart} && ${settled}`);
    const { changes } = await seen(ground, () => ground.sh("mv a.txt x && mv b.txt a.txt && mv x b.txt; rm c.txt"));
    const contents = changes.map(({ change, beforeBytes, afterBytes }) => [change.path, beforeBytes, afterBytes]);
    const shown = contents.map(([path, ...sides]) => [
      path,
      ...sides.map((side) => side && Buffer.from(side).toString()),
    ]);
    expect(shown.sort()).toEqual([
      ["a.txt", "a.txt\n", "b.txt\n"],
      ["b.txt", "b.txt\n", "a.txt\n"],
      ["c.txt", "c.txt\n", null],
    ]);
  });

  test("a file that only got a new time, and one that was changed and changed back, are no changes", async () => {
    someTree();
    ground.sh(`${gitStart} && ${settled}`);
    const found = await seen(ground, () => {
      utimesSync(ground.path("a.txt"), 1, 1);
      ground.put("b.txt", "x\n");
      ground.put("b.txt", "b\n");
      rmSync(ground.path("link"));
      symlinkSync("a.txt", ground.path("link"));
    });
    expect(found).toEqual({ changes: [], unkept: [] });
  });

  test("a file and a folder that take each other's place are one change each", async () => {
    someTree();
    ground.sh(`${gitStart} && ${settled}`);
    const found = await seen(ground, () => {
      rmSync(ground.path("a.txt"));
      ground.put("a.txt/in.txt", "in\n");
      rmSync(ground.path("dir"), { recursive: true });
      ground.put("dir", "file\n");
    });
    expect(told(found)).toEqual({
      "a.txt": "644 a\n → 40755",
      "a.txt/in.txt": "nothing → 644 in\n",
      dir: "40755 → 644 file\n",
      "dir/c.txt": "644 c\n → nothing",
    });
  });

  test("a folder that was moved is found with all that is in it, though nothing of it got a new time", async () => {
    ground.put("dir/deep/c.txt", "c\n");
    ground.sh(`${gitStart} && ${settled}`);
    const found = await seen(ground, () => ground.sh("mv dir other; mkdir -p into && mv other into/new"));
    expect(told(found)).toEqual({
      dir: "40755 → nothing",
      "dir/deep": "40755 → nothing",
      "dir/deep/c.txt": "644 c\n → nothing",
      into: "nothing → 40755",
      "into/new": "nothing → 40755",
      "into/new/deep": "nothing → 40755",
      "into/new/deep/c.txt": "nothing → 644 c\n",
    });
  });

  test("the names of a hard-linked file, of which one was written to, have both changed", async () => {
    ground.put("one.txt", "1\n");
    linkSync(ground.path("one.txt"), ground.path("two.txt"));
    ground.sh(`${gitStart} && ${settled}`);
    const found = await seen(ground, () => appendFileSync(ground.path("one.txt"), "more\n"));
    const line = "644 1\n → 644 1\nmore\n";
    expect(told(found)).toEqual({ "one.txt": line, "two.txt": line });
  });

  test("names with line breaks, spaces and other scripts, and names that differ only in case", async () => {
    ground.put("a b\n$(x).txt", "1");
    ground.put("名字.txt", "1");
    ground.put("Name", "1");
    ground.sh(`${gitStart} && ${settled}`);
    const found = await seen(ground, () => {
      ground.put("a b\n$(x).txt", "2");
      ground.put("名字.txt", "2");
      renameSync(ground.path("Name"), ground.path("name"));
    });
    expect(told(found)).toEqual({
      "a b\n$(x).txt": "644 1 → 644 2",
      Name: "644 1 → nothing",
      name: "nothing → 644 1",
      "名字.txt": "644 1 → 644 2",
    });
  });

  test("the next command costs no second copy, and what the last one changed is where it starts", async () => {
    someTree();
    ground.sh(settled);
    const sight = openSight(ground.root);
    const first = await lookBefore(sight);
    work();
    await lookAfter(first);
    const second = await lookBefore(sight);
    ground.put("a.txt", "AA\n");
    expect(told(await lookAfter(second))).toEqual({ "a.txt": "644 A\n → 644 AA\n" });
  });

  test("a look that is older than others still knows what was there", async () => {
    someTree();
    ground.sh(`${gitStart} && ${settled}`);
    const sight = openSight(ground.root);
    const job = await lookBefore(sight);
    const command = await lookBefore(sight);
    ground.put("a.txt", "A\n");
    await lookAfter(command);
    ground.put("b.txt", "B\n");
    expect(told(await lookAfter(job))).toEqual({ "a.txt": "644 a\n → 644 A\n", "b.txt": "644 b\n → 644 B\n" });
  });
});

describe("[RB-1] git is not touched, and nothing of it is started that a repository chooses", () => {
  test("index, refs, stash, objects and config are byte for byte what they were", async () => {
    someTree();
    ground.sh(`${gitStart} && echo x >> b.txt && git stash -q && echo y >> a.txt && git add a.txt && ${settled}`);
    utimesSync(ground.path("dir/c.txt"), 1, 1);
    const gitOf = () => ({ tree: treeOf(ground.path(".git")), index: statSync(ground.path(".git/index")).mtimeMs });
    const before = gitOf();
    await seen(ground, work);
    expect(gitOf()).toEqual(before);
  });

  test("neither a file system monitor, nor filters, hooks or text converters run", async () => {
    someTree();
    ground.put(".gitattributes", "*.txt filter=evil diff=evil\n");
    ground.sh(gitStart);
    const evil = `touch ${ground.path("ran")}; cat`;
    for (const key of [
      "core.fsmonitor",
      "filter.evil.clean",
      "filter.evil.smudge",
      "filter.evil.process",
      "diff.evil.textconv",
    ]) {
      ground.sh(`git config ${key} '${evil}'`);
    }
    ground.put(".git/hooks/post-index-change", `#!/bin/sh\n${evil}\n`, 0o755);
    ground.sh(settled);
    const found = await seen(ground, () => ground.put("a.txt", "A\n"));
    expect(told(found)).toEqual({ "a.txt": "644 a\n → 644 A\n" });
    expect(treeOf(ground.root).ran).toBeUndefined();
  });
});

describe("[RB-1] what git's store holds is used only where it is what was on the disk", () => {
  test("line ends that git turned on the way out are turned again", async () => {
    ground.put(".gitattributes", "*.txt text eol=crlf\n");
    ground.put("a.txt", "1\r\n2\r\n");
    ground.sh(`${gitStart} && rm a.txt && git checkout -q a.txt && ${settled}`);
    expect(readFileSync(ground.path("a.txt"), "utf8")).toBe("1\r\n2\r\n");
    const found = await seen(ground, () => ground.put("a.txt", "x\r\n"));
    expect(told(found)).toEqual({ "a.txt": "644 1\r\n2\r\n → 644 x\r\n" });
  });

  test("a mixture of line ends, of which nobody knows where they were, is named and not restored", async () => {
    ground.put(".gitattributes", "*.txt text=auto\n");
    ground.put("a.txt", "1\r\n2\n3\r\n");
    ground.sh(`git init -q && git -c core.autocrlf=input add -A && sleep 0.05 && git add -A && ${settled}`);
    const found = await seen(ground, () => ground.put("a.txt", "x\n"));
    expect(told(found)).toEqual({ "a.txt": "unproved" });
  });

  test("a file that a filter or an encoding made is copied beforehand, also when its size is that of the stored one", async () => {
    ground.put("a.txt", "abc\n");
    ground.put("deep/b.dat", "b\n");
    ground.put(".gitattributes", "*.txt filter=rot\n");
    ground.put("deep/.gitattributes", "[attr]odd working-tree-encoding=UTF-16\n");
    ground.sh(
      `git init -q && git config filter.rot.clean 'tr a-z b-za' && git config filter.rot.smudge 'tr b-za a-z' && ${gitStart} && sleep 0.05 && git status >/dev/null && ${settled}`,
    );
    const found = await seen(ground, () => {
      ground.put("a.txt", "x\n");
      ground.put("deep/b.dat", "x\n");
    });
    expect(told(found)).toEqual({ "a.txt": "644 abc\n → 644 x\n", "deep/b.dat": "644 b\n → 644 x\n" });
  });

  test("an object that is gone is named", async () => {
    someTree();
    ground.sh(`${gitStart} && ${settled}`);
    const found = await seen(ground, () => {
      ground.put("a.txt", "A\n");
      ground.sh("find .git/objects -type f -delete");
    });
    expect(told(found)).toEqual({ "a.txt": "unreadable" });
  });
});

describe("[RB-1] kinds of repositories", () => {
  test("a linked worktree, a submodule and a repository inside that git knows nothing of", async () => {
    ground.put("main/a.txt", "a\n");
    ground.put("lib/l.txt", "l\n");
    ground.sh(`cd lib && ${gitStart}`);
    ground.sh(
      `cd main && ${gitStart} && git -c protocol.file.allow=always submodule --quiet add ../lib sub && git -c user.name=a -c user.email=a@b commit -qm two && git worktree add -q ../tree && mkdir inner && cd inner && git init -q && echo i > i.txt && echo out > .gitignore && echo o > out && ${settled}`,
    );
    const main = { ...ground, root: ground.path("main") };
    const change = () => {
      ground.put("main/sub/l.txt", "L\n");
      ground.put("main/inner/i.txt", "I\n");
      ground.put("main/inner/out", "O\n");
    };
    expect(told(await seen(main, change))).toEqual({
      "inner/i.txt": "644 i\n → 644 I\n",
      "sub/l.txt": "644 l\n → 644 L\n",
    });
    const tree = { ...ground, root: ground.path("tree") };
    const found = await seen(tree, () => ground.put("tree/a.txt", "A\n"));
    expect(told(found)).toEqual({ "a.txt": "644 a\n → 644 A\n" });
  });

  test("a workspace below the top of its repository, and one that the repository around it ignores", async () => {
    ground.put("pkg/a.txt", "a\n");
    ground.put("build/b.txt", "b\n");
    ground.put(".gitignore", "build/\n*.log\n");
    ground.sh(`${gitStart} && ${settled}`);
    const pkg = { ...ground, root: ground.path("pkg") };
    const change = (folder: string) => () => {
      for (const name of ["a.txt", "b.txt", "x.log"]) ground.put(`${folder}/${name}`, "new\n");
    };
    expect(told(await seen(pkg, change("pkg")))).toEqual({
      "a.txt": "644 a\n → 644 new\n",
      "b.txt": "nothing → 644 new\n",
    });
    const build = { ...ground, root: ground.path("build") };
    expect(told(await seen(build, change("build")))).toEqual({
      "a.txt": "nothing → 644 new\n",
      "b.txt": "644 b\n → 644 new\n",
      "x.log": "nothing → 644 new\n",
    });
  });

  test("a sparse checkout, an index of version 4, sha-256, a split index, and one that cannot be read", async () => {
    const forms = [
      "git sparse-checkout set --cone --sparse-index dir 2>/dev/null || git sparse-checkout set --cone dir",
      "git update-index --index-version 4",
      "git update-index --split-index",
      "printf broken > .git/index",
      "git update-index --assume-unchanged dir/c.txt",
    ];
    for (const form of ["git init -q --object-format=sha256", ...forms]) {
      using one = makeGround();
      one.put("dir/c.txt", "c\n");
      one.put("other/o.txt", "o\n");
      const isFirst = form.startsWith("git init");
      one.sh(`${isFirst ? `${form} && ` : ""}${gitStart}${isFirst ? "" : ` && (${form})`} && ${settled}`);
      const found = await seen(one, () => one.put("dir/c.txt", "C\n"));
      expect([form, told(found)]).toEqual([form, { "dir/c.txt": "644 c\n → 644 C\n" }]);
    }
  });
});
