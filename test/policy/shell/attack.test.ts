import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { phrase } from "../../../src/contract/text/catalogue.ts";
import { judgeCommand } from "../../../src/policy/command.ts";
import { facts } from "./facts.ts";

const isReadOnly = (command: string) => judgeCommand(command, facts).isReadOnly;
const isSettled = (command: string) => isReadOnly(command) && !isOnlyUnsettled(command);

const attacks = readFileSync(join(import.meta.dir, "attacks.txt"), "utf8").split("\n\n");

/** Neighbours that must pass stand beside what must not: a refusal of everything proves nothing. */
function expectJudged(id: string): void {
  const lines = attacks.find((block) => block.startsWith(`[${id}]`))?.split("\n") ?? [];
  const behind = (sign: string) =>
    lines.filter((line) => line.startsWith(sign)).map((line) => spelledOut(line.slice(sign.length)));
  const [unsafe, safe] = [behind("- "), behind("+ ")];
  expect([unsafe.length > 5, safe.length > 0]).toEqual([true, true]);
  expect([unsafe.filter(isReadOnly), safe.filter((line) => !isSettled(line))]).toEqual([[], []]);
  expect(behind("~ ").filter((line) => !isOnlyUnsettled(line))).toEqual([]);
  expect(behind("? ").filter((line) => !isOnlySomewhere(line))).toEqual([]);
}

/** Proved, but for which path it reads. */
function isOnlySomewhere(command: string): boolean {
  const { isReadOnly, reads } = judgeCommand(command, facts);
  return isReadOnly && reads.some(({ anywhere }) => anywhere);
}

function isOnlyUnsettled(command: string): boolean {
  const judged = judgeCommand(command, facts);
  return judged.isReadOnly && judged.unsettled.length > 0;
}

function spelledOut(line: string): string {
  return line.replaceAll("␤", "\n").replaceAll("␍", "\r").replaceAll("␀", "\0");
}

test("[PO-4] [SA-executing-flags] flags of reading programs that run, write or delete are not read-only", () => {
  expectJudged("SA-executing-flags");
});

test("[PO-4] [SA-expansion-flags] a flag made by braces, globs, escapes or quotes is the flag", () => {
  expectJudged("SA-expansion-flags");
});

test("[PO-4] [SA-expansion-flags] a word that may become several, none, or a sign of the program moves no other word", () => {
  expectJudged("shifted-words");
});

test("[PO-4] [SA-abbreviated-options] an abbreviated long option is not the option it looks like", () => {
  expectJudged("SA-abbreviated-options");
});

test("[PO-4] [SA-second-operand] a second operand that would be written is not read-only", () => {
  expectJudged("SA-second-operand");
});

test("[PO-4] [SA-chains] what stands behind an operator or a line end is judged too", () => {
  expectJudged("SA-chains");
});

test("[PO-4] [SA-substitution] what a substitution runs is judged, and what it prints is no option, program or script", () => {
  expectJudged("SA-substitution");
});

test("[PO-4] [PO-10] [SA-hidden-substitution] what bash runs inside a word is seen, whatever stands before it", () => {
  expectJudged("SA-hidden-substitution");
});

test("[PO-4] [SA-wrappers] a program that starts another is judged with what it starts", () => {
  expectJudged("SA-wrappers");
});

test("[PO-4] [SA-links] a name found by a search may be a link that leads out: its content is read only behind -type f", () => {
  expectJudged("SA-links");
});

test("[PO-4] [SA-environment] a variable is set only where no program obeys it, and is known only where it was set for certain", () => {
  expectJudged("SA-environment");
});

test("[PO-4] [SA-builtins] builtins that change what later commands mean are not read-only", () => {
  expectJudged("SA-builtins");
});

test("[PO-4] [SA-evaluation] arithmetic and [[ ]] on more than numbers may run commands", () => {
  expectJudged("SA-evaluation");
});

test("[PO-4] [SA-redirects] redirections that write, or lead elsewhere, are not read-only", () => {
  expectJudged("SA-redirects");
});

test("[PO-4] [SA-dns] programs that can carry data out by the network are not read-only", () => {
  expectJudged("SA-dns");
});

test("[PO-4] [SA-expansion-flags] no glob for find may turn into a word that does something", () => {
  const words =
    "-delete -rm -exec -execdir -ok -okdir -fprint -fprint0 -fprintf -fls -files0-from -follow -L -o -or -a -and -not";
  for (const word of words.split(" ")) {
    const globs = [`${word.slice(0, -1)}?`, `*${word.at(-1)}`, `-*${word.slice(1)}`, `[${word[0]}]${word.slice(1)}`];
    expect(globs.filter((glob) => isReadOnly(`find . -name ${glob}`))).toEqual([]);
  }
  expect(["*", "?", "[(]", ",*"].filter((glob) => isReadOnly(`find . -name ${glob}`))).toEqual([]);
});

test("[PO-4] [SA-budget] an unsafe command is found behind any number of safe ones, or the rest is asked about", () => {
  for (const count of [49, 50, 51, 500, 5000]) {
    for (const between of ["; ", " && ", " | ", "\n"]) {
      const safe = Array.from({ length: count }, () => "ls");
      expect(isReadOnly([...safe, "rm a"].join(between))).toBe(false);
    }
  }
  expect(isReadOnly(Array.from({ length: 500 }, () => "ls").join("; "))).toBe(true);
  expect(isReadOnly(`echo ${"a".repeat(64 * 1024)}; rm a`)).toBe(false);
  expect(isReadOnly(`echo ${"a".repeat(64 * 1024)}`)).toBe(false);
  expect(isReadOnly(`echo ${"a".repeat(60 * 1024)}`)).toBe(true);
});

test("[PO-4] [SA-git-config] git is not read-only where its own config could start programs, or in another folder", () => {
  const gitProblem = phrase("shell.git_elsewhere");
  const judge = (command: string, problem: typeof gitProblem | null) =>
    judgeCommand(command, { ...facts, gitProblem: problem });
  expect([judge("git log", null).isReadOnly, judge("git log", null).usesGit]).toEqual([true, true]);
  expect(judge("git log", gitProblem)).toMatchObject({ isReadOnly: false, usesGit: true, reasons: [gitProblem] });
  expect(judge("ls", gitProblem)).toMatchObject({ isReadOnly: true, usesGit: false });
  const elsewhere = ["cd a && git log", "(cd a; git log)", "cd a || git log", String.raw`find . -execdir git log \;`];
  expect(elsewhere.filter((command) => judge(command, null).isReadOnly)).toEqual([]);
});
