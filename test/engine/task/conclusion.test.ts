// How a task ended is told in five places, and they never contradict one another.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Event } from "../../../src/contract/event.ts";
import { noUsage } from "../../../src/contract/message.ts";
import type { TaskSummary } from "../../../src/contract/task.ts";
import { summarize } from "../../../src/engine/task/summary.ts";
import { HistoryFold } from "../../../src/machine/history/history.ts";
import { reduce } from "../../../src/machine/session.ts";
import { emptySession, type SessionState, type TaskState } from "../../../src/machine/state.ts";
import { endingLines } from "../../../src/surface/headless/ending.ts";
import { OutcomeBlock } from "../../../src/surface/tui/blocks/outcome.ts";
import { themeOf } from "../../../src/surface/tui/terminal/theme.ts";
import { change } from "../../machine/make.ts";
import { holds } from "../../machine/property.ts";
import { World } from "../../machine/world.ts";
import { Bench, type Seat } from "../../support/engine.ts";
import { commitAll } from "../../support/repository.ts";

type Summarizing = Extract<TaskState, { phase: "SUMMARIZING" }>;
interface End {
  readonly state: SessionState;
  readonly at: Summarizing;
  readonly summary: TaskSummary;
  /** Calls of the model's that were not allowed, and never were. */
  readonly isDenied: boolean;
}

/** Whether a call has changed something is no matter of the machines: here it follows from its id. */
function played(event: Event): Event {
  if (event.type !== "tool.settled" || event.result.status !== "done" || !event.callId.endsWith("/2")) return event;
  return { ...event, result: { ...event.result, changes: [change] } };
}

function endsOf(tape: Uint8Array): readonly End[] {
  const history = new HistoryFold();
  let state = emptySession;
  const ends: End[] = [];
  for (const event of new World(tape).play().finish().log.map(played)) {
    if (event.type === "task.summarized" && state.task.phase === "SUMMARIZING") {
      const summary = summarize(state.task, history.task, state, "en");
      const isDenied = history.task?.troubles.some(({ status }) => status === "denied") === true;
      ends.push({ state, at: state.task, summary, isDenied });
    }
    state = reduce(state, event).state;
    history.apply(event);
  }
  return ends;
}

const word = /^(VERIFIED|UNVERIFIED|FAILED)\b/;
const look = { theme: themeOf("terminal", true), lang: "en", width: () => 200 } as const;

/** The word for the outcome, wherever a line begins with one. */
function wordsIn(lines: readonly string[]): readonly string[] {
  return [...new Set(lines.flatMap((line) => word.exec(Bun.stripANSI(line))?.[1] ?? []))];
}

function textOf({ at, state, summary }: End): readonly string[] {
  const { outcome, stop_reason, exit_code } = summary;
  const result = {
    ...{ type: "result" as const, session_id: state.id, task_id: at.task.id, text: "", command: null, error: null },
    ...{ usage: noUsage, returned_input: [], duration_ms: 0, outcome, stop_reason, exit_code, summary },
  } as const;
  const { error, note } = at.end;
  return endingLines({ result, error, note, structured: null, cancelled: at.cancelled, isShell: false }, "en");
}

function cardOf({ at, summary }: End): readonly string[] {
  const { error, note } = at.end;
  const seen = { ms: 0, usage: noUsage, cost: null, edits: new Map(), error, note };
  const ended = { taskId: at.task.id, kind: at.task.input.kind, summary, ...seen };
  return new OutcomeBlock(ended, { look, now: () => 0, diffs: null }).take();
}

function agree(end: End): void {
  const { at, summary, isDenied } = end;
  const { outcome, stop_reason: stop, exit_code: exit, verification, changed_files: files, risks } = summary;
  const { checks, input, limits } = at.task;
  const isTask = input.kind === "task";
  expect([verification.status === "pass", outcome === "VERIFIED"]).toEqual(
    outcome === "VERIFIED" ? [true, true] : [false, false],
  );
  if (verification.status === "fail") expect(checks?.kind).toBe("fail");
  if (outcome === "VERIFIED") expect([exit, stop, checks?.kind]).toEqual([isTask ? 0 : exit, "COMPLETED", "pass"]);
  if (isTask && outcome === "UNVERIFIED") expect([0, 3]).toContain(exit);
  if (isTask && outcome === "FAILED") expect([0, 3]).not.toContain(exit);
  if (isTask) expect(stop === "DENIED").toBe(exit === 4);
  // A denial ends a task that nothing came of, or whose plan cannot go on.
  if (isTask && stop === "DENIED" && at.end.stop === "COMPLETED") expect(files).toEqual([]);
  if (isTask && limits.endsByFacts && isDenied) expect(risks.join("\n")).toContain("Not allowed, so not done");
  if (checks?.kind === "pass") expect(risks.join("\n")).not.toContain("not checked by any test run");
  const text = textOf(end);
  if (isTask && stop !== "CANCELLED") expect(wordsIn(cardOf(end)).filter((one) => one !== outcome)).toEqual([]);
  expect(wordsIn(text).filter((one) => one !== outcome)).toEqual([]);
  if (files.length > 0) expect(wordsIn(text)).toEqual([outcome]);
}

