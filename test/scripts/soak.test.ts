import { expect, test } from "bun:test";
import { judge } from "../../scripts/soak/judge.ts";
import { kinds } from "../../scripts/soak/kinds.ts";
import { soak } from "../../scripts/soak/run.ts";
import type { Sample } from "../../scripts/soak/sample.ts";
import { builtBinary } from "../support/binary.ts";

const shortSeconds = 8;

test.skipIf(process.platform !== "linux")(
  "one process that runs task after task leaves no files, threads or children behind, and the database grows by its events only",
  async () => {
    const soaked = await soak({ argv: builtBinary(), seconds: shortSeconds, everySeconds: 0.1 });
    expect(soaked.problems).toEqual([]);
    expect(judge(soaked.samples).filter(({ ok }) => !ok)).toEqual([]);
    const always = kinds.filter(({ needs }) => needs === undefined).map(({ name }) => name);
    expect(Object.keys(soaked.counts)).toEqual(expect.arrayContaining(always));
  },
  180_000,
);

/** Half an hour, a sample every 9 s; `more` says what differs at time t in [0, 1]. */
function made(more: (t: number) => Partial<Sample>, minutes = 30): readonly Sample[] {
  return Array.from({ length: 200 }, (_, at) => {
    const t = at / 199;
    const tasks = Math.round(t * 1_000);
    return {
      seconds: t * minutes * 60,
      tasks,
      events: tasks * 20,
      // As a real heap: up and down, but not away.
      rssMiB: 110 + 8 * Math.sin(at),
      threads: 9,
      fds: 11 + (at % 7 === 0 ? 1 : 0),
      children: 0,
      dbBytes: tasks * 30_000,
      walBytes: 4_300_000,
      coderBytes: tasks * 9_000,
      sessions: 1 + Math.floor(tasks / 30),
      ...more(t),
    };
  });
}

const failed = (samples: readonly Sample[]): readonly string[] =>
  judge(samples)
    .filter(({ ok }) => !ok)
    .map(({ what }) => what);

test("a flat soak passes, and growth during the warm-up does not count", () => {
  expect(failed(made(() => ({})))).toEqual([]);
  expect(failed(made((t) => (t < 0.08 ? { rssMiB: 40, fds: 4 } : {})))).toEqual([]);
});

test("each kind of growth fails by its own name", () => {
  const planted: Readonly<Record<string, (t: number) => Partial<Sample>>> = {
    "memory growth, MiB": (t) => ({ rssMiB: 110 + 16 * t }),
    "memory peak, MiB": (t) => (Math.abs(t - 0.5) < 0.003 ? { rssMiB: 1_000 } : {}),
    "open files growth": (t) => ({ fds: 11 + Math.floor(t * 4) }),
    "threads growth": (t) => ({ threads: 9 + Math.floor(t * 4) }),
    "child processes between tasks": (t) => ({ children: t === 1 ? 1 : 0 }),
    "write-ahead log, MiB": (t) => (t === 1 ? { walBytes: 20 * 2 ** 20 } : {}),
    "database bytes per event": (t) => ({ dbBytes: 30_000_000 * (t + t * t) }),
    ".coder bytes per task": (t) => ({ coderBytes: 9_000_000 * (t + t * t) }),
  };
  for (const [what, more] of Object.entries(planted)) expect(failed(made(more))).toEqual([what]);
});

test("too few samples are a failure, and in a short soak the heap may still grow", () => {
  expect(failed(made(() => ({})).slice(0, 3))).toEqual(["samples"]);
  expect(failed(made((t) => ({ rssMiB: 60 + 60 * t }), 1))).toEqual([]);
});
