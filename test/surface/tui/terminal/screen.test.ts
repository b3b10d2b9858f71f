import { describe, expect, test } from "bun:test";
import { stripTerminalSequences, visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import fc from "fast-check";
import { type Frame, Screen } from "../../../../src/surface/tui/terminal/screen.ts";
import { Emulator } from "../emulator.ts";

const frame = (lines: readonly string[], row = lines.length - 1, column = 0): Frame => ({
  lines,
  cursor: { row, column },
});

/** How each letter looks, row by row. */
function stylesIn({ terminal }: Emulator): readonly string[] {
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, row) => {
    const line = active.getLine(row);
    const cells = Array.from({ length: terminal.cols }, (_, column) => line?.getCell(column));
    return cells
      .map((cell) => (cell?.getChars().trim() ? `${cell.getChars()}${cell.isBold()}${cell.getFgColor()}` : " "))
      .join("")
      .trimEnd();
  });
  return rows.join("\n").trimEnd().split("\n");
}

describe("the screen", () => {
  test("[SU-3] what is committed stands above the live region, once, and stays when that changes", async () => {
    const term = new Emulator(40, 10);
    const screen = new Screen(term);
    screen.draw(frame(["one", "> "]));
    screen.commit(["done 1", "done 2"]);
    screen.draw(frame(["two", "three", "> "]));
    screen.draw(frame(["> "]));
    expect(await term.lines()).toEqual(["done 1", "done 2", ">"]);
    expect(await term.cursor()).toEqual({ line: 2, column: 0 });
  });

  test("[SU-3] only lines that changed are written", async () => {
    const term = new Emulator(80, 24);
    const screen = new Screen(term);
    screen.draw(frame(["a".repeat(70), "b".repeat(70), "> "]));
    const before = term.bytes;
    screen.draw(frame(["a".repeat(70), "b".repeat(70), "> x"], 2, 3));
    expect(term.bytes - before).toBeLessThan(80);
    expect(await term.lines()).toEqual(["a".repeat(70), "b".repeat(70), "> x"]);
    const same = term.bytes;
    screen.draw(frame(["a".repeat(70), "b".repeat(70), "> x"], 2, 3));
    expect(term.bytes - same).toBeLessThan(30);
  });

  test("[SU-3] what became final where it stood stays, also when the cursor is hidden", async () => {
    const term = new Emulator(20, 9);
    const screen = new Screen(term);
    screen.draw({ lines: ["", "running a command", "its output", "> "], cursor: null });
    screen.commit(["", "ran it, and it went well", "its output"].map((line) => line.slice(0, 20)));
    screen.draw({ lines: ["> "], cursor: null });
    screen.commit(["w".repeat(50)]);
    screen.draw({ lines: ["> "], cursor: null });
    expect(await term.lines()).toEqual(
      ["", "ran it, and it went ", "its output", "w".repeat(50), ">"].map((line) => line.trimEnd()),
    );
  });

  test("[SU-3] more than fits goes to the scrollback in order, however long it is", async () => {
    const term = new Emulator(20, 5);
    const screen = new Screen(term);
    const all = Array.from({ length: 200 }, (_, at) => `line ${at}`);
    screen.draw(frame(["> "]));
    for (let at = 0; at < all.length; at += 7) {
      screen.commit(all.slice(at, at + 7));
      screen.draw(frame(["working", "> "]));
    }
    screen.draw(frame(["> "]));
    expect(await term.lines()).toEqual([...all, ">"]);
  });

  test("[SU-3] a narrower or wider terminal leaves what is committed alone and shows the live region once", async () => {
    for (const [columns, rows] of [
      [30, 12],
      [20, 8],
      [90, 20],
    ] as const) {
      const term = new Emulator(60, 12);
      const screen = new Screen(term);
      const long = "c".repeat(55);
      screen.commit([long, "short"]);
      screen.draw(frame(["w".repeat(58), "v".repeat(40), "> typed"], 2, 7));
      await term.resize(columns, rows);
      screen.draw(frame(["narrow", "> typed"], 1, 7));
      expect(await term.lines()).toEqual([long, "short", "narrow", "> typed"]);
      expect((await term.cursor()).column).toBe(7);
    }
  });

  test("[SU-3] a terminal that became narrower before it said so, as tmux does, costs nothing of what was committed", async () => {
    const term = new Emulator(60, 12);
    const told = { columns: 60, rows: 12 };
    const out = { columns: () => told.columns, rows: () => told.rows, write: (text: string) => term.write(text) };
    const screen = new Screen({ ...out });
    const words = (at: number): string => `line ${at} `.padEnd(50, "abcdefgh");
    const narrow = frame(["-".repeat(40), "> "]);
    screen.draw(frame(["-".repeat(60), "> "]));
    await term.resize(58, 12);
    told.columns = 58;
    screen.commit([words(0), words(1)]);
    screen.draw(frame(["-".repeat(58), "> "]));
    await term.resize(40, 12);
    for (const at of [2, 3, 4, 5]) {
      screen.commit([words(at)]);
      screen.draw(frame(["-".repeat(58), "> "]));
    }
    told.columns = 40;
    screen.draw(narrow);
    const lines = await term.lines();
    expect([0, 1, 2, 3, 4, 5].filter((at) => !lines.includes(words(at)))).toEqual([]);
    expect(lines.slice(-2)).toEqual(["-".repeat(40), ">"]);
  });

  test("[SU-3] whatever is drawn, committed and grown, the terminal shows what was committed and the last frame", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "中", "e\u0301", "😀"), maxLength: 5 });
    const pictures = fc.string({ unit: fc.constantFrom("a", "👩‍👩‍👧", "🇨🇳", "❤️", "中"), maxLength: 9 });
    const styled = fc
      .tuple(text, fc.constantFrom("", "1", "31", "38;5;80"), text)
      .map(([a, code, b]) => (code === "" ? a + b : `${a}\x1b[${code}m${b}\x1b[${code === "1" ? "22" : "39"}m`));
    const wide = fc.integer({ min: 1, max: 20 }).map((length) => "x".repeat(length));
    const tooWide = fc.integer({ min: 21, max: 70 }).map((length) => "w".repeat(length));
    const line = fc.oneof(styled, wide);
    const action = fc.oneof(
      fc.record({
        do: fc.constant("commit" as const),
        lines: fc.array(fc.oneof(line, pictures, tooWide), { maxLength: 9 }),
      }),
      fc.record({ do: fc.constant("settle" as const), count: fc.nat(4) }),
      fc.record({ do: fc.constant("grow" as const), more: text }),
      fc.record({ do: fc.constant("view" as const), lines: fc.array(wide, { maxLength: 9 }) }),
      fc.record({
        do: fc.constant("draw" as const),
        lines: fc.array(line, { minLength: 1, maxLength: 9 }),
        row: fc.option(fc.nat(9)),
        column: fc.nat(9),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 3, max: 9 }), fc.array(action, { maxLength: 30 }), async (rows, actions) => {
        const term = new Emulator(20, rows);
        const screen = new Screen(term);
        const committed: string[] = [];
        let last: readonly string[] = ["> "];
        screen.draw(frame(last));
        for (const one of actions) {
          if (one.do === "commit") {
            screen.commit(one.lines);
            committed.push(...one.lines);
          } else if (one.do === "settle") {
            // The first lines of the live region become final as they are.
            const done = last.slice(0, Math.min(one.count, last.length - 1));
            screen.commit(done);
            committed.push(...done);
            last = last.slice(done.length);
            screen.draw(frame(last));
          } else if (one.do === "grow") {
            last = [...last.slice(0, -1), (last.at(-1) ?? "") + one.more].map((text) =>
              visibleWidth(text) > 20 ? "z" : text,
            );
            screen.draw(frame(last));
          } else if (one.do === "view") screen.drawWhole(frame(one.lines, 0));
          else {
            last = one.lines;
            const { row, column, lines } = one;
            screen.draw(row === null ? { lines, cursor: null } : frame(lines, row % lines.length, column));
          }
        }
        screen.draw(frame(last));
        const fits = last.slice(-Math.max(1, rows - 1));
        const want = [...committed, ...fits].map((text) => stripTerminalSequences(text).trimEnd());
        while (want.at(-1) === "") want.pop();
        expect(await term.lines()).toEqual(want);
        expect((await term.cursor()).column).toBe(0);
        const fresh = new Emulator(20, 400);
        fresh.write([...committed, ...fits].map((text) => `${text}\x1b[0m`).join("\r\n"));
        await fresh.settled();
        expect(stylesIn(term)).toEqual(stylesIn(fresh));
      }),
      { numRuns: 400 },
    );
  });

  test("[SU-3] whatever columns or rows come and go between frames, every line that was committed is there once", async () => {
    const width = fc.integer({ min: 0, max: 100 });
    const action = fc.oneof(
      fc.record({ do: fc.constant("commit" as const), widths: fc.array(width, { maxLength: 6 }) }),
      fc.record({
        do: fc.constant("draw" as const),
        widths: fc.array(width, { maxLength: 2 }),
        status: width,
        isHidden: fc.boolean(),
      }),
      fc.record({ do: fc.constant("wide" as const), columns: fc.integer({ min: 40, max: 100 }) }),
      fc.record({ do: fc.constant("high" as const), rows: fc.integer({ min: 12, max: 20 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        const term = new Emulator(80, 16);
        const screen = new Screen(Object.assign(term, { countsBelow: () => true }));
        const committed: string[] = [];
        let made = 0;
        const line = (columns: number): string => `${++made} ${"x".repeat(columns)}`.slice(0, term.columns() - 1);
        let [shown, isHidden]: [readonly string[], boolean] = [["> ", "status"], false];
        const draw = (): void => {
          const lines = shown.map((one) =>
            one.startsWith("─") ? "─".repeat(term.columns()) : one.slice(0, term.columns()),
          );
          screen.draw({ lines, cursor: isHidden ? null : { row: lines.length - 2, column: 2 } });
          shown = lines;
        };
        draw();
        for (const one of actions) {
          await term.settled();
          if (one.do === "commit") {
            const lines = one.widths.map(line);
            committed.push(...lines);
            screen.commit(lines);
          } else if (one.do === "draw")
            [shown, isHidden] = [[...one.widths.map(line), "─", "> ", `${line(one.status)}`], one.isHidden];
          else
            await term.resize(
              one.do === "wide" ? one.columns : term.columns(),
              one.do === "wide" ? term.rows() : one.rows,
            );
          draw();
        }
        expect(await term.lines()).toEqual([...committed, ...shown].map((text) => text.trimEnd()));
      }),
      { numRuns: 200 },
    );
  });
});
