// What git keeps without a name: content of secret files that was added once, and no commit leads to. Every way of naming it
// is combined with every command that shows something; what is allowed is run, and must not print it.
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Settings } from "../../../src/contract/settings.ts";
import { say } from "../../../src/contract/text/catalogue.ts";
import { callDeed, type JudgeDeps, type JudgeMoment } from "../../../src/engine/judge/deed-facts.ts";
import { lookFor } from "../../../src/engine/judge/past-secrets.ts";
import { judgeShell } from "../../../src/engine/judge/shell-call.ts";
import { gitProblem } from "../../../src/platform/git/facts.ts";
import { decideDeed } from "../../../src/policy/decide-deed.ts";
import { gitHardening } from "../../../src/policy/shell/programs/git-hardening.ts";
import { read } from "../../../src/tool/read/read.ts";

/** No form, no name and no place gives it away: redaction does not know it. */
const secret = "the owls are not what they seem";

let ws = "";
const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_PAGER: "cat", HOME: "/nonexistent" };

function git(...args: readonly string[]): string {
  const person = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "gc.auto=0"];
  const child = Bun.spawnSync(["git", ...person, ...args], { cwd: ws, env, stderr: "pipe", stdin: "ignore" });
  if (child.exitCode !== 0) throw new Error(`${args.join(" ")}: ${child.stderr}`);
  return child.stdout.toString().trim();
}

function put(name: string, text: string): void {
  mkdirSync(dirname(join(ws, name)), { recursive: true });
  writeFileSync(join(ws, name), text);
}

interface Added {
  readonly blob: string;
  readonly tree: string;
}

/** Added to the index, written as a tree, and taken back: no commit ever has it. */
function addOnce(name: string): Added {
  put(name, `${secret} ${name}\n`);
  git("add", "-f", name);
  const tree = git("write-tree");
  const blob = git("rev-parse", `:${name}`);
  git("rm", "-q", "--cached", name);
  rmSync(join(ws, name));
  return { blob, tree };
}

const spelled = (hash: string): readonly string[] => [
  ...[hash, hash.slice(0, 8), hash.slice(0, 12).toUpperCase(), `x-3-g${hash.slice(0, 10)}`],
];

