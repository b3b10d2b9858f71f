import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../../../src/contract/settings.ts";
import { say } from "../../../src/contract/text/catalogue.ts";
import type { JudgeDeps } from "../../../src/engine/judge/deed-facts.ts";
import { lookFor } from "../../../src/engine/judge/past-secrets.ts";
import { judgeShell } from "../../../src/engine/judge/shell-call.ts";

let ws = "";

beforeEach(() => {
  ws = realpathSync(mkdtempSync(join(tmpdir(), "coder-tracked-")));
  git("init", "-q", "-b", "main");
  for (const folder of ["src", "config"]) mkdirSync(join(ws, folder));
  for (const name of ["a.txt", "src/a.ts"]) write(name, "a\n");
});
afterEach(() => rmSync(ws, { recursive: true, force: true }));

function git(...args: readonly string[]): void {
  const env = { PATH: process.env.PATH, HOME: ws, GIT_CONFIG_NOSYSTEM: "1" };
  const person = ["-c", "user.name=a", "-c", "user.email=a@b"];
  const child = Bun.spawnSync(["git", ...person, ...args], { cwd: ws, env, stderr: "pipe" });
  if (child.exitCode !== 0) throw new Error(child.stderr.toString());
}

/** Long ago, so that git need not look into it. */
function write(name: string, content: string): void {
  writeFileSync(join(ws, name), content);
  utimesSync(join(ws, name), 1_000_000, 1_000_000);
}

async function asks(command: string, isShim = false): Promise<readonly string[]> {
  const settings = { workspace: ws, addDirs: [], sandbox: "auto" } as Partial<Settings> as Settings;
  const deps: JudgeDeps = {
    ...{ settings, rules: [], ownFolder: "/nowhere", gitProblem: () => null, isInteractive: () => true },
    ...{ isRealProgram: () => true, isShim: () => isShim },
  };
  const moment = { mode: "default", preset: null, sandbox: "ready" } as const;
  const { unknownObjects } = judgeShell(deps, command, moment);
  const past = unknownObjects && (await lookFor(ws, unknownObjects));
  const { decision, reasons } = judgeShell(deps, command, { ...moment, past });
  return decision === "allow" ? [] : reasons.map((reason) => say("en", reason));
}

function all(...lines: readonly string[]): Promise<readonly (readonly string[])[]> {
  return Promise.all(lines.map((line) => asks(line)));
}

const secret = ["config/.env may hold secrets"];

test("[PO-7] what git keeps of a secret file is asked about wherever it would be shown, and nowhere else", async () => {
  write("config/.env", "A=1\n");
  git("add", ".");
  git("commit", "-qm", "one");
  const shows = [
    ...["git show", "git show HEAD", "git log -p", "git log -p -- config", "git diff HEAD"],
    ...["git diff HEAD -- '*.en?'", "git diff --cached .", "git show abc", "git cat-file -p abc", "git stash show -p"],
    ...["git log -p -- ':!src'", "git log -p gone", "git grep x HEAD", "git grep a.txt HEAD", "git status -v"],
  ];
  expect(await all(...shows)).toEqual(shows.map(() => secret));
  const fine = [
    ...["git diff", "git diff src", "git diff HEAD src", "git diff --stat HEAD", "git log", "git log -p src a.txt"],
    ...["git show HEAD:src/a.ts", "git blame src/a.ts", "git status", "git ls-files", "git show --name-only"],
    ...["git grep x HEAD -- src", "git cat-file -t abc", "git log -p -- src/a.ts"],
  ];
  expect(await all(...fine)).toEqual(fine.map(() => []));
  write("HEAD", "a file\n");
  expect(await all("git diff HEAD --", "git diff -- HEAD")).toEqual([secret, []]);
  rmSync(join(ws, "config"), { recursive: true });
  expect(await all("git log -p src", "git log -p config", "git diff")).toEqual([[], secret, secret]);
});

test("[PO-7] a difference to the index shows a secret file only where that was changed", async () => {
  write("config/.env", "A=1\n");
  git("add", ".");
  expect(await all("git diff", "git diff -- config")).toEqual([[], []]);
  write("config/.env", "A=23\n");
  expect(await all("git diff", "git diff config", "git diff -- src")).toEqual([secret, secret, []]);
});

test("[PO-7] a secret file that was changed with its size and time set back counts as changed", async () => {
  write("config/.env", "A=1\n");
  git("add", ".");
  expect(await asks("git diff")).toEqual([]);
  write("config/.env", "B=2\n");
  expect(await asks("git diff")).toEqual(secret);
});

test("[PO-7] secret files are found in every version of the index, and what is not understood is asked about", async () => {
  for (const name of ["config/b", "config/.env", "config/a-long-name", "src/b"]) write(name, "a\n");
  git("add", ".");
  for (const version of ["2", "3", "4"]) {
    git("update-index", `--index-version=${version}`);
    expect([version, ...(await all("git show", "git show HEAD src"))]).toEqual([version, secret, []]);
  }
  writeFileSync(join(ws, ".git", "index"), "DIRC");
  expect(await asks("git show")).toEqual(["cannot tell where .git/index leads"]);
  rmSync(join(ws, ".git", "index"));
  expect(await asks("git show")).toEqual([]);
});

test("[PO-7] of many secret files only some are named, and a rule about these does not do for the rest", async () => {
  for (let index = 0; index < 12; index++) write(`config/${index}.pem`, "a\n");
  git("add", ".");
  expect((await asks("git show")).length).toBe(9);
});

test("[PO-8] only what runs without being asked about has a limit of processor time, git a higher one", () => {
  const settings = { workspace: ws, addDirs: [], sandbox: "auto" } as Partial<Settings> as Settings;
  const deps: JudgeDeps = {
    ...{ settings, rules: [], ownFolder: "/nowhere", gitProblem: () => null, isInteractive: () => true },
    ...{ isRealProgram: () => true, isShim: () => false },
  };
  const limitOf = (command: string) =>
    judgeShell(deps, command, { mode: "default", preset: null, sandbox: "ready" }).form;
  const lines = ["awk 'BEGIN { while (1); }'", "ls | sed ':a;ba'", "git log --oneline", "npm test", "cat /etc/hosts"];
  expect(lines.map((line) => limitOf(line)?.cpuSeconds)).toEqual([10, 10, 60, undefined, undefined]);
});

test("[PO-4] a program for which a version manager stands in is asked about, a part of the shell is not", async () => {
  const lines = ["jq . a.txt", "rg x src", "awk 1 a.txt", "git status", "ls"];
  expect((await all(...lines)).flat()).toEqual([]);
  const held = await Promise.all(lines.map((line) => asks(line, true)));
  expect(held.map((reasons) => reasons.length > 0)).toEqual(lines.map(() => true));
  expect(await asks("jq . a.txt", true)).toContain("jq is a version-manager shim; workspace files decide what it runs");
  expect([await asks("echo a", true), await asks("/usr/bin/jq . a.txt", true)]).toEqual([[], []]);
});

test("[PO-7] a secret file whose folder has become a file is asked about like one that was changed", async () => {
  write("config/.env", "A=1\n");
  git("add", ".");
  git("commit", "-qm", "one");
  rmSync(join(ws, "config"), { recursive: true });
  write("config", "a file\n");
  expect(await all("git diff", "git show HEAD", "ls")).toEqual([secret, secret, []]);
});
