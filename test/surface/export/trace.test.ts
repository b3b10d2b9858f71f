import { describe, expect, test } from "bun:test";
import type { Recorded } from "../../../src/contract/event.ts";
import { type Lang, phrase } from "../../../src/contract/text/catalogue.ts";
import { follow } from "../../../src/engine/loop/republish.ts";
import { timeline } from "../../../src/surface/export/timeline.ts";
import { traceHtml } from "../../../src/surface/export/trace-html.ts";
import { traceJson } from "../../../src/surface/export/trace-json.ts";
import { shownMs, traceText } from "../../../src/surface/export/trace-text.ts";
import { allWords, call, head, recordedLog, summaryOf } from "./log.ts";

const asked = call("r1/1/1", "bash", { command: "make all" });
const where = { runId: "r1", callId: asked.id };
const task = { taskId: "t1" };
const usage = { input: 120, output: 9, cachedInput: 100, reasoning: 1 };
const limits = { maxSteps: 9, maxTokens: null, maxAttempts: 3 };
const assessment = { intent: "task", complexity: "simple", riskLevel: "low", foreseen: [], missing: [] } as const;

/** A task whose model was busy once, whose call was approved, and whose process was killed and started again. */
function eventful(): readonly Recorded[] {
  const reply = (calls: readonly (typeof asked)[], text: string) =>
    ({ text, thinking: "", calls, usage, finish: calls.length > 0 ? "tool_calls" : "stop" }) as const;
  const begun = { sessionId: head.id, workspace: "/w", addDirs: [], model: "a/one", mode: "default" } as const;
  return recordedLog(
    { at: 0, type: "session.started", ...begun, preset: null, forkedFrom: null },
    { at: 0, type: "input.admitted", inputId: "i1", kind: "task", delivery: "now", text: "build it" },
    { at: 10_000, type: "task.started", ...task, runId: "r1", inputId: "i1", limits },
    { at: 10_001, type: "task.assessed", ...task, assessment },
    { at: 10_002, type: "context.built", ...task, hints: "" },
    { at: 10_003, type: "plan.settled", ...task, plan: null, needsConfirmation: false },
    { at: 10_010, type: "run.started", runId: "r1", calls: [] },
    {
      ...{ at: 10_110, type: "model.failed", runId: "r1", index: 1, attempt: 1, fault: "busy", retryInMs: 500 },
      error: { code: "E_MODEL", text: phrase("file.missing", { path: "x" }) },
    },
    { at: 10_610, type: "retry.due", runId: "r1", index: 1, attempt: 1 },
    { at: 12_610, type: "model.replied", runId: "r1", index: 1, attempt: 2, reply: reply([asked], "") },
    { at: 12_620, type: "tool.decided", ...where, decision: "ask", reasons: [], source: "mode default" },
    { at: 15_620, type: "approval.answered", ...where, answer: "yes", words: "", call: null, by: "person" },
    { at: 15_621, type: "tool.intended", ...where, intent: { changes: [], text: "" } },
    { at: 19_621, type: "tool.settled", ...where, result: { status: "done", output: "ok", key: "k", ms: 3_999 } },
    { at: 79_621, type: "session.resumed", pid: 1, mode: "default", preset: null, model: "a/one" },
    { at: 80_621, type: "model.replied", runId: "r1", index: 2, attempt: 1, reply: reply([], "Built.") },
    { at: 80_622, type: "checks.finished", ...task, result: { kind: "pass", command: "make test" } },
    { at: 80_623, type: "task.summarized", ...task, summary: summaryOf(allWords("x")) },
    { at: 80_624, type: "task.ended", ...task },
  );
}

const textOf = (log: readonly Recorded[], lang: Lang): string =>
  [...traceText(head, timeline(follow(log)), lang)].join("");

test("[CLI-3] [SM-6] a trace tells states, steps, calls, decisions, retries, tokens and where the time went", () => {
  expect(textOf(eventful(), "en")).toBe(`aaaa-0001  a title
1970-01-01 00:00:00 GMT+0 – 1970-01-01 00:01:00 GMT+0
model a/one
workspace /w
1000000 events

Task t1: build it
     0 ms  IDLE → INTAKE
     0 ms  idle → preparing
     1 ms  INTAKE → CONTEXT_BUILDING → PLANNING → EXECUTING
    10 ms  step 1  100 ms  busy, attempt 1 failed; retry after 500 ms
   610 ms  step 1  2.00 s  120 in (100 cached) 9 out
   2.62 s  bash make all  done 4.00 s, ask (mode default), yes by person  r1/1/1
   2.62 s  tool_running → awaiting_human
 1:09 min  Resumed: mode default, model a/one.
 1:09 min  step 2  1.00 s  120 in (100 cached) 9 out
 1:10 min  EXECUTING → VERIFYING
 1:10 min  model_running → completed
 1:10 min  Checks passed: make test
 1:10 min  VERIFYING → SUMMARIZING → DONE → IDLE
  Ended: UNVERIFIED, COMPLETED
  1:10 min: model 3.10 s, tools 4.01 s, waiting for you 3.00 s
  waiting to retry 500 ms, other 13 ms, closed in between: 1:00 min
  2 steps, 1 calls, 1 retries, 0 compactions
  Tokens: 240 in (200 cached), 18 out
`);
});

