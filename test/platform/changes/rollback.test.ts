import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { say } from "../../../src/contract/text/catalogue.ts";
import type { PlannedChange } from "../../../src/contract/tool.ts";
import { openSight } from "../../../src/platform/changes/look.ts";
import { rollback } from "../../../src/platform/changes/rollback.ts";
import { applyChanges, applySteps } from "../../../src/platform/files/change/apply.ts";
import { reconcile } from "../../../src/platform/files/change/reconcile.ts";
import { type Ground, gitStart, makeGround, settled, sh, treeOf } from "./ground.ts";

let ground: Ground;
const before = { global: process.env.GIT_CONFIG_GLOBAL, system: process.env.GIT_CONFIG_NOSYSTEM };
beforeEach(() => {
  ground = makeGround();
  Object.assign(process.env, { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" });
});
afterEach(() => {
  ground[Symbol.dispose]();
  for (const [name, value] of [
    ["GIT_CONFIG_GLOBAL", before.global],
    ["GIT_CONFIG_NOSYSTEM", before.system],
  ] as const) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

/** The changes, or why there are none. */
async function planned(root: string, never: readonly string[] = []): Promise<readonly PlannedChange[] | string> {
  const found = await rollback(openSight(root, never, { maxFileBytes: 10_000 }));
  if (!found.ok) return `${found.error.code}: ${say("en", found.error.text)}`;
  return found.value.map(({ path, real, now, target }) => ({
    change: { path, real, before: now?.stamp ?? null, after: target?.stamp ?? null },
    beforeBytes: now?.bytes ?? null,
    afterBytes: target?.bytes ?? null,
  }));
}

async function rolledBack(root: string, never: readonly string[] = []): Promise<readonly PlannedChange[]> {
  const changes = await planned(root, never);
  if (typeof changes === "string") throw new Error(changes);
  expect(applyChanges({ changes }, { root, addDirs: [], tempTag: "t" })).toEqual({ ok: true, value: null });
  return changes;
}

function reversed(changes: readonly PlannedChange[]): readonly PlannedChange[] {
  return changes.map(({ change, beforeBytes, afterBytes }) => ({
    change: { ...change, before: change.after, after: change.before },
    beforeBytes: afterBytes,
    afterBytes: beforeBytes,
  }));
}

/** All of git's own files that a person would miss. */
function stateOfGit(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, ".git"), { recursive: true, encoding: "utf8" }).sort()) {
    if (name.startsWith("objects") || /^(?:hooks|info|branches|description)/.test(name)) continue;
    const path = join(root, ".git", name);
    try {
      found[name] = readFileSync(path, "latin1");
    } catch {
      // A folder.
    }
  }
  return found;
}

function mess(): void {
  ground.put("a.txt", "a\n");
  ground.put("b.txt", "b\n");
  ground.put("gone/deep/gone.txt", "gone\n");
  ground.put("run.sh", "run\n", 0o755);
  ground.put("folder/in.txt", "in\n");
  ground.put("file", "file\n");
  ground.put("to/link.txt", "l\n");
  ground.put(".gitignore", "*.log\n");
  symlinkSync("a.txt", ground.path("there"));
  ground.sh(gitStart);
  ground.put("a.txt", "mine\n", 0o600);
  ground.sh("echo staged > b.txt && git add b.txt && echo more >> b.txt && rm -r gone && chmod 644 run.sh");
  ground.sh("rm -r folder && echo x > folder && rm file && mkdir -p file/now && echo y > file/now/y && chmod 700 file");
  ground.sh("mv to elsewhere && ln -s elsewhere to && ln -sf b.txt there && git stash list > /dev/null");
  ground.put("-odd 'name'/new.txt", "new\n", 0o600);
  ground.put(":(exclude)x", "x\n");
  ground.put("mixed/new.txt", "new\n");
  ground.put("mixed/out.log", "log\n");
  ground.put("nested/n.txt", "n\n");
  ground.put(".coder/kept", "kept\n");
  ground.put("own/store", "store\n");
  mkdirSync(ground.path("empty/deep"), { recursive: true });
  symlinkSync("/etc/passwd", ground.path("link"));
  ground.sh(`cd nested && git init -q && cd .. && ${settled}`);
}

describe("[RB-3] the whole workspace goes back", () => {
  test("to what is staged or committed, as git itself would, and all of it comes again, byte for byte", async () => {
    mess();
    using other = makeGround();
    cpSync(ground.root, other.root, { recursive: true, verbatimSymlinks: true });
    const [tree, git] = [treeOf(ground.root), stateOfGit(ground.root)];
    const changes = await rolledBack(ground.root, [ground.path("own")]);
    other.sh("git restore --worktree -- . && git clean -fdq -- . ':(exclude).coder' ':(exclude)own'");
    expect(treeOf(ground.root)).toEqual(treeOf(other.root));
    expect(stateOfGit(ground.root)).toEqual(git);
    expect(readFileSync(ground.path(".coder/kept"), "utf8")).toBe("kept\n");
    const back = reversed(changes);
    expect(applyChanges({ changes: back }, { root: ground.root, addDirs: [], tempTag: "r" }).ok).toBe(true);
    expect(treeOf(ground.root)).toEqual(tree);
    expect(stateOfGit(ground.root)).toEqual(git);
  });

  test("[PS-4] a kill at any point leaves all or nothing after reconciling", async () => {
    mess();
    using other = makeGround();
    const tree = treeOf(ground.root);
    const changes = await planned(ground.root);
    if (typeof changes === "string") throw new Error(changes);
    const states = new Set<string>();
    for (let pause = 0; ; pause += 3) {
      for (const name of readdirSync(other.root)) rmSync(other.path(name), { recursive: true });
      cpSync(ground.root, other.root, { recursive: true, verbatimSymlinks: true });
      const moved = changes.map((one) => ({
        ...one,
        change: { ...one.change, real: one.change.real.replace(ground.root, other.root) },
      }));
      const steps = applySteps(moved, { root: other.root, addDirs: [], tempTag: "t" });
      let isDone = false;
      for (let count = 0; count <= pause && !isDone; count++) isDone = steps.next().done === true;
      const all = moved.map(({ change }) => change);
      const found = reconcile(all, "t");
      states.add(`${found} ${JSON.stringify(treeOf(other.root))}`);
      if (found === "untouched") expect(treeOf(other.root)).toEqual(tree);
      if (isDone) break;
    }
    expect([...states].map((one) => one.split(" ")[0]).sort()).toEqual(["applied", "untouched"]);
  }, 120_000);

  test("below the top of a repository only that part goes back, and where git knows no file yet the rest is cleaned", async () => {
    ground.put("pkg/a.txt", "a\n");
    ground.put("other.txt", "o\n");
    ground.sh(gitStart);
    ground.put("pkg/a.txt", "mine\n");
    ground.put("other.txt", "mine\n");
    ground.put("fresh/n.txt", "n\n");
    for (const folder of ["pkg", "fresh"]) await rolledBack(ground.path(folder));
    expect(treeOf(ground.root)).toEqual({
      fresh: "755 folder",
      "other.txt": "644 mine\n",
      pkg: "755 folder",
      "pkg/a.txt": "644 a\n",
    });
    using fresh = makeGround();
    fresh.put("n.txt", "n\n");
    fresh.sh("git init -q");
    await rolledBack(fresh.root);
    expect(treeOf(fresh.root)).toEqual({});
  });

  test("what is not checked out, only to be added, or the place of another repository is treated as git treats it", async () => {
    ground.put("skip", "s\n");
    ground.put("assumed", "v\n");
    ground.sh(
      `git init -q sub && git -C sub -c user.name=a -c user.email=a@b commit -q --allow-empty -m s && ${gitStart}`,
    );
    ground.put("skip", "mine\n");
    ground.put("assumed", "mine\n");
    ground.put("later", "mine\n");
    ground.sh(
      "git update-index --skip-worktree skip && git update-index --assume-unchanged assumed && git add -N later",
    );
    ground.sh(`rm -r sub && mkdir sub && echo in > sub/file && ${settled}`);
    using other = makeGround();
    cpSync(ground.root, other.root, { recursive: true, verbatimSymlinks: true });
    other.sh("git restore --worktree -- . && git clean -fdq -- .");
    await rolledBack(ground.root);
    expect(treeOf(ground.root)).toEqual(treeOf(other.root));
    expect(treeOf(ground.root)).toMatchObject({ skip: "644 mine\n", assumed: "644 v\n", later: "644 " });
  });

  test("is refused without a repository, during a merge, and when something cannot be kept or told, each by name", async () => {
    ground.put("a.txt", "a\n");
    expect(await planned(ground.root)).toBe(
      `E_INVALID_ARGS: /undo --all is unavailable: ${ground.root} is not in a git repository, or git is not installed`,
    );
    ground.put(".gitattributes", "*.lfs filter=lfs\n*.id ident\n*.enc working-tree-encoding=ISO-8859-1\n*.txt text\n");
    for (const name of ["x.lfs", "x.id", "x.enc", "fine.lfs", "place"]) ground.put(name, "x\n");
    ground.sh(gitStart.replaceAll("git ", "git -c filter.lfs.clean=cat -c filter.lfs.smudge=cat "));
    for (const name of ["x.lfs", "x.id", "x.enc", "a.txt"]) ground.put(name, "mine\n");
    ground.put("big.bin", "x".repeat(10_001));
    ground.put(".gitignore", "*.log\n");
    ground.sh(`mkfifo pipe; rm place; mkdir place; echo 1 > place/a.log; echo 1 > place/b; ${settled}`);
    const tree = treeOf(ground.root);
    const [head, ...files] = String(await planned(ground.root)).split("\n");
    expect(head).toStartWith("E_CONFLICT: nothing was changed");
    expect(files.sort()).toEqual([
      "big.bin: too large to save",
      "pipe: a pipe, device or socket",
      "place: the folder in its place is not empty",
      "x.enc: git would change it on checkout (filter, encoding or ident)",
      "x.id: git would change it on checkout (filter, encoding or ident)",
      "x.lfs: git would change it on checkout (filter, encoding or ident)",
    ]);
    expect(treeOf(ground.root)).toEqual(tree);
    using merging = makeGround();
    merging.put("a.txt", "a\n");
    merging.sh(gitStart);
    const person = "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b";
    merging.sh(
      `${person}; git checkout -qb other && echo 1 > a.txt && git commit -qam 1 && git checkout -q - && echo 2 > a.txt && git commit -qam 2; git merge -q other || true`,
    );
    expect(await planned(merging.root)).toBe(
      "E_CONFLICT: /undo --all is unavailable during a merge with conflicts: a.txt",
    );
    merging.sh("git merge --abort && touch $'bad\\xff'");
    expect(await planned(merging.root)).toEndWith("\nbad\ufffd: its name is not UTF-8");
    merging.sh("git update-index --split-index");
    expect(await planned(merging.root)).toStartWith(
      "E_INVALID_ARGS: /undo --all is unavailable: cannot read git's index",
    );
  });

  test("a blob that git has lost is named, and starts no fetching", async () => {
    ground.put("a.txt", "a\n");
    ground.sh(`${gitStart} && rm -f .git/objects/78/* && rm a.txt`);
    expect(await planned(ground.root)).toContain("a.txt: git does not have its content");
  });
});

const text = fc
  .array(fc.constantFrom("a\n", "b\r\n", "c", "\0", "\r", "\n", "\x01", "long line of words\n"), { maxLength: 6 })
  .map((parts) => parts.join(""));
const attribute = fc.constantFrom(
  "text",
  "-text",
  "text=auto",
  "eol=crlf",
  "eol=lf",
  "text=auto eol=crlf",
  "crlf=input",
  "-crlf",
  "",
);
const settings = fc.record({
  autocrlf: fc.constantFrom("true", "false", "input"),
  eol: fc.constantFrom("lf", "crlf", "native"),
});

test("[RB-3] line ends are those of a checkout, whatever attributes and settings say", async () => {
  const names = ["a.txt", "b.txt", "c.txt"];
  const rows = fc.tuple(
    fc.array(text, { minLength: 3, maxLength: 3 }),
    fc.array(attribute, { minLength: 3, maxLength: 3 }),
    settings,
  );
  await fc.assert(
    fc.asyncProperty(rows, async ([contents, attributes, { autocrlf, eol }]) => {
      using one = makeGround();
      one.put(".gitattributes", names.map((name, at) => `${name} ${attributes[at]}\n`).join(""));
      for (const [at, name] of names.entries()) one.put(name, contents[at] ?? "");
      one.sh(
        `${gitStart} 2>/dev/null && git config core.autocrlf ${autocrlf} && git config core.eol ${eol} && rm -f *.txt`,
      );
      await rolledBack(one.root);
      const ours = treeOf(one.root);
      sh("rm -f *.txt && git restore --worktree -- .", one.root);
      expect(ours).toEqual(treeOf(one.root));
    }),
    { numRuns: process.env.CODER_TEST_LONG ? 300 : 40 },
  );
}, 120_000);

const places = ["a", "b/c", "b/d/e", "f.log", "g"];
const place = fc.constantFrom(...places, "b", "b/d", "a/x", "new/n", "new", "g/h/i", "k.log");
const deed = fc.oneof(
  fc.tuple(place, fc.constantFrom("1", "2")).map(([at, word]) => `mkdir -p "$(dirname ${at})" && echo ${word} > ${at}`),
  place.map((at) => `rm -rf ${at}`),
  place.map((at) => `mkdir -p ${at}`),
  fc.tuple(place, place).map(([at, to]) => `mkdir -p "$(dirname ${at})" && ln -sfn ${to} ${at}`),
  place.map((at) => `test -L ${at} || chmod 755 ${at}`),
  fc.constantFrom("git add -A .", "echo '*.log' > .gitignore", "echo 'new' > .gitignore", "git rm -q --cached a"),
);

test("[RB-3] whatever was done to the workspace, it becomes what git would make of it, or stays; and comes back", async () => {
  const seen = { same: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 9 }), async (deeds) => {
      using one = makeGround();
      using other = makeGround();
      for (const name of places) one.put(name, "0\n");
      one.sh(`ln -s a link && git init -q && git add -Af && git -c user.name=a -c user.email=a@b commit -qm first`);
      // A deed that has no place to happen leaves things as they are.
      for (const each of deeds) one.sh(`(${each}) 2>/dev/null || true`);
      one.sh(settled);
      cpSync(one.root, other.root, { recursive: true, verbatimSymlinks: true });
      const tree = treeOf(one.root);
      const changes = await planned(one.root);
      if (typeof changes === "string") {
        seen.refused++;
        return expect(treeOf(one.root)).toEqual(tree);
      }
      seen.same++;
      await rolledBack(one.root);
      // What is ignored only until .gitignore itself goes back is left alone too.
      const rule = existsSync(other.path(".gitignore"))
        ? `-e '${readFileSync(other.path(".gitignore"), "utf8").trim()}'`
        : "";
      other.sh(`{ git ls-files | grep -q . && git restore --worktree -- . || true; } && git clean -fdq ${rule} -- .`);
      expect(treeOf(one.root)).toEqual(treeOf(other.root));
      expect(applyChanges({ changes: reversed(changes) }, { root: one.root, addDirs: [], tempTag: "r" }).ok).toBe(true);
      expect(treeOf(one.root)).toEqual(tree);
    }),
    { numRuns: process.env.CODER_TEST_LONG ? 500 : 25 },
  );
  expect(seen.same).toBeGreaterThan(seen.refused);
}, 300_000);
