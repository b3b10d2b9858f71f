import { beforeAll, describe, expect, test } from "bun:test";
import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import type { Published } from "../../../../src/engine/port.ts";
import { Screen } from "../../../../src/surface/tui/terminal/screen.ts";
import { Bench, type Seat } from "../../../support/engine.ts";
import { Emulator } from "../emulator.ts";
import { problemsIn, rowsOf, Telling } from "../telling.ts";

const command = "node --test";
const config = { workflow: { verify_commands: [command], verify_allowed: [command] } };
const source = (sign: string) => `exports.add = (a, b) => a ${sign} b;\nexports.one = () => 1;\n`;
const tests =
  'const { test } = require("node:test");\nconst assert = require("node:assert");\nconst { add } = require("./add.js");\n' +
  'test("adds", () => assert.strictEqual(add(2, 3), 5));\n';
const edit = (from: string, to: string) => ({
  tool: "edit",
  input: { path: "add.js", old_string: `a ${from} b`, new_string: `a ${to} b` },
});
const todos = (first: string) => ({
  tool: "todowrite",
  input: {
    todos: [
      { id: "1", content: "Look at add.js", status: first, priority: "high" },
      { id: "2", content: "Repair it", status: "pending", priority: "low" },
    ],
  },
});
const steps = [
  {
    ...{ thinking: "I look first.", text: "Let me **look** at alpha.\n\n- one\n- two\n", chunkChars: 5 },
    calls: [
      { tool: "read", input: { path: "add.js" } },
      { tool: "grep", input: { pattern: "add" } },
      todos("in_progress"),
    ],
  },
  { calls: [edit("-", "*"), { tool: "bash", input: { command: "seq 1 40; echo oops >&2; exit 3" } }] },
  { calls: [{ tool: "task", input: { kind: "explore", title: "look", prompt: "find the door" } }] },
  { text: "This is beta, done.\n\n```js\nconst x = 1;\n```\n\nBye.", chunkChars: 4, closeAfter: 2, times: 1 },
  { text: "Both are still to do." },
  { calls: [edit("*", "+"), { tool: "nosuch", input: { a: 1 } }, { tool: "read", input: { path: "gone" } }] },
  { text: "This is gamma: | a | b |\n|---|---|\n| 1 | 2 |" },
];
const diffs = {
  "r1/2/1": createTwoFilesPatch("a/add.js", "b/add.js", source("-"), source("*")),
  "r4/1/1": createTwoFilesPatch("a/add.js", "b/add.js", source("*"), source("+")),
  // All in all.
  t1: createTwoFilesPatch("a/add.js", "b/add.js", source("-"), source("+")),
};
const inner = [{ calls: [{ tool: "read", input: { path: "add.js" } }] }, { text: "delta: add.js:1" }];

let story: readonly Published[] = [];

async function tellStory(seat: Seat): Promise<void> {
  await seat.run("make add right\nplease");
  await seat.engine.runInput("/undo");
  await seat.engine.idle();
  await seat.run("!echo mine; exit 2");
  seat.engine.setMode("yolo");
  await seat.engine.runInput("wait");
  await seat.until((one) => one.kind === "output" && one.text.includes("waiting"));
  await seat.engine.runInput("one more thing", { delivery: "steer" });
  seat.engine.cancel("esc");
  await seat.engine.idle();
}

beforeAll(async () => {
  await using bench = new Bench([
    { when: "The job:", steps: inner },
    { when: "make add", steps },
    { when: "wait", steps: [{ calls: [{ tool: "bash", input: { command: "echo waiting; sleep 30" } }] }] },
  ]);
  bench.file("add.js", source("-"));
  bench.file("add.test.js", tests);
  const seat = bench.open({ mode: "yolo" }, { config, interactive: true });
  await tellStory(seat);
  story = [...seat.published];
});

