import { afterEach, describe, expect, test } from "bun:test";
import { setKittyProtocolActive } from "@earendil-works/pi-tui/dist/keys.js";
import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import fc from "fast-check";
import { Screen } from "../../../../src/surface/tui/terminal/screen.ts";
import { Emulator } from "../emulator.ts";
import { key, Typist } from "../typist.ts";

const rule = "─".repeat(60);

afterEach(() => setKittyProtocolActive(false));

describe("sending", () => {
  const terminals = [
    { name: "plain", isKitty: false, enter: "\r", alt: "\x1b\r", newlines: ["\n"] },
    { name: "modifyOtherKeys", isKitty: false, enter: "\r", alt: "\x1b[27;3;13~", newlines: ["\x1b[27;2;13~"] },
    { name: "kitty", isKitty: true, enter: "\x1b[13u", alt: "\x1b[13;3u", newlines: ["\x1b[13;2u", "\x1b[106;5u"] },
  ];
  for (const { name, isKitty, enter, alt, newlines } of terminals) {
    test(`[IN-5] Enter steers, Alt+Enter queues, Shift+Enter and Ctrl+J begin a line: ${name}`, async () => {
      setKittyProtocolActive(isKitty);
      const at = new Typist();
      await at.type("one", enter, "two", alt);
      for (const newline of newlines) await at.type("a", newline, "b", enter);
      const lines = newlines.map(() => ["a\nb", "steer"] as const);
      expect(at.sent).toEqual([["one", "steer"], ["two", "queue"], ...lines]);
      expect(at.prompt.isEmpty).toBe(true);
    });
  }

  test("[SU-3] a backslash before Enter begins a line, and undo takes it back", async () => {
    const at = new Typist();
    await at.type("one\\", key.enter, "two");
    expect(at.prompt.text).toBe("one\ntwo");
    await at.type(key.undo, key.undo);
    expect(at.prompt.text).toBe("one");
  });

  test("[IN-1] nothing but blanks is not sent, and stays", async () => {
    const at = new Typist();
    await at.type(" ", "\n", " ", key.enter, key.altEnter);
    expect(at.sent).toEqual([]);
    expect(at.prompt.text).toBe(" \n ");
  });

  test("[SU-3] a character that comes in two halves is one, and half of one is dropped", async () => {
    const at = new Typist();
    await at.type("😀");
    at.prompt.handle("\ud83d");
    await at.type(key.left, "x", key.enter);
    expect(at.sent).toEqual([["x😀", "steer"]]);
  });
});

