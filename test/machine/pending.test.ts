import { describe, expect, test } from "bun:test";
import type { Effect } from "../../src/contract/effect.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { followUp } from "../../src/machine/follow-up.ts";
import { pending } from "../../src/machine/pending.ts";
import { after, blockage, call, carriedOut, change, error, make, plan, question, reason, verdict } from "./make.ts";
import { type Place, places } from "./places.ts";

const first = { runId: "r1", callId: "r1/1/1" } as const;
const second = { runId: "r1", callId: "r1/1/2" } as const;
/** The one call of a check, and of an undo. */
const ours = { runId: "r2", callId: "r2/0/1" } as const;
const stop = { type: "stop_run", runId: "r1" } as const;
const howToGoOn = {
  question: phrase("recovery.question", { ...blockage }),
  options: [phrase("recovery.option.done"), phrase("recovery.option.without")],
};
const noPlan = {
  code: "E_POLICY_DENIED",
  text: phrase("run.plan_refused_with_words", { words: "smaller" }),
} as const;
const inside = { runId: "r2", callId: "r2/1/1" } as const;
const cancelled = (key: "run.cancelled_call" | "run.never_started", sideEffect: "none" | "unknown") =>
  ({ status: "cancelled", error: { code: "E_CANCELLED", text: phrase(key), sideEffect } }) as const;

const table: Readonly<Record<Place, readonly Effect[]>> = {
  IDLE: [],
  "IDLE after a failed call": [],
  "IDLE after a cancelled call": [],
  "IDLE after cancelled tools": [],
  "IDLE after a cancelled check": [],
  "IDLE after a cancelled plan": [],
  "IDLE after an unanswered question": [],
  INTAKE: [{ type: "assess_task", taskId: "t1" }],
  CLARIFYING: [{ type: "ask_clarification", taskId: "t1", questions: [question("which?")] }],
  CONTEXT_BUILDING: [],
  PLANNING: [],
  "PLANNING with a given plan": [{ type: "settle_plan", taskId: "t1" }],
  "PLANNING, preparing": [{ type: "start_run", taskId: "t1", runId: "r1" }],
  "PLANNING, model_running": [{ type: "call_model", runId: "r1", index: 1, attempt: 1 }],
  "PLANNING, held": [{ type: "read_plan", runId: "r1" }],
  "PLANNING, edited": [{ type: "settle_plan", taskId: "t1" }],
  "PLANNING, refused": [
    { type: "settle_call", ...first, status: "denied", error: noPlan },
    { type: "settle_call", ...second, status: "denied", error: noPlan },
  ],
  "AWAITING_CONFIRMATION of a given plan": [{ type: "ask_plan", taskId: "t1" }],
  "AWAITING_CONFIRMATION, held": [{ type: "ask_plan", taskId: "t1" }],
  preparing: [{ type: "start_run", taskId: "t1", runId: "r1" }],
  "model_running, calling": [{ type: "call_model", runId: "r1", index: 1, attempt: 1 }],
  "model_running, waiting": [{ type: "wait_retry", runId: "r1", index: 1, attempt: 1, ms: 0 }],
  "model_running, compacting": [{ type: "compact", runId: "r1", index: 1, attempt: 1 }],
  "tool_running, deciding": [{ type: "decide_call", ...first }],
  awaiting_human: [{ type: "ask_human", ...first }],
  "tool_running, intending": [{ type: "intend_call", ...first }],
  "tool_running, executing": [{ type: "reconcile_call", ...first }],
  "inside a call, model_running": [{ type: "call_model", runId: "r2", index: 1, attempt: 1 }],
  "inside a call, executing": [{ type: "reconcile_call", ...inside }],
  "inside a call, over": [{ type: "settle_sub", ...first }],
  "SUMMARIZING, stopping inside a call": [{ type: "reconcile_call", ...inside }, stop],
  "SUMMARIZING, closing inside a call": [
    { type: "settle_call", ...inside, ...cancelled("run.cancelled_call", "unknown") },
  ],
  VERIFYING: [{ type: "run_checks", taskId: "t1" }],
  "VERIFYING, preparing": [{ type: "start_run", taskId: "t1", runId: "r2" }],
  "VERIFYING, executing": [{ type: "reconcile_call", ...ours }],
  "VERIFYING, judging": [{ type: "judge_check", taskId: "t1" }],
  "VERIFYING, between checks": [{ type: "start_run", taskId: "t1", runId: "r3" }],
  "VERIFYING, finishing": [],
  "RECOVERING after a failed run": [],
  "RECOVERING after failed calls": [{ type: "decide_recovery", taskId: "t1", cause: "tools" }],
  "RECOVERING, asking": [{ type: "ask_clarification", taskId: "t1", questions: [howToGoOn] }],
  "RECOVERING after failed checks": [],
  "RECOVERING, undoing in preparing": [{ type: "start_run", taskId: "t1", runId: "r2" }],
  "RECOVERING, undoing in tool_running": [{ type: "reconcile_call", ...ours }],
  "VERIFYING after the undo": [{ type: "run_checks", taskId: "t1" }],
  "RECOVERING after the undo": [],
  "RECOVERING, stopping in preparing": [stop],
  "RECOVERING, stopping a held reply": [stop],
  "RECOVERING, stopping in VERIFYING": [stop],
  "RECOVERING, stopping a check": [
    { type: "reconcile_call", ...ours },
    { ...stop, runId: "r2" },
  ],
  "RECOVERING, stopping in tool_running": [{ type: "reconcile_call", ...first }, stop],
  "RECOVERING after a time-out": [],
  SUMMARIZING: [{ type: "summarize_task", taskId: "t1" }],
  "SUMMARIZING, stopping in CONTEXT_BUILDING": [stop],
  "SUMMARIZING, stopping in model_running": [stop],
  "SUMMARIZING, stopping in tool_running": [{ type: "reconcile_call", ...first }, stop],
  "SUMMARIZING, stopping a held reply": [stop],
  "SUMMARIZING, stopping a check": [
    { type: "reconcile_call", ...ours },
    { ...stop, runId: "r2" },
  ],
  "SUMMARIZING, stopping after a second refusal": [stop],
  "SUMMARIZING, stopping a question": [stop],
  "SUMMARIZING, closing calls": [
    { type: "settle_call", ...first, ...cancelled("run.cancelled_call", "unknown") },
    { type: "settle_call", ...second, ...cancelled("run.never_started", "none") },
  ],
  "SUMMARIZING after a cancel": [{ type: "summarize_task", taskId: "t1" }],
  DONE: [{ type: "end_task", taskId: "t1" }],
  "IDLE after a task": [],
};

