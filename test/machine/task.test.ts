import { describe, expect, test } from "bun:test";
import { phrase } from "../../src/contract/text/catalogue.ts";
import type { TaskCore, TaskEnd, TaskPhase, TaskState } from "../../src/machine/state.ts";
import { after, assessment, call, error, event, limits, make, move, question, summary } from "./make.ts";
import { places } from "./places.ts";
import { expectTask, startCore, taskCore } from "./steps.ts";

const completed: TaskEnd = { stop: "COMPLETED", error: null, note: null };

function summarizing(task: TaskCore, end: TaskEnd): TaskState {
  return { phase: "SUMMARIZING", task, end, cancelled: null, stopping: false };
}

describe("the task machine, row by row", () => {
  test("[SM-3] IDLE goes to INTAKE when a message starts a task, and has it assessed", () => {
    const { before, step } = move([make.admitted()], make.started());
    const run = {
      id: "r1",
      withModel: true,
      limits,
      index: 0,
      breakers: { pairs: [], idleSteps: 0 },
      tokens: 0,
      cost: 0,
      lastText: "",
      planning: false,
      unanswered: false,
      denied: false,
      stopping: "no",
    } as const;
    expect(step).toEqual({
      state: {
        ...before,
        queue: [],
        tasks: 1,
        runs: 1,
        listTask: { taskId: "t1", title: "text of i1" },
        task: { phase: "INTAKE", task: startCore },
        run: { phase: "preparing", run },
      },
      effects: [{ type: "assess_task", taskId: "t1" }],
      accepted: true,
    });
  });

  test("[SM-3] INTAKE goes to CONTEXT_BUILDING when nothing is missing", () => {
    const next = { phase: "CONTEXT_BUILDING", task: taskCore() } as const;
    expectTask("INTAKE", make.assessed(), next, { follows: "context.built" });
  });

  test("[SM-3] [SM-7] INTAKE goes to CLARIFYING when something is missing, and asks exactly that", () => {
    const questions = [question("which?"), question("where?")];
    const task = taskCore({ assessment: assessment({ missing: questions }) });
    const next = { phase: "CLARIFYING", task, questions } as const;
    const order = { type: "ask_clarification", taskId: "t1", questions } as const;
    expectTask("INTAKE", make.assessed({ missing: questions }), next, order);
  });

  test("[SM-3] CLARIFYING goes to CONTEXT_BUILDING with the answer", () => {
    const task = taskCore({ assessment: assessment({ missing: [question("which?")] }) });
    const next = { phase: "CONTEXT_BUILDING", task } as const;
    expectTask("CLARIFYING", make.clarified(), next, { follows: "context.built" });
  });

  test("[SM-7] CLARIFYING goes to SUMMARIZING with NEEDS_ANSWER when there is nobody to answer", () => {
    const task = taskCore({ assessment: assessment({ missing: [question("which?")] }) });
    const next = summarizing(task, { stop: "NEEDS_ANSWER", error: null, note: phrase("run.needs_answer") });
    const nobody = event({ type: "clarification.unanswered", taskId: "t1" });
    expectTask("CLARIFYING", nobody, next, { type: "summarize_task", taskId: "t1" });
  });

  test("[SM-3] CONTEXT_BUILDING goes to PLANNING", () => {
    const next = { phase: "PLANNING", task: taskCore(), words: "", plan: null, begun: false } as const;
    expectTask("CONTEXT_BUILDING", make.built(), next, { follows: "plan.settled" });
  });

  test("[SM-4] PLANNING goes to EXECUTING without a plan, since there is nothing to confirm", () => {
    const next = { phase: "EXECUTING", task: taskCore() } as const;
    const settled = make.planned({ needsConfirmation: true });
    expectTask("PLANNING", settled, next, { type: "start_run", taskId: "t1", runId: "r1" });
  });

  test("[SM-3] EXECUTING goes to VERIFYING when the run is done", () => {
    const next = { phase: "VERIFYING", task: taskCore(), end: completed, todo: [], results: [] } as const;
    expectTask("model_running, calling", make.replied([]), next, { type: "run_checks", taskId: "t1" });
  });

  test("[SM-3] EXECUTING goes to RECOVERING when the run failed", () => {
    const end: TaskEnd = { stop: "PROVIDER_FAILED", error, note: null };
    const next = { phase: "RECOVERING", task: taskCore(), cause: "run", end, stopping: false } as const;
    const order = { follows: "recovery.decided" } as const;
    expectTask("model_running, calling", make.failed(null), next, order);
  });

  test("[SM-3] EXECUTING stays when one call failed: the model reads about it", () => {
    const one = call(1, { access: "write" });
    const { step } = move(
      [...places["model_running, calling"], make.replied([one])],
      make.settled(1, { status: "failed" }),
    );
    expect(step.state.task).toEqual({ phase: "EXECUTING", task: taskCore() });
    expect(step.effects).toEqual([{ type: "call_model", runId: "r1", index: 2, attempt: 1 }]);
  });

  for (const checks of [
    { kind: "pass", command: "make" } as const,
    { kind: "none", reason: phrase("cancel.line2") } as const,
  ]) {
    test(`[SM-3] VERIFYING goes to SUMMARIZING when the checks say ${checks.kind}`, () => {
      const next = summarizing(taskCore({ checks }), completed);
      expectTask("VERIFYING", make.checked(checks), next, { type: "summarize_task", taskId: "t1" });
    });
  }

  test("[SM-3] VERIFYING goes to RECOVERING when the checks fail", () => {
    const checks = { kind: "fail", command: "make", error } as const;
    const end: TaskEnd = { stop: "BLOCKED", error, note: null };
    const next = { phase: "RECOVERING", task: taskCore({ checks }), cause: "checks", end, stopping: false } as const;
    const order = { follows: "recovery.decided" } as const;
    expectTask("VERIFYING", make.checked(checks), next, order);
  });

  const unfitEnd: TaskEnd = {
    stop: "BLOCKED",
    error: {
      code: "E_BUILD_FAIL",
      text: phrase("answer.unfit", { problems: "a; b" }),
      advice: phrase("answer.unfit.advice"),
      sideEffect: "none",
    },
    note: null,
  };
  const pass = { kind: "pass", command: "make" } as const;
  const unfit = { ...make.checked(pass), answer: ["a", "b"] };

  test("[SM-3] [CLI-2] VERIFYING goes to RECOVERING when the answer does not fit its schema", () => {
    const task = taskCore({ checks: pass, unfit: ["a", "b"] });
    const next = { phase: "RECOVERING", task, cause: "answer", end: unfitEnd, stopping: false } as const;
    expectTask("VERIFYING", unfit, next, { follows: "recovery.decided" });
  });

  test("[SM-3] [CLI-2] VERIFYING goes to SUMMARIZING when a second answer does not fit, and when it does", () => {
    const again = [
      ...places.VERIFYING,
      unfit,
      make.recovered(true),
      make.runStarted([], "r2"),
      make.replied([], { runId: "r2" }),
    ];
    const order = [{ type: "summarize_task", taskId: "t1" }] as const;
    const task = taskCore({ checks: pass, unfit: ["a", "b"], runId: "r2" });
    const twice = move(again, unfit).step;
    expect([twice.state.task, twice.effects]).toEqual([summarizing(task, unfitEnd), [...order]]);
    const repaired = move(again, { ...unfit, answer: [] }).step;
    expect([repaired.state.task, repaired.effects]).toEqual([summarizing(task, completed), [...order]]);
  });

  test("[SM-3] [SM-8] RECOVERING goes to EXECUTING with a fresh run when it can be repaired", () => {
    const { before, step } = move(places["RECOVERING after a failed run"], make.recovered(true));
    const task = taskCore({ runId: "r2" });
    const run = after(places.preparing).run;
    expect(step).toEqual({
      state: {
        ...before,
        runs: 2,
        task: { phase: "EXECUTING", task },
        run: run.phase === "preparing" ? { ...run, run: { ...run.run, id: "r2" } } : run,
      },
      effects: [{ type: "start_run", taskId: "t1", runId: "r2" }],
      accepted: true,
    });
  });

  test("[SM-3] [SM-8] RECOVERING goes to SUMMARIZING with what blocks when it cannot be repaired", () => {
    const { before, step } = move(places["RECOVERING after a failed run"], make.recovered(false));
    expect(step).toEqual({
      state: { ...before, task: summarizing(taskCore(), { stop: "PROVIDER_FAILED", error, note: null }) },
      effects: [{ type: "summarize_task", taskId: "t1" }],
      accepted: true,
    });
  });

  test("[SM-3] [SM-9] SUMMARIZING goes to DONE with the summary", () => {
    const end = { stop: "COMPLETED", error: null, note: null } as const;
    const task = taskCore({ checks: { kind: "pass", command: "make" } });
    const next = { phase: "DONE", task, end, cancelled: null, summary } as const;
    expectTask("SUMMARIZING", make.summarized(), next, { type: "end_task", taskId: "t1" });
  });

  test("[SM-3] DONE goes to IDLE", () => {
    expectTask("DONE", make.ended(), { phase: "IDLE" });
  });
});

test("[SM-1] the task machine has exactly the eleven states of the rule, and each is reached", () => {
  const reached = new Set(Object.values(places).map((path): TaskPhase => after(path).task.phase));
  const states =
    "IDLE INTAKE CLARIFYING CONTEXT_BUILDING PLANNING AWAITING_CONFIRMATION EXECUTING VERIFYING RECOVERING SUMMARIZING DONE";
  expect([...reached].sort()).toEqual(states.split(" ").sort() as TaskPhase[]);
});
