// What a confined command would destroy for good is asked about in auto-edit, and nothing else for that reason.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Settings } from "../../../src/contract/settings.ts";
import { say } from "../../../src/contract/text/catalogue.ts";
import type { JudgeDeps } from "../../../src/engine/judge/deed-facts.ts";
import { judgeShell } from "../../../src/engine/judge/shell-call.ts";
import { besideTmp } from "../../support/places.ts";
import { git } from "../../support/repository.ts";

let ws = "";

beforeEach(() => {
  ws = realpathSync(mkdtempSync(join(besideTmp, "coder-losses-")));
  const files = [
    "a.ts",
    "b.ts",
    "src/a.ts",
    "src/app.db",
    "app.db",
    "kept/x.db",
    "kept/y.txt",
    "dist/a.js",
    "x/__pycache__/a.pyc",
  ];
  for (const path of files) {
    mkdirSync(dirname(join(ws, path)), { recursive: true });
    writeFileSync(join(ws, path), path);
  }
  writeFileSync(join(ws, ".gitignore"), "*.db\n/kept\n/dist\n__pycache__\n");
  git(ws, "init", "-q");
  git(ws, "add", ".");
  writeFileSync(join(ws, "big.bin"), "");
  truncateSync(join(ws, "big.bin"), 11 * 2 ** 20);
});
afterEach(() => rmSync(ws, { recursive: true, force: true }));

function lost(command: string): string {
  const settings = { workspace: ws, addDirs: [], sandbox: "auto" } as Partial<Settings> as Settings;
  const deps: JudgeDeps = {
    ...{ settings, rules: [], ownFolder: "/nowhere", gitProblem: () => null, isInteractive: () => true },
    ...{ isRealProgram: () => true, isShim: () => false },
  };
  const { decision, reasons } = judgeShell(deps, command, { mode: "auto-edit", preset: null, sandbox: "ready" });
  if (decision === "allow") return "allow";
  return reasons.map((reason) => say("en", reason).replaceAll(`${ws}/`, "")).join("; ");
}

const by = (path: string): string => `deletes or overwrites ${path}, which /undo cannot restore`;
const told = (lines: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.keys(lines).map((line) => [line, lost(line)]));

test("[PO-1] [RB-1] a file that git ignores is not overwritten without a question, however that is written", () => {
  const lines = {
    ...{ "echo x > app.db": by("app.db"), ": > app.db": by("app.db"), "cat a.ts >| src/app.db": by("src/app.db") },
    ...{ "cp a.ts app.db": by("app.db"), "mv a.ts app.db": by("app.db"), "install -m 644 a.ts app.db": by("app.db") },
    ...{
      "ln -sf a.ts app.db": by("app.db"),
      "tee app.db < a.ts": by("app.db"),
      "echo x | tee b.ts app.db": by("app.db"),
    },
    ...{
      "cp app.db src": by("src/app.db"),
      "cp -t src a.ts app.db": by("src/app.db"),
      "cd src && cp a.ts app.db": by("src/app.db"),
    },
    ...{
      "for f in app.db; do cp a.ts $f; done": by("app.db"),
      "cp a.ts big.bin": by("big.bin"),
      "bash -c 'echo x > app.db'": by("app.db"),
    },
  };
  expect(told(lines)).toEqual(lines);
});

test("[PO-1] [RB-1] nor changed in place", () => {
  const lines = {
    ...{ "sed -i s/a/b/ app.db": by("app.db"), "sed -Ei 's/a/b/' a.ts src/app.db": by("src/app.db") },
    ...{ "perl -pi -e s/a/b/ kept/*": `${by("kept/x.db")}; ${by("kept/y.txt")}`, "sort a.ts -o app.db": by("app.db") },
    ...{ "sort --output=app.db a.ts": by("app.db"), "curl -so app.db localhost:1/": by("app.db") },
    ...{ "wget -qO app.db localhost:1/": by("app.db"), "sort a.ts | sponge app.db": by("app.db") },
    ...{
      "sed --in-place=.old s/a/b/ app.db": "allow",
      "sed -i.bak s/a/b/ app.db": "allow",
      "sed -i s/a/b/ a.ts": "allow",
    },
    ...{
      "sed -i s/a/b/ dist/a.js": "allow",
      "perl -pi -e s/a/b/ src/*.ts": "allow",
      "curl -o new.db localhost:1/": "allow",
    },
    ...{ "sed -i '' s/a/b/ a.ts": "allow", "sort a.ts -o a.ts": "allow", "curl -o /dev/null localhost:1/": "allow" },
  };
  expect(told(lines)).toEqual(lines);
});