const tapes = fc.uint8Array({ minLength: 1, maxLength: 200, size: "max" });

test("[VF-7] [SM-9] [SU-2] whatever happened, the card, the text, the JSON, the risks and the exit code say the same", () => {
  holds(
    "one conclusion",
    fc.property(tapes, (tape) => {
      for (const end of endsOf(tape)) agree(end);
    }),
  );
}, 600_000);

test("[VF-7] the logs that this is tried on end in every way, also verified with a call that was not allowed", () => {
  const seen = new Set<string>();
  for (const tape of fc.sample(tapes, { seed: 3, numRuns: 4_000 })) {
    for (const { summary } of endsOf(tape)) {
      seen.add(summary.outcome).add(summary.stop_reason);
      const isDenied = summary.risks.some((risk) => risk.startsWith("Not allowed"));
      if (isDenied) seen.add(`${summary.outcome}, denied`);
    }
  }
  const ways = ["VERIFIED", "UNVERIFIED", "FAILED", "COMPLETED", "DENIED", "BLOCKED", "CANCELLED", "VERIFIED, denied"];
  expect(ways.filter((one) => !seen.has(one))).toEqual([]);
});

const command = "node --test";
const config = { workflow: { verify_commands: [command], verify_allowed: [command] } };
const edit = (from: string, to: string) => ({
  calls: [{ tool: "edit", input: { path: "add.js", old_string: `a ${from} b`, new_string: `a ${to} b` } }],
});
const denied = { calls: [{ tool: "bash", input: { command: "curl http://127.0.0.1:1/x" } }] };
const read = { calls: [{ tool: "read", input: { path: "add.js" } }] };
const done = { text: "done" };
const summaryOf = (seat: Seat) => seat.last("task.summarized").summary;

function project(bench: Bench): void {
  bench.file("add.js", "exports.add = (a, b) => a - b;\n");
  bench.file(
    "add.test.js",
    'const { test } = require("node:test");\ntest("adds", () => require("node:assert").strictEqual(require("./add.js").add(2, 3), 5));\n',
  );
}

describe("a call that was not allowed", () => {
  test("[VF-7] [SU-2] does not make finished, checked work fail, wherever it came, and is named as a risk", async () => {
    for (const steps of [
      [denied, read, edit("-", "+"), done],
      [read, edit("-", "+"), denied, done],
      [read, edit("-", "+"), denied, read, done],
    ]) {
      await using bench = new Bench(steps);
      project(bench);
      const seat = bench.open({ mode: "auto-edit", deny: ["bash(curl *)"] }, { config });
      await seat.run("make add right");
      const { outcome, exit_code, stop_reason, risks, verification } = summaryOf(seat);
      expect([outcome, exit_code, stop_reason, verification.status]).toEqual(["VERIFIED", 0, "COMPLETED", "pass"]);
      expect(risks).toEqual(["Not allowed, so not done: bash curl http://127.0.0.1:1/x"]);
    }
  });

  test("[SU-2] [VF-7] is what ended a task that nothing came of, and the task can go on from there", async () => {
    await using bench = new Bench([denied, done, done]);
    project(bench);
    const seat = bench.open({ mode: "auto-edit", deny: ["bash(curl *)"] });
    await seat.run("download the list of names");
    const { outcome, exit_code, stop_reason } = summaryOf(seat);
    expect([outcome, exit_code, stop_reason]).toEqual(["FAILED", 4, "DENIED"]);
    expect(seat.engine.state().stopped?.end.stop).toBe("DENIED");
  });

  test("[SU-2] [VF-7] does not keep a question from being answered another way", async () => {
    await using bench = new Bench([denied, read, { text: "It subtracts." }]);
    project(bench);
    const seat = bench.open({ mode: "auto-edit", deny: ["bash(curl *)"] });
    await seat.run("what does add.js do?");
    const { outcome, exit_code, stop_reason, risks } = summaryOf(seat);
    expect([outcome, exit_code, stop_reason]).toEqual(["UNVERIFIED", 0, "COMPLETED"]);
    expect(risks.join()).toContain("curl");
  });
});

