import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git } from "../../support/repository.ts";
import { longEnough } from "../../support/until.ts";
import { Ground, madeOf } from "../committing.ts";
import { told } from "../workspace.ts";

const two = { "a.txt": "two\n" };

describe("[RB-4] a commit holds", () => {
  test("exactly what the tasks changed, by the person's name, and their other changes stay staged and unstaged", async () => {
    using ground = new Ground({ "a.txt": "one\n", "b.txt": "one\n", "c.txt": "one\n", "gone.txt": "old\n" });
    ground.put("b.txt", "staged by me\n");
    ground.put("mine.txt", "added by me\n");
    ground.git("add", "b.txt", "mine.txt");
    ground.put("b.txt", "and more\n");
    ground.put("c.txt", "unstaged by me\n");
    ground.put("untracked.txt", "x\n");
    ground.task("Change it", { "a.txt": "two\n", "new/n.txt": "n\n", "gone.txt": null });
    const made = madeOf(await ground.commit());
    expect(ground.git("diff", "--name-status", "HEAD~1", "HEAD")).toBe("M\ta.txt\nD\tgone.txt\nA\tnew/n.txt");
    expect(ground.git("log", "-1", "--format=%H %an <%ae> %cn %P")).toBe(
      `${made.commit} Ada <ada@example.invalid> Ada ${ground.git("rev-parse", "HEAD~1")}`,
    );
    expect(made).toMatchObject({ branch: "main", left: [] });
    expect(ground.git("status", "--short")).toBe("MM b.txt\n M c.txt\nA  mine.txt\n?? untracked.txt");
    expect(readFileSync(join(ground.root, "b.txt"), "utf8")).toBe("and more\n");
    expect(ground.git("diff-files", "--name-only")).toBe("b.txt\nc.txt");
    expect(ground.git("stash", "list")).toBe("");
    expect(ground.git("fsck", "--strict", "--no-dangling")).toBe("");
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("coder-git-test."))).toEqual([]);
  });

  test("several tasks until they are committed, and then only what came after", async () => {
    using ground = new Ground();
    ground.task("First", two);
    ground.task("Second", { "a.txt": "three\n", "b.txt": "two\n" });
    expect(madeOf(await ground.commit()).message).toStartWith("First it\n\nDone:\n- First it\n- Second it\n\n");
    ground.task("Third", { "a.txt": "four\n" });
    expect(madeOf(await ground.commit()).message).toBe("Third it\n\n- modify a.txt (+1 -1)\n");
    expect(told(await ground.commit())).toContain("nothing to commit");
    expect(ground.git("rev-list", "--count", "HEAD")).toBe("3");
  });

  test("nothing of a task that was taken back, and the taking back where it had been committed", async () => {
    using ground = new Ground();
    ground.task("Change it", two, { undone: true });
    ground.task("undo {}", { "a.txt": "one\n" }, { kind: "undo" });
    expect(told(await ground.commit())).toContain("nothing to commit");
    ground.task("Change it again", two);
    await ground.commit();
    ground.task("undo {}", { "a.txt": "one\n" }, { kind: "undo" });
    expect(madeOf(await ground.commit()).message).toStartWith("Undo earlier changes\n");
  });

  test("links, permissions, odd names, a file that became a folder, and a rename as one", async () => {
    using ground = new Ground({ "old.txt": `${"line\n".repeat(20)}`, thing: "file\n", "-x": "1\n", ":y": "1\n" });
    rmSync(join(ground.root, "thing"));
    const made = ground.task("Move", {
      ...{ "old.txt": null, 'neu 名\t".txt': "line\n".repeat(20), "-x": "2\n", ":y": "2\n", "*.txt": "star\n" },
      "thing/in.txt": "in\n",
    });
    expect(made.changes.length).toBe(6);
    const gone = { path: "thing", real: join(ground.root, "thing") };
    const before = { hash: Bun.CryptoHasher.hash("sha256", "file\n", "hex"), size: 5, mode: 0o644 };
    ground.tasks.push({ ...made, taskId: "t9", changes: [{ ...gone, before, after: null }] });
    const bytes = (hash: string) => (hash === before.hash ? Buffer.from("file\n") : null);
    const own = ground.context().past;
    const past = { tasks: () => ground.tasks, bytes: (hash: string) => own?.bytes(hash) ?? bytes(hash) };
    // Where there is a folder now, no file was deleted since: it is as the task left it only when nothing has its name.
    const result = madeOf(await ground.commit({}, { past }));
    expect(result.left).toEqual([{ path: "thing", why: "changed" }]);
    expect(result.message).toContain('- rename old.txt to neu 名\\t".txt (+0 -0)');
    expect(ground.git("ls-tree", "-r", "--name-only", "-z", "HEAD").split("\0").filter(Boolean).sort()).toEqual(
      ["*.txt", "-x", ":y", 'neu 名\t".txt', "thing/in.txt"].sort(),
    );
  });

  test("the permission to run, and a link as a link", async () => {
    using ground = new Ground({ "run.sh": "echo\n", "a.txt": "one\n" });
    const [sh, link] = [join(ground.root, "run.sh"), join(ground.root, "link")];
    const hash = (text: string) => Bun.CryptoHasher.hash("sha256", text, "hex");
    chmodSync(sh, 0o755);
    symlinkSync("a.txt", link);
    const stamp = { hash: hash("echo\n"), size: 5, mode: 0o644 };
    const changes = [
      { path: "run.sh", real: sh, before: stamp, after: { ...stamp, mode: 0o755 } },
      { path: "link", real: link, before: null, after: { hash: hash("a.txt"), size: 5, mode: 0o120777 } },
    ];
    ground.task("Modes", {}, { changes });
    madeOf(await ground.commit());
    expect(ground.git("ls-tree", "HEAD", "link", "run.sh").replace(/ [0-9a-f]{40}\t/g, " ")).toBe(
      "120000 blob link\n100755 blob run.sh",
    );
    expect(ground.git("status", "--short")).toBe("");
  });

  test("line ends as git stores them, where it converts them", async () => {
    using ground = new Ground({ ".gitattributes": "*.txt text eol=crlf\n" });
    ground.put("a.txt", "one\r\n");
    ground.git("add", "a.txt");
    ground.git("commit", "-q", "-m", "crlf");
    ground.task("Change it", { "a.txt": "one\r\ntwo\r\n" });
    madeOf(await ground.commit());
    expect(ground.git("cat-file", "blob", "HEAD:a.txt")).toBe("one\ntwo");
    expect(ground.git("status", "--short")).toBe("");
  });
});

