import { expect, test } from "bun:test";
import { castOf } from "../../scripts/frames/cast.ts";
import { svgOf } from "../../scripts/frames/svg.ts";
import { Emulator } from "../surface/tui/emulator.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("a recording has everything that was written, at its time, with long pauses made short and no character cut in two", () => {
  const [first, second] = [bytes("中").slice(0, 2), bytes("中").slice(2)];
  const cast = castOf(
    [
      { ms: 20, data: bytes("a\x1b[1m") },
      { ms: 9_020, data: first },
      { ms: 9_025, data: second },
      { ms: 9_030, data: { columns: 50, rows: 9 } },
    ],
    { columns: 40, rows: 10, title: "t", command: "coder" },
  );
  expect(
    cast
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
  ).toEqual([
    { version: 2, width: 40, height: 10, title: "t", command: "coder", env: { TERM: "xterm-256color" } },
    [0.02, "o", "a\x1b[1m"],
    [1.025, "o", "中"],
    [1.03, "r", "50x9"],
  ]);
});

test("a picture shows text as text, whatever it is, with colours, weight and the place of wide signs", async () => {
  const emulator = new Emulator(20, 3);
  emulator.write('\x1b[?25l<&" \x1b[1;31mB\x1b[0;7mI\x1b[0m中\x1b[38;5;196mx\x1b[38;2;1;2;3my');
  await emulator.settled();
  const svg = svgOf(emulator.picture());
  const letters = [...svg.matchAll(/<text transform="translate\(([\d.]+) [\d.]+\)"(.*?)>(.*?)<\/text>/g)];
  expect(letters.map(([, x, style, text]) => [text, Number(x), style?.trim()])).toEqual([
    ["&#60;", 0, 'fill="#d8dee9"'],
    ["&#38;", 8.43, 'fill="#d8dee9"'],
    ["&#34;", 16.86, 'fill="#d8dee9"'],
    ["B", 33.71, 'fill="#e06c75" font-weight="bold"'],
    ["I", 42.14, 'fill="#1b1f27"'],
    ["中", 59, 'text-anchor="middle" fill="#d8dee9"'],
    ["x", 67.42, 'fill="#ff0000"'],
    ["y", 75.85, 'fill="#010203"'],
  ]);
});
