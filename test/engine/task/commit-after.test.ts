import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromSource } from "../../support/binary.ts";
import { Bench } from "../../support/engine.ts";
import { git } from "../../support/repository.ts";
import type { Script } from "../../support/scripted-server.ts";

const write = (path: string, content: string) => ({ calls: [{ tool: "write", input: { path, content } }] });
const passing = 'import test from "node:test";\ntest("holds", () => {});\n';
const failing = 'import test from "node:test";\ntest("breaks", () => { throw new Error("no"); });\n';

const checked = (mode: string) => ({
  git: { mode },
  workflow: { verify_allowed: ["node --test"], verify_commands: ["node --test"], max_verify_attempts: 1 },
});

/** A workspace that is a repository of somebody with a name. */
function repositoryIn(bench: Bench): (...args: readonly string[]) => string {
  const run = (...args: readonly string[]): string => git(bench.workspace, ...args).trimEnd();
  bench.file("a.txt", "one\n");
  run("init", "-q");
  writeFileSync(join(bench.workspace, ".git", "info", "exclude"), ".coder\n");
  run("config", "user.name", "Ada");
  run("config", "user.email", "ada@example.invalid");
  run("add", "-A");
  run("commit", "-q", "-m", "start");
  return run;
}

describe("[RB-4] /commit", () => {
  for (const mode of ["default", "auto-edit", "yolo"] as const) {
    test(`in mode ${mode} it is one recorded call that the person need not approve again`, async () => {
      await using bench = new Bench([write("b.txt", "two\n"), { text: "done" }]);
      const run = repositoryIn(bench);
      const seat = bench.open({ mode: "yolo" });
      await seat.run("say two in b.txt");
      seat.engine.setMode(mode);
      expect(await seat.run("/commit 'It says two'")).toMatchObject({ kind: "admitted" });
      expect(seat.last("tool.settled").result).toMatchObject({
        status: "done",
        data: { subject: "It says two", branch: "main" },
      });
      expect(run("log", "--format=%s %an")).toBe("It says two Ada\nstart n");
      expect(run("status", "--short")).toBe("");
      expect(seat.last("task.summarized").summary.exit_code).toBe(0);
    });
  }

  test("[PO-1] plan mode, and a rule against git commit, forbid it; the proposal is shown all the same", async () => {
    await using bench = new Bench([write("b.txt", "two\n"), { text: "done" }]);
    const run = repositoryIn(bench);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("say two in b.txt");
    seat.engine.setMode("plan");
    await seat.run("/commit");
    expect(seat.last("tool.settled").result.status).toBe("denied");
    await seat.run("/commit --dry-run");
    expect(seat.last("tool.settled").result).toMatchObject({
      status: "done",
      output: "Add b.txt\n\n- create b.txt (+1)",
    });
    await seat.run("/pr");
    expect(seat.last("tool.settled").result.output).toBe(
      "# Add b.txt\n\n## Summary\n\n- Add b.txt\n\n## Changes\n\n- create b.txt (+1)\n\n" +
        "## Verification\n\nNot verified automatically.\n\n## How to undo\n\n" +
        "Revert this pull request, or its commits with `git revert`. Nothing outside the files above was committed.",
    );
    await seat.close();
    const config = { permissions: { rules: [{ decision: "deny", command: "git commit" }] } };
    const ruled = bench.open({ mode: "yolo" }, { config });
    await ruled.engine.resume(seat.last("session.started").sessionId);
    await ruled.run("/commit");
    expect(ruled.last("tool.settled").result.status).toBe("denied");
    expect(run("log", "--format=%s")).toBe("start");
  });

  test("[SA-git-config] a hook runs in the sandbox, where it cannot write, and its refusal stops the commit", async () => {
    await using bench = new Bench([write("b.txt", "two\n"), { text: "done" }]);
    const run = repositoryIn(bench);
    const hook = join(bench.workspace, ".git", "hooks", "pre-commit");
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("say two");
    mkdirSync(join(bench.workspace, ".git", "hooks"), { recursive: true });
    writeFileSync(hook, "#!/bin/sh\nif echo x > planted.txt; then exit 0; fi\ngit diff --cached --stat\nexit 3\n");
    chmodSync(hook, 0o755);
    await seat.run("/commit");
    const { result } = seat.last("tool.settled");
    expect(result).toMatchObject({ status: "failed", error: { text: { key: "git.hook_failed" } } });
    expect(result.output).toContain("b.txt | 1 +");
    expect(run("status", "--short")).toBe("?? b.txt");
    writeFileSync(hook, '#!/bin/sh\ngit diff --cached --quiet && exit 1\ntest -n "$GIT_INDEX_FILE"\n');
    await seat.run("/commit");
    expect(seat.last("tool.settled").result).toMatchObject({ status: "done", data: { hooks: ["pre-commit"] } });
    expect(run("log", "--format=%s")).toBe("Add b.txt\nstart");
    expect(run("status", "--short")).toBe("");
  });

  test("[TP-6] a secret in what the model says it did, or in the message given, does not come into the history", async () => {
    const word = "correct-horse-battery";
    process.env.COMMIT_TEST_TOKEN = word;
    await using bench = new Bench([write("b.txt", "two\n"), { text: `Wrote two with ${word}.` }]);
    const run = repositoryIn(bench);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("say two");
    delete process.env.COMMIT_TEST_TOKEN;
    await seat.run("/commit --dry-run");
    expect(seat.last("tool.settled").result.output).toStartWith("Write two with [REDACTED:");
    await seat.run(`/commit It was ${word}`);
    expect(run("log", "--format=%B")).toMatch(/^It was \[REDACTED:[a-z-]+:[0-9a-f]{8}\]\n\nstart$/);
  });

  test("[TP-8] the model has no tool of that name", async () => {
    await using bench = new Bench([{ calls: [{ tool: "commit", input: {} }] }, { text: "done" }]);
    repositoryIn(bench);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("go");
    expect(seat.last("tool.settled").result).toMatchObject({ error: { text: { key: "run.unknown_tool" } } });
  });
});

