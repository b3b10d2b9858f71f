// Ten million letters in the full view: it opens and scrolls as if there were ten.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Lines } from "../../../../src/surface/tui/blocks/lines.ts";
import { readable } from "../../../../src/surface/tui/blocks/long-text.ts";
import { drawnText, screenText } from "../../../../src/surface/tui/blocks/output.ts";
import { barred } from "../../../../src/surface/tui/panels/exact.ts";
import { Pager } from "../../../../src/surface/tui/panels/pager.ts";
import { DOWN, ENTER, ESC, lookIn, press, shown, type, UP } from "../frames.ts";

const MIB = 2 ** 20;
const many = Array.from({ length: 200_000 }, (_, at) => `line ${at + 1} ${"x".repeat(40)}`).join("\n");

const texts = {
  "of 200,000 lines": many,
  "of one line": `${"abcdefgh".repeat((10 * MIB) / 8)}THE END`,
  "of one line of words": `${"some words ".repeat(MIB)}THE END`,
  "of one line in Chinese": `${"中文字符".repeat((10 * MIB) / 4)}THE END`,
  "of nothing that can be seen": `${"\x07".repeat(10 * MIB)}THE END`,
  "of blanks": `${" ".repeat(10 * MIB)}THE END`,
  "of colours": `${"\x1b[31mred\x1b[0m".repeat(MIB)}THE END`,
  "of one line, drawn over a million times": `${"\r 50% done".repeat(MIB)}\rTHE END`,
  "of empty lines": `${"\n".repeat(3 * MIB)}THE END`,
} as const;

const pagerOf = (make: (width: number) => Lines): Pager =>
  new Pager(lookIn(), { title: "npm test", lines: make }, () => {});

/** Time of the processor, the shortest of a few: whatever else the machine does is not counted. */
function msOf(act: () => void, times = 3): number {
  return Math.min(
    ...Array.from({ length: times }, () => {
      const began = process.cpuUsage();
      act();
      return process.cpuUsage(began).user / 1_000;
    }),
  );
}

const keys = [DOWN, " ", "\x1b[6~", "j", "G", UP, "b", "k", "\x1b[5~", "g", "\x1b[F", "\x1b[H"];

describe("a text of ten million letters", () => {
  for (const [what, text] of Object.entries(texts)) {
    test(`[SU-3] ${what} opens at once, no key is waited for, and its end is reached`, () => {
      // What stands behind a bar was spelled out before.
      for (const make of [drawnText, readable, ...(/[\x07\r\x1b]/.test(text) ? [] : [barred])]) {
        let pager = pagerOf((width) => make(text, width));
        const open = msOf(() => {
          pager = pagerOf((width) => make(text, width));
          shown(pager, 120, 40);
        });
        const slow = keys.filter((key) => msOf(() => press(pager, key) && shown(pager, 120, 40), 2) > 50);
        expect([make.name, open < 200 || open, slow]).toEqual([make.name, true, []]);
        press(pager, "G");
        expect(shown(pager, 120, 40).slice(0, -1).findLast(Boolean)).toEndWith(text === many ? "x" : "THE END");
      }
    });
  }

  test("[SU-3] is searched while keys are taken, found wherever it is, and Esc stops that", () => {
    const pager = pagerOf((width) => drawnText(`${texts["of one line in Chinese"]}\n${many}`, width));
    shown(pager, 80, 20);
    press(pager, "/");
    type(pager, "line 200000 ");
    const steps = [msOf(() => press(pager, ENTER), 1)];
    while (pager.isUnfinished) steps.push(msOf(() => shown(pager, 80, 20), 1));
    expect(steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)]).toBeLessThan(100);
    expect(shown(pager, 80, 20).at(-2)).toStartWith("line 200000 x");
    press(pager, "g", "/");
    type(pager, "nowhere in it");
    press(pager, ENTER);
    expect(shown(pager, 80, 20).at(-1)).toMatch(/^searching nowhere in it: \d+ % · Esc stop/);
    press(pager, ESC);
    expect([pager.isUnfinished, shown(pager, 80, 20).at(-1)?.slice(0, 2)]).toEqual([false, "1–"]);
    press(pager, "n");
    while (pager.isUnfinished) shown(pager, 80, 20);
    expect(shown(pager, 80, 20).at(-1)).toStartWith("not found: nowhere in it");
  });

  test("[SU-3] stays where it is when the width changes, within a line too", () => {
    const numbers = Array.from({ length: 1_000_000 }, (_, at) => `n${at}`).join(" ");
    const pager = pagerOf((width) => readable(`first\n${numbers}\nlast`, width));
    shown(pager, 80, 20);
    press(pager, "/");
    type(pager, "n777777");
    press(pager, ENTER);
    while (pager.isUnfinished) shown(pager, 80, 20);
    const first = (width: number): number => Number(/n(\d+)/.exec(shown(pager, width, 20)[1] ?? "")?.[1]);
    for (const width of [80, 40, 133, 57, 80]) expect(Math.abs(first(width) - 777_777)).toBeLessThan(50);
  });
});

