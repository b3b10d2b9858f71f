import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Encoding, encodeText } from "../../../src/platform/files/text/encoding.ts";
import { edit } from "../../../src/tool/edit/edit.ts";
import { read } from "../../../src/tool/read/read.ts";
import { makeWorkspace, told, type Workspace } from "../workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
});
afterAll(() => ws[Symbol.dispose]());

const lf = (text: string): string => text.replaceAll("\r\n", "\n");
const endings = fc.constantFrom("\n", "\r\n");
const word = fc.constantFrom("foo", "bar", " ", "  ", "\t", "(", "};", "中文", "é", "");
const phrase = fc.array(word, { maxLength: 4 }).map((words) => words.join(""));

/** Lines are told apart by their number, so that what is cut out is unique, and each shows the file's encoding. */
const file = fc
  .record({
    lines: fc.array(fc.tuple(fc.constantFrom("", "  ", "\t"), phrase, endings), { minLength: 1, maxLength: 12 }),
    hasFinalBreak: fc.boolean(),
    form: fc.constantFrom<{ encoding: Encoding; bom: boolean }>(
      { encoding: "utf-8", bom: false },
      { encoding: "utf-8", bom: true },
      { encoding: "utf-16le", bom: true },
      { encoding: "utf-16be", bom: true },
      { encoding: "gbk", bom: false },
    ),
  })
  .map(({ lines, hasFinalBreak, form }) => {
    const parts = lines.map(([indent, text, ending], index) => ({ text: `${indent}中#${index}:${text}`, ending }));
    if (!hasFinalBreak) parts.at(-1)!.ending = "" as "\n";
    return { parts, form, text: parts.map(({ text, ending }) => text + ending).join("") };
  });

interface Placed {
  readonly text: string;
  readonly form: { encoding: Encoding; bom: boolean };
  readonly start: number;
  readonly end: number;
}

const startOf = (parts: readonly { text: string; ending: string }[], line: number): number =>
  parts.slice(0, line).reduce((sum, { text, ending }) => sum + text.length + ending.length, 0);

/** From the start of one line to somewhere in it or a later one, never between CR and LF. */
const placed = fc.tuple(file, fc.nat(), fc.nat()).map(([{ parts, form, text }, from, length]): Placed => {
  const start = startOf(parts, from % parts.length);
  const least = text.indexOf(":", start) + 1;
  const end = least + (length % (text.length - least + 1));
  return { text, form, start, end: text[end] === "\n" && text[end - 1] === "\r" ? end + 1 : end };
});

async function change({ text, form }: Placed, old: string, fresh: string): Promise<string> {
  ws.put("f.txt", encodeText(text, form) as Buffer);
  await ws.run(read, { path: "f.txt" });
  const result = await ws.change(edit, { path: "f.txt", old_string: old, new_string: fresh });
  if (!result.ok) return told(result);
  const bytes = ws.bytes("f.txt");
  const after = new TextDecoder(form.encoding as "utf-8", { fatal: true }).decode(bytes);
  // The decoder drops the byte order mark: the bytes must still have it, and be what this encoding makes of the text.
  expect(encodeText(after, form)).toEqual(bytes);
  return after;
}

test("[TL-1] bytes around an edit stay, and its own lines take the file's endings", async () => {
  await fc.assert(
    fc.asyncProperty(placed, fc.array(phrase, { maxLength: 5 }), fc.boolean(), async (at, words, isCrlf) => {
      const { text, start, end } = at;
      const region = text.slice(start, end);
      const old = isCrlf ? lf(region).replaceAll("\n", "\r\n") : lf(region);
      const fresh = words.join("\n");
      // An edit of line endings alone is another rule.
      fc.pre(lf(region) !== fresh);
      const after = await change(at, old, fresh);
      const [head, tail] = [text.slice(0, start), text.slice(end)];
      expect([after.slice(0, start), after.slice(after.length - tail.length)]).toEqual([head, tail]);
      const middle = after.slice(start, after.length - tail.length);
      expect(lf(middle)).toBe(fresh);
      if (text.includes("\r") && !/(?<!\r)\n/.test(text)) expect(middle).not.toMatch(/(?<!\r)\n/);
      if (!text.includes("\r")) expect(middle).not.toInclude("\r");
    }),
    { numRuns: 700 },
  );
}, 120_000);

test("[TL-2] lines copied without their trailing white space or with another indentation are found in their place", async () => {
  await fc.assert(
    fc.asyncProperty(
      file,
      fc.nat(),
      fc.nat(),
      fc.constantFrom("strip", "  ", "\t"),
      async ({ parts, form, text }, from, count, how) => {
        const first = from % parts.length;
        const last = first + (count % (parts.length - first));
        const chosen = parts.slice(first, last + 1);
        const copy = chosen.map((line) => (how === "strip" ? line.text.trimEnd() : how + line.text)).join("\n");
        // Without this it is an exact match of a part of the line.
        fc.pre(!lf(text).includes(copy));
        const fresh = `${copy}\n${how === "strip" ? "" : how}new`;
        const [start, end] = [startOf(parts, first), startOf(parts, last) + parts[last]!.text.length];
        const after = await change({ text, form, start, end }, copy, fresh);
        const inserted = after.slice(end, after.length - (text.length - end));
        expect([after.slice(0, end), lf(inserted), after.slice(after.length - (text.length - end))]).toEqual([
          text.slice(0, end),
          "\nnew",
          text.slice(end),
        ]);
      },
    ),
    { numRuns: 500 },
  );
}, 120_000);

test("[TL-1] an edit that fails leaves the file byte for byte", async () => {
  await fc.assert(
    fc.asyncProperty(placed, fc.string({ minLength: 1, maxLength: 6 }), async (at, old) => {
      fc.pre(!lf(at.text).includes(lf(old).trim()));
      const answer = await change(at, old, "new");
      expect(answer).toStartWith("E_INVALID_ARGS");
      expect(ws.bytes("f.txt")).toEqual(encodeText(at.text, at.form) as Buffer);
    }),
    { numRuns: 300 },
  );
}, 120_000);