test("[PO-1] [RB-1] what is moved to the folder of temporary files is gone with it", () => {
  const lines = {
    ...{ "mv kept /tmp": by("kept/x.db"), "mv app.db /tmp/x": by("app.db"), "mv -t /tmp a.ts big.bin": by("big.bin") },
    ...{ "mv a.ts /tmp": "allow", "mv dist /tmp/dist": "allow", "cp -r kept /tmp": "allow" },
  };
  expect(told(lines)).toEqual(lines);
});

test("[PO-1] [RB-1] what is kept, new or made by a build is overwritten unasked", () => {
  const lines = [
    ...["echo x > a.ts", "cp a.ts b.ts", "mv a.ts b.ts", "cp a.ts new.db", "echo x > new.db", "echo x >> app.db"],
    ...[
      "cp -n a.ts app.db",
      "ln -s a.ts app.db",
      "tee -a app.db < a.ts",
      "echo x > dist/a.js",
      "rm dist/a.js",
      "cp -r src dist",
    ],
    ...["cp app.db /tmp/app.db", "echo x > /tmp/app.db", "install -d kept", "mv kept kept2", "cp a.ts src"],
  ];
  expect(lines.filter((line) => lost(line) !== "allow")).toEqual([]);
});

test("[PO-1] [RB-1] a search deletes what is called like that, and all of its places count", () => {
  const open = "the files it deletes are known only at run time";
  const lines = {
    ...{ "find . -name '*.pyc' -delete": "allow", "find . -name __pycache__ -exec rm -rf {} +": "allow" },
    ...{
      "find . -type d -name __pycache__ -exec rm -rf {} \\;": "allow",
      "find . -name '*.orig' -type f -delete": "allow",
    },
    ...{ "find . -type f -name '*.pyc' -print0 | xargs -0 rm -f": "allow", "find src -name '*.ts' -delete": "allow" },
    ...{ "find . \\( -name '*.pyc' -o -name '*.pyo' \\) -delete": "allow" },
    ...{
      "find . -name '*.pyc' -not -path './kept/*' -delete": "allow",
      "find . -maxdepth 1 -name '*.tmp' -delete": "allow",
    },
    ...{ "find kept -name '*.db' -delete": by("kept/x.db"), "find . -name kept -exec rm -rf {} +": by("kept/x.db") },
    ...{
      "find src kept -type f -exec rm {} +": `${by("src/app.db")}; ${by("kept/x.db")}`,
      "find kept -delete": by("kept/x.db"),
    },
    ...{ "find src kept -type f -print0 | xargs -0 rm": `${by("src/app.db")}; ${by("kept/x.db")}` },
    ...{
      "find kept -name '*.pyc' -o -type f -delete": by("kept/x.db"),
      "find kept ! -name '*.pyc' -delete": by("kept/x.db"),
    },
    ...{
      "find kept -delete -name '*.pyc'": by("kept/x.db"),
      "find kept -name '*.pyc' -delete -o -delete": by("kept/x.db"),
    },
    ...{
      "find kept -name '*.pyc' , -delete": by("kept/x.db"),
      "find kept -path -name '*.pyc' -delete": by("kept/x.db"),
    },
    ...{ "find kept \\( -name a -o -true \\) -delete": by("kept/x.db"), "find . -name '*.pyc' | xargs rm": open },
  };
  expect(told(lines)).toEqual(lines);
});