describe("[RB-4] a file is left out by name", () => {
  test("when it was changed since, held the person's changes before, or was staged otherwise", async () => {
    using ground = new Ground({ "a.txt": "one\n", "b.txt": "one\n", "c.txt": "one\n", "d.txt": "one\n" });
    ground.put("b.txt", "mine\n");
    ground.put("c.txt", "staged\n");
    ground.git("add", "c.txt");
    ground.put("c.txt", "one\n");
    ground.task("Change all", { "a.txt": "two\n", "b.txt": "mine and theirs\n", "c.txt": "two\n", "d.txt": "two\n" });
    ground.put("a.txt", "two and mine\n");
    const made = madeOf(await ground.commit());
    expect(made.left).toEqual([
      { path: "a.txt", why: "changed" },
      { path: "b.txt", why: "mixed" },
      { path: "c.txt", why: "staged" },
    ]);
    expect(ground.git("diff", "--name-only", "HEAD~1", "HEAD")).toBe("d.txt");
    expect(ground.git("status", "--short")).toBe(" M a.txt\n M b.txt\nMM c.txt");
    expect(ground.git("show", ":c.txt")).toBe("staged");
  });

  test("when git ignores it, its name says secrets, a filter works on it, or it is not in this repository", async () => {
    using ground = new Ground({ ".gitignore": "out/\n", ".gitattributes": "*.bin filter=lfs\n", "a.txt": "one\n" });
    git(ground.outer, "init", "-q", join(ground.root, "inner"));
    ground.git("config", "filter.lfs.clean", `touch ${join(ground.outer, "sprung")}; cat`);
    ground.task("All", {
      ...{ "out/x.js": "x\n", ".env": "x\n", "big.bin": "x\n", "inner/x.txt": "x\n", "a.txt": "two\n" },
      ".git/hooks/x": "x\n",
    });
    const made = madeOf(await ground.commit({}, { isSecret: (path) => path.endsWith(".env") }));
    expect(made.left).toEqual([
      { path: "inner/x.txt", why: "elsewhere" },
      { path: ".git/hooks/x", why: "elsewhere" },
      { path: "out/x.js", why: "ignored" },
      { path: ".env", why: "secret" },
      { path: "big.bin", why: "filter" },
    ]);
    expect(ground.git("diff", "--name-only", "HEAD~1", "HEAD")).toBe("a.txt");
    expect(existsSync(join(ground.outer, "sprung"))).toBe(false);
  });

  test("and nothing is committed when none is left", async () => {
    using ground = new Ground();
    ground.put("a.txt", "mine\n");
    ground.task("Change it", two);
    const refused = await ground.commit();
    expect(told(refused)).toBe(
      "E_INVALID_ARGS: nothing was committed: every changed file was left out:\n" +
        "  a.txt: also contains changes that are not the task's\n" +
        "commit these files yourself with git commit",
    );
    expect(ground.git("rev-list", "--count", "HEAD")).toBe("1");
  });

  test("when only one task is meant and another's uncommitted changes are in it", async () => {
    using ground = new Ground();
    ground.task("First", { "a.txt": "two\n", "c.txt": "c\n" });
    ground.task("Second", { "a.txt": "three\n", "b.txt": "two\n", "e.txt": "e\n" });
    ground.task("Third", { "b.txt": "three\n", "d.txt": "d\n" });
    const made = madeOf(await ground.commit({ task: "t2", until: "t2" }));
    expect(made.left).toEqual([
      { path: "a.txt", why: "others" },
      { path: "b.txt", why: "changed" },
    ]);
    expect(made.message).toBe("Second it\n\n- create e.txt (+1)\n");
    expect(madeOf(await ground.commit()).left).toEqual([]);
    expect(ground.git("status", "--short")).toBe("");
  });
});

