// The table of docs/reference/policy-commands.md on what is known only when a line runs.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { judgeCommand } from "../../../src/policy/command.ts";
import type { ShellFacts } from "../../../src/policy/shell/verdict/judgement.ts";

const facts: ShellFacts = {
  ...{ gitProblem: null, folder: "/ws", home: "/home/me" },
  isExported: (name) => name === "PATH" || name === "EDITOR",
  gitIn: (folder) => ({ problem: null, isSame: !folder.startsWith("inner") }),
};
const judge = (line: string) => judgeCommand(line, facts);
const page = readFileSync(new URL("../../../docs/reference/policy-commands.md", import.meta.url), "utf8");
const table = page.slice(page.indexOf("## What is known only"), page.indexOf("## Notes"));

/** The lines of a column; what is only a part of one is put into one. */
function column(at: number): readonly string[] {
  const rows = table.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| what"));
  const cells = rows.map((row) => row.replaceAll("\\|", "").split("|")[at] ?? "");
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => whole(text)));
}

const parts: Readonly<Record<string, string>> = {
  "$(…)": "ls $(ls)",
  "<(…)": "cat <(ls)",
  ">(…)": "ls > >(cat)",
  "done < <(git ls-files)": "while read l; do ls; done < <(git ls-files)",
  '< "src/$f"': 'cat < "src/$f"',
  '< "$f"': 'cat < "$f"',
  '< "/dev/tcp/$h"': 'cat < "/dev/tcp/$h"',
  '<<< "$x"': 'cat <<< "$x"',
  $x: "cat <<E\n$x\nE",
  "/dev/tcp/…": "cat < /dev/tcp/h/1",
  "FILE=$(…)": "FILE=$(ls)",
  "cd a && …": "cd a && ls",
  "cd -": "cd a && cd -",
  popd: "pushd a && popd",
  "git -C a …": "git -C a log",
  '"$PWD/a"': 'cat "$PWD/a"',
  "$?": "echo $?",
  "$#": "echo $#",
  $HOME: "echo $HOME",
  "PAGER=": "PAGER= git log",
  "LC_ALL=C": "LC_ALL=C sort a",
  "TZ=UTC": "TZ=UTC date",
  "GIT_PAGER=cat": "GIT_PAGER=cat git log",
  LESSOPEN: "LESSOPEN=x cat a",
  GIT_DIR: "GIT_DIR=x git log",
  BASH_ENV: "BASH_ENV=x bash -c ls",
  LD_PRELOAD: "LD_PRELOAD=x ls",
  NODE_OPTIONS: "NODE_OPTIONS=x ls",
  "TZ=/etc/x": "TZ=/etc/x date",
  "$((1 / n))": "n=1; echo $((1 / n))",
  "a[$x]": "echo $((a[$x]))",
  "--": 'rg -e -- "$x"',
  declare: "declare x=1",
  local: "local x=1",
  trap: "trap ls EXIT",
  "shopt -s": "shopt -s nullglob",
  "while read -r l; do …; done < a": "while read -r l; do ls; done < a",
  "[": "[ ]",
  "i=$((i + 1))": "i=1; i=$((i + 1))",
};

const whole = (text: string): string => parts[text] ?? text;

test("[PO-4] every line that the page says runs only reads, and is unsettled or known", () => {
  const lines = column(2);
  expect(lines.length).toBeGreaterThan(35);
  expect(lines.filter((line) => !judge(line).isReadOnly)).toEqual([]);
});

test("[PO-4] every line that the page says asks does more, or is not known to do less", () => {
  const lines = column(3);
  expect(lines.length).toBeGreaterThan(35);
  expect(lines.filter((line) => judge(line).isReadOnly)).toEqual([]);
});

test("[PO-4] a name of the environment is not set, though no shell obeys it", () => {
  const isFine = (line: string) => judge(line).isReadOnly;
  expect([isFine("GREP_OPTIONS=x; ls"), isFine("EDITOR=x; ls"), isFine("export GREP_OPTIONS=x; ls")]).toEqual([
    ...[true, false, false],
  ]);
  // Where nobody knows what is in it, only names of nothing are.
  const line = (text: string) => judgeCommand(text, { gitProblem: null }).isReadOnly;
  expect([line("GREP_OPTIONS=x; ls"), line("FILE=x; ls")]).toEqual([false, true]);
});

test("[PO-4] [SA-git-config] git runs in the folder it is told, and shows nothing that another repository keeps", () => {
  const isFine = (line: string) => judge(line).isReadOnly;
  expect([isFine("git -C inner status"), isFine("git -C inner log -p"), isFine("cd inner && git show")]).toEqual([
    ...[true, false, false],
  ]);
  expect([isFine("git -C a -C ../inner log -p"), isFine('git -C "$x" log'), isFine("git -C a log -p")]).toEqual([
    ...[false, false, true],
  ]);
  const [kept] = judge("git -C a log -p -- b").reads.filter(({ tracked }) => tracked !== undefined);
  expect(kept).toMatchObject({ tracked: [], past: { isCertain: true } });
  expect(judge("git -C a show HEAD:b").reads.map(({ path }) => path)).toEqual(expect.arrayContaining(["b", "a/b"]));
});

test("[PO-4] where the shell is, is known until it goes elsewhere", () => {
  const paths = (line: string) => judge(line).reads.map(({ path, anywhere }) => (anywhere ? "?" : path));
  expect(paths('cat "$PWD/a" $PWD/b "$(pwd)/c"')).toEqual(["/ws/a", "/ws/b", "/ws/c"]);
  expect(paths('cd a && cat "$PWD/b"')).toEqual(["a", "?"]);
  expect(paths('cat "$HOME/a"')).toEqual(["~/a"]);
  expect(paths('cd "$(git rev-parse --show-toplevel)" && cat a')).toEqual(["/ws", "/ws/a"]);
  expect(paths("cd a && ls b && cd - && ls c")).toEqual(expect.arrayContaining(["a/b", "c", "a/c"]));
  // It was there before.
  expect(paths("cd a && cd ../a && cd - && ls c")).toEqual(expect.arrayContaining(["a/c", "c"]));
});

test("[PO-1] what a line deletes is known by a variable only while nothing else can have set it", () => {
  const gone = (line: string) => judge(line).removes.map((one) => one?.path ?? "?");
  expect([gone('x=a; rm "$x"'), gone('rm "$HOME/a"'), gone('rm "$PWD/a"')]).toEqual([["a"], ["~/a"], ["/ws/a"]]);
  const open = ['x=a; eval x=b; rm "$x"', 'x=a; source f; rm "$x"', 'x=a; read x; rm "$x"', 'x=a; ls && x=b; rm "$x"'];
  expect(open.filter((line) => !gone(line).includes("?"))).toEqual([]);
  expect(gone('x=a; while ls; do rm "$x"; eval x=b; done')).toContain("?");
});
