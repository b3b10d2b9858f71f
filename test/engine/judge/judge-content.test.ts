// Files that are named like secrets and hold none.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../../../src/contract/settings.ts";
import { say } from "../../../src/contract/text/catalogue.ts";
import type { JudgeDeps } from "../../../src/engine/judge/deed-facts.ts";
import { lookFor } from "../../../src/engine/judge/past-secrets.ts";
import { judgeShell } from "../../../src/engine/judge/shell-call.ts";

let ws = "";
beforeEach(() => {
  ws = realpathSync(mkdtempSync(join(tmpdir(), "coder-content-")));
});
afterEach(() => rmSync(ws, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(join(ws, path, ".."), { recursive: true });
  writeFileSync(join(ws, path), text);
};
const settings = "# ours\nsave-exact=true\nregistry=https://r.example.com/\n//r.example.com/:_authToken=$NPM_TOKEN\n";
const login = "//r.example.com/:_authToken=heron\n";

function judged(command: string, sandbox: "ready" | "off" = "ready") {
  const given = { workspace: ws, addDirs: [], sandbox: "auto" } as Partial<Settings> as Settings;
  const deps: JudgeDeps = {
    ...{ settings: given, rules: [], ownFolder: "/nowhere", gitProblem: () => null, isInteractive: () => true },
    ...{ isRealProgram: () => true, isShim: () => false },
  };
  return judgeShell(deps, command, { mode: "default", preset: null, sandbox });
}
function asks(command: string, sandbox: "ready" | "off" = "ready"): readonly string[] {
  const { decision, reasons } = judged(command, sandbox);
  return decision === "allow" ? [] : reasons.map((reason) => say("en", reason));
}
async function asksPast(command: string): Promise<readonly string[]> {
  await lookFor(ws, judged(command).unknownObjects ?? []);
  return asks(command);
}
const git = (...args: readonly string[]): void => {
  const made = Bun.spawnSync(["git", "-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: ws });
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
};

test("[PO-7] settings without a login, a certificate and a filled-in form as it came are read unasked", () => {
  write(".npmrc", settings);
  write("a/.yarnrc.yml", "nodeLinker: node-modules\n");
  write("cert.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  write(".env", "A=1\n");
  write(".env.example", "A=1\n");
  for (const sandbox of ["ready", "off"] as const)
    for (const line of ["cat .npmrc", "cat a/.yarnrc.yml", "wc -l cert.pem .npmrc", "cat .env", "grep -r x ."])
      expect([line, asks(line, sandbox)]).toEqual([line, []]);
});

test("[PO-7] what a secret file is called, and how it is kept, is told unasked; what is in it is not", () => {
  write(".env", login);
  write("config/a.pem", "x\n");
  git("init", "-q");
  const named = [
    ...[
      "ls -la .env",
      "ls .env*",
      "ls -l config/*.pem",
      "test -f .env && echo yes",
      "[ -s .env ] || echo no",
      "[[ -f .env ]]",
    ],
    ...[
      "stat -c %s .env",
      "du -h .env",
      "realpath .env",
      "readlink -f .env",
      "git check-ignore -v .env",
      "git ls-files .env",
    ],
    ...[
      "git status --short .env",
      "git log --oneline -- .env",
      "git diff --stat -- .env",
      "git check-attr -a .env",
      "tree -a config",
    ],
  ];
  expect(named.flatMap((line) => asks(line).map((reason) => [line, reason]))).toEqual([]);
  const told = [
    ...[
      "cat .env",
      "wc -c .env",
      "md5sum .env",
      "ls .env; cat .env",
      "test -f .env && head .env",
      "file .env",
      "git diff -- .env",
    ],
    ...[
      "git log -p -- .env",
      "git log -SA -- .env",
      "git show --stat HEAD:.env",
      "git grep x .env",
      "cat config/*.pem",
      "cat < .env",
    ],
    ...[
      "git blame .env",
      "git status -v .env",
      "ls /root/.ssh",
      "stat ~/.aws/credentials",
      "du ../.env",
      "jq . .env",
      "ls $(cat .env)",
    ],
  ];
  expect(told.filter((line) => asks(line).length === 0)).toEqual([]);
  expect(judged("ls -la .env").form?.shows).toBeUndefined();
});

test("[PO-7] [SA-secrets] with one they are asked about, in every form of it", () => {
  const secret = {
    ".npmrc": [
      login,
      "_auth = aGVyb24=\n",
      "//r/:_password=x\n",
      "proxy=http://me:heron@proxy/\n",
      'key="-----BEGIN\n',
    ],
    "a/.yarnrc.yml": [
      ...["npmAuthToken: heron\n", 'npmAuthIdent: "me:heron"\n', "npmAuthToken:\n  heron\n"],
      "npmRegistries:\n  //r:\n    npmAuthIdent: >-\n      me:heron\n",
    ],
    "cert.pem": ["-----BEGIN CERTIFICATE-----\nA\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nA\n", "x\n"],
    ".env": ["A=1\n"],
  };
  for (const [path, texts] of Object.entries(secret))
    for (const text of texts) {
      write(path, text);
      expect([text, asks(`cat ${path}`)]).toEqual([text, [`${path} may hold secrets`]]);
    }
});

test("[PO-7] [SA-links] what a link is called says nothing about where it leads", () => {
  write("keys/id_rsa", "heron\n");
  write("other", "heron\n");
  symlinkSync("keys/id_rsa", join(ws, ".npmrc"));
  symlinkSync("other", join(ws, "cert.pem"));
  expect(asks("cat .npmrc")).toEqual([".npmrc may hold secrets"]);
  expect(asks("cat cert.pem")).toEqual(["cert.pem may hold secrets"]);
});

test("[PO-7] what git keeps is judged by the file only as long as they are the same", () => {
  git("init", "-q");
  write(".npmrc", login);
  utimesSync(join(ws, ".npmrc"), 1_000, 1_000);
  git("add", "-A");
  expect(asks("git grep x")).toEqual([".npmrc may hold secrets"]);
  // The index still has the login.
  write(".npmrc", settings);
  expect(asks("git grep --cached x")).toEqual([".npmrc may hold secrets"]);
  utimesSync(join(ws, ".npmrc"), 1_000, 1_000);
  git("add", "-A");
  expect(asks("git grep --cached x")).toEqual([]);
});

test("[PO-7] [SA-secrets] old commits are shown unasked where no version of such a file held a login, on no branch", async () => {
  const shown = ["git log -p", "git show HEAD~1", "git diff HEAD~1 HEAD", "git log -p --all", "git diff HEAD"];
  const commit = (text: string): void => {
    write(".npmrc", text);
    utimesSync(join(ws, ".npmrc"), 1_000, 1_000);
    git("add", "-A");
    git("commit", "-qm", "x");
  };
  git("init", "-q", "-b", "main");
  commit("save-exact=true\n");
  commit(settings);
  for (const line of shown) expect([line, await asksPast(line)]).toEqual([line, []]);
  // Added on another branch, gone again with the merge.
  git("switch", "-qc", "side");
  commit(login);
  git("switch", "-q", "main");
  utimesSync(join(ws, ".npmrc"), 1_000, 1_000);
  git("merge", "-q", "--no-ff", "-s", "ours", "-m", "x", "side");
  git("branch", "-D", "side");
  git("add", "--renormalize", ".");
  for (const line of shown.slice(0, 4))
    expect([line, await asksPast(line)]).toEqual([line, [".npmrc may hold secrets"]]);
});