describe("[RB-4] git.mode", () => {
  test("commit: a verified task is one commit, with its evidence, and an unverified one is none", async () => {
    const script: Script = [
      { when: "first", steps: [write("b.test.mjs", passing), { text: "I added a test." }] },
      { when: "second", steps: [write("c.test.mjs", failing), { text: "done" }] },
      { when: "third", steps: [write("doc.md", "words\n"), { text: "done" }] },
      { when: "question", steps: [{ text: "an answer" }] },
    ];
    await using bench = new Bench(script);
    const run = repositoryIn(bench);
    const seat = bench.open({ mode: "auto-edit" }, { config: checked("commit") });
    await seat.run("first: add a test");
    expect(seat.all("task.summarized")[0]?.summary.outcome).toBe("VERIFIED");
    expect(run("log", "-1", "--format=%B")).toBe(
      "Add a test\n\n- create b.test.mjs (+2)\n\nVerified: node --test (1 passed)",
    );
    await seat.run("question: why?");
    await seat.run("second: break it");
    expect(seat.all("task.summarized").at(-1)?.summary.outcome).toBe("FAILED");
    await seat.run("third: write a document");
    // The broken one is not in it: only what needs no check.
    expect(run("log", "--format=%s")).toBe("Add doc.md\nAdd a test\nstart");
    expect(run("status", "--short")).toBe("?? c.test.mjs");
    expect(seat.all("input.admitted").filter(({ kind }) => kind === "tool").length).toBe(2);
    const last = bench.server.requests.at(-1)?.body.messages ?? [];
    expect(JSON.stringify(last)).toContain("[coder] ran commit: done");
    expect(JSON.stringify(last)).not.toContain("The person ran");
  });

  test("branch: on coder/ID beside what is checked out; off, and outside a repository: nothing", async () => {
    await using bench = new Bench([write("doc.md", "words\n"), { text: "done" }]);
    const run = repositoryIn(bench);
    const off = bench.open({ mode: "auto-edit" });
    await off.run("write a document");
    expect(off.all("input.admitted").length).toBe(1);
    await off.close();
    run("clean", "-fdq");
    const seat = bench.open({ mode: "auto-edit" }, { config: checked("branch") });
    await seat.run("write a document");
    const branch = `coder/${seat.engine.state().id}`;
    expect(run("log", "--format=%s", branch)).toBe("Add doc.md\nstart");
    expect(run("log", "--format=%s")).toBe("start");
    expect(run("status", "--short")).toBe("?? doc.md");
    await using bare = new Bench([write("doc.md", "words\n"), { text: "done" }]);
    const alone = bare.open({ mode: "auto-edit" }, { config: checked("commit") });
    await alone.run("write a document");
    expect(alone.all("input.admitted").length).toBe(1);
  });

  test("what is told beside a task does not change its result or exit code", async () => {
    await using bench = new Bench([write("doc.md", "words\n"), { text: "done" }]);
    const run = repositoryIn(bench);
    run("config", "commit.gpgSign", "true");
    const [code, out, err] = await runCoder(bench, ["run", "--mode", "auto-edit", "--output", "json", "write it"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ type: "result", text: "done", exit_code: 0 });
    expect(err).toContain("Not committed: nothing was committed: your git signs commits");
    run("config", "commit.gpgSign", "false");
    run("clean", "-fdq");
    const again = await runCoder(bench, ["run", "--mode", "auto-edit", "write it"]);
    expect(again[1]).toBe("done\n");
    expect(again[2]).toMatch(/^Committed [0-9a-f]{10} on main: Add doc.md$/m);
  });
});

