// Ten million letters in the full view: it opens and scrolls as if there were ten.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Lines } from "../../../../src/surface/tui/blocks/lines.ts";
import { readable } from "../../../../src/surface/tui/blocks/long-text.ts";
import { drawnText, screenText } from "../../../../src/surface/tui/blocks/output.ts";
import { barred } from "../../../../src/surface/tui/panels/exact.ts";
import { Pager } from "../../../../src/surface/tui/panels/pager.ts";
import { cpuMs, growsEvenly } from "../../../support/cpu.ts";
import { DOWN, ENTER, ESC, lookIn, press, shown, type, UP } from "../frames.ts";

const MIB = 2 ** 20;
const linesOf = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at + 1} ${"x".repeat(40)}`).join("\n");
const many = linesOf(200_000);

/** Each by how many eighths of ten million letters it has. */
const texts = {
  "of 200,000 lines": (eighths) => linesOf(25_000 * eighths),
  "of one line": (eighths) => `${"abcdefgh".repeat(((10 * MIB) / 64) * eighths)}THE END`,
  "of one line of words": (eighths) => `${"some words ".repeat((MIB / 8) * eighths)}THE END`,
  "of one line in Chinese": (eighths) => `${"中文字符".repeat(((10 * MIB) / 32) * eighths)}THE END`,
  "of nothing that can be seen": (eighths) => `${"\x07".repeat(((10 * MIB) / 8) * eighths)}THE END`,
  "of blanks": (eighths) => `${" ".repeat(((10 * MIB) / 8) * eighths)}THE END`,
  "of colours": (eighths) => `${"\x1b[31mred\x1b[0m".repeat((MIB / 8) * eighths)}THE END`,
  "of one line, drawn over a million times": (eighths) => `${"\r 50% done".repeat((MIB / 8) * eighths)}\rTHE END`,
  "of empty lines": (eighths) => `${"\n".repeat(((3 * MIB) / 8) * eighths)}THE END`,
} as const satisfies Readonly<Record<string, (eighths: number) => string>>;

const pagerOf = (make: (width: number) => Lines): Pager =>
  new Pager(lookIn(), { title: "npm test", lines: make }, () => {});

const keys = [DOWN, " ", "\x1b[6~", "j", "G", UP, "b", "k", "\x1b[5~", "g", "\x1b[F", "\x1b[H"];

describe("a text of ten million letters", () => {
  for (const [what, textOf] of Object.entries(texts)) {
    test(`[SU-3] ${what} opens, no key costs more than in an eighth of it, and its end is reached`, async () => {
      const [part, text] = [textOf(1), textOf(8)];
      // What stands behind a bar was spelled out before.
      for (const make of [drawnText, readable, ...(/[\x07\r\x1b]/.test(text) ? [] : [barred])]) {
        const open = (all: string): Pager => {
          const pager = pagerOf((width) => make(all, width));
          shown(pager, 120, 40);
          return pager;
        };
        const isOpenedEvenly = await growsEvenly((scale) => open(scale === 1 ? part : text));
        const [small, pager] = [open(part), open(text)];
        const slow: string[] = [];
        for (const key of keys) {
          const ms = (one: Pager) => cpuMs(() => press(one, key) && shown(one, 120, 40), 3);
          const [before, after] = [await ms(small), await ms(pager)];
          if (after > 3 * (before + 5)) slow.push(`${JSON.stringify(key)}: ${after} ms instead of ${before}`);
        }
        expect([make.name, isOpenedEvenly, slow]).toEqual([make.name, true, []]);
        press(pager, "G");
        expect(shown(pager, 120, 40).slice(0, -1).findLast(Boolean)).toEndWith(text === many ? "x" : "THE END");
      }
    });
  }

  test("[SU-3] is searched while keys are taken, found wherever it is, and Esc stops that", async () => {
    const pager = pagerOf((width) => drawnText(`${texts["of one line in Chinese"](8)}\n${many}`, width));
    shown(pager, 80, 20);
    press(pager, "/");
    type(pager, "line 200000 ");
    const steps = [await cpuMs(() => press(pager, ENTER))];
    while (pager.isUnfinished) steps.push(await cpuMs(() => shown(pager, 80, 20)));
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