test("[CLI-3] the same as JSON: the times of all kinds add up to the whole", () => {
  const value = JSON.parse([...traceJson(head, timeline(follow(eventful())))].join(""));
  expect(value.v).toBe(1);
  const [one] = value.tasks;
  expect(one.ms).toEqual({
    total: 70_624,
    model: 3_100,
    tool: 4_011,
    person: 3_000,
    retry: 500,
    other: 13,
    away: 60_000,
  });
  expect(value.totals).toEqual({
    ms: one.ms,
    ...{ steps: 2, calls: 1, retries: 1, compactions: 0 },
    tokens: { input: 240, cached: 200, output: 18, reasoning: 2 },
  });
});

describe("a trace that can be read", () => {
  const crowded = (): readonly Recorded[] => {
    const long = call("r1/1/1", "bash", { command: `${"长命令 ".repeat(60)}\u001b[31m\n` });
    return eventful().map((one) => {
      if (one.event.type === "input.admitted")
        return { ...one, event: { ...one.event, text: "很长的输入 ".repeat(50) } };
      if (one.event.type !== "model.replied" || one.event.reply.calls.length === 0) return one;
      return { ...one, event: { ...one.event, reply: { ...one.event.reply, calls: [long] } } };
    });
  };

  for (const lang of ["en", "zh"] as const) {
    test(`[SU-4] in ${lang} no line is wider than 80 columns, and none holds a control character`, () => {
      const lines = textOf(crowded(), lang).split("\n");
      expect(lines.filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
      expect(lines.filter((line) => /[\u0000-\u001f]/.test(line))).toEqual([]);
      expect(lines.some((line) => line.includes(lang === "en" ? "step 2" : "第 2 步"))).toBe(true);
    });
  }

  test("[CLI-3] a session without a task says so, in each form", () => {
    const none = recordedLog();
    expect(textOf(none, "en")).toEndWith("\nThis session has no tasks.\n");
    expect(JSON.parse([...traceJson(head, timeline(follow(none)))].join(""))).toMatchObject({
      tasks: [],
      totals: null,
    });
    expect([...traceHtml(head, timeline(follow(none)), "zh")].join("")).toContain("<p>此会话中没有任务。</p>");
  });

  test("[CLI-3] a task that has no end yet is shown as far as it is, with the call that is open", () => {
    const cut = eventful().slice(0, 12);
    expect(textOf(cut, "en")).toContain("   2.62 s  bash make all  open, ask (mode default), yes by person  r1/1/1\n");
    const [one] = timeline(follow(cut));
    expect([one?.outcome, one?.ms.total]).toEqual([null, 5_620]);
  });

  test("[CLI-3] a clock that was set back makes no time negative", () => {
    const back = eventful().map((one, at) => ({ ...one, event: { ...one.event, at: 80_000 - at * 1_000 } }));
    const [one] = timeline(follow(back));
    expect(one?.ms).toEqual({ total: 0, model: 0, tool: 0, person: 0, retry: 0, other: 0, away: 0 });
    expect(one?.rows.filter((row) => row.at !== 0 || ("ms" in row && (row.ms ?? 0) < 0))).toEqual([]);
  });

  test("[CLI-3] the bars of a task cover its whole time", () => {
    const page = [...traceHtml(head, timeline(follow(eventful())), "en")].join("");
    const first = /<svg>(.*)<\/svg>/.exec(page)?.[1] ?? "";
    const parts = [...first.matchAll(/class="(\w+)" x="([\d.]+)%" width="([\d.]+)%"/g)];
    expect(parts.map(([, kind]) => kind)).toEqual([
      "other",
      "model",
      "retry",
      "model",
      "tool",
      "person",
      "tool",
      "away",
      "model",
      "other",
    ]);
    expect(parts.reduce((sum, [, , , width]) => sum + Number(width), 0)).toBeCloseTo(100, 0);
  });

  test("[CLI-3] two tasks are added up", () => {
    const second = eventful()
      .slice(1)
      .map(({ event }) => ({ ...event, at: event.at + 100_000 }));
    const both = [...eventful().map(({ event }) => event), ...second];
    const log = both.map((event, at) => ({ seq: at + 1, accepted: true, event }));
    expect(textOf(log, "en")).toContain("\nAll 2 tasks\n  2:21 min: model 6.20 s,");
  });
});

const times: readonly (readonly [number, string])[] = [
  [0, "0 ms"],
  [999, "999 ms"],
  [1_000, "1.00 s"],
  [59_990, "59.99 s"],
  [60_000, "1:00 min"],
  [3_599_999, "59:59 min"],
  [7_380_000, "2:03 h"],
];
for (const [ms, shown] of times)
  test(`${ms} milliseconds are shown as ${shown}`, () => expect(shownMs(ms)).toBe(shown));
