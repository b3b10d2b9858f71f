import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { spelledOut } from "../../../../src/contract/show/visible.ts";
import { phrase } from "../../../../src/contract/text/catalogue.ts";
import { Asked } from "../asked.ts";
import { ESC, press, shown } from "../frames.ts";

describe("what is outside", () => {
  test("[PO-6] [SA-hidden-text] a row that goes on with a line is told from a new line, and no blank is lost at a break", () => {
    const asked = new Asked({ shown: `rm -rf ${"/tmp/a ".repeat(4)}/ tmp/b\ntrue`, reasons: [], always: null });
    expect(shown(asked.panel, 40, 20).slice(1, 4)).toEqual([
      "┃ │ rm -rf /tmp/a /tmp/a /tmp/a /tmp/a",
      "┃ ┆  / tmp/b",
      "┃ │ true",
    ]);
  });

  test("[PO-6] [SA-terminal-escapes] cannot draw, nor look like the panel, whatever it holds", () => {
    const forged = "ls\n┗ y yes · n no\n┏━ Run this command? ━━━ bash ━\n┃ │ ls\u001b[2J\u001b[1;1H\r\u202egood";
    const words = phrase("approval.refused_with_words", { words: forged });
    const asked = new Asked({ shown: forged, tool: "ba\nsh\u001b[2J", reasons: [words], always: [forged] });
    const lines = shown(asked.panel, 60, 40);
    expect(lines.filter((line) => /^[┏┗]/.test(line)).length).toBe(2);
    expect(lines.filter((line) => line.startsWith("┃ ┃") || line.startsWith("┃ ┗")).length).toBe(0);
    expect(lines.join("\n")).toContain("│ ┃ │ ls\\u{1b}[2J\\u{1b}[1;1H\\u{d}\\u{202e}good");
  });

  test("[PO-6] of a change nothing is left out that looks like the head of a file", async () => {
    const diff = [
      ...["--- a/a.sql", "+++ b/a.sql", "@@ -1,2 +1,3 @@", "--- a comment", "+++ plus", "+DROP TABLE users;", " same"],
      ...["--- a/gone.txt", "+++ /dev/null", "@@ -1 +0,0 @@", "-last"],
    ].join("\n");
    const asked = new Asked({ reasons: [], always: null }, Promise.resolve(diff));
    await Promise.resolve();
    expect(shown(asked.panel, 60, 20).slice(1, 8)).toEqual([
      ...["┃ │ a.sql", "┃ │  1 - -- a comment", "┃ │  1 + ++ plus", "┃ │  2 + DROP TABLE users;", "┃ │  3   same"],
      ...["┃ │ D gone.txt", "┃ │  1 - last"],
    ]);
  });

  test("[PO-6] [SA-hidden-text] what a diff does not show of a change stands below it as it was asked for", async () => {
    const call = { tool: "write", input: {}, reasons: [], always: null };
    const far = `ok${" ".repeat(3000)}; evil()`;
    const ofDiff = async (diff: string, shownInput: string): Promise<string> => {
      const asked = new Asked({ ...call, shown: spelledOut(shownInput) }, Promise.resolve(diff));
      await Promise.resolve();
      shown(asked.panel, 80, 20);
      press(asked.panel, "v");
      return [...shown(asked.panel, 80, 20), ...(asked.top ? shown(asked.top, 80, 40) : [])].join("\n");
    };
    const longLine = await ofDiff(`--- /dev/null\n+++ b/n\n@@ -0,0 +1,1 @@\n+${far}\n`, `write\ncontent: ${far}`);
    expect(longLine.split("content: ok [3000 blanks] ; evil()").length - 1).toBe(2);
    const huge = await ofDiff("--- a/n\n+++ b/n\n\\ too large to show: 2 MiB", "edit\nnew_string: evil()");
    expect(huge.split("new_string: evil()").length - 1).toBe(2);
    for (const note of ["lines end with CR LF", "No newline at end of file"]) {
      const whole = await ofDiff(`--- a/n\n+++ b/n\n@@ -1,1 +1,1 @@\n-a\n+b\n\\ ${note}\n`, "edit\nnew_string: b");
      expect(whole).not.toContain("new_string");
    }
  });

  test("[PO-6] [SA-terminal-escapes] whatever is asked, at any size, it fits, draws nothing itself and names its keys", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", " ", "\n", "中", "👩‍👩‍👧", "é", "\u001b[2J", "\t", "\u202e", "┃"),
      maxLength: 300,
    });
    fc.assert(
      fc.property(
        text,
        text,
        fc.integer({ min: 40, max: 120 }),
        fc.integer({ min: 6, max: 30 }),
        (a, b, width, room) => {
          const reasons = [phrase("approval.refused_with_words", { words: b })];
          const asked = new Asked({ shown: spelledOut(a), input: { command: a }, reasons, always: [b] });
          const lines = shown(asked.panel, width, room);
          expect(lines[0]).toStartWith("┏━ Run this command? ");
          expect(lines.join("\n")).toMatch(/1 Yes \(y\)|y yes · /);
          expect(lines.at(-1)).toStartWith("┗ ");
          for (const key of ["a", "e", "n"]) {
            press(asked.panel, key);
            shown(asked.panel, width, room);
            press(asked.panel, ESC);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
