import { describe, expect, test } from "bun:test";
import type { Event } from "../../src/contract/event.ts";
import type { Plan, PlanStep } from "../../src/contract/plan.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { after, call, make, move, plan, result, summary } from "./make.ts";

const step = (id: string, path: string): PlanStep => ({
  id,
  title: `step ${id}`,
  description: "",
  intent: "",
  dependencies: [],
  tools_expected: ["write"],
  expected_artifacts: [{ path, change: "modify" }],
  status: "pending",
  rollback_hint: "",
});
const two: Plan = { ...plan, steps: [step("1", "a"), step("2", "b")] };
const statuses = (path: readonly Event[]) => after(path).plan?.steps.map(({ status }) => status);

const intake = [make.admitted(), make.started(), make.assessed(), make.built(), make.planned({ plan: two })];
const write = (index: number, path: string) => {
  const one = call(1, { id: `r1/${index}/1`, tool: "write", access: "write", input: { path } });
  return [
    make.replied([one], { index }),
    { ...make.decided(1, "allow"), callId: one.id },
    { ...make.intended(1), callId: one.id, intent: { changes: [], text: "" } },
  ];
};
const done = (index: number, more = {}): Event => ({
  ...make.settled(1),
  callId: `r1/${index}/1`,
  result: result({ ...more }),
});

describe("where a plan stands", () => {
  const first = [...intake, make.runStarted(), ...write(1, "a")];

  test("[PL-4] a call that fits the current step puts it in progress, and one for the next step says that it is done", () => {
    expect(statuses(intake)).toEqual(["pending", "pending"]);
    expect(statuses(first)).toEqual(["in_progress", "pending"]);
    expect(statuses([...first, done(1), ...write(2, "b")])).toEqual(["done", "in_progress"]);
  });

  test("[PL-4] where the model reports by itself, its word alone counts", () => {
    const told = { ...two, steps: two.steps.map((one) => ({ ...one, status: "in_progress" as const })).slice(0, 1) };
    const path = [...first, done(1, { plan: { ...two, steps: [...told.steps, ...two.steps.slice(1)] } })];
    expect(statuses([...path, ...write(2, "b")])).toEqual(["in_progress", "pending"]);
  });

  test("[PL-4] [CAN-2] a cancel changes no step of the plan; the end of a completed task ends the step in progress", () => {
    const cancelled = [...first, make.cancel()];
    expect(statuses(cancelled)).toEqual(["in_progress", "pending"]);
    const over = [...first, done(1), make.replied([], { index: 2 }), make.checked()];
    expect(statuses([...over, make.summarized()])).toEqual(["done", "pending"]);
    const limited = { ...make.summarized(), summary: { ...summary, stop_reason: "STEP_LIMIT" as const } };
    expect(statuses([...over, limited])).toEqual(["in_progress", "pending"]);
  });

  test("[SM-3] [SM-8] a step that the model calls blocked leads to recovery, and not to the checks", () => {
    const blocked = { ...two, steps: two.steps.map((one) => ({ ...one, status: "blocked" as const })) };
    const path = [...first, done(1, { plan: blocked })];
    const { step: last } = move(path, make.replied([], { index: 2 }));
    expect(last.effects).toEqual([{ type: "decide_recovery", taskId: "t1", cause: "plan" }]);
    expect(last.state.task).toMatchObject({
      phase: "RECOVERING",
      cause: "plan",
      end: { stop: "BLOCKED", error: null, note: phrase("task.plan_blocked", { id: "1", title: "step 1" }) },
    });
  });

  test("[PL-4] a plan of an earlier task is not followed by a later one", () => {
    const over = [...first, done(1), make.replied([], { index: 2 }), make.checked(), make.summarized(), make.ended()];
    const again = [make.admitted("i2"), make.started({ taskId: "t2", runId: "r2", inputId: "i2" })];
    const { plan: kept, planTask } = after([...over, ...again]);
    expect([kept?.steps.map(({ status }) => status), planTask]).toEqual([["done", "pending"], null]);
  });
});
