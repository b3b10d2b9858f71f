// Tests wait for events, never for time: a pause that is long enough on one machine is too short on a busy one.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { growsEvenly } from "./support/cpu.ts";
import { longEnough, until } from "./support/until.ts";

const root = join(import.meta.dir, "..");

/** Whatever sleeps, or measures time that passes elsewhere too. */
const clocks = [
  /\bBun\.sleep(?:Sync)?\((?!0\))/,
  /\bset(?:Timeout|Interval)\((?!.*, 0\))/,
  /\b(?:performance|Date)\.now\(\)/,
  /\bAbortSignal\.timeout\(/,
  /\bsleep 0?\.\d/,
];

const pollsOutside = "a command or a program of its own that polls for an event, and cannot use `until`";
const fileTimes = "times of files have to lie apart or in the past, as a real clock gives them";
const anyMoment = "it chooses the moment of a disturbance; any moment is right";
const slowPeer = "the speed of a peer: nothing depends on how slow it is";
const atLeast = "it waits longer than a time of coder's that has begun before; more does no harm";
const longSleep = "a process that lives until it is ended, and for a few minutes at most";
const stamps = "a time that was stored is compared with the clock before and after it";
const budget = "the time of a task is its subject, and is lengthened until the machine keeps up with it";

/** How many lines of a file may do so, and why. Fewer are reported too, so that nothing is left here that is not needed any more. */
const allowed: Readonly<Record<string, readonly [lines: number, why: string]>> = {
  "test/engine/call/move-job.test.ts": [2, anyMoment],
  "test/engine/call/shown-files.test.ts": [1, fileTimes],
  "test/engine/check/old-failures-crash.test.ts": [1, longSleep],
  "test/engine/loop/live-output.test.ts": [
    6,
    "pieces are counted against the time that they took; a reader is slow; stamps have a distance",
  ],
  "test/engine/loopback.test.ts": [1, pollsOutside],
  "test/engine/planning.test.ts": [1, budget],
  "test/engine/question/model-fallback.test.ts": [1, budget],
  "test/engine/recovery.test.ts": [1, budget],
  "test/engine/undo/rewind.test.ts": [1, "a command that still runs when a message is queued behind it"],
  "test/index/map.test.ts": [2, fileTimes],
  "test/index/search.test.ts": [2, "work that takes at least so long"],
  "test/index/update/update.test.ts": [2, fileTimes],
  "test/long/outage.test.ts": [4, "outages of a minute, in the long run alone"],
  "test/main/command/undo-all.test.ts": [1, anyMoment],
  "test/mechanic/engine.test.ts": [2, pollsOutside],
  "test/model/wire/pieces.test.ts": [2, slowPeer],
  "test/model/wire/silence-and-cancel.test.ts": [2, slowPeer],
  "test/platform/changes/content.test.ts": [1, fileTimes],
  "test/platform/changes/ground.ts": [1, fileTimes],
  "test/platform/changes/look-limits.test.ts": [6, fileTimes],
  "test/platform/changes/look.test.ts": [3, fileTimes],
  "test/platform/files/containment-race.test.ts": [1, anyMoment],
  "test/platform/presence.test.ts": [1, longSleep],
  "test/platform/process/job.test.ts": [3, pollsOutside],
  "test/platform/process/shell.test.ts": [1, pollsOutside],
  "test/platform/process/tree.test.ts": [
    6,
    "children that end at once, or one after the other for a minute; one is looked at without an event loop",
  ],
  "test/platform/sandbox/linux/loopback.test.ts": [1, pollsOutside],
  "test/surface/tui/scene-transcript.test.ts": [1, pollsOutside],
  "test/scripts/launch.test.ts": [
    2,
    "a second signal would come within the pause; a lock is held for so long that others come",
  ],
  "test/scripts/launcher.test.ts": [1, longSleep],
  "test/scripts/test-run.test.ts": [1, pollsOutside],
  "test/store/lease.test.ts": [3, stamps],
  "test/store/remove.test.ts": [1, anyMoment],
  "test/store/sessions.test.ts": [3, stamps],
  "test/store/snapshot.test.ts": [2, `${fileTimes}; ${anyMoment}`],
  "test/support/pty.ts": [6, `${atLeast}; a process that was left behind holds the terminal`],
  "test/support/sandbox-runner.ts": [1, "it looks whether its parent is still there"],
  "test/support/scripted-server.ts": [1, slowPeer],
  "test/support/shell.ts": [1, pollsOutside],
  "test/support/tmux.ts": [1, atLeast],
  "test/support/until.ts": [2, "the poll itself, and its limit outside of tests"],
  "test/support/wire/attack-server.ts": [2, slowPeer],
  "test/support/wire/run.ts": [1, "the limit of what hangs, also outside of tests"],
  "test/surface/headless/policy-check.test.ts": [1, pollsOutside],
  "test/surface/headless/signals.test.ts": [2, `a signal is repeated until it has an effect; ${longSleep}`],
  "test/surface/tui/blocks/reply.test.ts": [1, "the day is set to yesterday"],
  "test/surface/tui/life-answers.test.ts": [1, slowPeer],
  "test/surface/tui/life-gone.test.ts": [1, longSleep],
  "test/surface/tui/life-killed.test.ts": [1, anyMoment],
  "test/surface/tui/life-notice.test.ts": [
    1,
    "five seconds in which nothing happens are looked for until there are some",
  ],
  "test/surface/tui/life-plain.test.ts": [1, atLeast],
  "test/surface/tui/life-suspend.test.ts": [1, pollsOutside],
  "test/surface/tui/life-terminals.test.ts": [
    4,
    "output piles up behind a terminal that takes nothing; less of it is easier",
  ],
  "test/surface/tui/life-tmux.test.ts": [1, slowPeer],
  "test/surface/tui/scene-hostile.test.ts": [1, slowPeer],
  "test/surface/tui/scene-resize.test.ts": [1, slowPeer],
  "test/tool/peak.ts": [1, anyMoment],
  "test/tool/undo/undo-kill.test.ts": [1, anyMoment],
  "test/torture/checked-task.ts": [1, anyMoment],
  "test/torture/handed-task.ts": [1, anyMoment],
  "test/torture/life.ts": [5, anyMoment],
  "test/torture/looked-task.ts": [1, anyMoment],
  "test/torture/main.ts": [2, "its summary says how long it took"],
  "test/torture/task.ts": [2, anyMoment],
  "test/torture/together.ts": [3, anyMoment],
  "test/verify/result/reports.test.ts": [1, fileTimes],
};

interface Source {
  readonly path: string;
  readonly text: string;
}

function clockLines({ text }: Source): readonly string[] {
  return text
    .split("\n")
    .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && clocks.some((clock) => clock.test(line)));
}

