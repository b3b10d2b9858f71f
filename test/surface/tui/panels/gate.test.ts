import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Gate } from "../../../../src/surface/tui/panels/gate.ts";

class Timed {
  time = 1000;
  asked = 0;
  hasAnswered = false;
  readonly gate = new Gate({
    ask: () => this.asked++,
    hasAnswered: () => this.hasAnswered,
    now: () => this.time,
  });

  /** A key after so many milliseconds; whether it counts. */
  key(after: number, key = "y"): boolean {
    this.time += after;
    this.gate.hear(key);
    return this.gate.isOpen;
  }

  answer(after: number): void {
    this.time += after;
    this.hasAnswered = true;
    expect(this.gate.hear("\x1b[0n")).toBe("answered");
  }
}

describe("keys pressed before a question could be seen", () => {
  test("[PO-6] do not count until the terminal has answered, and a quarter of a second has passed", () => {
    const timed = new Timed();
    timed.gate.close();
    expect(timed.asked).toBe(1);
    timed.answer(20);
    expect([timed.key(100), timed.key(129), timed.key(1), timed.key(120)]).toEqual([false, false, false, true]);
  });

  test("[PO-6] on a slow line they stand before the answer, however late that comes", () => {
    const timed = new Timed();
    timed.gate.close();
    timed.answer(10);
    timed.time += 5000;
    timed.gate.close();
    expect([timed.key(1000), timed.key(1000)]).toEqual([false, false]);
    timed.answer(10);
    expect(timed.key(200)).toBe(true);
  });

  test("[PO-6] a terminal that never answers is waited for 0.8 s, one that has lost an answer 3 s, and nobody is locked out", () => {
    const silent = new Timed();
    silent.gate.close();
    expect([silent.key(799), silent.key(100)]).toEqual([false, true]);
    const losing = new Timed();
    losing.gate.close();
    losing.answer(5);
    losing.gate.close();
    expect([losing.key(2900), losing.key(200)]).toEqual([false, true]);
    losing.time += 30_000;
    losing.gate.close();
    losing.answer(5);
    expect(losing.key(300)).toBe(true);
  });

  test("[PO-6] two questions in a row need two answers: that of the first says nothing of the second", () => {
    const timed = new Timed();
    timed.gate.close();
    timed.gate.close();
    timed.answer(5);
    expect(timed.key(400)).toBe(false);
    timed.answer(5);
    expect(timed.key(200)).toBe(true);
  });

  test("[PO-6] an answer that comes when its question is over, and the next one is asked, says nothing of that one", () => {
    const slow = new Timed();
    slow.hasAnswered = true;
    slow.gate.close();
    expect(slow.key(3100)).toBe(true);
    slow.gate.close();
    slow.answer(1000);
    expect([slow.key(300), slow.key(1000)]).toEqual([false, false]);
    slow.answer(10);
    expect(slow.key(300)).toBe(true);
  });

  test("[PO-6] a terminal that has answered anything is waited for, also with its first question", () => {
    const slow = new Timed();
    slow.hasAnswered = true;
    slow.gate.close();
    expect([slow.key(900), slow.key(1000)]).toEqual([false, false]);
    slow.answer(10);
    expect(slow.key(300)).toBe(true);
  });

  test("[PO-6] an answer that nobody asked for, and one that comes twice, are none to what is asked later", () => {
    const timed = new Timed();
    timed.answer(0);
    timed.answer(0);
    timed.gate.close();
    expect(timed.key(400)).toBe(false);
    timed.answer(1);
    timed.answer(1);
    timed.time += 300;
    timed.gate.close();
    expect(timed.key(400)).toBe(false);
    timed.answer(1);
    expect(timed.key(300)).toBe(true);
  });

  test("[PO-6] a burst that began before does not count to its end, nor does a key that is held down", () => {
    const burst = new Timed();
    burst.gate.close();
    burst.answer(1);
    expect([burst.key(240, "r"), burst.key(5, "y"), burst.key(5, "\r"), burst.key(50), burst.key(200)]).toEqual([
      ...[false, false, false, false, true],
    ]);
    const held = new Timed();
    held.gate.close();
    held.answer(1);
    const counts = Array.from({ length: 200 }, () => held.key(30));
    expect([counts.indexOf(true), held.key(120)]).toEqual([-1, true]);
    const pasted = new Timed();
    pasted.gate.close();
    pasted.answer(1);
    expect(Array.from({ length: 301 }, (_, n) => pasted.key(10, n % 2 ? "y" : "a")).indexOf(true)).toBe(299);
  });

  test("[PO-6] a key that counts is the first of its read: whatever is typed, none counts before its time", () => {
    const gaps = fc.array(fc.record({ gap: fc.integer({ min: 0, max: 300 }), key: fc.constantFrom("y", "a", "\r") }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 0, max: 600 }), (keys, answerAt) => {
        const timed = new Timed();
        timed.gate.close();
        let isAnswered = false;
        let last = Number.NEGATIVE_INFINITY;
        for (const { gap, key } of keys) {
          if (!isAnswered && timed.time + gap >= 1000 + answerAt) {
            timed.gate.hear("\x1b[0n");
            isAnswered = true;
          }
          const counts = timed.key(gap, key);
          const since = timed.time - 1000;
          if (counts) {
            expect(since).toBeGreaterThanOrEqual(isAnswered ? 250 : 800);
            if (since < 3000) expect(timed.time - last).toBeGreaterThanOrEqual(15);
            return;
          }
          last = timed.time;
        }
      }),
    );
  });

  test("[PO-6] whoever is writing a text goes on writing it: no key of it answers before a pause, however long it is", () => {
    const timed = new Timed();
    const type = (after: number): boolean => {
      const counts = timed.key(after, "a");
      timed.gate.typed(false);
      return counts;
    };
    type(0);
    timed.time += 200;
    timed.gate.close();
    timed.answer(1);
    expect(Array.from({ length: 30 }, () => type(260))).toEqual(Array.from({ length: 30 }, () => false));
    expect(timed.key(500)).toBe(true);
    timed.gate.typed(false);
    timed.gate.typed(true);
    timed.gate.close();
    timed.answer(1);
    expect(timed.key(260)).toBe(true);
  });

  test("[PO-6] nothing is asked and nothing held back while there is no question", () => {
    const timed = new Timed();
    expect([timed.key(0), timed.key(1), timed.asked]).toEqual([true, true, 0]);
    expect(timed.gate.hear("\x1b[0n")).toBe("answered");
  });
});
