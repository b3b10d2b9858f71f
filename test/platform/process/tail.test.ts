import { expect, test } from "bun:test";
import fc from "fast-check";
import { keepTail } from "../../../src/platform/process/tail.ts";

test("what is read piece by piece is the whole text when it fits, with no character cut in two", () => {
  const pieces = fc.array(fc.string({ unit: "grapheme", maxLength: 20 }), { maxLength: 12 });
  fc.assert(
    fc.property(pieces, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }), (texts, sizes) => {
      const bytes = new TextEncoder().encode(texts.join(""));
      const tail = keepTail(64 * 1024);
      let at = 0;
      let read = 0;
      let seen = "";
      for (let turn = 0; at < bytes.length; turn++) {
        const end = at + (sizes[turn % sizes.length] ?? 1);
        tail.add(bytes.subarray(at, end));
        at = end;
        const piece = tail.since(read, false);
        expect(piece.missing).toBe(0);
        seen += piece.text;
        read = piece.next;
      }
      expect(seen + tail.since(read, true).text).toBe(texts.join(""));
    }),
  );
});

test("of more than fits the newest bytes are kept, and it is said how many are missing", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: 64 }),
      fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 20 }),
      (room, sizes) => {
        const tail = keepTail(room);
        let all = "";
        for (const [turn, size] of sizes.entries()) {
          const text = String.fromCharCode(97 + (turn % 26)).repeat(size);
          tail.add(new TextEncoder().encode(text));
          all += text;
        }
        const { text, missing, next } = tail.since(0, true);
        expect({ text, missing, next }).toEqual({
          text: all.slice(-room),
          missing: Math.max(0, all.length - room),
          next: all.length,
        });
        expect(tail.since(next, true)).toEqual({ text: "", missing: 0, next });
      },
    ),
  );
});

test("a kept part that begins inside a character leaves its rest out, and counts it as missing", () => {
  const tail = keepTail(5);
  tail.add(new TextEncoder().encode("中文x"));
  expect(tail.since(0, true)).toEqual({ text: "文x", missing: 3, next: 7 });
  const other = keepTail(3);
  other.add(new TextEncoder().encode("中文x"));
  expect(other.since(0, true)).toEqual({ text: "x", missing: 6, next: 7 });
});

test("[TP-6] [SA-secrets] a kept part begins with a whole line, or else a whole word, and counts what it leaves out", () => {
  const token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("");
  for (let size = 2_000; size < 2_060; size++) {
    const tail = keepTail(2_048);
    const all = `start\nUSED=${token}\n${"y".repeat(size)}\n`;
    tail.add(new TextEncoder().encode(all));
    const { text, missing, next } = tail.since(0, true);
    expect({ all: all.slice(missing), next }).toEqual({ all: text, next: all.length });
    expect([size, /^(?:USED=|y)/.test(text) || text === all]).toEqual([size, true]);
    // Whoever has read so far gets the rest of what is left out neither.
    expect(tail.since(missing - 1, true).text).toBe(text);
  }
});
