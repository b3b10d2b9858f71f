import { expect, test } from "bun:test";
import { stripTerminalSequences, visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import fc from "fast-check";
import { MarkdownStream } from "../../../../src/surface/tui/terminal/markdown-stream.ts";
import { themeOf } from "../../../../src/surface/tui/terminal/theme.ts";

const theme = themeOf("terminal", false);
const bare = (lines: readonly string[]) => lines.map((line) => stripTerminalSequences(line).trimEnd());

function whole(text: string, sizes: readonly number[], width = 40): readonly string[] {
  const stream = new MarkdownStream(theme, () => width);
  const lines: string[] = [];
  let at = 0;
  for (let n = 0; at < text.length; n++) {
    const size = Math.max(1, sizes[n % sizes.length] ?? 1);
    stream.push(text.slice(at, at + size));
    at += size;
    stream.live();
    lines.push(...stream.take());
  }
  stream.finish();
  lines.push(...stream.take());
  return bare(lines);
}

const sample = `# Title

Some **bold** words and \`code\`, and a paragraph that is longer than the width of the terminal.

1. first
2. second
   - inner
3. third

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
const x = 1; // one

return x;
\`\`\`
The end.`;

test("[SU-3] a reply looks like this", () => {
  expect(whole(sample, [1_000]).join("\n")).toMatchSnapshot();
});

test("[SU-3] however it is cut into pieces, the lines are the same", () => {
  const want = whole(sample, [1_000]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 30 }), (sizes) => {
      expect(whole(sample, sizes)).toEqual(want);
    }),
    { numRuns: 100 },
  );
});

test("[SU-3] no line is wider than the terminal, whatever the text is", () => {
  const text = fc.string({
    unit: fc.constantFrom(
      "a",
      " ",
      "\n",
      "#",
      "-",
      "|",
      "`",
      "*",
      "中",
      "😀",
      "\t",
      ">",
      "1",
      ".",
      "_",
      "[",
      "](",
      ")",
    ),
    maxLength: 300,
  });
  fc.assert(
    fc.property(text, fc.integer({ min: 10, max: 80 }), (words, width) => {
      for (const line of whole(words, [7], width)) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
    }),
    { numRuns: 300 },
  );
});

test("[SU-3] a table stands as its author aligned it, with wide characters too", () => {
  const table = "Found:\n| name | n | 说明 |\n|:---|---:|:---:|\n| a | 1 | 减号改为加号 |\n| bb | 1000 | `x|y` **z** |";
  expect(whole(table, [3], 60)).toEqual([
    "Found:",
    "",
    ...["┌──────┬──────┬──────────────┐", "│ name │    n │     说明     │", "├──────┼──────┼──────────────┤"],
    ...["│ a    │    1 │ 减号改为加号 │", "├──────┼──────┼──────────────┤", "│ bb   │ 1000 │    x|y z     │"],
    "└──────┴──────┴──────────────┘",
  ]);
});

test("[SU-3] a table of any length stays one: each part has the head again", () => {
  const rows = Array.from({ length: 300 }, (_, n) => `| ${n} | some words about it that take some room |`);
  const lines = whole(["| n | words |", "|--:|---|", ...rows, "", "The end."].join("\n"), [50], 70);
  const parts = lines.filter((line) => line.startsWith("┌")).length;
  expect(parts).toBeGreaterThan(1);
  expect(lines.filter((line) => /^│ +n │ words/.test(line)).length).toBe(parts);
  expect(lines.filter((line) => /^│ +\d+ │ some words/.test(line)).length).toBe(rows.length);
  expect(lines.filter((line) => !/^[┌│├└]/.test(line))).toEqual(["", "The end."]);
});