const folders: string[] = [];
/** In a fresh repository. */
function begin(): void {
  ws = realpathSync(mkdtempSync(join(tmpdir(), "coder-objects-")));
  folders.push(ws);
  git("init", "-q", "-b", "main");
  put("src/a.ts", "let a = 1;\n");
  put("a.txt", "plain words\n");
  git("add", ".");
  git("commit", "-qm", "one");
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Names of files' content and of folders that no commit ever had. */
function hideObjects(): readonly string[] {
  begin();
  const file = addOnce(".env");
  const inFolder = addOnce(".aws/config");
  const folder = git("rev-parse", `${inFolder.tree}:.aws`);
  git("tag", "light", file.blob);
  git("tag", "-a", "heavy", "-m", "x", file.blob);
  git("tag", "-a", "heavier", "-m", "x", "heavy");
  git("tag", "wood", file.tree);
  git("update-ref", "refs/odd/one", file.blob);
  git("update-ref", "refs/odd/two", folder);
  put("light", "plain\n");
  git("replace", git("rev-parse", "HEAD:src/a.ts"), file.blob);
  return [
    ...[file.blob, file.tree, folder, inFolder.tree].flatMap(spelled),
    ...["light", "heavy", "heavier", "wood", "tags/light", "refs/tags/wood", "refs/odd/one", "odd/two", "odd/one"],
    ...["light^{}", "light^{blob}", "heavy^{}", "wood^{tree}", "heavier^{blob}", "light@{0}"],
    ...[`${file.tree}:.env`, `${file.tree}:./.env`, "wood:.env", `${folder}:config`, "odd/two:config"],
    ...[`${inFolder.tree}:.aws`, `HEAD..wood`, "HEAD light", "light HEAD:a.txt"],
  ];
}

/** Names of commits that nothing leads to. */
function hideCommits(): readonly string[] {
  begin();
  put("a.txt", `plain words\n${secret} unsaved\n`);
  put(".env", `${secret} stashed\n`);
  git("stash", "-q", "-u");
  const stashed = git("rev-parse", "stash@{0}^3");
  git("stash", "drop", "-q");
  put("id_rsa", `${secret} amended\n`);
  git("add", "-f", "id_rsa");
  const lost = git("commit-tree", "-m", "lost", "-p", "HEAD", git("write-tree"));
  git("rm", "-q", "--cached", "id_rsa");
  rmSync(join(ws, "id_rsa"));
  return [
    ...[`${lost}^{tree}:id_rsa`, `${stashed}:.env`, `${stashed.slice(0, 9)}:`, `${lost}:id_rsa`, `${lost}^{tree}`],
    ...[`HEAD..${lost}`, `${lost.slice(0, 9)}...HEAD`, `${lost}^!`, `^HEAD ${lost}`],
    ...[stashed, lost].flatMap(spelled),
  ];
}

function deps(): JudgeDeps {
  const settings = { workspace: ws, addDirs: [], sandbox: "auto" } as Partial<Settings> as Settings;
  return {
    ...{ settings, rules: [], ownFolder: "/nowhere", isInteractive: () => true },
    ...{ gitProblem: () => gitProblem(ws, {}), isRealProgram: () => true, isShim: () => false },
  };
}

const moment: JudgeMoment = { mode: "default", preset: null, sandbox: "ready" };

async function judged(command: string) {
  const first = judgeShell(deps(), command, moment);
  return first.unknownObjects
    ? judgeShell(deps(), command, { ...moment, past: await lookFor(ws, first.unknownObjects) })
    : first;
}

/** `X` is the object. */
const commands = [
  ...["git cat-file -p X", "git cat-file blob X", "git cat-file tree X", "git cat-file commit X", "git cat-file tag X"],
  ...["git cat-file -t X", "git cat-file -s X", "git cat-file -e X", "git --no-pager cat-file -p X"],
  ...["git show X", "git show --stat X", "git show -s X", "git show --name-only X", "git show --oneline --raw X"],
  ...["git show X --", "git show HEAD X", "git show --format=%s X", "git -P show X", "git show -p X"],
  ...["git grep owls X", "git grep -l owls X", "git grep -c . X", "git grep -n -e o X --", "git grep -h owls X -- ."],
  ...["git diff X HEAD", "git diff HEAD X", "git diff X", "git diff --stat X HEAD", "git diff -U0 X HEAD:a.txt"],
  ...["git diff --cached X", "git diff --word-diff X HEAD", "git diff X HEAD -- .", "git diff --name-only X HEAD"],
  ...["git log -p X", "git log X", "git log -1 --stat X", "git log -S owls X", "git log -G owls --oneline X"],
  ...["git log -p -1 X --", "git whatchanged X", "git rev-list --objects X", "git rev-parse X", "git ls-tree -r X"],
  ...["git ls-tree X", "git describe --always X", "git name-rev X", "git blame X -- a.txt", "git shortlog X"],
  ...[
    "git diff X a.txt",
    "git diff X -- a.txt",
    "git grep owls X -- a.txt",
    "git log -p X -- a.txt",
    "git show X a.txt",
  ],
  ...["git show X -- a.txt", "git blame X a.txt", "git diff --cached X -- a.txt", "git diff X HEAD -- a.txt"],
  ...["git reflog show -p X", "git stash show -p X", "git merge-base X HEAD", "git show-ref X"],
];
const withoutObject = [
  ...["git show HEAD:src/a.ts", "git grep owls HEAD", "git diff HEAD:src/a.ts HEAD:a.txt", "git log -p -- src/a.ts"],
  ...["git log -p --all", "git log -p --reflog", "git show", "git stash list -p", "git for-each-ref --format='%(raw)'"],
  ...["git for-each-ref --format='%(*raw)'", "git tag -l --format='%(RAW)'", "git for-each-ref --sort=raw"],
  ...["git for-each-ref --format='%(contents)'", "git for-each-ref --format='%(subject) %(body)'", "git tag -n9"],
  ...[
    "git grep owls",
    "git grep --cached owls",
    "git ls-files -s",
    "git status -v",
    "git diff",
    "git fsck --lost-found",
  ],
  // A file of that name, so that the wildcard finds it.
  ...[
    "git show ligh* --",
    "git cat-file -p ligh*",
    "git cat-file blob l*ht",
    "git show ligh?",
    "git diff ligh* HEAD --",
  ],
  ...["cat .git/objects/*/*", "grep -ra owls .git", "find .git -type f -exec cat {} +", "strings .git/objects/*/*"],
];

/** Runs what was allowed, as it would be. */
function printed(command: string): string {
  const hardened = { ...env, ...gitHardening };
  const child = Bun.spawnSync(["bash", "-c", command], { cwd: ws, env: hardened, stdin: "ignore", stderr: "pipe" });
  return child.stdout.toString() + child.stderr.toString();
}

async function leaksOf(lines: readonly string[]) {
  const leaks: string[] = [];
  let asked = 0;
  for (const command of lines) {
    if ((await judged(command)).decision !== "allow") asked++;
    else if (printed(command).includes(secret.slice(0, 12))) leaks.push(command);
  }
  return { leaks, asked, allowed: lines.length - asked };
}

/** Every command with every fourth name, every name with every fourth command; all of them in the long run. */
function all(names: readonly string[]): readonly string[] {
  const isLong = process.env.CODER_TEST_LONG === "1";
  return commands.flatMap((line, i) =>
    names.flatMap((name, j) => (isLong || (i + j) % 4 === 0 ? [line.replaceAll("X", () => name)] : [])),
  );
}

test("[PO-7] [SA-secrets] no command that shows an object without a name prints a secret unasked, however it is named", async () => {
  const names = hideObjects();
  const { leaks, asked, allowed } = await leaksOf([...withoutObject, ...all(names)]);
  expect(leaks).toEqual([]);
  expect(Math.min(allowed, asked)).toBeGreaterThan(100);
});

test("[PO-7] [SA-secrets] no command that shows a commit that nothing leads to prints a secret unasked, however it is named", async () => {
  const names = hideCommits();
  const { leaks, asked, allowed } = await leaksOf(all(names));
  expect(leaks).toEqual([]);
  expect(Math.min(allowed, asked)).toBeGreaterThan(40);
});

test("[PO-7] what is called by a plain name now is shown unasked, by its hash too", async () => {
  hideObjects();
  const [file, folder] = [git("rev-parse", "HEAD:a.txt"), git("rev-parse", "HEAD:src")];
  const open = ["HEAD", "main", "HEAD:a.txt", file, folder, "HEAD^{tree}", git("rev-parse", "HEAD^{tree}")];
  const lines = ["git show X", "git cat-file -p X", "git show --stat X", "git grep a X"];
  for (const line of [
    ...lines.flatMap((one) => open.map((name) => one.replace("X", name))),
    `git diff ${file} HEAD:src/a.ts`,
  ])
    expect([line, (await judged(line)).decision]).toEqual([line, "allow"]);
});

test("[PO-7] the reason names the object, and what is not found in time is asked about", async () => {
  hideObjects();
  const { decision, reasons } = await judged("git show wood");
  expect([decision, ...reasons.map((reason) => say("en", reason))]).toEqual([
    "ask",
    "shows the git object wood, which belongs to no current file: it may hold secrets",
  ]);
  const first = judgeShell(deps(), "git cat-file -p abcd1234", moment);
  expect([first.decision, first.unknownObjects]).toEqual(["ask", ["abcd1234"]]);
});

test("[PO-7] [SA-secrets] the store of git itself is asked about, for commands and for file tools", async () => {
  hideObjects();
  put(".git/lost-found/other/abcdef", `${secret}\n`);
  const input = { path: ".git/lost-found/other/abcdef" };
  const call = { id: "c1", tool: "read", input, access: "read", afterCrash: "repeat" } as never;
  expect(decideDeed(callDeed(deps(), call, read as never, moment))).toMatchObject({ decision: "ask" });
  expect((await judged("cat .git/lost-found/other/abcdef")).decision).toBe("ask");
  const blob = git("rev-parse", "light");
  const file = `.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`;
  expect(existsSync(join(ws, file))).toBe(true);
  const unpack = `printf '\\x1f\\x8b\\x08\\x00\\x00\\x00\\x00\\x00' | cat - ${file} | gzip -dc`;
  for (const line of [unpack, `cat ${file}`, `xxd ${file}`, `base64 < ${file}`, `cd .git && cat ${file.slice(5)}`])
    expect([line, (await judged(line)).decision]).toEqual([line, "ask"]);
  for (const line of ["cat .git/HEAD", "ls .git/objects", "du -sh .git", "git count-objects -v"])
    expect([line, (await judged(line)).decision]).toEqual([line, "allow"]);
});
