import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Encoding, encodeText } from "../../src/platform/files/text/encoding.ts";
import { edit } from "../../src/tool/edit/edit.ts";
import { patch } from "../../src/tool/patch/patch.ts";
import { makeWorkspace, told, type Workspace } from "./workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
});
afterAll(() => ws[Symbol.dispose]());

const runs = (count: number) => ({ numRuns: process.env.CODER_TEST_LONG === "1" ? count * 10 : count });
const own = { readsByItself: true };

/** Signs that are folded, and some that must not be. */
const words = ["a", "“b”", "it’s", "–", "x\u00a0y", "中文", "「c」", "é", "=", "();", "  ", "}"];
const indents = ["", "\t", "\t\t", "    ", "        ", "  ", "\t  "];

interface Line {
  readonly text: string;
  readonly end: string;
}

interface Place {
  readonly lines: readonly Line[];
  readonly encoding: Encoding;
  /** Lines that the call is about. */
  readonly first: number;
  readonly last: number;
  /** Which of them is changed, and into what; `null` = taken out. */
  readonly changed: number;
  readonly fresh: readonly string[];
}

const place: fc.Arbitrary<Place> = fc
  .record({
    lines: fc.array(
      fc.tuple(
        fc.constantFrom(...indents),
        fc.array(fc.constantFrom(...words), { maxLength: 4 }),
        fc.constantFrom("", "", " ", "\t"),
        fc.constantFrom("\n", "\n", "\r\n"),
      ),
      { minLength: 1, maxLength: 9 },
    ),
    hasFinalBreak: fc.boolean(),
    encoding: fc.constantFrom<Encoding>("utf-8", "utf-16le", "utf-16be"),
    at: fc.tuple(fc.nat(), fc.nat(), fc.nat()),
    fresh: fc.array(fc.constantFrom(...words), { maxLength: 3 }),
  })
  .map(({ lines, hasFinalBreak, encoding, at, fresh }) => {
    const count = lines.length;
    const first = at[0] % count;
    const last = first + (at[1] % (count - first));
    const texts = lines.map(([indent, parts, blank, end], index) => {
      const isLast = index === count - 1;
      // Numbers make every line the only one of its kind.
      return { text: `${indent}中文#${index}${parts.join(" ")}${blank}`, end: isLast && !hasFinalBreak ? "" : end };
    });
    return { lines: texts, encoding, first, last, changed: first + (at[2] % (last - first + 1)), fresh };
  });

type Mistake = (text: string) => string;
const eachLine =
  (change: Mistake): Mistake =>
  (text) =>
    text.split("\n").map(change).join("\n");

/** What models do to the lines that they copy. */
const mistakes: Readonly<Record<string, Mistake>> = {
  none: (text) => text,
  "lost blanks at line ends": eachLine((line) => line.trimEnd()),
  "blanks at line ends": eachLine((line) => `${line}  `),
  "too deep": eachLine((line) => `    ${line}`),
  "lost indentation": (text) => {
    const depths = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [/^\s*/.exec(line)![0]]));
    const common = depths.reduce((a, b) => (b.startsWith(a) ? a : a.startsWith(b) ? b : ""), depths[0] ?? "");
    return eachLine((line) => (line.startsWith(common) ? line.slice(common.length) : line))(text);
  },
  "spaces for tabs": eachLine((line) => line.replace(/^\t+/, (tabs) => "    ".repeat(tabs.length))),
  "tabs for spaces": eachLine((line) => line.replace(/^ +/, (blanks) => "\t".repeat(blanks.length / 4))),
  "plain signs": (text) =>
    text
      .replace(/[“”]/g, '"')
      .replace(/’/g, "'")
      .replace(/–/g, "-")
      .replace(/\u00a0/g, " "),
};

const mistaken = fc
  .array(fc.constantFrom(...Object.keys(mistakes)), { minLength: 1, maxLength: 2 })
  .map((names) => names.map((name) => mistakes[name]!).reduce((one, other) => (text) => other(one(text))));

