import { describe, expect, test } from "bun:test";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui/dist/utils.js";
import fc from "fast-check";
import { ready } from "../../../../src/surface/tui/blocks/lines.ts";
import { Pager } from "../../../../src/surface/tui/panels/pager.ts";
import { beforeCursor, DOWN, ENTER, ESC, lookIn, press, shown, type, UP } from "../frames.ts";

const numbered = (length: number): readonly string[] => Array.from({ length }, (_, at) => `line ${at + 1}`);

function pagerOf(lines: readonly string[] | ((width: number) => readonly string[])): {
  pager: Pager;
  closed: () => number;
} {
  let closed = 0;
  const made = typeof lines === "function" ? lines : () => lines;
  const detail = { title: "npm test", lines: (width: number) => ready(made(width), width) };
  return { pager: new Pager(lookIn(), detail, () => closed++), closed: () => closed };
}

const body = (pager: Pager, width = 40, room = 10): readonly string[] => shown(pager, width, room).slice(1, -1);

describe("the full view", () => {
  test("[SU-3] has a title, the lines, and says where it is and what keys do", () => {
    const { pager } = pagerOf(numbered(100));
    expect(shown(pager, 80, 6)).toEqual([
      "━━ npm test ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
      ...numbered(4),
      "1–4 of 100 · q close · space page · g/G ends · / search · n/N next",
    ]);
  });

  test("[SU-3] every key scrolls as far as it says, and never past an end", () => {
    const { pager } = pagerOf(numbered(100));
    const first = (...keys: readonly string[]): string | undefined => {
      body(pager);
      press(pager, ...keys);
      return body(pager)[0];
    };
    expect(first(UP)).toBe("line 1");
    expect(first(DOWN, "j", "\x1b[B")).toBe("line 4");
    expect(first("k")).toBe("line 3");
    expect(first(" ")).toBe("line 10");
    expect(first("\x1b[6~")).toBe("line 17");
    expect(first("\x1b[5~", "b")).toBe("line 3");
    expect(first("G")).toBe("line 93");
    expect(first(DOWN, " ", "\x1b[6~")).toBe("line 93");
    expect(first("g")).toBe("line 1");
    expect(first("\x1b[F")).toBe("line 93");
    expect(first("\x1b[H")).toBe("line 1");
    expect(press(pager, "x", "y", "\t")).toEqual([false, false, false]);
  });

  test("[SU-3] q and Esc close it", () => {
    for (const key of ["q", ESC, "\x1b[27u", "\x1b[113u"]) {
      const { pager, closed } = pagerOf(["x"]);
      press(pager, key);
      expect(closed()).toBe(1);
    }
  });

  test("[SU-3] / finds, n and N go on and begin anew at the ends, and capitals count when typed", () => {
    const lines = numbered(100).map((line, at) => (at % 30 === 29 ? `\x1b[31m${line}\x1b[39m Error` : line));
    const { pager } = pagerOf(lines);
    body(pager);
    press(pager, "/");
    type(pager, "error");
    expect(beforeCursor(pager, 40, 10)).toBe("/error");
    press(pager, ENTER);
    const first = (): string | undefined => {
      let rows = body(pager);
      while (pager.isUnfinished) rows = body(pager);
      return rows[0];
    };
    expect(first()).toBe("line 30 Error");
    press(pager, "n");
    expect(first()).toBe("line 60 Error");
    for (const key of ["n", "n"]) {
      press(pager, key);
      first();
    }
    expect(first()).toBe("line 30 Error");
    press(pager, "N");
    expect(first()).toBe("line 90 Error");
    expect(pager.frame(40, 10).lines[1]).toContain("\x1b[1m\x1b[4mError\x1b[24m\x1b[22m");
    press(pager, "/");
    type(pager, "ERROR");
    press(pager, ENTER);
    expect(shown(pager, 80, 10).at(-1)).toStartWith("not found: ERROR · q close");
  });

  test("[SU-3] lines that are too long are broken, and the place stays when the width changes", () => {
    const text = numbered(60).map((line) => `${line}: ${"word ".repeat(20)}end`);
    for (const lines of [text, (width: number) => text.flatMap((line) => wrapTextWithAnsi(line, width))]) {
      const { pager } = pagerOf(lines);
      body(pager, 80, 12);
      press(pager, "/");
      type(pager, "line 33:");
      press(pager, ENTER);
      for (const width of [80, 40, 120, 53]) expect(body(pager, width, 12)[0]).toStartWith("line 33: word");
    }
  });

  test("[SU-3] of a hundred thousand lines only those are looked at that are shown", () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `line ${at} ${"x".repeat(at % 150)}`);
    let looks = 0;
    const watched = new Proxy(lines, {
      get: (all, name, self) => {
        if (typeof name === "string" && /^\d/.test(name)) looks++;
        return Reflect.get(all, name, self);
      },
    });
    const { pager } = pagerOf(watched);
    for (const key of ["G", "k", "b", " ", UP, "g", DOWN]) {
      body(pager);
      press(pager, key);
    }
    expect(looks).toBeLessThan(200);
    press(pager, "/");
    type(pager, "line 99999");
    press(pager, ENTER);
    while (pager.isUnfinished) body(pager);
    expect(body(pager).some((line) => line.startsWith("line 99999"))).toBe(true);
  });

  test("[SU-3] [SA-terminal-escapes] whatever is in it and pressed, it fills its room and no more", () => {
    const line = fc.string({ unit: fc.constantFrom("a", " ", "中", "👩‍👩‍👧", "é"), maxLength: 120 });
    const keys = fc.array(fc.constantFrom(UP, DOWN, " ", "b", "g", "G", "n", "N", "/", "a", ENTER), { maxLength: 20 });
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 30 }),
        keys,
        fc.integer({ min: 10, max: 80 }),
        fc.integer({ min: 1, max: 20 }),
        (lines, all, width, room) => {
          const { pager } = pagerOf(lines);
          for (const key of all) {
            expect(shown(pager, width, room).length).toBe(room);
            press(pager, key);
          }
          shown(pager, width + 7, room);
        },
      ),
      { numRuns: 100 },
    );
  });
});
