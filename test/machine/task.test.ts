import { describe, expect, test } from "bun:test";
import type { Effect } from "../../src/contract/effect.ts";
import type { CancelSource, Event } from "../../src/contract/event.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import type { TaskCore, TaskEnd, TaskPhase, TaskState } from "../../src/machine/state.ts";
import { after, assessment, call, error, limits, make, move, plan, summary } from "./make.ts";
import { type Place, places } from "./places.ts";

const start: TaskCore = {
  id: "t1",
  input: { inputId: "i1", kind: "task", delivery: "now", text: "text of i1" },
  runId: "r1",
  limits,
  assessment: null,
  plan: null,
  refusals: 0,
  checks: null,
};
const core = (more: Partial<TaskCore> = {}): TaskCore => ({ ...start, assessment: assessment(), ...more });
const completed: TaskEnd = { stop: "COMPLETED", error: null, note: null };

/** Plays one event and compares the whole task state and all orders. */
function expectTask(place: Place | readonly Event[], event: Event, task: TaskState, ...effects: Effect[]): void {
  const { step } = move(typeof place === "string" ? places[place] : place, event);
  expect({ task: step.state.task, effects: step.effects, accepted: step.accepted }).toEqual({
    task,
    effects,
    accepted: true,
  });
}

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
      lastText: "",
      denied: false,
      stopping: "no",
    } as const;
    expect(step).toEqual({
      state: {
        ...before,
        queue: [],
        tasks: 1,
        runs: 1,
        task: { phase: "INTAKE", task: start },
        run: { phase: "preparing", run },
      },
      effects: [{ type: "assess_task", taskId: "t1" }],
      accepted: true,
    });
  });

  test("[SM-3] INTAKE goes to CONTEXT_BUILDING when nothing is missing", () => {
    const next = { phase: "CONTEXT_BUILDING", task: core() } as const;
    expectTask("INTAKE", make.assessed(), next, { type: "build_context", taskId: "t1" });
  });

  test("[SM-3] [SM-7] INTAKE goes to CLARIFYING when something is missing, and asks exactly that", () => {
    const questions = ["which?", "where?"];
    const next = { phase: "CLARIFYING", task: core({ assessment: assessment(questions) }), questions } as const;
    expectTask("INTAKE", make.assessed(questions), next, { type: "ask_clarification", taskId: "t1", questions });
  });

  test("[SM-3] CLARIFYING goes to CONTEXT_BUILDING with the answer", () => {
    const next = { phase: "CONTEXT_BUILDING", task: core({ assessment: assessment(["which?"]) }) } as const;
    expectTask("CLARIFYING", make.clarified(), next, { type: "build_context", taskId: "t1" });
  });

  test("[SM-3] CONTEXT_BUILDING goes to PLANNING", () => {
    const next = { phase: "PLANNING", task: core(), words: "" } as const;
    expectTask("CONTEXT_BUILDING", make.built(), next, { type: "settle_plan", taskId: "t1", words: "" });
  });

  test("[SM-3] PLANNING goes to AWAITING_CONFIRMATION when the plan has to be confirmed", () => {
    const next = { phase: "AWAITING_CONFIRMATION", task: core({ plan }), plan } as const;
    const settled = make.planned({ plan, needsConfirmation: true });
    expectTask("PLANNING", settled, next, { type: "ask_plan", taskId: "t1" });
  });

  test("[SM-3] PLANNING goes to EXECUTING when the plan needs no confirmation", () => {
    const next = { phase: "EXECUTING", task: core({ plan }) } as const;
    expectTask("PLANNING", make.planned({ plan }), next, { type: "start_run", taskId: "t1", runId: "r1" });
  });

  test("[SM-4] PLANNING goes to EXECUTING without a plan, since there is nothing to confirm", () => {
    const next = { phase: "EXECUTING", task: core() } as const;
    const settled = make.planned({ needsConfirmation: true });
    expectTask("PLANNING", settled, next, { type: "start_run", taskId: "t1", runId: "r1" });
  });

  test("[SM-3] AWAITING_CONFIRMATION goes to EXECUTING on yes", () => {
    const next = { phase: "EXECUTING", task: core({ plan }) } as const;
    const yes = make.planAnswered("yes");
    expectTask("AWAITING_CONFIRMATION", yes, next, { type: "start_run", taskId: "t1", runId: "r1" });
  });

  test("[SM-3] AWAITING_CONFIRMATION goes to PLANNING with the edited plan on edit", () => {
    const edited = { ...plan, title: "edited" };
    const next = { phase: "PLANNING", task: core({ plan: edited }), words: "like this" } as const;
    const edit = make.planAnswered("edit", { words: "like this", plan: edited });
    expectTask("AWAITING_CONFIRMATION", edit, next, { type: "settle_plan", taskId: "t1", words: "like this" });
  });

  test("[SM-3] AWAITING_CONFIRMATION keeps its plan when an edit brings none", () => {
    const next = { phase: "PLANNING", task: core({ plan }), words: "shorter" } as const;
    const edit = make.planAnswered("edit", { words: "shorter" });
    expectTask("AWAITING_CONFIRMATION", edit, next, { type: "settle_plan", taskId: "t1", words: "shorter" });
  });

  test("[SM-3] AWAITING_CONFIRMATION goes to PLANNING with the person's words on the first no", () => {
    const next = { phase: "PLANNING", task: core({ plan, refusals: 1 }), words: "not that file" } as const;
    const no = make.planAnswered("no", { words: "not that file" });
    expectTask("AWAITING_CONFIRMATION", no, next, { type: "settle_plan", taskId: "t1", words: "not that file" });
  });

  test("[SM-3] AWAITING_CONFIRMATION goes to SUMMARIZING on the second no", () => {
    const again = [make.planAnswered("no"), make.planned({ plan, needsConfirmation: true })];
    const end: TaskEnd = { stop: "DENIED", error: null, note: phrase("task.plan_refused") };
    const next = summarizing(core({ plan, refusals: 2 }), end);
    const path = [...places.AWAITING_CONFIRMATION, ...again];
    expectTask(path, make.planAnswered("no"), next, { type: "summarize_task", taskId: "t1" });
  });

  test("[SM-3] an edit between two refusals does not count as one", () => {
    const confirm = make.planned({ plan, needsConfirmation: true });
    const path = [...places.AWAITING_CONFIRMATION, make.planAnswered("edit"), confirm];
    expect(move(path, make.planAnswered("no")).step.state.task.phase).toBe("PLANNING");
  });

  test("[SM-3] EXECUTING goes to VERIFYING when the run is done", () => {
    const next = { phase: "VERIFYING", task: core(), end: completed } as const;
    expectTask("model_running, calling", make.replied([]), next, { type: "run_checks", taskId: "t1" });
  });

  test("[SM-3] EXECUTING goes to RECOVERING when the run failed", () => {
    const end: TaskEnd = { stop: "PROVIDER_FAILED", error, note: null };
    const next = { phase: "RECOVERING", task: core(), cause: "run", end, stopping: false } as const;
    const order = { type: "decide_recovery", taskId: "t1", cause: "run" } as const;
    expectTask("model_running, calling", make.failed(null), next, order);
  });

  test("[SM-3] EXECUTING stays when one call failed: the model reads about it", () => {
    const one = call(1, { access: "write" });
    const { step } = move(
      [...places["model_running, calling"], make.replied([one])],
      make.settled(1, { status: "failed" }),
    );
    expect(step.state.task).toEqual({ phase: "EXECUTING", task: core() });
    expect(step.effects).toEqual([{ type: "call_model", runId: "r1", index: 2, attempt: 1 }]);
  });

  for (const checks of [
    { kind: "pass", command: "make" } as const,
    { kind: "none", reason: phrase("cancel.line2") } as const,
  ]) {
    test(`[SM-3] VERIFYING goes to SUMMARIZING when the checks say ${checks.kind}`, () => {
      const next = summarizing(core({ checks }), completed);
      expectTask("VERIFYING", make.checked(checks), next, { type: "summarize_task", taskId: "t1" });
    });
  }

  test("[SM-3] VERIFYING goes to RECOVERING when the checks fail", () => {
    const checks = { kind: "fail", command: "make", error } as const;
    const end: TaskEnd = { stop: "BLOCKED", error, note: null };
    const next = { phase: "RECOVERING", task: core({ checks }), cause: "checks", end, stopping: false } as const;
    const order = { type: "decide_recovery", taskId: "t1", cause: "checks" } as const;
    expectTask("VERIFYING", make.checked(checks), next, order);
  });

  test("[SM-3] [SM-8] RECOVERING goes to EXECUTING with a fresh run when it can be repaired", () => {
    const { before, step } = move(places["RECOVERING after a failed run"], make.recovered(true));
    const task = core({ runId: "r2" });
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
      state: { ...before, task: summarizing(core(), { stop: "PROVIDER_FAILED", error, note: null }) },
      effects: [{ type: "summarize_task", taskId: "t1" }],
      accepted: true,
    });
  });

  test("[SM-3] [SM-9] SUMMARIZING goes to DONE with the summary", () => {
    const next = { phase: "DONE", task: core({ checks: { kind: "pass", command: "make" } }), summary } as const;
    expectTask("SUMMARIZING", make.summarized(), next, { type: "end_task", taskId: "t1" });
  });

  test("[SM-3] DONE goes to IDLE", () => {
    expectTask("DONE", make.ended(), { phase: "IDLE" });
  });
});