/** What is said of times, and how a connection broke, is not the same twice. */
const steady = (text: string): string =>
  text
    .replace(/▲ .*(?:\n {2}.*)*/g, "▲ BROKEN")
    .replace(/\d+(?:\.\d)? (?:s|秒)(?!\p{L})/gu, "TIME")
    .replace(/(?: · | {2})TIME/g, "");

async function telling(options: ConstructorParameters<typeof Telling>[0], each = story): Promise<Telling> {
  const told = new Telling({ diffs, ...options });
  for (const published of each) {
    told.hear(published);
    expect(problemsIn(told.feed.live(12), told.width)).toEqual([]);
    expect(told.feed.live(5).length).toBeLessThanOrEqual(5);
    await told.settle();
  }
  return told;
}

describe("a whole session", () => {
  for (const [lang, width] of [
    ["en", 80],
    ["en", 40],
    ["zh", 60],
  ] as const)
    test(`[SU-3] [SU-4] reads like this, ${lang}, ${width} columns`, async () => {
      const told = await telling({ lang, width });
      expect(problemsIn(told.committed, width)).toEqual([]);
      expect(steady(told.text)).toMatchSnapshot();
      // A held note of the mode is all that may be left.
      expect(told.live().length).toBeLessThanOrEqual(1);
    });

  test("[SU-3] without colours says the same as with them", async () => {
    const coloured = new Telling({ diffs, isPlain: false });
    for (const published of story) {
      coloured.hear(published);
      await coloured.settle();
    }
    expect(coloured.text).toBe((await telling({ isPlain: true })).text);
  });

  test("[CAN-3] on a real screen it stands as it was told, the line that is too long for it too", async () => {
    const term = new Emulator(60, 14);
    const screen = new Screen(term);
    const told = new Telling({ width: 60, diffs });
    for (const published of story) {
      told.hear(published);
      const before = told.committed.length;
      await told.settle();
      screen.commit(told.committed.slice(before));
      screen.draw({ lines: [...told.feed.live(8), "> "], cursor: null });
    }
    screen.draw({ lines: [">"], cursor: null });
    expect((await term.lines()).join("\n")).toBe(`${told.text}\n>`);
  });

  test("[SU-3] [PS-3] told later, from its events alone, has the same replies, calls and ends, each once", async () => {
    const live = await telling({});
    const past = new Telling({ diffs });
    past.feed.past(
      story.flatMap((one) => (one.kind === "event" ? [one.recorded] : [])),
      1,
    );
    for (let turn = 0; turn < 30; turn++) await past.settle();
    const told = (text: string): readonly string[] =>
      steady(text)
        .split("\n")
        .filter((line) => !/^(?:∴|▲| {2}complete:| {2}The reply above|This is beta|js$|◦ mode|$)/.test(line));
    expect(told(past.text)).toEqual(told(live.text));
    for (const word of ["alpha", "beta", "gamma"]) expect(past.text.split(word).length - 1).toBe(1);
  });
});

