import { expect, test } from "bun:test";
import { judgeCommand } from "../../../../src/policy/command.ts";
import { readsOnlyNamed, showsOnlyNames } from "../../../../src/policy/shell/git/only-named.ts";

const judge = (line: string) =>
  judgeCommand(line, { isRealProgram: () => true, isShim: () => false, gitProblem: null });

test("[PO-4] [SA-check-then-use] only what looks for nothing by itself is shown nothing but its files", () => {
  const named = [
    "cat a",
    "head -n 3 a/b | wc -l",
    "grep -c x < a",
    "cd a && sed -n 1p b",
    "diff a b",
    "[ -f a ] && cat a",
  ];
  const looking = [
    "ls",
    "ls a",
    "cat a; ls",
    "find . -name x",
    "cat a/*",
    "git status",
    "git diff a",
    "rg x a",
    "tree",
    "du -d 1",
  ];
  expect(named.filter((line) => !readsOnlyNamed(judge(line)))).toEqual([]);
  expect(looking.filter((line) => readsOnlyNamed(judge(line)))).toEqual([]);
});

test("[PO-4] [SA-check-then-use] the names of users are there for what shows no content, and for nothing else", () => {
  const listing = ["ls -la a", "stat a", "find a -name x", "cd a && ls", "[ -d a ] && ls a"];
  const reading = [
    "ls a; cat a/b",
    "ls a | xargs cat",
    "cat a",
    "grep -r x a",
    "find a -exec cat {} +",
    "bash -c 'cat a'",
  ];
  expect(listing.filter((line) => !showsOnlyNames(judge(line)))).toEqual([]);
  expect(reading.filter((line) => showsOnlyNames(judge(line)))).toEqual([]);
});