describe("time-out", () => {
  const end: TaskEnd = { stop: "BUDGET", error: null, note: phrase("task.timed_out") };
  const working: readonly (readonly [Place, TaskCore])[] = [
    ["INTAKE", start],
    ["CONTEXT_BUILDING", core()],
    ["PLANNING", core()],
    ["preparing", core()],
    ["model_running, waiting", core()],
    ["tool_running, executing", core()],
    ["VERIFYING", core()],
  ];

  for (const [place, task] of working) {
    test(`[SM-3] a time-out leads from ${place} to RECOVERING, which waits until everything has stopped`, () => {
      const next = { phase: "RECOVERING", task, cause: "timeout", end, stopping: true } as const;
      expectTask(place, make.timedOut(), next, { type: "stop_run", runId: "r1" });
    });
  }

  for (const place of ["CLARIFYING", "AWAITING_CONFIRMATION", "awaiting_human"] as const) {
    test(`[SM-3] a time-out while a person is waited for in ${place} changes nothing`, () => {
      const { before, step } = move(places[place], make.timedOut());
      expect(step).toEqual({ state: before, effects: [], accepted: false });
    });
  }

  for (const place of ["INTAKE", "model_running, calling", "VERIFYING"] as const) {
    test(`[SM-8] after a time-out in ${place} recovery is decided once everything has stopped, and not before`, () => {
      const path = [...places[place], make.timedOut()];
      const { before, step } = move(path, make.stopped());
      const { task } = before;
      expect(task.phase).toBe("RECOVERING");
      expect(step.state.task).toEqual({ ...task, stopping: false } as TaskState);
      expect(step.effects).toEqual([{ type: "decide_recovery", taskId: "t1", cause: "timeout" }]);
    });
  }

  test("[SM-3] an answer that was on its way at a time-out is no internal error", () => {
    const { before, step } = move([...places.CONTEXT_BUILDING, make.timedOut()], make.built());
    expect(step).toEqual({ state: before, effects: [], accepted: false });
  });

  test("[SM-8] a task that timed out goes on with a fresh run when that is decided", () => {
    const { step } = move(places["RECOVERING after a time-out"], make.recovered(true));
    expect(step.state.task).toEqual({ phase: "EXECUTING", task: core({ runId: "r2" }) });
    expect(step.effects).toEqual([{ type: "start_run", taskId: "t1", runId: "r2" }]);
  });
});

