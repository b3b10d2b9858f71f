import { describe, expect, test } from "bun:test";
import type { CancelSource, Event } from "../../src/contract/event.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { followUp } from "../../src/machine/follow-up.ts";
import { openCalls, type TaskCore, type TaskEnd, type TaskState } from "../../src/machine/state.ts";
import { after, assessment, make, move } from "./make.ts";
import { type Place, places } from "./places.ts";
import { expectTask, startCore, taskCore } from "./steps.ts";

const complex = taskCore({ assessment: assessment({ complexity: "complex" }) });

describe("time-out", () => {
  const end: TaskEnd = { stop: "BUDGET", error: null, note: phrase("task.timed_out") };
  const working: readonly (readonly [Place, TaskCore])[] = [
    ["INTAKE", startCore],
    ["CONTEXT_BUILDING", taskCore()],
    ["PLANNING", taskCore()],
    ["PLANNING, model_running", complex],
    ["PLANNING, held", complex],
    ["PLANNING, edited", complex],
    ["PLANNING, refused", { ...complex, refusals: 1 }],
    ["preparing", taskCore()],
    ["model_running, waiting", taskCore()],
    ["tool_running, executing", taskCore()],
    ["VERIFYING", taskCore()],
    ["VERIFYING, executing", taskCore({ runId: "r2" })],
    ["VERIFYING, judging", taskCore({ runId: "r2" })],
    ["VERIFYING, between checks", taskCore({ runId: "r3" })],
  ];

  for (const [place, task] of working) {
    test(`[SM-3] a time-out leads from ${place} to RECOVERING, which waits until everything has stopped`, () => {
      const next = { phase: "RECOVERING", task, cause: "timeout", end, stopping: true } as const;
      expectTask(place, make.timedOut(), next, { type: "stop_run", runId: task.runId });
    });
  }

  for (const place of [
    "CLARIFYING",
    "AWAITING_CONFIRMATION of a given plan",
    "AWAITING_CONFIRMATION, held",
    "awaiting_human",
  ] as const) {
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
      expect([step.effects, followUp(step.state)?.type]).toEqual([[], "recovery.decided"]);
    });
  }

  test("[SM-3] an answer that was on its way at a time-out is no internal error", () => {
    const { before, step } = move([...places.CONTEXT_BUILDING, make.timedOut()], make.built());
    expect(step).toEqual({ state: before, effects: [], accepted: false });
  });

  test("[SM-8] a task that timed out goes on with a fresh run when that is decided", () => {
    const { step } = move(places["RECOVERING after a time-out"], make.recovered(true));
    expect(step.state.task).toEqual({ phase: "EXECUTING", task: taskCore({ runId: "r2" }) });
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
    "PLANNING with a given plan",
    "PLANNING, preparing",
    "PLANNING, model_running",
    "PLANNING, held",
    "PLANNING, edited",
    "PLANNING, refused",
    "AWAITING_CONFIRMATION of a given plan",
    "AWAITING_CONFIRMATION, held",
    "preparing",
    "model_running, calling",
    "model_running, waiting",
    "model_running, compacting",
    "tool_running, deciding",
    "awaiting_human",
    "tool_running, intending",
    "tool_running, executing",
    "VERIFYING",
    "VERIFYING, preparing",
    "VERIFYING, executing",
    "VERIFYING, judging",
    "VERIFYING, between checks",
    "VERIFYING, finishing",
    "RECOVERING after a failed run",
    "RECOVERING after failed checks",
    "RECOVERING, undoing in preparing",
    "RECOVERING, undoing in tool_running",
    "VERIFYING after the undo",
    "RECOVERING after the undo",
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
      expectTask(place, make.cancel(), next, { type: "stop_run", runId: coreOf(place).runId });
      expectQuiet([...places[place], make.cancel()], make.cancel("sigint"));
    });

    test(`[CAN-1] a task cancelled in ${place} is IDLE when all has stopped and all open calls are settled`, () => {
      const { runId } = coreOf(place);
      let state = after([...places[place], make.cancel(), make.stopped(runId)]);
      const cancelledNow = { ...make.settled(1, { status: "cancelled" }), runId };
      state = after(
        openCalls(state.run).map(({ call }) => ({ ...cancelledNow, callId: call.id })),
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

  for (const place of [
    "RECOVERING, stopping in preparing",
    "RECOVERING, stopping in tool_running",
    "RECOVERING, stopping a held reply",
    "RECOVERING, stopping in VERIFYING",
    "RECOVERING, stopping a check",
  ] as const) {
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

  for (const place of [
    "IDLE",
    "SUMMARIZING",
    "SUMMARIZING, stopping after a second refusal",
    "SUMMARIZING after a cancel",
    "DONE",
  ] as const) {
    test(`[CAN-1] a cancel in ${place} has nothing to stop`, () => expectQuiet(places[place], make.cancel()));
  }

  for (const source of ["esc", "sigint", "sigterm", "sighup", "client", "internal", "fork"] as const) {
    test(`[CAN-1] [SM-9] a cancel by ${source} is kept as the reason of the end`, () => {
      const { task } = move(places.VERIFYING, make.cancel(source)).step.state;
      expect(task).toEqual({
        phase: "SUMMARIZING",
        task: taskCore(),
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