describe("after a crash", () => {
  for (const [name, effects] of Object.entries(table)) {
    test(`[PS-4] in ${name} exactly what has no stored answer is ordered again`, () => {
      expect(pending(after(places[name as Place]))).toEqual(effects);
    });
  }

  test("[PS-4] the model call is repeated under its own step and attempt", () => {
    const retried = [...places["model_running, waiting"], make.retryDue()];
    expect(pending(after(retried))).toEqual([{ type: "call_model", runId: "r1", index: 1, attempt: 2 }]);
  });

  test("[PS-4] [PL-3] the calls of an unsound plan, and of one that the person changed, are refused and never judged", () => {
    const unsound = phrase("run.plan_unsound", { problems: [reason] });
    const edited = phrase("run.plan_edited", { plan: JSON.stringify(plan), words: "like this" });
    for (const [path, text] of [
      [[...places["PLANNING, held"], make.rejected()], unsound],
      [[...places["PLANNING, edited"], make.planned({ plan })], edited],
    ] as const) {
      const error = { code: "E_POLICY_DENIED", text } as const;
      expect(pending(after([...path, make.settled(1, { status: "refused" })]))).toEqual([
        { type: "settle_call", ...second, status: "refused", error },
      ]);
    }
  });

  test("[PS-4] [VF-1] a check that was judged is not run again, and the next one is", () => {
    const next = [...places["VERIFYING, between checks"], ...carriedOut("r3")];
    expect(pending(after(next))).toEqual([{ type: "judge_check", taskId: "t1" }]);
    const judged = after([...next, make.judged(verdict("pass"), "r4")]);
    expect(pending(judged)).toEqual([]);
    expect(followUp(judged)).toMatchObject({ type: "checks.finished", result: { kind: "pass" } });
  });

  test("[PS-4] overlapping reads are each taken up where they were, in order", () => {
    const calls = [call(1), call(2), call(3), call(4), call(5)];
    const path = [
      ...places["model_running, calling"],
      make.replied(calls),
      make.settled(1),
      make.decided(2, "ask"),
      make.decided(3, "ask"),
      make.decided(4, "allow"),
      make.intended(4),
    ];
    expect(pending(after(path))).toEqual([
      { type: "ask_human", ...second },
      { type: "reconcile_call", runId: "r1", callId: "r1/1/4" },
      { type: "decide_call", runId: "r1", callId: "r1/1/5" },
    ]);
  });

  test("[PS-4] [TP-4] a call that cannot run is settled with its own error", () => {
    const path = [...places["model_running, calling"], make.replied([call(1, { problem: error })])];
    expect(pending(after(path))).toEqual([{ type: "settle_call", ...first, status: "failed", error }]);
  });

  test("[PS-4] [BR-3] a call that was refused for stuttering is refused again", () => {
    const steps = Array.from({ length: 51 }, (_, at) => {
      const callId = `r1/${at + 1}/1` as const;
      const reply = make.replied([call(1, { id: callId, key: "again" })], { index: at + 1 });
      return at === 50 ? [reply] : [reply, { ...make.settled(1, { changes: [change] }), callId }];
    });
    expect(pending(after([...places["model_running, calling"], ...steps.flat()]))).toMatchObject([
      { type: "settle_call", callId: "r1/51/1", status: "refused", error: { code: "E_STUTTERING" } },
    ]);
  });

  test("[PS-4] [CAN-1] a cancel after a time-out has closed its calls still orders the stop", () => {
    const closed = [make.stopped(), make.settled(1), make.settled(2), make.cancel()];
    expect(pending(after([...places["RECOVERING, stopping in tool_running"], ...closed]))).toEqual([stop]);
  });

  test("[IN-5] [PS-4] the first input that waits in IDLE is started", () => {
    expect(pending(after([make.admitted("i1"), make.admitted("i2")]))).toEqual([{ type: "start_task", inputId: "i1" }]);
  });

  test("[PS-4] [CAN-1] a cancel at a prompt is carried to its end, and the prompt is not opened again", () => {
    expect(pending(after([...places.awaiting_human, make.cancel()]))).toEqual([stop]);
    const settled = [...places["SUMMARIZING, closing calls"], make.settled(1, { status: "cancelled" })];
    expect(pending(after(settled))).toEqual([
      { type: "settle_call", ...second, ...cancelled("run.never_started", "none") },
    ]);
  });
});