describe("the risks", () => {
  const risksAfter = async (steps: readonly object[], flags: object = {}): Promise<TaskSummary> => {
    await using bench = new Bench(steps as never);
    project(bench);
    const seat = bench.open({ mode: "auto-edit", ...flags }, { config });
    await seat.run("make add right");
    return summaryOf(seat);
  };
  const test_ = { calls: [{ tool: "bash", input: { command } }] };
  const diagnostics = { calls: [{ tool: "diagnostics", input: {} }] };

  test("[VF-7] what was not allowed, or failed, and was then run as the check, is none", async () => {
    const { outcome, risks } = await risksAfter([test_, diagnostics, read, edit("-", "+"), done]);
    expect([outcome, risks]).toEqual(["VERIFIED", []]);
  });

  test("[SM-9] [VF-7] a tool that is not there and a file that is not found are none; a command that failed is", async () => {
    const wrong = { calls: [{ tool: "str_replace", input: { path: "add.js" } }] };
    const missing = { calls: [{ tool: "glob", input: {} }] };
    const lost = { calls: [{ tool: "read", input: { path: "sum.js" } }] };
    const { risks } = await risksAfter([read, edit("-", "+"), wrong, missing, lost, done]);
    expect(risks).toEqual([]);
    const no = { calls: [{ tool: "bash", input: { command: "test -e nothing" } }] };
    const ran = await risksAfter([read, edit("-", "+"), no, done], { mode: "yolo" });
    expect([ran.outcome, ran.risks]).toEqual(["VERIFIED", ["Failed during the task: bash test -e nothing"]]);
  });

  test("[VF-2] [VF-7] where one of two checks passed, none says that nothing was checked", async () => {
    const verification = { mode: "test", commands: [command, "make check"] };
    const input = { title: "Make add right", steps: [{ id: "1", title: "Fix add" }], verification };
    const planned = { calls: [{ tool: "plan", input }] };
    const { outcome, risks, next_steps } = await risksAfter([planned, read, edit("-", "+"), done]);
    expect(outcome).toBe("UNVERIFIED");
    expect(risks.join()).not.toContain("not checked by any test run");
    expect(risks.join()).toContain("make check");
    expect(next_steps).toEqual([...new Set(next_steps)]);
  });

  test("[SM-9] [VF-7] a task that ended before its check says so, and says each thing once", async () => {
    const planned = {
      calls: [
        {
          tool: "plan",
          input: {
            title: "T",
            steps: [
              { id: "1", title: "Fix" },
              { id: "2", title: "Get" },
            ],
          },
        },
      ],
    };
    const report = (id: string, status: string) => ({
      calls: [{ tool: "plan", input: { update: [{ id, status, reason: "no" }] } }],
    });
    const steps = [planned, read, edit("-", "+"), report("1", "done"), report("2", "blocked"), done, done, done];
    const { outcome, verification, next_steps, blocked } = await risksAfter(steps);
    expect([outcome, verification.reason]).toEqual(["FAILED", "the task ended before its changes were tested"]);
    expect(next_steps).toEqual([...new Set(next_steps)]);
    expect(blocked).toBeDefined();
  });
});