const textOf = (lines: readonly Line[]): string => lines.map(({ text, end }) => text + end).join("");

/** Found or refused: what is before the first line and behind the last one stays, byte for byte. */
async function check(at: Place, hasBreak: boolean, run: () => Promise<boolean>): Promise<boolean> {
  const { lines, encoding, first, last } = at;
  const form = { encoding, bom: encoding !== "utf-8" };
  const bytes = encodeText(textOf(lines), form) as Buffer;
  ws.put("f.txt", bytes);
  const isDone = await run();
  const after = ws.bytes("f.txt");
  if (!isDone) {
    expect(after).toEqual(bytes);
    return false;
  }
  const head = encodeText(textOf(lines.slice(0, first)), form) as Buffer;
  // The break behind the last line is not in the text of an edit; a hunk has it.
  const end = hasBreak ? "" : lines[last]!.end;
  const tail = encodeText(end + textOf(lines.slice(last + 1)), { ...form, bom: false }) as Buffer;
  expect(after.subarray(0, head.length)).toEqual(bytes.subarray(0, head.length));
  expect(after.subarray(after.length - tail.length)).toEqual(bytes.subarray(bytes.length - tail.length));
  expect(after.length).toBeGreaterThanOrEqual(head.length + tail.length);
  return true;
}

function oldAndNew({ lines, first, last, changed, fresh }: Place, mistake: Mistake): readonly [string, string] {
  const chosen = lines.slice(first, last + 1).map(({ text }) => text);
  const indent = /^\s*/.exec(lines[changed]!.text)![0];
  const after = chosen.flatMap((line, index) =>
    first + index === changed ? fresh.map((word, at) => `${indent}new${at}${word}`) : [line],
  );
  return [mistake(chosen.join("\n")), mistake(after.join("\n"))];
}

test("[TL-7] no edit changes a byte outside the matched lines, whatever mistake it was found through", async () => {
  let done = 0;
  let count = 0;
  await fc.assert(
    fc.asyncProperty(place, mistaken, async (at, mistake) => {
      const [old, fresh] = oldAndNew(at, mistake);
      fc.pre(old !== "" && old !== fresh);
      count++;
      const isDone = await check(at, false, async () => {
        const result = await ws.change(edit, { path: "f.txt", old_string: old, new_string: fresh }, own);
        if (!result.ok) expect(told(result)).toMatch(/^E_INVALID_ARGS: old_string/);
        return result.ok;
      });
      done += Number(isDone);
    }),
    runs(1500),
  );
  // Two mistakes at once may be one too many.
  expect(done).toBeGreaterThan(count * 0.6);
}, 120_000);

test("[TL-7] no patch changes a byte outside the lines of its hunk", async () => {
  let done = 0;
  let count = 0;
  await fc.assert(
    fc.asyncProperty(place, mistaken, async (at, mistake) => {
      const { lines, first, last, changed } = at;
      const [old, fresh] = oldAndNew(at, mistake);
      const oldLines = old.split("\n");
      const freshLines = fresh === "" ? [] : fresh.split("\n");
      const [before, after] = [changed - first, last - changed];
      fc.pre(old !== fresh && lines[last]!.end !== "");
      count++;
      const hunk = [
        ...oldLines.slice(0, before).map((line) => ` ${line}`),
        `-${oldLines[before]}`,
        ...freshLines.slice(before, freshLines.length - after).map((line) => `+${line}`),
        ...oldLines.slice(before + 1).map((line) => ` ${line}`),
      ];
      const text = ["*** Begin Patch", "*** Update File: f.txt", "@@", ...hunk, "*** End Patch"].join("\n");
      const isDone = await check(at, true, async () => {
        const result = await ws.change(patch, { patch: text }, own);
        return result.ok && result.value.changes.length > 0;
      });
      done += Number(isDone);
    }),
    runs(1000),
  );
  expect(done).toBeGreaterThan(count * 0.6);
}, 120_000);