describe("whatever arrives", () => {
  const width = fc.integer({ min: 20, max: 100 });
  const check = async (told: Telling): Promise<void> => {
    expect(problemsIn(told.committed, 100)).toEqual([]);
    for (const detail of told.feed.details()) {
      expect(problemsIn([detail.title], 4_000)).toEqual([]);
      expect(problemsIn(rowsOf(detail, 40), 40)).toEqual([]);
    }
  };

  test("[SU-3] in any order, doubled or with pieces missing, it never throws and every line is fit to be shown", async () => {
    const orders = fc.array(fc.nat(), { minLength: 5, maxLength: 150 });
    await fc.assert(
      fc.asyncProperty(orders, width, fc.integer({ min: 0, max: 15 }), async (order, columns, room) => {
        const told = new Telling({ width: columns, diffs });
        for (const [n, at] of order.entries()) {
          const published = story[at % story.length];
          if (published) told.hear(published);
          const live = told.feed.live(room);
          expect(problemsIn(live, columns)).toEqual([]);
          expect(live.length).toBeLessThanOrEqual(room);
          if (n % 3 === 0) told.take();
        }
        await told.settle();
        expect(problemsIn(told.committed, columns)).toEqual([]);
        await check(told);
      }),
      { numRuns: 150 },
    );
  });

  test("[SU-3] in order, but taken and resized at any time, every reply is shown exactly once", async () => {
    const moments = fc.array(fc.record({ take: fc.boolean(), width }), { minLength: 3, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(moments, async (when) => {
        const told = new Telling({ diffs });
        for (const [n, published] of story.entries()) {
          const { take, width: columns } = when[n % when.length] ?? { take: true, width: 80 };
          told.width = columns;
          told.hear(published);
          expect(problemsIn(told.feed.live(10), columns)).toEqual([]);
          if (!take) continue;
          const before = told.committed.length;
          told.take();
          expect(problemsIn(told.committed.slice(before), columns)).toEqual([]);
        }
        await told.settle();
        for (const word of ["alpha", "gamma", "VERIFIED", "Cancelled by ESC"])
          expect([word, told.text.split(word).length - 1]).toEqual([word, 1]);
        // Its first attempt broke: what of it was committed by then stays, and no more.
        const beta = told.text.split("beta").length - 1;
        expect([1, 2]).toContain(beta);
        if (beta === 2) expect(told.text.replace(/\s+/g, " ")).toContain("does not count");
      }),
      { numRuns: 25 },
    );
  });

  test("[SU-3] [SA-terminal-escapes] whatever stands in any of its texts, nothing of it reaches the terminal as a code", async () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        ...[
          "\u001b[2J",
          "\u001b]0;t\u0007",
          "\u001b[31m",
          "\u001b",
          "\u009b5n",
          "\u0000",
          "\r",
          "\n",
          "\t",
          "\u202e",
          "\u0007",
        ],
        ...[
          "\u001b]8;;http://x\u0007",
          "\u2028",
          "\ud83d",
          "\ufe0f",
          "中",
          "😀",
          "a",
          " ",
          "`",
          "|",
          "[x](http://y",
          "{it}",
          "$&",
        ],
      ),
      minLength: 1,
      maxLength: 12,
    });
    const names =
      /^(?:text|output|stdout|stderr|path|command|content|title|thinking|reason|summary|error|test|file|suggestion|why|question|prompt|pattern|words|old_string|new_string|a|names|detail|context|blocked|source)$/;
    const spoiled = (value: unknown, hostile: string, name = ""): unknown => {
      if (typeof value === "string") return names.test(name) ? `${hostile}${value}${hostile}` : value;
      if (Array.isArray(value)) return value.map((one) => spoiled(one, hostile, name));
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spoiled(one, hostile, key)]));
    };
    const listed = story.findLast((one) => one.kind === "event" && one.state.task.phase === "EXECUTING");
    if (listed?.kind !== "event") throw new Error("no task ran");
    await fc.assert(
      fc.asyncProperty(nasty, width, async (hostile, columns) => {
        const entries = Object.entries(diffs).map(([id, diff]) => [
          id,
          diff.replaceAll("exports", `${hostile}exports`),
        ]);
        const told = new Telling({ width: columns, diffs: Object.fromEntries(entries) });
        const state = spoiled(listed.state, hostile);
        for (const published of story) {
          const bare = "state" in published ? { ...published, state: null } : published;
          told.hear({ ...(spoiled(bare, hostile) as object), ...("state" in published ? { state } : {}) } as Published);
          expect(problemsIn(told.feed.live(10), columns)).toEqual([]);
          told.take();
        }
        await told.settle();
        expect(problemsIn(told.committed, columns)).toEqual([]);
        await check(told);
      }),
      { numRuns: 30 },
    );
  });

  test("[SU-3] only the newest of what has more to it are kept", () => {
    const told = new Telling();
    for (let round = 0; round < 30; round++) {
      told.hear(...story);
      told.take();
    }
    expect(told.feed.details().length).toBeLessThanOrEqual(60);
  });
});