describe("what is seen", () => {
  test("[SU-3] an empty prompt says what it takes, in both languages and in 40 columns", () => {
    expect(new Typist().seen()).toBe(`${rule}\n> ▏Ask anything · / commands · @ files · ! shell`);
    const narrow = `${"─".repeat(40)}\n> ▏请输入任务 · / 命令 · @ 文件 · ! 终…`;
    expect(new Typist({ lang: "zh" }).seen(40)).toBe(narrow);
  });

  test("[SU-3] a shell command has its own sign, and Backspace at its beginning leaves it", async () => {
    const at = new Typist();
    await at.type("!ls");
    expect(at.seen()).toBe("─ shell · runs a command; Backspace leaves ─────────────────\n! ls▏");
    await at.type(key.left, key.left, key.back);
    expect(at.seen()).toBe(`${rule}\n> ▏ls`);
    await at.type("!", key.enter);
    expect(at.sent).toEqual([["!ls", "steer"]]);
  });

  test("[SU-3] no more than the room there is is taken; what is above and below is counted", async () => {
    const at = new Typist();
    at.prompt.setText("1\n2\n3\n4\n5\n6");
    expect(at.seen(20, 4)).toBe("─────────────── ↑3 ─\n  4\n  5\n  6▏");
    await at.type(key.up, key.up, key.up, key.up);
    expect(at.seen(20, 4)).toBe("──────────── ↑1 ↓2 ─\n  2▏\n  3\n  4");
    expect(at.seen(20, 1)).toBe("  2▏");
  });

  test("[SU-3] the cursor stands where the next character appears, whatever was typed", async () => {
    for (const text of [
      "abc",
      "世界",
      "e\u0301a\u0308",
      "a\tb",
      "ＡＢ한글",
      `${"长".repeat(30)}x`,
      "one two three four five",
    ]) {
      const term = new Emulator(40, 12);
      const at = new Typist();
      const screen = new Screen(term);
      at.paste(text);
      screen.draw(at.prompt.frame(40, 11));
      const before = await term.cursor();
      await at.type("Z");
      screen.draw(at.prompt.frame(40, 11));
      const row = (await term.lines())[before.line] ?? "";
      const column = Bun.stringWidth(row.slice(0, row.indexOf("Z")).replaceAll("\t", "   "));
      const isWrapped = !row.includes("Z");
      expect([text, isWrapped || column]).toEqual([text, isWrapped || before.column]);
    }
  });

  test("[SU-3] no fake cursor is drawn beside the terminal's own", async () => {
    const at = new Typist();
    await at.type("some words", key.left, key.left);
    expect(at.prompt.frame(60, 20).lines.join("")).not.toContain("\x1b[7m");
  });

  test("[SU-3] whatever is typed or pasted, nothing is wider or higher than there is room for, and the cursor is inside", async () => {
    const unit = fc.constantFrom(
      "a",
      " ",
      "中",
      "😀",
      "\t",
      "\n",
      "\u202e",
      "\x1b",
      "e\u0301",
      "@",
      "/",
      "!",
      "\u{100000}",
      "x".repeat(30),
    );
    const act = fc.oneof(
      fc.record({ do: fc.constant("paste" as const), text: fc.string({ unit, maxLength: 60 }) }),
      fc.record({
        do: fc.constant("type" as const),
        text: fc.constantFrom(...Object.values(key), "\x1b[3~", "a", "中", "@", "/", "!"),
      }),
    );
    const size = fc.record({ width: fc.integer({ min: 12, max: 100 }), room: fc.integer({ min: 1, max: 30 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 15 }), size, async (acts, { width, room }) => {
        const at = new Typist({ past: ["old", "older\none"], files: ["a/", "a/中.ts"] });
        for (const one of acts) {
          if (one.do === "paste") at.paste(one.text);
          else await at.type(one.text);
          const { lines, cursor } = at.prompt.frame(width, room);
          expect(lines.length).toBeLessThanOrEqual(room);
          for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
          expect(lines.join("")).not.toMatch(/\u202e|\t|[\u{100000}-\u{10fffd}]|\x1b(?!\[[\d;]*m)/u);
          expect(cursor !== null && cursor.row < lines.length && cursor.column < width).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe("editing", () => {
  test("[SU-3] words are moved over and deleted, and every step is undone in turn", async () => {
    const at = new Typist();
    await at.type("fix the 旧 test", key.ctrlW, key.ctrlW);
    expect(at.prompt.text).toBe("fix the ");
    await at.type(key.undo);
    expect(at.prompt.text).toBe("fix the 旧 ");
    await at.type(key.undo, key.undo);
    expect(at.prompt.text).toBe("fix the 旧");
  });

  test("[SU-3] up and down go by the rows that are seen, over a folded paste too", async () => {
    const at = new Typist({ past: ["earlier"] });
    at.paste("x\n".repeat(50));
    await at.type("word ".repeat(12));
    expect(at.seen().split("\n")).toHaveLength(3);
    await at.type(key.up);
    expect(at.seen()).toContain("▏");
    expect(at.prompt.text).not.toBe("earlier");
    await at.type(key.up);
    expect(at.prompt.text).toBe("earlier");
  });

  test("[SU-3] a text of another editor takes the place of what was there, and undo brings that back", async () => {
    const at = new Typist();
    await at.type("before");
    at.prompt.setText("one\r\n\ttwo\u0007");
    expect(at.prompt.text).toBe("one\n\ttwo\\u0007");
    await at.type(key.undo);
    expect(at.prompt.text).toBe("before");
  });
});