test("[PO-1] [PO-8] the folder of temporary files is the sandbox's own, unless the workspace lies in it", () => {
  const lines = [
    "ls /tmp",
    "cd /tmp && ls",
    "find /tmp -name x",
    "rm -rf /tmp/a",
    "mkdir /tmp/a && cd /tmp/a && touch b",
  ];
  expect(lines.filter((line) => lost(line) !== "allow")).toEqual([]);
  const beside = ws;
  ws = realpathSync(mkdtempSync("/tmp/coder-losses-"));
  mkdirSync(join(ws, "ws"));
  const around = ws;
  ws = join(ws, "ws");
  expect(
    ["ls /tmp", "rm -rf /tmp", `rm -rf ${around}`, `rm -rf ${around}/`, `mv ${around} /tmp/x`].map(lost),
  ).not.toContain("allow");
  expect([`rm -rf ${ws}2`, "rm -rf /tmp/other"].map(lost)).toEqual(["allow", "allow"]);
  rmSync(around, { recursive: true });
  ws = beside;
});

describe("[PO-1] [RB-1] git is asked about before it drops", () => {
  const big = 11 * 2 ** 20;
  beforeEach(() => {
    writeFileSync(join(ws, "film.bin"), "old");
    writeFileSync(join(ws, "src/film.bin"), "old");
    git(ws, "add", "film.bin", "src/film.bin");
    mkdirSync(join(ws, "shots"));
    writeFileSync(join(ws, "shots/a.raw"), "");
    truncateSync(join(ws, "shots/a.raw"), big);
  });
  const change = () => truncateSync(join(ws, "film.bin"), big);

  test("files that it does not know, where they are too big to be kept", () => {
    rmSync(join(ws, "big.bin"));
    const shots = by("shots/a.raw");
    const lines = {
      ...{ "git clean -fd": shots, "git clean -fdq shots": shots, "git clean --force -d ./shots/": shots },
      ...{ "git -C shots clean -f": shots, "cd shots && git clean -f": shots, "git clean -fd -- shots": shots },
      ...{ "git clean -fd ':(top)shots'": shots, 'git clean -fd src "$d"': shots, "git clean -fde src": shots },
      ...{ "git clean -nd": "allow", "git clean -fd src": "allow", "git clean -fd kept": "allow" },
      ...{ "git clean -fdx kept": by("kept/x.db"), "git clean -fdX src": by("src/app.db") },
      // It may be an option.
      ...{ 'git clean -fd "$d"': by("app.db") },
    };
    expect(told(lines)).toEqual(lines);
  });

  test("changes of files that are too big to be kept", () => {
    const film = by("film.bin");
    const lines = {
      ...{ "git checkout -- film.bin": film, "git checkout .": film, "git checkout film.bin": film },
      ...{ "git checkout HEAD -- film.bin": film, "git checkout -f": film, "git checkout -f main": film },
      ...{ "git restore .": film, "git restore film.bin": film, "git restore -s HEAD -SW film.bin": film },
      ...{
        "git restore '*.bin'": film,
        'git restore "$f"': film,
        "git restore *.bin": film,
        "cd src && git restore ..": film,
      },
      ...{ "git switch -f main": film, "git switch --discard-changes main": film, "git rm -f film.bin": film },
      ...{ "git -C src checkout -- ../film.bin": film, "git --no-pager restore film.bin": film },
    };
    expect(Object.keys(lines).filter((line) => lost(line) !== "allow")).toEqual([]);
    change();
    expect(told(lines)).toEqual(lines);
  });

  test("nothing that it keeps, or that an undo brings back", () => {
    change();
    const lines = [
      ...["git restore a.ts", "git checkout -- src", "git restore --staged film.bin", "git rm --cached film.bin"],
      ...[
        "git rm film.bin",
        "git stash",
        "git switch main",
        "git checkout main",
        "git checkout -b film",
        "git restore -S .",
      ],
    ];
    expect(lines.filter((line) => lost(line) !== "allow")).toEqual([]);
  });
});
