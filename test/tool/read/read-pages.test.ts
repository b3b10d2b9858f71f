import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { boundOutput } from "../../../src/engine/call/bound-output.ts";
import { decodeText, encodeText } from "../../../src/platform/files/text/encoding.ts";
import { read } from "../../../src/tool/read/read.ts";
import { file, linesIn } from "../any-file.ts";
import { makeWorkspace, told, type Workspace } from "../workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
});
afterAll(() => ws[Symbol.dispose]());

const cutMark = / \[line cut at 2000 characters\]$/;
const noSpill = () => {
  throw new Error("a page was cut");
};

/** What the model is sent of a page. */
async function page(more: object): Promise<readonly string[]> {
  const text = told(await ws.run(read, { path: "f.txt", ...more }));
  expect(text).not.toStartWith("E_");
  return boundOutput(text, noSpill, (same) => same).split("\n");
}

/** Reads as it is told to go on, the rest of cut lines too. */
async function readAll(limit?: number): Promise<readonly string[]> {
  const got: string[] = [];
  for (let offset: number | null = 1; offset !== null; ) {
    const shown = await page(limit === undefined ? { offset } : { offset, limit });
    const lines = shown.filter((line) => /^\d+\t/.test(line));
    for (const line of lines) {
      const [, number = "", text = ""] = /^(\d+)\t(.*)$/su.exec(line) ?? [];
      expect(Number(number)).toBe(got.length + 1);
      const isCut = text.length > 2000 && cutMark.test(text);
      if (isCut) expect(shown.some((note) => note.endsWith("column=2001)"))).toBe(true);
      got.push(isCut ? await wholeLine(Number(number), text.replace(cutMark, "")) : text);
    }
    offset = nextOf(shown, "offset");
    if (offset !== null) expect(offset).toBe(got.length + 1);
  }
  return got;
}

function nextOf(shown: readonly string[], name: string): number | null {
  const note = shown.find((line) => line.startsWith("(line") && line.includes("continue with"));
  const found = note === undefined ? null : new RegExp(`${name}=(\\d+)`).exec(note);
  return found === null ? null : Number(found[1]);
}

async function wholeLine(offset: number, start: string): Promise<string> {
  let line = start;
  for (let column: number | null = 2001; column !== null; ) {
    const shown = await page({ offset, column });
    const [, from = ""] = /characters (\d+)-/.exec(shown.find((one) => one.startsWith("(line ")) ?? "") ?? [];
    // No page begins within one character.
    expect([Number(from), Number(from) + 1]).toContain(column);
    line = line.slice(0, Number(from) - 1) + shown[0]!.slice(shown[0]!.indexOf("\t") + 1);
    column = nextOf(shown, "column");
  }
  return line;
}

test("[TL-7] the pages of any file, joined, are the file, and the next one begins with the first unread line", async () => {
  const repeats = fc.constantFrom(1, 1, 3, 60, 700);
  await fc.assert(
    fc.asyncProperty(file, repeats, fc.constantFrom(undefined, 1, 7), async ({ text, encoding, bom }, times, limit) => {
      // Each line again and again: some of them get long, and some files do.
      const long = text.replace(/[^\r\n]+/g, (line) => line.repeat(times));
      const many = `${long}${/[\r\n]$/.test(long) ? long : ""}`;
      const bytes = encodeText(many, { encoding, bom }) as Buffer;
      const decoded = decodeText(bytes);
      fc.pre(decoded?.encoding === encoding && decoded.text === many);
      ws.put("f.txt", bytes);
      expect(await readAll(limit)).toEqual(linesIn(many));
    }),
    { numRuns: process.env.CODER_TEST_LONG === "1" ? 2000 : 200 },
  );
}, 120_000);

for (const [name, lines] of [
  ["many short lines", Array.from({ length: 5000 }, (_, at) => `${at % 7 === 0 ? "" : `line ${at}`}`)],
  ["lines just below and above the cut", [1999, 2000, 2001, 2002, 27_000, 28_672].map((n) => "x".repeat(n))],
  ["wide characters at the cut", ["x".repeat(1999), "x".repeat(1998), "x".repeat(9456)].map((x) => `${x}😀😀中${x}`)],
  ["one line of a megabyte", ["中é😀x".repeat(200_000)]],
  ["only empty lines", Array.from({ length: 4100 }, () => "")],
  [
    "lines that look like notes",
    ["(lines 1-2 of 3; continue with offset=9)", "1\tx", " [line cut at 2000 characters]"],
  ],
] as const) {
  for (const end of ["\n", "\r\n"]) {
    test(`[TL-7] the pages of ${name}, ${JSON.stringify(end)}, joined, are the file`, async () => {
      ws.put("f.txt", lines.map((line) => line + end).join(""));
      const got = await readAll();
      expect(got).toEqual([...lines]);
    }, 120_000);
  }
}

test("[TL-7] a line of 50 MB is read on in at any place, and where it ends the next line follows", async () => {
  const line = "0123456789".repeat(5_000_000);
  ws.put("f.txt", `first\n${line}\nlast\n`);
  expect(await page({})).toEqual([
    "1\tfirst",
    `2\t${line.slice(0, 2000)} [line cut at 2000 characters]`,
    "3\tlast",
    "(a cut line goes on with its number as offset and column=2001)",
  ]);
  const column = line.length - 12;
  expect(await page({ offset: 2, column })).toEqual([
    `2\t${line.slice(-13)}`,
    `(line 2, characters ${column}-${line.length} of ${line.length}; continue with offset=3)`,
  ]);
  expect(told(await ws.run(read, { path: "f.txt", offset: 2, column: line.length + 1 }))).toBe(
    "E_INVALID_ARGS: line 2 of f.txt has 50000000 characters; column is past its end",
  );
}, 120_000);

test("[TL-7] secrets that are replaced by longer words make no hole in a page", () => {
  const text = "key=12345678\n".repeat(2200);
  expect(text.length).toBeLessThan(30_000);
  const cleaned = (shown: string): string => shown.replaceAll("12345678", "[redacted: a key that is long]");
  expect(boundOutput(text, noSpill, cleaned)).toBe(cleaned(text));
});
