import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../../../src/contract/settings.ts";
import { say } from "../../../src/contract/text/catalogue.ts";
import type { JudgeDeps, JudgeMoment } from "../../../src/engine/judge/deed-facts.ts";
import { lookFor } from "../../../src/engine/judge/past-secrets.ts";
import { judgeShell } from "../../../src/engine/judge/shell-call.ts";
import { gitProblem } from "../../../src/platform/git/facts.ts";
import { Bench } from "../../support/engine.ts";
import { git as gitIn } from "../../support/repository.ts";
import { until } from "../../support/until.ts";

let ws = "";

beforeEach(() => {
  ws = realpathSync(mkdtempSync(join(tmpdir(), "coder-past-")));
  git("init", "-q", "-b", "main");
  for (const folder of ["src", "config"]) mkdirSync(join(ws, folder));
  commit("src/a.ts", "a.txt");
});
afterEach(() => rmSync(ws, { recursive: true, force: true }));

function git(...args: readonly string[]): string {
  return gitWith("", ...args);
}

function gitWith(stdin: string, ...args: readonly string[]): string {
  const env = { PATH: process.env.PATH, HOME: ws, GIT_CONFIG_NOSYSTEM: "1" };
  const person = ["-c", "user.name=a", "-c", "user.email=a@b"];
  const child = Bun.spawnSync(["git", ...person, ...args], { cwd: ws, env, stderr: "pipe", stdin: Buffer.from(stdin) });
  if (child.exitCode !== 0) throw new Error(child.stderr.toString());
  return child.stdout.toString().trim();
}

function write(...names: readonly string[]): void {
  for (const name of names) writeFileSync(join(ws, name), `${name}\n`);
}

function commit(...names: readonly string[]): void {
  write(...names);
  git("add", ...names);
  git("commit", "-qm", "add");
}

function remove(name: string): void {
  git("rm", "-q", name);
  git("commit", "-qm", "remove");
  mkdirSync(join(ws, "config"), { recursive: true });
}

function judge(command: string, more: Partial<JudgeMoment> = {}) {
  const settings = { workspace: ws, addDirs: [], sandbox: "auto" } as Partial<Settings> as Settings;
  const deps: JudgeDeps = {
    ...{ settings, rules: [], ownFolder: "/nowhere", isInteractive: () => true },
    ...{ gitProblem: () => gitProblem(ws, {}), isRealProgram: () => true, isShim: () => false },
  };
  return judgeShell(deps, command, { mode: "default", preset: null, sandbox: "ready", ...more });
}

async function asks(command: string): Promise<readonly string[]> {
  const { unknownObjects } = judge(command);
  const { decision, reasons } = judge(command, unknownObjects ? { past: await lookFor(ws, unknownObjects) } : {});
  return decision === "allow" ? [] : reasons.map((reason) => say("en", reason));
}

async function all(lines: readonly string[]): Promise<readonly (readonly [string, ...string[]])[]> {
  const answers: [string, ...string[]][] = [];
  for (const line of lines) answers.push([line, ...(await asks(line))]);
  return answers;
}

const history = [
  "git log -L1,1:src/a.ts",
  "for c in $(git rev-list -2 main); do git show $c; done",
  ...["git log -p", "git show", "git show HEAD~1", "git diff HEAD~1 HEAD", "git stash show -p", "git log -p --all"],
  ...["git grep x HEAD~1", "git cat-file -p HEAD~1", "git log -p -- config", "git log -p src config", "git reflog -p"],
  ...["git diff HEAD~1:config HEAD:config", "git log -p --follow -- src/a.ts", "git log -p --full-diff -- src/a.ts"],
  ...["git blame HEAD~1 -- gone", "git log -p -- '*.ts'", "git --no-pager show HEAD^"],
];
/** Of these it is known without a look that no other file is shown. */
const limited = ["git log -p -- src/a.ts", "git blame HEAD~1 -- src/a.ts", "git show HEAD src/a.ts a.txt", "git diff"];
const present = [
  "git diff HEAD",
  "git diff --cached",
  "git status -v",
  "git grep x HEAD",
  "git grep x",
  "git diff @ src",
];
const unasked = [
  "git log",
  "git log --stat",
  "git show HEAD~1:src/a.ts",
  "git diff --name-only HEAD~1",
  "git log -p src",
];

test("[PO-7] a secret file that was committed once and removed is asked about wherever old commits are shown", async () => {
  commit("config/.env");
  remove("config/.env");
  expect(await all(history)).toEqual(history.map((line) => [line, "config/.env may hold secrets"]));
  const fine = [...limited, ...present, ...unasked];
  expect(await all(fine)).toEqual(fine.map((line) => [line]));
  expect(await asks("git show HEAD~1:config/.env")).toContain("config/.env may hold secrets");
});