describe("a text in pieces", () => {
  const all = (lines: Lines): readonly string[] =>
    Array.from({ length: lines.count }, (_, at) => lines.rows(at)).flat();

  test("[SU-3] what stands across the end of a piece is found too", () => {
    const pager = pagerOf((width) => readable(`${"x".repeat(16 * 80 - 3)}needle${"x".repeat(5_000)}`, width));
    shown(pager, 80, 20);
    press(pager, "/");
    type(pager, "needle");
    press(pager, ENTER);
    expect(shown(pager, 80, 20).at(-1)).toStartWith("1–");
  });

  test("[PO-6] behind a bar nothing of a line is missing, and a row that begins with no blank goes on in a word", () => {
    const unit = fc.constantFrom("a", " ", "  ", "中", "👩‍👩‍👧", "é", " ".repeat(200), "b".repeat(300));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 10, max: 60 }), (line, width) => {
        const rows = all(barred(line, width));
        expect(rows.map((row) => row.slice(2)).join("")).toBe(line);
        expect(rows.map((row) => row[0])).toEqual(rows.map((_, at) => (at === 0 ? "│" : "┆")));
        for (const [at, row] of rows.entries())
          if (at > 0 && !row.startsWith("┆  ")) expect(/[^ ] +$/.test(rows[at - 1]?.slice(2) ?? "")).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  test("[SU-3] [SA-terminal-escapes] says the same as the whole, broken elsewhere, in whatever order it is asked for", () => {
    const unit = fc.constantFrom(
      ...["a", " ", "中", "👩‍👩‍👧", "\n", "\r\n", "\r", "\x1b[31m", "\x1b]8;;x\x07", "\t", "x".repeat(70), "\x07"],
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), fc.array(fc.nat(), { maxLength: 20 }), (text, order) => {
        const lines = drawnText(text, 30);
        const whole = screenText(text);
        expect(lines.count).toBeGreaterThanOrEqual(whole.split("\n").length);
        const bare = (from: readonly string[]): string => from.join("").replace(/\s+/g, "");
        const once = all(lines);
        if (!/\r(?!\n)/.test(text)) expect(bare(once)).toBe(bare([whole]));
        for (const n of order) {
          const at = n % lines.count;
          expect(lines.rows(at)).toEqual(drawnText(text, 30).rows(at));
        }
        expect(all(lines)).toEqual(once);
      }),
      { numRuns: 300 },
    );
  });

  test("[SU-3] a long line that was drawn over is as it was drawn last", () => {
    const line = `${"\rdownloading 10 %".repeat(1_000)}\rdone`;
    expect(all(drawnText(`first\r\n${line}\r\nlast`, 80))).toEqual(["first", "done", "last"]);
  });
});