describe("[RB-4] a commit is refused readably", () => {
  test("outside a repository, during a merge, with conflicts, without a name, and where commits are signed", async () => {
    using ground = new Ground();
    ground.task("Change it", two);
    expect(told(await ground.commit({}, { root: ground.outer }))).toStartWith(
      `E_INVALID_ARGS: ${ground.outer} is not in`,
    );
    ground.git("config", "commit.gpgSign", "true");
    expect(told(await ground.commit())).toContain("your git signs commits (commit.gpgSign)");
    ground.git("config", "--unset", "commit.gpgSign");
    writeFileSync(join(ground.root, ".git", "MERGE_HEAD"), `${ground.git("rev-parse", "HEAD")}\n`);
    expect(told(await ground.commit())).toContain("the repository has an unfinished operation: git merge");
    rmSync(join(ground.root, ".git", "MERGE_HEAD"));
    mkdirSync(join(ground.root, ".git", "rebase-merge"));
    expect(told(await ground.commit())).toContain("unfinished operation: git rebase");
    rmSync(join(ground.root, ".git", "rebase-merge"), { recursive: true });
    const oid = ground.git("rev-parse", "HEAD:a.txt");
    Bun.spawnSync(["git", "update-index", "--index-info"], {
      cwd: ground.root,
      stdin: Buffer.from(`100644 ${oid} 1\tu.txt\n100644 ${oid} 2\tu.txt\n`),
    });
    expect(told(await ground.commit())).toContain("some files have conflicts: u.txt");
    ground.git("update-index", "--force-remove", "u.txt");
    expect(ground.git("rev-list", "--count", "--all")).toBe("1");
    ground.git("config", "user.email", "");
    expect(told(await ground.commit())).toContain("git does not know who you are");
    ground.git("config", "user.email", "ada@example.invalid");
    madeOf(await ground.commit());
  });

  test("while another git holds the index, and the branch is as it was", async () => {
    using ground = new Ground();
    ground.task("Change it", two);
    writeFileSync(join(ground.root, ".git", "index.lock"), "");
    expect(told(await ground.commit())).toContain("another git process is running");
    rmSync(join(ground.root, ".git", "index.lock"));
    expect(ground.git("log", "--format=%s")).toBe("start");
    expect(ground.git("status", "--short")).toBe(" M a.txt");
  });

  test("when the branch cannot be moved, and then the index is as it was", async () => {
    using ground = new Ground();
    ground.task("Change it", { ...two, "n.txt": "n\n" });
    writeFileSync(join(ground.root, ".git", "refs", "heads", "main.lock"), "");
    expect(told(await ground.commit())).toContain("could not update the branch");
    rmSync(join(ground.root, ".git", "refs", "heads", "main.lock"));
    expect(ground.git("status", "--short")).toBe(" M a.txt\n?? n.txt");
  });

  test("when it was cancelled before, and nothing has happened", async () => {
    using ground = new Ground();
    ground.task("Change it", two);
    expect(told(await ground.commit({}, { signal: AbortSignal.abort() }))).toStartWith("E_CANCELLED");
    expect(ground.git("log", "--format=%s")).toBe("start");
  });
});