describe("who was stopped by a denial", () => {
  const answer = { text: "It subtracts." };
  const ls = { calls: [{ tool: "bash", input: { command: "ls" } }] };
  const note = {
    tool: "todowrite",
    input: { todos: [{ id: "1", content: "look", status: "completed", priority: "low" }] },
  };
  const both = { calls: [...denied.calls, note] };
  const ends = async (steps: readonly object[], text: string, flags: object = {}): Promise<readonly unknown[]> => {
    await using bench = new Bench(steps as never);
    project(bench);
    const seat = bench.open({ mode: "auto-edit", deny: ["bash(curl *)", "write", "edit"], ...flags }, { config });
    await seat.run(text);
    const { outcome, exit_code, stop_reason } = summaryOf(seat);
    const { stopped } = seat.engine.state();
    expect(stopped?.end.stop ?? "COMPLETED").toBe(stop_reason);
    return [outcome, exit_code, stop_reason];
  };

  test("[SU-2] [VF-7] a look around, or a note, after a denial takes nothing back of it", async () => {
    const stopped = ["FAILED", 4, "DENIED"];
    expect(await ends([denied, ls, done], "download the list of names")).toEqual(stopped);
    expect(await ends([both, done], "download the list of names")).toEqual(stopped);
  });

  test("[SU-2] [VF-7] whatever ran before or after it, a file that might not be written was not written", async () => {
    const tests = { calls: [{ tool: "diagnostics", input: {} }] };
    const stopped = ["FAILED", 4, "DENIED"];
    for (const steps of [
      [read, edit("-", "+"), ls, done],
      [read, edit("-", "+"), tests, done],
      [read, tests, edit("-", "+"), done],
    ])
      expect(await ends(steps, "make add right")).toEqual(stopped);
  });

  test("[SU-2] [VF-7] words that order nothing are answered, also where they are no question", async () => {
    for (const text of [
      "Look at add.js and tell me what it does",
      "Give me an overview of this project",
      "这个项目的概况",
    ])
      expect(await ends([denied, read, answer], text)).toEqual(["UNVERIFIED", 0, "COMPLETED"]);
  });

  test("[SL-3] [VF-7] a review that tried to run something is none the less a review", async () => {
    await using bench = new Bench([ls, answer, answer]);
    project(bench);
    commitAll(bench.workspace);
    bench.file("add.js", "exports.add = (a, b) => a * b;\n");
    const seat = bench.open();
    await seat.run("/review");
    const { outcome, exit_code, stop_reason } = summaryOf(seat);
    expect([outcome, exit_code, stop_reason]).toEqual(["UNVERIFIED", 0, "COMPLETED"]);
  });

  test("[SU-2] [VF-7] plan mode lets nothing be written, which does not make its plan a failure", async () => {
    const plan = { text: "[PLAN]\n1. [ ] Fix add (tools: edit)\n2. [ ] Test it (tools: bash)" };
    expect(await ends([edit("-", "+"), read, plan], "make add right", { mode: "plan" })).toEqual([
      ...["UNVERIFIED", 0, "COMPLETED"],
    ]);
  });
});

const plan = (...titles: readonly string[]) => ({
  calls: [
    {
      tool: "plan",
      input: { title: "Make add right", steps: titles.map((title, at) => ({ id: `${at + 1}`, title })) },
    },
  ],
});
const update = (...steps: readonly (readonly [id: string, status: string, reason?: string])[]) => ({
  calls: [{ tool: "plan", input: { update: steps.map(([id, status, reason]) => ({ id, status, reason })) } }],
});

describe("a plan with open steps", () => {
  test("[VF-7] [PL-4] its model is asked once; what stays open makes checked work UNVERIFIED, and is listed", async () => {
    await using bench = new Bench([
      plan("Fix add", "Document it"),
      read,
      edit("-", "+"),
      update(["1", "done"]),
      done,
      done,
    ]);
    project(bench);
    const seat = bench.open({ mode: "auto-edit" }, { config });
    await seat.run("make add right");
    const asked = JSON.stringify(bench.server.requests.at(-1)?.body.messages.at(-1));
    expect(asked).toContain("These steps of the plan are still open: 2. Document it");
    const { outcome, exit_code, verification, next_steps } = summaryOf(seat);
    expect([outcome, exit_code, verification.status]).toEqual(["UNVERIFIED", 3, "none"]);
    expect(verification.reason).toBe("1 of 2 plan steps are done");
    expect(next_steps).toContain("Plan step 2 is still open: Document it");
    expect(bench.server.requests.length).toBe(6);
  });

  test("[VF-7] [PL-4] what is finished, or skipped with a reason, leaves it VERIFIED, and the skipped step is named", async () => {
    const first = [plan("Fix add", "Document it"), read, edit("-", "+"), update(["1", "done"]), done];
    const skips = [update(["2", "skipped"]), update(["2", "skipped", "there are no docs"])];
    await using bench = new Bench([...first, ...skips, { text: "nothing to document" }]);
    project(bench);
    const seat = bench.open({ mode: "auto-edit" }, { config });
    await seat.run("make add right");
    const { outcome, exit_code, risks } = summaryOf(seat);
    expect([outcome, exit_code]).toEqual(["VERIFIED", 0]);
    expect(risks).toEqual(["Plan step 2 was skipped: Document it (there are no docs)"]);
    const answers = seat.all("tool.settled").map(({ result }) => result);
    expect(answers.some(({ status, output }) => status === "failed" && output.includes("for skipping step 2"))).toBe(
      true,
    );
  });

  test("[VF-7] [PL-6] steps that a shorter todo list leaves out are named too", async () => {
    const todos = [{ id: "1", content: "Fix add", status: "completed", priority: "high" }];
    const shorter = { calls: [{ tool: "todowrite", input: { todos } }] };
    await using bench = new Bench([plan("Fix add", "Document it"), read, edit("-", "+"), shorter, done]);
    project(bench);
    const seat = bench.open({ mode: "auto-edit" }, { config });
    await seat.run("make add right");
    expect(summaryOf(seat).risks).toEqual(["Plan step 2 was skipped: Document it"]);
  });
});
