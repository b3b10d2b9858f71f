// Words that are known only when a command runs: where they may lead it, and what it sees there.
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PermissionRule } from "../../src/contract/permission.ts";
import type { Flags } from "../../src/main/cli/flags.ts";
import { Bench } from "../support/engine.ts";

const canary = "nobody-may-read-this";

function git(folder: string, script: string): void {
  const as = "git -c user.name=a -c user.email=a@example.com";
  const done = spawnSync("bash", ["-c", script.replaceAll("git commit", `${as} commit`)], {
    cwd: folder,
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(done.stderr);
}

interface Told {
  readonly status: string;
  readonly output: string;
}

/** What each line is answered, one after the other, with nobody to ask. */
async function play(
  lines: readonly string[],
  lay: (bench: Bench) => void,
  flags: Flags = {},
): Promise<readonly Told[]> {
  const calls = lines.map((command) => ({ calls: [{ tool: "bash", input: { command } }] }));
  await using bench = new Bench([...calls, { text: "done" }]);
  lay(bench);
  const seat = bench.open({ mode: "default", ...flags });
  await seat.run("go");
  return seat.all("tool.settled").map(({ result: { status, output } }) => ({ status, output }));
}

function project(bench: Bench): void {
  bench.file("a.txt", "one\ntwo\n");
  mkdirSync(join(bench.workspace, "sub"));
  bench.file("sub/b.txt", "three\n");
  git(bench.workspace, "git init -q -b main . && git add a.txt sub && git commit -qm first");
}

const ofLine: readonly (readonly [line: string, output: RegExp])[] = [
  ['for f in $(git ls-files); do wc -l "$f"; done', /2 a\.txt\n1 sub\/b\.txt/],
  ['git ls-files | while IFS= read -r f; do echo "== $f"; head -1 "$f"; done', /== a\.txt\none\n== sub\/b\.txt\nthree/],
  ["diff <(git show HEAD:a.txt) a.txt && echo same", /same/],
  ['N=$(wc -l < a.txt); echo "lines: $N"', /lines: 2/],
  ["i=0; while read -r l; do i=$((i + 1)); done < a.txt; echo $i", /\n2$/],
  ["cd sub && git log --format=%s && cd - && ls", /first\n.*\na\.txt\nsub/],
  ["git -C sub status --short; git -C sub ls-files", /b\.txt/],
  ['cd "$(git rev-parse --show-toplevel)" && cat "$PWD/sub/b.txt"', /three/],
  ["export FOO=1 && env BAR=2 LC_ALL=C ls", /a\.txt/],
  ["GIT_PAGER=cat git log -1 --format=%s", /first/],
  ['set -euo pipefail; x=sub; ls "$x"', /b\.txt/],
  ["git ls-files | xargs wc -l", /3 total/],
];

test("[PO-4] what reads other files than its words say runs unasked, and sees those of the workspace", async () => {
  const told = await play(
    ofLine.map(([line]) => line),
    project,
  );
  expect(told.map(({ status }, at) => [ofLine[at]![0], status])).toEqual(ofLine.map(([line]) => [line, "done"]));
  for (const [at, [line, output]] of ofLine.entries())
    expect([line, told[at]!.output]).toEqual([line, expect.stringMatching(output)]);
}, 120_000);

describe("[PO-4] [PO-7] a name that a command gets while it runs leads to nothing that it may not read:", () => {
  const places: Readonly<Record<string, (bench: Bench) => string>> = {
    "a file around the workspace": ({ root }) => join(root, "beside.txt"),
    "the same by a way of dots": () => "../beside.txt",
    "what a link leads to": () => "link/beside.txt",
    "our own folder": ({ home }) => join(home, "beside.txt"),
    "the settings of the system": () => "/etc/passwd",
    "a secret file": () => ".env",
    "a secret file among packages": () => "node_modules/p/.env",
    "a secret file, by a link": () => "to-env",
    "a repository around the workspace": () => "../.git/canary",
    "the environment of the first process": () => "/proc/1/environ",
    "the same of the one above": () => "/proc/self/root/../beside.txt",
  };
  const readers = [
    'while read -r f; do cat "$f"; done < list',
    "cat $(cat list)",
    "xargs cat < list",
    'f=$(cat list); grep "" "$f"',
    "head -5 -- $(cat list)",
  ];
  for (const [name, place] of Object.entries(places)) {
    test(name, async () => {
      const told = await play(readers, (bench) => {
        project(bench);
        git(bench.root, "git init -q .");
        mkdirSync(bench.home, { recursive: true });
        mkdirSync(join(bench.workspace, "node_modules/p"), { recursive: true });
        for (const path of [
          ...["beside.txt", ".git/canary"].map((one) => join(bench.root, one)),
          ...[".env", "node_modules/p/.env"].map((one) => join(bench.workspace, one)),
          join(bench.home, "beside.txt"),
        ])
          writeFileSync(path, `API_KEY=${canary}\n`);
        symlinkSync("..", join(bench.workspace, "link"));
        symlinkSync(".env", join(bench.workspace, "to-env"));
        bench.file("list", `${place(bench)}\n`);
      });
      expect(told.map(({ status }) => status)).not.toContain("denied");
      expect(told.filter(({ output }) => output.includes(canary) || /root:.*:0:0|CODER_HOME=/.test(output))).toEqual(
        [],
      );
    }, 120_000);
  }
});

test("[PO-4] [PO-7] nor to what git keeps of a secret file that was removed", async () => {
  const told = await play(["cat $(cat list) | wc -c", "cat .git/HEAD a.txt $(cat none)"], (bench) => {
    project(bench);
    bench.file(".env", `API_KEY=${canary}\n`);
    git(bench.workspace, "git add -f .env && git commit -qm two && git rm -q .env && git commit -qm three");
    const [hash = ""] = Bun.spawnSync(["git", "rev-parse", "HEAD~1:.env"], { cwd: bench.workspace })
      .stdout.toString()
      .split("\n");
    bench.file("list", `.git/objects/${hash.slice(0, 2)}/${hash.slice(2)}\n`);
    bench.file("none", "");
  });
  expect(
    told.map(({ status, output }) => [status, output.includes("\n0"), output.includes("refs/heads/main")]),
  ).toEqual([
    ["done", true, false],
    ["done", false, true],
  ]);
});

const asked: readonly (readonly [why: string, line: string, lay: (bench: Bench) => void])[] = [
  [
    "git in a folder whose own repository starts a program",
    "cd sub/inner && git status",
    (bench) => {
      mkdirSync(join(bench.workspace, "sub/inner"));
      git(join(bench.workspace, "sub/inner"), "git init -q . && git config core.fsmonitor 'touch ../../PWN'");
    },
  ],
  [
    "the same by -C",
    "git -C sub/inner status",
    (bench) => {
      mkdirSync(join(bench.workspace, "sub/inner"));
      git(join(bench.workspace, "sub/inner"), "git init -q . && git config diff.external 'touch ../../PWN'");
    },
  ],
  [
    "git in a folder that is a repository without being called one",
    "git -C sub/bare log",
    (bench) => git(bench.workspace, "git init -q --bare sub/bare && git -C sub/bare config core.pager 'touch PWN'"),
  ],
  [
    "git below such a folder",
    "cd sub/bare/refs && git log",
    (bench) => git(bench.workspace, "git init -q --bare sub/bare && git -C sub/bare config diff.external x"),
  ],
  [
    "git in a folder that a link leads out to",
    "git -C out status",
    (bench) => symlinkSync("..", join(bench.workspace, "out")),
  ],
  [
    "what another repository keeps",
    "git -C sub/inner log -p",
    (bench) => {
      mkdirSync(join(bench.workspace, "sub/inner"));
      git(join(bench.workspace, "sub/inner"), "git init -q . && git commit -q --allow-empty -m one");
    },
  ],
  [
    "a secret that is kept, from another folder",
    "cd sub && git show HEAD:.env",
    (bench) => {
      bench.file(".env", `KEY=${canary}\n`);
      git(bench.workspace, "git add -f .env && git commit -qm two && git rm -q --cached .env && git commit -qm three");
    },
  ],
  [
    "a commit that had one, from another folder",
    "cd sub && git show HEAD~1",
    (bench) => {
      bench.file(".env", `KEY=${canary}\n`);
      git(bench.workspace, "git add -f .env && git commit -qm two && git rm -q --cached .env && git commit -qm three");
    },
  ],
  [
    "git beside a name that may be one of its objects, where they hold a secret",
    'for f in $(git log --name-only --format=); do cat "$f"; done',
    (bench) => {
      bench.file(".env", `KEY=${canary}\n`);
      git(bench.workspace, "git add -f .env && git commit -qm two && git rm -q --cached .env && git commit -qm three");
    },
  ],
];

describe("[PO-4] [SA-git-config] asked about as before:", () => {
  for (const [why, line, lay] of asked) {
    test(why, async () => {
      const told = await play([line, "ls PWN"], (bench) => {
        project(bench);
        lay(bench);
      });
      expect([told[0]!.status, told[1]!.output]).toEqual(["denied", expect.stringContaining("No such file")]);
    });
  }
});

test("[PO-4] without a sandbox, a word that is known only when the command runs is asked about", async () => {
  const told = await play(["cat $(git ls-files)", "x=1; ls", 'echo "$(ls)"'], project, { noSandbox: true });
  expect(told.map(({ status }) => status)).toEqual(["denied", "denied", "denied"]);
});

test("[PO-3] a rule against reading a folder holds for names that are found while the command runs", async () => {
  const rule: PermissionRule = { decision: "deny", tool: "read", path: "sub/**", source: "--deny", by: "person" };
  const told = await play(["cat $(ls)", 'x=$(ls); cat "$x"', "ls | xargs cat"], project, {
    deny: [`read(${rule.path})`],
  });
  expect(told.map(({ status }) => status)).toEqual(["denied", "denied", "denied"]);
});

test("[PO-4] a pipe that somebody else reads from is not opened by a name that is found", async () => {
  const told = await play(['for f in $(ls); do head -c 1 "$f"; done; echo end'], (bench) => {
    project(bench);
    git(bench.workspace, "mkfifo pipe");
  });
  expect(told.map(({ status, output }) => [status, output.includes("end")])).toEqual([["done", true]]);
});

test("[PO-4] [PO-8] in a worktree git is read unasked too, and a name that is known only then leads no further", async () => {
  const lines = [
    "git log --oneline | wc -l",
    "git status --short && git diff --stat",
    "git ls-files | xargs wc -l",
    'for f in $(git ls-files); do head -1 "$f"; done',
    "cat $(cat list)",
  ];
  const told = await play(lines, (bench) => {
    project(bench);
    bench.file(".env", `API_KEY=${canary}\n`);
    git(bench.workspace, "git add -f .env && git commit -qm two && git rm -q .env && git commit -qm three");
    const script = `git clone -q ${bench.workspace} main && rm -rf ${bench.workspace} && git -C main worktree add -q --detach ${bench.workspace}`;
    git(bench.root, script);
    writeFileSync(join(bench.root, "main/kept.txt"), canary);
    writeFileSync(join(bench.root, "beside.txt"), canary);
    bench.file("list", "../main/kept.txt\n../beside.txt\n../main/.env\n");
  });
  expect(told.slice(0, 4).map(({ output }) => output.split("\n").slice(0, 2))).toEqual([
    ["exit code 0", "3"],
    ["exit code 0", "?? list"],
    ["exit code 0", " 2 a.txt"],
    ["exit code 0", "one"],
  ]);
  expect(told[4]?.status).not.toBe("denied");
  expect(told.some(({ output }) => output.includes(canary))).toBe(false);
});
