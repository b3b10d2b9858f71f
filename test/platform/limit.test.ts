import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Clock, startLimit } from "../../src/platform/limit.ts";
import { type Late, limitCommand } from "../../src/platform/process/command-limit.ts";

/** Time that a test lets pass, in which the process may be stopped: then no timer fires until it goes on. */
class Time implements Clock {
  private at = 0;
  private readonly due = new Map<number, { readonly at: number; readonly work: () => void }>();
  private last = 0;

  readonly now = (): number => this.at;

  readonly after = (ms: number, work: () => void): (() => void) => {
    const id = ++this.last;
    this.due.set(id, { at: this.at + ms, work });
    return () => this.due.delete(id);
  };

  run(ms: number): void {
    const until = this.at + ms;
    for (;;) {
      const [id, next] = [...this.due].sort((one, other) => one[1].at - other[1].at)[0] ?? [];
      if (id === undefined || next === undefined || next.at > until) break;
      this.due.delete(id);
      this.at = Math.max(this.at, next.at);
      next.work();
    }
    this.at = until;
  }

  /** SIGSTOP, and SIGCONT so much later. */
  stop(ms: number): void {
    this.at += ms;
    this.run(0);
  }
}

describe("a limit", () => {
  test("[BR-4] ends when the process has run for so long, and not before", () => {
    const time = new Time();
    let ended = 0;
    startLimit(10_000, () => ended++, time);
    time.run(9_999);
    expect(ended).toBe(0);
    time.run(1);
    time.run(60_000);
    expect(ended).toBe(1);
  });

  test("[BR-4] does not count the time in which the process was stopped, and what is left of it neither", () => {
    const time = new Time();
    let ended = 0;
    const limit = startLimit(10_000, () => ended++, time);
    time.run(3_200);
    time.stop(3_600_000);
    expect(ended).toBe(0);
    expect(limit.left()).toBeGreaterThanOrEqual(6_000);
    time.run(limit.left());
    expect(ended).toBe(1);
  });

  test("[BR-4] leaves time after a stop to see what came meanwhile, also at its very end", () => {
    const time = new Time();
    let ended = 0;
    const limit = startLimit(1_000, () => ended++, time);
    time.run(900);
    time.stop(60_000);
    expect([ended, limit.left() > 0]).toEqual([0, true]);
    limit.renew(1_000);
    time.run(999);
    expect(ended).toBe(0);
    time.run(1);
    expect(ended).toBe(1);
  });

  test("[BR-4] is right within a second, however often and long the process is stopped, and stops when told", () => {
    const moments = fc.array(fc.tuple(fc.nat({ max: 3_000 }), fc.nat({ max: 100_000 })), { maxLength: 20 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30_000 }), moments, (ms, list) => {
        const time = new Time();
        let ran = 0;
        let endedAt: number | null = null;
        startLimit(
          ms,
          () => {
            endedAt ??= ran;
          },
          time,
        );
        for (const [running, stopped] of list) {
          for (let n = 0; n < running; n += 50) {
            ran += 50;
            time.run(50);
          }
          time.stop(stopped);
        }
        while (endedAt === null) {
          ran += 50;
          time.run(50);
        }
        // Each stop may hide up to one piece.
        expect(endedAt).toBeGreaterThanOrEqual(ms - 1_000 * list.length - 50);
        expect(endedAt).toBeLessThanOrEqual(ms + 1_000 * list.length + 50);
        const stopped = startLimit(ms, () => expect().fail("it was stopped"), time);
        stopped.stop();
        time.run(ms * 2);
      }),
    );
  });

  test("longer than any timer does not end at once", () => {
    const time = new Time();
    let ended = 0;
    startLimit(2 ** 40, () => ended++, time);
    time.run(86_400_000);
    expect(ended).toBe(0);
  });
});

describe("the limit of a command", () => {
  function limited(ms: number) {
    const time = new Time();
    const ends: Late[] = [];
    const command = { isPaused: false };
    const stop = limitCommand(
      ms,
      () => command.isPaused,
      (how) => ends.push(how),
      time,
    );
    return { time, ends, command, stop };
  }

  test("[BR-4] [TL-3] ends one that runs as late", () => {
    const { time, ends } = limited(10_000);
    time.run(10_000);
    expect(ends).toEqual(["timeout"]);
  });

  test("[BR-4] gives one that was stopped when it was over all of its time once it goes on", () => {
    const { time, ends, command } = limited(10_000);
    command.isPaused = true;
    time.run(14_000);
    command.isPaused = false;
    time.run(9_000);
    expect(ends).toEqual([]);
    time.run(3_000);
    expect(ends).toEqual(["timeout"]);
  });

  test("[BR-4] does not call one late that is stopped and never goes on, and does not wait for ever", () => {
    const { time, ends, command } = limited(10_000);
    command.isPaused = true;
    time.run(25_000);
    expect(ends).toEqual(["paused"]);
  });

  test("[BR-4] ends one that stops and continues itself all the time", () => {
    const { time, ends, command } = limited(5_000);
    for (let n = 0; n < 200 && ends.length === 0; n++) {
      command.isPaused = !command.isPaused;
      time.run(700);
    }
    expect(ends.length).toBe(1);
  });
});