test("[PO-7] where no commit ever had a secret file nothing is asked, and it is looked at once", async () => {
  commit("src/b.ts");
  const lines = [...history, ...limited, ...present, ...unasked];
  expect(await all(lines)).toEqual(lines.map((line) => [line]));
  expect(lines.filter((line) => judge(line).unknownObjects)).toEqual([]);
  git("checkout", "-q", "--orphan", "fresh");
  expect(await all(["git diff --cached", "git show main"])).toEqual([["git diff --cached"], ["git show main"]]);
  rmSync(join(ws, ".git"), { recursive: true });
  expect(judge("git show").unknownObjects).toBeUndefined();
});

test("[PO-7] until it was looked at, what shows old commits is asked about, and nothing else waits", () => {
  expect(judge("git show").reasons.map((reason) => say("en", reason))).toEqual([
    "shows old commits, which could not be checked in time for secret files",
  ]);
  expect([judge("git show").unknownObjects, judge("git show abcd1").unknownObjects]).toEqual([[], ["abcd1"]]);
  expect([...limited, "git status", "git log", "ls"].filter((line) => judge(line).unknownObjects)).toEqual([]);
  expect([judge("git show", { mode: "yolo" }), judge("git show", { authority: "typed" })]).toMatchObject([
    { decision: "allow" },
    { decision: "allow" },
  ]);
});

test("[PO-7] a secret file of another branch, a tag, or only of a reflog is found, each as soon as it is there", async () => {
  expect(await asks("git show")).toEqual([]);
  git("checkout", "-qb", "other");
  commit("config/.env");
  git("checkout", "-q", "main");
  expect(await asks("git show other")).toEqual(["config/.env may hold secrets"]);
  git("checkout", "-q", "--detach");
  commit("k.pem");
  git("tag", "-a", "t", "-m", "t");
  git("checkout", "-q", "main");
  const both = ["config/.env may hold secrets", "k.pem may hold secrets"];
  expect(await asks("git show t")).toEqual(both);
  commit("id_rsa");
  git("reset", "-q", "--hard", "HEAD~1");
  expect(await asks("git show main@{1}")).toEqual([...both, "id_rsa may hold secrets"]);
  expect(await asks("git diff HEAD")).toEqual([]);
});

test("[PO-7] a secret file of a stash is found, an older one and one of untracked files too", async () => {
  write("config/.env");
  git("add", "config/.env");
  git("stash", "-q");
  write("id_rsa");
  git("stash", "-q", "-u");
  write("a.txt", "src/a.ts");
  appendFileSync(join(ws, "a.txt"), "more\n");
  git("stash", "-q");
  const found = ["config/.env may hold secrets", "id_rsa may hold secrets"];
  expect((await asks("git stash show -p stash@{2}")).toSorted()).toEqual(found);
});

test("[PO-7] a secret file that only a merge has added is found", async () => {
  git("checkout", "-qb", "other");
  commit("src/b.ts");
  git("checkout", "-q", "main");
  commit("src/c.ts");
  git("merge", "-q", "--no-commit", "other");
  commit("config/.env");
  remove("config/.env");
  expect(await asks("git log -p -m")).toEqual(["config/.env may hold secrets"]);
});

test("[PO-7] a commit that nothing leads to is found by its hash", async () => {
  const tree = git("write-tree");
  write("id_rsa");
  git("add", "id_rsa");
  const lost = git("commit-tree", "-m", "lost", git("write-tree"));
  git("read-tree", tree);
  rmSync(join(ws, "id_rsa"));
  expect(await asks("git show")).toEqual([]);
  const secret = ["id_rsa may hold secrets"];
  expect([await asks("git show abcdef12"), await asks(`git show ${lost.slice(0, 9).toUpperCase()}`)]).toEqual([
    [],
    secret,
  ]);
  expect(await asks("git show")).toEqual(secret);
});

test("[PO-7] what a fetch has noted is looked at although no branch leads there", async () => {
  const tree = git("write-tree");
  write("id_rsa");
  git("add", "id_rsa");
  const lost = git("commit-tree", "-m", "lost", git("write-tree"));
  git("read-tree", tree);
  rmSync(join(ws, "id_rsa"));
  expect(await asks("git show FETCH_HEAD")).toEqual([]);
  writeFileSync(join(ws, ".git", "FETCH_HEAD"), `${lost}\t\tbranch 'x' of ../y\n`);
  expect(await asks("git show FETCH_HEAD")).toEqual(["id_rsa may hold secrets"]);
});