/** Files whose lines with clocks are not those that are allowed to them. */
function unexpected(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => {
    const lines = clockLines(source);
    const [count = 0] = allowed[source.path] ?? [];
    if (lines.length === count) return [];
    return [`${source.path} has ${lines.length} lines with a clock instead of ${count}:\n${lines.join("\n")}`];
  });
}

/** Limits of tests only end what hangs: none is so short that a busy machine reaches it. */
function shortLimits({ path, text }: Source): readonly string[] {
  const limits = [...text.matchAll(/^ *\}, ([0-9][0-9_]*)\);$|^const limit = ([0-9_]+);$/gm)];
  return (
    limits
      .map(([, inline, named]) => Number((inline ?? named ?? "").replaceAll("_", "")))
      // Fewer end something else: an interval, or a number of things.
      .filter((ms) => ms >= 1_000 && ms < 120_000)
      .map((ms) => `${path} limits a test to ${ms} ms`)
  );
}

const own = "test/waiting.test.ts";
const sources: readonly Source[] = [...new Bun.Glob("test/**/*.ts").scanSync({ cwd: root })]
  .sort()
  .filter((path) => path !== own)
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

test("no test waits for time to pass, but for those that are listed with a reason", () => {
  expect(unexpected(sources)).toEqual([]);
  const paths = new Set(sources.map(({ path }) => path));
  expect(Object.keys(allowed).filter((path) => !paths.has(path))).toEqual([]);
});

test("a planted sleep is found, and one in a comment or of no time is not", () => {
  const planted = [
    "await Bun.sleep(50);",
    "setTimeout(look, 20);",
    'run("sleep 0.2; look");',
    "expect(performance.now() - began)",
  ];
  const harmless = ["// Bun.sleep(50)", "await Bun.sleep(0);", "setTimeout(() => look(1), 0);", 'run("sleep 60")'];
  const found = (lines: readonly string[]) =>
    lines.map((text) => unexpected([{ path: "test/a.test.ts", text }]).length);
  expect([found(planted), found(harmless)]).toEqual([planted.map(() => 1), harmless.map(() => 0)]);
});

test("no test has a limit that a busy machine reaches", () => {
  expect(sources.flatMap(shortLimits)).toEqual([]);
  expect(shortLimits({ path: "a", text: "test('x', () => {\n}, 5_000);\n" })).toEqual(["a limits a test to 5000 ms"]);
});

test("a condition is waited for until it holds, and a time limit is lengthened until it is long enough", async () => {
  let looks = 0;
  await until("the third look", () => ++looks === 3);
  expect(looks).toBe(3);
  const tried: number[] = [];
  const outcome = await longEnough(
    10,
    async (ms) => tried.push(ms),
    (count) => count === 3,
  );
  expect([outcome, tried]).toEqual([3, [10, 20, 40]]);
  expect(
    await longEnough(
      1,
      async (ms) => ms,
      () => false,
    ),
  ).toBe(32);
});

test("work that grows with its input is told from work that grows with the square of it", async () => {
  let sum = 0;
  const spend = (steps: number): void => {
    for (let n = 0; n < steps; n++) sum += Math.sqrt(n);
  };
  expect(await growsEvenly((scale) => spend(1_000_000 * scale))).toBe(true);
  expect(await growsEvenly((scale) => spend(1_000_000 * scale * scale))).toBe(false);
  expect(sum).toBeGreaterThan(0);
});