describe("cancel", () => {
  const cancelled: TaskEnd = {
    stop: "CANCELLED",
    error: { code: "E_CANCELLED", text: phrase("cancel.line1") },
    note: null,
  };
  const internal: TaskEnd = {
    stop: "BLOCKED",
    error: { code: "E_INTERNAL", text: phrase("task.internal") },
    note: null,
  };
  const cancellable: readonly Place[] = [
    "INTAKE",
    "CLARIFYING",
    "CONTEXT_BUILDING",
    "PLANNING",
    "AWAITING_CONFIRMATION",
    "preparing",
    "model_running, calling",
    "model_running, waiting",
    "model_running, compacting",
    "tool_running, deciding",
    "awaiting_human",
    "tool_running, intending",
    "tool_running, executing",
    "VERIFYING",
    "RECOVERING after a failed run",
    "RECOVERING after failed checks",
    "RECOVERING after a time-out",
  ];
  const coreOf = (place: Place): TaskCore => {
    const { task } = after(places[place]);
    if (task.phase === "IDLE") throw new Error("no task");
    return task.task;
  };

  for (const place of cancellable) {
    test(`[CAN-1] [SM-3] a cancel leads from ${place} to SUMMARIZING and orders everything to stop, once`, () => {
      const next = {
        phase: "SUMMARIZING",
        task: coreOf(place),
        end: cancelled,
        cancelled: "esc",
        stopping: true,
      } as const;
      expectTask(place, make.cancel(), next, { type: "stop_run", runId: "r1" });
      expectQuiet([...places[place], make.cancel()], make.cancel("sigint"));
    });

    test(`[CAN-1] a task cancelled in ${place} is IDLE when all has stopped and all open calls are settled`, () => {
      let state = after([...places[place], make.cancel(), make.stopped()]);
      const open = state.run.phase === "tool_running" ? state.run.calls : [];
      state = after(
        open.map((_, at) => make.settled(at + 1, { status: "cancelled" })),
        state,
      );
      expect(state.task).toEqual({
        phase: "SUMMARIZING",
        task: coreOf(place),
        end: cancelled,
        cancelled: "esc",
        stopping: false,
      });
      expect(after([make.summarized(), make.ended()], state).task).toEqual({ phase: "IDLE" });
    });
  }

  for (const place of ["RECOVERING, stopping in preparing", "RECOVERING, stopping in tool_running"] as const) {
    test(`[CAN-1] a cancel in ${place} takes over the stop that a time-out has ordered`, () => {
      const next = {
        phase: "SUMMARIZING",
        task: coreOf(place),
        end: cancelled,
        cancelled: "esc",
        stopping: true,
      } as const;
      expectTask(place, make.cancel(), next);
    });
  }

  for (const place of ["IDLE", "SUMMARIZING", "SUMMARIZING after a cancel", "DONE"] as const) {
    test(`[CAN-1] a cancel in ${place} has nothing to stop`, () => expectQuiet(places[place], make.cancel()));
  }

  for (const source of ["esc", "sigint", "sigterm", "sighup", "client", "internal", "fork"] as const) {
    test(`[CAN-1] [SM-9] a cancel by ${source} is kept as the reason of the end`, () => {
      const { task } = move(places.VERIFYING, make.cancel(source)).step.state;
      expect(task).toEqual({
        phase: "SUMMARIZING",
        task: core(),
        end: endOf(source),
        cancelled: source,
        stopping: true,
      });
    });
  }

  test("[CAN-1] the summary is ordered when the run has stopped", () => {
    const { step } = move([...places["model_running, calling"], make.cancel()], make.stopped());
    expect(step.effects).toEqual([{ type: "summarize_task", taskId: "t1" }]);
    const over = move([...places.VERIFYING, make.cancel()], make.stopped());
    expect(over.step.effects).toEqual([{ type: "summarize_task", taskId: "t1" }]);
  });

  function endOf(source: CancelSource): TaskEnd {
    return source === "internal" ? internal : cancelled;
  }

  function expectQuiet(path: readonly Event[], event: Event): void {
    const { before, step } = move(path, event);
    expect(step).toEqual({ state: before, effects: [], accepted: false });
  }
});

test("[SM-1] the task machine has exactly the eleven states of the rule, and each is reached", () => {
  const reached = new Set(Object.values(places).map((path): TaskPhase => after(path).task.phase));
  const states =
    "IDLE INTAKE CLARIFYING CONTEXT_BUILDING PLANNING AWAITING_CONFIRMATION EXECUTING VERIFYING RECOVERING SUMMARIZING DONE";
  expect([...reached].sort()).toEqual(states.split(" ").sort() as TaskPhase[]);
});