describe("[RB-4] where the commit goes", () => {
  test("before the first commit it is the first", async () => {
    using ground = new Ground();
    rmSync(join(ground.root, ".git"), { recursive: true });
    git(ground.root, "init", "-q");
    git(ground.root, "config", "user.name", "Ada");
    git(ground.root, "config", "user.email", "a@example.invalid");
    rmSync(join(ground.root, "a.txt"));
    ground.task("Begin", two);
    madeOf(await ground.commit());
    expect(ground.git("log", "--format=%s %P")).toBe("Begin it");
    expect(ground.git("status", "--short")).toBe("?? b.txt");
  });

  test("on a detached HEAD it says that no branch holds it", async () => {
    using ground = new Ground();
    ground.git("checkout", "-q", "--detach");
    ground.task("Change it", two);
    expect(told(await ground.commit())).toContain("HEAD is detached: no branch contains this commit.");
    expect(ground.git("rev-list", "--count", "HEAD")).toBe("2");
    expect(ground.git("rev-list", "--count", "main")).toBe("1");
  });

  test("on a branch of its own, without touching HEAD, index or files, commit after commit", async () => {
    using ground = new Ground();
    ground.put("b.txt", "mine\n");
    ground.git("add", "b.txt");
    const index = readFileSync(join(ground.root, ".git", "index"));
    const head = ground.git("rev-parse", "HEAD");
    ground.task("First", two);
    expect(madeOf(await ground.commit({ branch: "coder/s-1" })).branch).toBe("coder/s-1");
    ground.task("Second", { "a.txt": "three\n" });
    madeOf(await ground.commit({ branch: "coder/s-1" }));
    expect(ground.git("log", "--format=%s", "coder/s-1")).toBe("Second it\nFirst it\nstart");
    expect(ground.git("show", "coder/s-1:b.txt")).toBe("one");
    expect(ground.git("rev-parse", "HEAD")).toBe(head);
    expect(ground.git("symbolic-ref", "HEAD")).toBe("refs/heads/main");
    expect(readFileSync(join(ground.root, ".git", "index"))).toEqual(index);
    expect(told(await ground.commit({ branch: "coder/s-1" }))).toContain("nothing to commit");
    expect(told(await ground.commit({ branch: "a..b" }))).toContain("a..b is not a valid branch name");
    ground.git("stash", "-q");
    ground.git("checkout", "-q", "coder/s-1");
    ground.task("Third", { "a.txt": "four\n" });
    madeOf(await ground.commit({ branch: "coder/s-1" }));
    expect(ground.git("status", "--short")).toBe("");
  });

  test("in a linked worktree and in a folder below the top", async () => {
    using ground = new Ground({ "sub/a.txt": "one\n" });
    ground.git("worktree", "add", "-q", "-b", "other", join(ground.outer, "tree"));
    ground.task("Below", { "sub/a.txt": "two\n" });
    madeOf(await ground.commit({}, { root: join(ground.root, "sub") }));
    expect(ground.git("log", "--format=%s", "main")).toBe("Below it\nstart");
    expect(ground.git("status", "--short")).toBe("");
    const tree = join(ground.outer, "tree");
    expect(told(await ground.commit({}, { root: tree }))).toContain("sub/a.txt: not in this repository");
    expect(git(tree, "status", "--short")).toBe("");
    const before = { hash: Bun.CryptoHasher.hash("sha256", "one\n", "hex"), size: 4, mode: 0o644 };
    const after = { hash: Bun.CryptoHasher.hash("sha256", "tree\n", "hex"), size: 5, mode: 0o644 };
    const real = join(tree, "sub", "a.txt");
    writeFileSync(real, "tree\n");
    ground.tasks.splice(0, 1);
    ground.task("There", {}, { changes: [{ path: "sub/a.txt", real, before, after }] });
    expect(madeOf(await ground.commit({}, { root: tree })).branch).toBe("other");
    expect(git(tree, "status", "--short")).toBe("");
    expect(ground.git("log", "--format=%s", "other")).toBe("There it\nstart");
  });
});

