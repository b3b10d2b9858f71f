// A word that is judged as one must be one when bash has expanded it: what it becomes instead may be another program, or an option.
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { judgeCommand } from "../../../../src/policy/command.ts";
import { facts } from "../facts.ts";

const piece = fc.constantFrom(
  ...["i=", "A+=", "x", "-", ".", "..", "/", ":", "~", "~/", "~1", "~+", "=", "HEAD", "a[0]=", "1", ",", "@", "%", "+"],
  ...[
    "$X",
    `\${X}`,
    "$(cat list)",
    "`cat list`",
    "$1",
    "$@",
    "$*",
    "$((1+1))",
    "$#",
    "$?",
    `\${X:-a b}`,
    "$HOME",
    "$PWD",
  ],
  ...[
    '"$X"',
    '"$(cat list)"',
    "'a b'",
    '"$@"',
    "\\ ",
    '""',
    "$'a b'",
    "{a,b}",
    "{1..3}",
    "*",
    "?",
    "[ab]",
    "*.txt",
    "$Q",
  ],
);
const word = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));

/** How many words each becomes, as arguments of a program; `null` = bash does not take it. */
function countsInBash(words: readonly string[]): readonly (number | null)[] {
  const root = mkdtempSync(join(tmpdir(), "coder-words-"));
  const folder = join(root, "ws");
  try {
    mkdirSync(folder);
    mkdirSync(join(folder, "a b"));
    for (const name of ["a", "b", "x.txt", "i=a", "i=b", "a b.txt"]) writeFileSync(join(folder, name), "");
    writeFileSync(join(folder, "list"), "p q\nr\n");
    const lines = words.map(
      (one) => `(X='p q'; Q=; set -- s 't u'; n() { echo $#; }; n ${one}) 2>/dev/null || echo no`,
    );
    writeFileSync(join(root, "words.sh"), lines.join("\n"));
    const done = Bun.spawnSync(["bash", join(root, "words.sh")], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: "/h" },
    });
    const said = done.stdout.toString().trim().split("\n");
    expect(said.length).toBe(words.length);
    return said.map((one) => (one === "no" ? null : Number(one)));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** `null`: how many there are is not known. */
function countJudged(one: string): number | null {
  const { commands } = judgeCommand(`printf ${one}`, facts);
  const [, ...words] = commands.find(({ words: [name] }) => name?.text === "printf")?.words ?? [];
  const isKnown = words.every(({ kind }) => kind === "literal" || kind === "one");
  return isKnown ? words.length : null;
}

test("[PO-4] what is judged as so many words is so many when bash has expanded it", () => {
  const words = fc.sample(word, 6_000).filter((one) => !one.includes("\n"));
  const known = words.map((one) => ({ one, judged: countJudged(one) })).filter(({ judged }) => judged !== null);
  expect(known.length).toBeGreaterThan(1_000);
  const real = countsInBash(known.map(({ one }) => one));
  const wrong = known.flatMap(({ one, judged }, at) =>
    real[at] === null || real[at] === judged ? [] : [`${one}: judged ${judged}, is ${real[at]}`],
  );
  expect(wrong).toEqual([]);
}, 120_000);