test("[PO-7] thousands of commits are looked through, and later only what is new", async () => {
  const commits = Array.from({ length: 4_000 }, (_, at) => {
    const name = at === 1_000 ? "config/.env" : `src/f${at % 300}`;
    const gone = at === 1_001 ? "D config/.env\n" : "";
    return `commit refs/heads/long\ncommitter a <a@b> ${at} +0000\ndata 1\nx\n${gone}M 644 inline ${name}\ndata 2\n${at % 10}\n\n`;
  });
  gitWith(commits.join(""), "fast-import", "--quiet");
  await until("all is known", async () => (await lookFor(ws, [])).isWhole);
  expect(await asks("git show")).toEqual(["config/.env may hold secrets"]);
  commit("k.pem");
  remove("k.pem");
  expect(await asks("git show")).toEqual(["config/.env may hold secrets", "k.pem may hold secrets"]);
});

test("[PO-7] of more secret files than anybody reads some are named, and those below a path are not missed", async () => {
  const names = Array.from({ length: 1_100 }, (_, at) => `config/${at}.pem`);
  write(...names, "src/.env");
  git("add", ".");
  git("commit", "-qm", "many");
  git("rm", "-rq", "config", "src/.env");
  git("commit", "-qm", "none");
  expect((await asks("git show")).length).toBe(10);
  expect((await asks("git log -p src")).length).toBeGreaterThan(0);
});

test("[PO-7] [SA-git-config] the look starts nothing that the repository names, and a damaged history is asked about", async () => {
  const started = join(ws, "started");
  const script = join(ws, "run.sh");
  writeFileSync(script, `#!/bin/sh\necho x >> ${started}\n`, { mode: 0o755 });
  const keys = ["core.fsmonitor", "core.pager", "pager.log", "diff.external", "core.sshCommand", "gpg.program"];
  for (const key of [...keys, "diff.x.textconv", "diff.x.command", "alias.log", "core.alternateRefsCommand"])
    git("config", key, key === "alias.log" ? `!${script}` : script);
  git("config", "log.showSignature", "true");
  writeFileSync(join(ws, ".gitattributes"), "* diff=x\n");
  expect((await lookFor(ws, [])).isWhole).toBe(true);
  expect(existsSync(started)).toBe(false);
  rmSync(join(ws, ".git", "objects"), { recursive: true });
  mkdirSync(join(ws, ".git", "objects"));
  write(".git/ORIG_HEAD");
  expect(await lookFor(ws, [])).toMatchObject({ isWhole: false });
});

test("[PO-7] [PO-4] in a run the look is made before the decision: allowed where there was no secret, asked about where there was", async () => {
  const shows = [{ calls: [{ tool: "bash", input: { command: "git log -p" } }] }, { text: "done" }];
  await using bench = new Bench([shows, shows, shows]);
  const record = (...args: readonly string[]) => gitIn(bench.workspace, ...args);
  record("init", "-q");
  for (const name of ["a.txt", ".env"]) bench.file(name, "A=1\n");
  record("add", "a.txt");
  record("commit", "-qm", "one");
  const seat = bench.open({}, { interactive: false });
  const decided = async (text: string) => {
    await seat.run(text);
    const { decision, reasons } = seat.last("tool.decided");
    return [decision, ...reasons.slice(0, 1).map((reason) => say("en", reason))];
  };
  expect((await decided("first"))[0]).toBe("allow");
  record("add", ".env");
  record("commit", "-qm", "two");
  record("rm", "-q", ".env");
  record("commit", "-qm", "three");
  expect(await decided("second")).toEqual(["deny", ".env may hold secrets"]);
  expect(await decided("third")).toEqual(["deny", ".env may hold secrets"]);
});

test("[PO-7] [SA-secrets] a commit that a substitution names is asked about like the commit itself", async () => {
  commit("config/.env");
  git("branch", "other");
  remove("config/.env");
  const shown = [
    "$(git rev-parse HEAD)",
    "$(git rev-parse HEAD~1)",
    "$(git rev-parse other)",
    "$(git merge-base other HEAD)",
  ];
  const plain = ["HEAD", "HEAD~1", "other", "other"];
  const lines = (words: readonly string[]) =>
    words.flatMap((word) => [`git show ${word}`, `git diff ${word}`, `git log -p ${word}`]);
  const answers = await Promise.all(
    [lines(shown), lines(plain)].map(async (all) => {
      const told: boolean[] = [];
      for (const line of all) told.push((await asks(line)).length > 0);
      return told;
    }),
  );
  expect(answers[0]).toEqual(answers[1] ?? []);
  expect(answers[0]).toContain(true);
  expect(await asks("git show --stat $(git rev-parse HEAD)")).toEqual([]);
});
