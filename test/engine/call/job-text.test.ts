import { expect, test } from "bun:test";
import fc from "fast-check";
import { newText, shownText } from "../../../src/engine/call/job-text.ts";

const key = `-----BEGIN PRIVATE KEY-----\n${"A1b2C3d4".repeat(8)}\n${"E5f6G7h8".repeat(8)}\n-----END PRIVATE KEY-----\n`;

test("what is new is all that was written since", () => {
  expect(newText("one\n", "one\ntwo\n", false)).toBe("two\n");
  expect(newText("", "one", false)).toBe("one");
  expect(newText("one", "one", false)).toBe("");
});

test("a key that is read in parts is in none of them, wherever the parts begin", () => {
  const raw = `before\n${key}after\n`;
  for (let cut = 0; cut <= raw.length; cut++) {
    const fresh = newText(raw.slice(0, cut), raw, false);
    // Once its end has been seen there is nothing of it left to tell.
    expect(/[A-H]\d[a-h]\d/.test(fresh)).toBe(false);
  }
});

test("a line that is drawn over is told again as it is now", () => {
  expect(newText("start\n10%\r", "start\n10%\r100%\r\n", true)).toBe("100%\n");
  expect(newText("\u001b[3", "\u001b[31mred\u001b[0m", true)).toBe("red");
});

test("plain text in pieces is the whole text, however it is cut", () => {
  const part = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é", "😀", "\t"), maxLength: 20 });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      let seen = "";
      const told = parts.map((one) => {
        const before = seen;
        seen += one;
        return newText(before, seen, false);
      });
      expect(told.join("")).toBe(shownText(seen, false));
    }),
  );
});

test("[TP-6] [SA-secrets] half a token at the end of what a job wrote so far is not told, and all of it is told as one secret", () => {
  const token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("");
  for (let cut = 10; cut < token.length; cut++) {
    const half = `start\nuse ${token.slice(0, cut)}`;
    expect(shownText(half, false)).toMatch(/^start\nuse \[REDACTED:[a-z-]+:[0-9a-f]{8}\]$/);
    expect(newText(half, `start\nuse ${token}\n`, false)).toMatch(/^use \[REDACTED:github-token:[0-9a-f]{8}\]\n$/);
  }
});