describe("[RB-4] programs of the repository", () => {
  test("are not run, but for the hooks that check a commit: what they refuse is not committed", async () => {
    using ground = new Ground();
    const hooks = join(ground.root, ".git", "hooks");
    const sprung = join(ground.outer, "sprung");
    const hook = (name: string, script: string) =>
      writeFileSync(join(hooks, name), `#!/bin/sh\n${script}`, { mode: 0o755 });
    for (const name of ["post-commit", "reference-transaction", "post-index-change", "prepare-commit-msg"]) {
      hook(name, `echo ${name} >> ${sprung}\n`);
    }
    ground.git("config", "core.fsmonitor", join(hooks, "post-commit"));
    ground.task("Before", { "c.txt": "c\n" });
    rmSync(sprung, { force: true });
    madeOf(await ground.commit());
    expect(existsSync(sprung)).toBe(false);
    ground.put("b.txt", "mine\n");
    ground.task("Change it", two);
    hook("pre-commit", "git diff --cached --name-only; exit 1\n");
    const refused = told(await ground.commit());
    expect(refused).toContain("the hook pre-commit failed:\na.txt\n");
    expect(ground.git("status", "--short")).toBe(" M a.txt\n M b.txt");
    hook("pre-commit", 'test "$(git show :a.txt)" = two\n');
    hook("commit-msg", "echo 'Change-Id: I1' >> \"$1\"\n");
    const made = madeOf(await ground.commit({ message: "Mine" }));
    expect(made.message).toBe("Mine\nChange-Id: I1\n");
    rmSync(hooks, { recursive: true });
    expect(ground.git("log", "-1", "--format=%B").trim()).toBe("Mine\nChange-Id: I1");
  });

  test("a hook that never ends is ended, and nothing is committed", async () => {
    using ground = new Ground();
    writeFileSync(join(ground.root, ".git", "hooks", "pre-commit"), "#!/bin/sh\nsleep 600\n", { mode: 0o755 });
    ground.task("Change it", two);
    const commit = async (defaultTimeoutMs: number) => told(await ground.commit({}, { defaultTimeoutMs }));
    const isHook = (text: string): boolean => text.includes("the hook pre-commit failed");
    expect(await longEnough(300, commit, isHook)).toSatisfy(isHook);
    expect(ground.git("log", "--format=%s")).toBe("start");
  });
});

test("[RB-4] in a repository of the longer hashes it works as well", async () => {
  using ground = new Ground();
  rmSync(join(ground.root, ".git"), { recursive: true });
  ground.git("init", "-q", "--object-format=sha256");
  ground.git("config", "user.name", "Ada");
  ground.git("config", "user.email", "a@example.invalid");
  rmSync(join(ground.root, "a.txt"));
  ground.task("Begin", two);
  expect(madeOf(await ground.commit()).commit.length).toBe(64);
  ground.task("Go on", { "a.txt": null });
  madeOf(await ground.commit());
  expect(ground.git("log", "--format=%s", "--name-status")).toBe("Go on it\n\nD\ta.txt\nBegin it\n\nA\ta.txt");
});

test("[RB-4] commits of several sessions at the same moment lose nothing and mix nothing", async () => {
  const files = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`f${at}.txt`, "one\n"]));
  using ground = new Ground(files);
  const tasks = Object.keys(files).map((name) => ground.task(`Change ${name}`, { [name]: "two\n" }));
  const own = ground.context().past;
  const sessions = tasks.map((task) => ({ tasks: () => [task], bytes: own?.bytes ?? (() => null) }));
  const results = await Promise.all(sessions.map((past) => ground.commit({}, { past })));
  for (const result of results) if (!result.ok) expect(result.error.code).toBe("E_CONFLICT");
  expect(ground.git("diff", "--cached", "--name-only")).toBe("");
  for (const [at, past] of sessions.entries()) if (!results[at]?.ok) madeOf(await ground.commit({}, { past }));
  const subjects = ground.git("log", "--format=%s", "--name-only").split("\n").filter(Boolean);
  const expected = Object.keys(files).flatMap((name) => [`Change ${name} it`, name]);
  expect(subjects.filter((line) => line !== "start").sort()).toEqual([...expected, ...Object.keys(files)].sort());
  expect(ground.git("status", "--short")).toBe("");
});

test("[RB-4] [PS-4] repeated after a kill, a commit that was made is found and not made again", async () => {
  using ground = new Ground();
  ground.task("Change it", two);
  const first = madeOf(await ground.commit({}, { marker: "s-1.r2_0_1" }));
  appendFileSync(join(ground.root, "b.txt"), "mine\n");
  ground.git("commit", "-qam", "mine");
  const again = madeOf(await ground.commit({}, { marker: "s-1.r2_0_1" }));
  expect(again.commit).toBe(first.commit);
  expect(again.message).toBe(first.message.trimEnd());
  expect(ground.git("log", "--format=%s")).toBe("mine\nChange it it\nstart");
});

test("[RB-4] a proposal writes nothing into the repository, not even an object", async () => {
  using ground = new Ground();
  ground.task("Change it", { ...two, "n.txt": "n\n" });
  const before = ground.git("count-objects", "-v");
  const index = readFileSync(join(ground.root, ".git", "index"));
  for (const input of [{}, { for: "pr" }]) expect((await ground.propose(input)).ok).toBe(true);
  expect(ground.git("count-objects", "-v")).toBe(before);
  expect(readFileSync(join(ground.root, ".git", "index"))).toEqual(index);
});
