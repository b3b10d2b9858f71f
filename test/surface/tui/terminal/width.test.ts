import { describe, expect, test } from "bun:test";
import {
  truncateToWidth as piTruncate,
  visibleWidth as piWidth,
  wrapTextWithAnsi as piWrap,
} from "@earendil-works/pi-tui/dist/utils.js";
import fc from "fast-check";
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "../../../../src/surface/tui/terminal/width.ts";

const letter = fc.oneof(
  ...[
    "a",
    "~",
    " ",
    "·",
    "…",
    "—",
    "“",
    "─",
    "┃",
    "⠋",
    "中",
    "한",
    "か",
    "、",
    "！",
    "é",
    "e\u0301",
    "👍",
    "👩‍👩‍👧",
    "✓",
  ].map(fc.constant),
  ...["\x1b[1m", "\x1b[22m", "\x1b[38;5;12m", "\x1b[0m", "\x1b]8;;https://a.b\x07", "\x1b]8;;\x07"].map(fc.constant),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 2 }).filter((one) => !/[\0-\x1f\x7f-\x9f]/.test(one)),
);
const text = fc.array(letter, { maxLength: 40 }).map((letters) => letters.join(""));

describe("how wide a text is", () => {
  test("[SU-3] counted at once or letter by letter, it is the same", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (one, width) => {
        expect(visibleWidth(one)).toBe(piWidth(one));
        expect(truncateToWidth(one, width, "…")).toBe(piTruncate(one, width, "…"));
        expect(wrapTextWithAnsi(one, width)).toEqual(piWrap(one, width));
      }),
      { numRuns: 2_000 },
    );
  });

  test("[SU-3] each letter of those that are counted at once", () => {
    const ranges: readonly (readonly [number, number])[] = [
      ...([
        [0x20, 0x7e],
        [0xb7, 0xb7],
        [0x2013, 0x2014],
        [0x2018, 0x201d],
        [0x2026, 0x2026],
        [0x2500, 0x257f],
      ] as const),
      ...([
        [0x2800, 0x28ff],
        [0x3001, 0x3029],
        [0x3041, 0x3096],
        [0x30a1, 0x30fa],
        [0x3400, 0x4dbf],
      ] as const),
      ...([
        [0x4e00, 0x9fff],
        [0xac00, 0xd7a3],
        [0xff01, 0xff60],
      ] as const),
    ];
    for (const [from, to] of ranges)
      for (let code = from; code <= to; code++) {
        const one = `x${String.fromCodePoint(code)}y`;
        if (visibleWidth(one) !== piWidth(one)) throw new Error(`U+${code.toString(16)}`);
      }
  });
});
