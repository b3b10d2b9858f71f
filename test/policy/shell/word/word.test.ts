import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { judgeCommand } from "../../../../src/policy/command.ts";
import type { Word } from "../../../../src/policy/shell/verdict/judgement.ts";
import { cases, runs } from "../cases.ts";
import { facts } from "../facts.ts";

function wordsOf(text: string): readonly Word[] {
  return judgeCommand(`echo ${text}`, facts).commands.at(-1)?.words.slice(1) ?? [];
}

/** What bash makes of each text, as a list of words. */
async function inBash(texts: readonly string[]): Promise<readonly (readonly string[])[]> {
  const folder = mkdtempSync(join(tmpdir(), "coder-word-"));
  try {
    const lines = texts.map((text) => `printf '%s\\0' ${text}\nprintf '\\036'`);
    await Bun.write(join(folder, "script"), lines.join("\n"));
    const shell = Bun.spawn(["bash", "script"], {
      cwd: folder,
      env: { HOME: "/h", LC_ALL: "C.UTF-8" },
      stderr: "ignore",
    });
    const parts = (await new Response(shell.stdout).text()).split("\u001e");
    return parts.slice(0, -1).map((part) => part.split("\0").slice(0, -1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const piece = fc.constantFrom(
  ...["a", "b", "-", "x y", "de", "1", ".", "/", "=", ":", "%", "+", "@", "^", "é", "文", "#", "~", "!"],
  ...["'a b'", "'$x'", "'\\'", "'{a,b}'", "'*'", "''", "'\n'"],
  ...['"a b"', '"\\"q"', '"\\$x"', '"\\\\"', '"\\z"', '"{a,b}"', '"*"', '""', '"a\\\nb"', '"\'"'],
  ...["\\a", "\\ ", "\\'", '\\"', "\\\\", "\\$", "\\*", "\\{", "\\,", "\\\n", "\\~", "\\#"],
  ...[
    "$'a'",
    "$'\\t'",
    "$'\\x41'",
    "$'\\101'",
    "$'\\''",
    "$'\\\\'",
    "$'\\n'",
    "$'\\e'",
    "$'\\q'",
    "$'\\cA'",
    "$'\\u41'",
    "$'\\u0041'",
    "$'\\x{41}'",
    "$'\\x{}a'",
    "$'a\\\nb'",
    "$'\\cé'",
    "$'\\400'",
  ],
  ...[
    "{a,b}",
    "{,x}",
    "{1..3}",
    "{3..1}",
    "{a..c}",
    "{01..3}",
    "{1..9..4}",
    "{}",
    "{a}",
    "{a,",
    "}",
    "{",
    ",",
    "{'a,b',c}",
  ],
);
const text = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));

test("[PO-4] a word that is said to be literal is what bash makes of it", async () => {
  const all = [...new Set(fc.sample(text, cases(Math.max(1500, runs))))].filter(
    (one) => !/[{},]\s|^#|\s#/.test(one) && !one.includes("x y"),
  );
  const known = all.filter((one) => {
    const words = wordsOf(one);
    return judgeCommand(`echo ${one}`, facts).isWhole && words.every((word) => word.kind === "literal");
  });
  const said = known.map((one) => {
    const values = wordsOf(one).map((word) => {
      if (word.kind !== "literal") throw new Error(one);
      return word.isHome ? word.value.replace("~", "/h") : word.value;
    });
    // printf prints an empty word where it is given none.
    return [one, values.length === 0 ? [""] : values];
  });
  const real = await inBash(known);
  expect(known.length).toBeGreaterThan(all.length / 3);
  expect(said).toEqual(known.map((one, at) => [one, real[at]] as never));
});

const shapes: readonly (readonly [text: string, ...words: readonly Partial<Word>[]])[] = [
  ["a'b'\"c\"\\d", { kind: "literal", value: "abcd" }],
  ["-de\\lete", { kind: "literal", value: "-delete" }],
  ["-{delete,print}", { kind: "literal", value: "-delete" }, { kind: "literal", value: "-print" }],
  ["-delet?", { kind: "glob", pattern: "-delet?", start: "-delet" }],
  ["src/*.ts", { kind: "glob", pattern: "src/*.ts", start: "src/" }],
  ["'*'a*", { kind: "glob", pattern: "\\*a*", start: "*a" }],
  ["[ab]c", { kind: "glob", pattern: "[ab]c", start: "" }],
  ["*.{ts,js}", { kind: "glob", pattern: "*.ts" }, { kind: "glob", pattern: "*.js" }],
  ["[a", { kind: "literal", value: "[a" }],
  ["$x", { kind: "any" }],
  ['"$x"', { kind: "one", start: "" }],
  ['"src/$x"', { kind: "one", start: "src/" }],
  ["src/$x", { kind: "any" }],
  ['"$@"', { kind: "any" }],
  [`"$\u007bx[@]}"`, { kind: "any" }],
  ["$#", { kind: "one", isNumber: true }],
  ["a$#", { kind: "one", start: "a" }],
  ["$?", { kind: "one", isNumber: true }],
  [`$\u007b#x}`, { kind: "one", isNumber: true }],
  ["$((1 + 2))", { kind: "one", start: "" }],
  ["~/x", { kind: "literal", value: "~/x", isHome: true }],
  ["'~/x'", { kind: "literal", value: "~/x" }],
  ["~root/x", { kind: "any" }],
  ["~/*", { kind: "any" }],
  ["a=~/x", { kind: "one", start: "a=" }],
  ['$"hi"', { kind: "one", start: "" }],
  ["{1..3}", ...["1", "2", "3"].map((value) => ({ kind: "literal", value }) as const)],
  ["{C..A}", ...["C", "B", "A"].map((value) => ({ kind: "literal", value }) as const)],
  ["{a}{1..2}{b,}", ...["{a}1b", "{a}1", "{a}2b", "{a}2"].map((value) => ({ kind: "literal", value }) as const)],
  ["{08..10}", ...["08", "09", "10"].map((value) => ({ kind: "literal", value }) as const)],
  ["{1..64}", ...Array.from({ length: 64 }, (_, at) => ({ kind: "literal", value: String(at + 1) }) as const)],
  ["{1..65}", { kind: "any" }],
  ["{a,b}{1..33}", { kind: "any" }],
  ["{a,b}{1..32}", ...Array.from({ length: 64 }, () => ({ kind: "literal" }) as const)],
  ["{a,b", { kind: "any" }],
  ["{a..B}", { kind: "any" }],
  ["{a,$x}", { kind: "any" }],
  ["{1..999}", { kind: "any" }],
  ["{{a,b},c}", { kind: "any" }],
  ['"$x"/*', { kind: "any" }],
  ['["a"-z]', { kind: "any" }],
];

test.each(shapes)("[PO-4] %p is known as far as it can be before it runs", (written, ...expected) => {
  const seen = wordsOf(written);
  expect(seen.length).toBe(expected.length);
  for (const [at, word] of expected.entries()) expect(seen[at]).toMatchObject(word);
  expect(seen.map((word) => "isHome" in word)).toEqual(expected.map((word) => "isHome" in word));
});
