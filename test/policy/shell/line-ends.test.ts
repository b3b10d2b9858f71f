// A word of a command line, the name of a file and a path may hold a line end. `.` matches everything but that.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isSecretPath } from "../../../src/contract/path/secret-path.ts";
import { judgeCommand } from "../../../src/policy/command.ts";
import { patternsIn, stopsAtLineEnd } from "../../support/patterns.ts";
import { facts } from "./facts.ts";

const root = join(import.meta.dir, "..", "..", "..");
const judging = [
  ...["src/policy/shell/**/*.ts", "src/policy/rule/**/*.ts", "src/policy/constraint/constraint.ts"],
  ...["src/contract/path/**/*.ts", "src/engine/judge/**/*.ts"],
];

test("[PO-4] no pattern that judges commands, paths or rules stops at a line end", () => {
  const paths = judging.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: root })]);
  const all = paths.flatMap((path) =>
    patternsIn(readFileSync(join(root, path), "utf8")).map((pattern) => ({ path, pattern })),
  );
  expect(all.length).toBeGreaterThan(200);
  const stopping = all.filter(({ pattern }) => stopsAtLineEnd(pattern));
  expect(stopping.map(({ path, pattern }) => `${path}:${pattern.line} /${pattern.body}/${pattern.flags}`)).toEqual([]);
});

test("a pattern is told from a division, a string and a comment, and a dot in a class is none", () => {
  const source =
    'const a = b / c / d; // /x./\nconst p = "/../"; const q = /a.b/;\nif (/[.]\\./.test(x)) return /y./s;\n';
  const found = patternsIn(source);
  expect(found.map(({ line, body }) => [line, body])).toEqual([
    [2, "a.b"],
    [3, "[.]\\."],
    [3, "y."],
  ]);
  expect(found.map(stopsAtLineEnd)).toEqual([true, false, false]);
});

test.each([
  "sed -e'\nWN'",
  "sed -n -e'\nwN' a",
  "sed -ne'\nwN' a",
  "sed -ne'\n1e touch N' a",
  "sed -Ee'\ns/a/b/w N' a",
])("[PO-4] [SA-executing-flags] a script behind its option may begin with a line end: %j", (line) => {
  expect(judgeCommand(line, facts).isReadOnly).toBe(false);
});

test("[PO-4] a script behind its option that begins with a line end and only prints needs no question", () => {
  expect(judgeCommand("sed -ne'\np' a", facts).isReadOnly).toBe(true);
});

test("[PO-7] the name of a file that may hold secrets may hold a line end", () => {
  for (const name of ["a\n-secrets.json", "my\n.credentials.json", "x\n_rsa"])
    expect([name, isSecretPath(name)]).toEqual([name, true]);
});