async function runCoder(bench: Bench, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  for (const folder of [bench.home, join(bench.root, "tmp")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(bench.home, "config.json"), JSON.stringify(checked("commit")));
  const model = args[0] === "run" ? ["--base-url", bench.server.url, "--model", "openai-chat/mock"] : [];
  const child = Bun.spawn([...fromSource, ...args, ...model], {
    cwd: bench.workspace,
    env: { ...process.env, LANG: "C", CODER_HOME: bench.home, TMPDIR: join(bench.root, "tmp"), ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return [code, out, err] as const;
}

describe("[RB-4] [PS-4] killed with kill -9", () => {
  /** A git that ends whoever started it, right before or right after one of its commands. */
  function deadlyGit(bench: Bench, command: string, when: "before" | "after"): string {
    const folder = join(bench.root, "bin");
    mkdirSync(folder, { recursive: true });
    const real = Bun.which("git");
    const deadly = when === "before" ? "kill -9 $PPID; exit 1" : `"${real}" "$@"; kill -9 $PPID; exit 1`;
    // Of the updates of an index only that of the person's own counts.
    const own = command === "update-index" ? '&& test -z "$GIT_INDEX_FILE"' : "";
    const script = `#!/bin/sh\nif test "$1" = ${command} ${own}; then ${deadly}; fi\nexec "${real}" "$@"\n`;
    writeFileSync(join(folder, "git"), script, { mode: 0o755 });
    return `${folder}:${process.env.PATH}`;
  }

  for (const [command, when] of [
    ["commit-tree", "after"],
    ["update-index", "after"],
    ["update-ref", "before"],
    ["update-ref", "after"],
  ] as const) {
    test(`${when} git ${command}, a resumed session has one commit, a clean index and the whole result`, async () => {
      await using bench = new Bench([write("doc.md", "words\n"), { text: "done" }]);
      const run = repositoryIn(bench);
      bench.file("mine.txt", "mine\n");
      run("add", "mine.txt");
      const task = ["run", "--mode", "auto-edit"];
      const [code] = await runCoder(bench, [...task, "write it"], { PATH: deadlyGit(bench, command, when) });
      expect(code).toBe(137);
      const [, , err] = await runCoder(bench, [...task, "--continue"]);
      const head = run("rev-parse", "--short=10", "HEAD");
      expect(err).toContain(`Committed ${head} on main: Add doc.md`);
      expect(run("log", "--format=%s")).toBe("Add doc.md\nstart");
      expect(run("status", "--short")).toBe("A  mine.txt");
      const left = readdirSync(join(bench.root, "tmp")).filter((name) => name.startsWith("coder-"));
      expect(left).toEqual([]);
      const again = await runCoder(bench, [...task, "--continue"]);
      expect(again[0]).toBe(0);
      expect(run("log", "--format=%s")).toBe("Add doc.md\nstart");
    }, 120_000);
  }
});

describe("[RB-4] nothing is ever sent to a remote", () => {
  test("a remote that could be written stays empty through commits on request and by mode", async () => {
    await using bench = new Bench([write("doc.md", "words\n"), { text: "done" }]);
    const run = repositoryIn(bench);
    const remote = join(bench.root, "remote.git");
    git(bench.root, "init", "-q", "--bare", remote);
    run("remote", "add", "origin", remote);
    run("config", "push.default", "current");
    run("config", "push.autoSetupRemote", "true");
    const seat = bench.open({ mode: "auto-edit" }, { config: checked("commit") });
    await seat.run("write it");
    await seat.run("/pr");
    expect(run("log", "--format=%s")).toBe("Add doc.md\nstart");
    expect(git(remote, "for-each-ref")).toBe("");
  });

  test("no source file runs git push or what stands behind it", async () => {
    const root = join(import.meta.dir, "..", "..", "..", "src");
    const sources = [...new Bun.Glob("**/*.ts").scanSync({ cwd: root })].sort();
    const found = sources.filter((path) => {
      const text = readFileSync(join(root, path), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
      return /["'`](?:git[ -])?(?:push|send-pack|http-push)["'` ]|\bgit (?:-\S+ )*push\b/.test(text);
    });
    // They only judge what others want to run, or know words and keys.
    const judges =
      /^(?:policy\/|engine\/call\/planted-since|contract\/text\/|machine\/assess\/action-words|platform\/git\/harmless|mechanic\/find\/missing|platform\/sandbox\/home\/git-identity)/;
    expect(found.filter((path) => !judges.test(path))).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
    expect(sources.length).toBeGreaterThan(300);
  });
});
