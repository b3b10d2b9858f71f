import { describe, expect, test } from "bun:test";
import type { Event } from "../../src/contract/event.ts";
import type { Plan, PlanStep } from "../../src/contract/plan.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { after, call, change, event, limits, make, move, plan, result } from "./make.ts";

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
const file = (path: string) => ({ ...change, path, real: `/ws/${path}` });
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

  test("[PL-6] the first step is in progress when the plan is taken, and a step is done when its file is there", () => {
    expect(statuses(intake)).toEqual(["in_progress", "pending"]);
    expect(statuses(first)).toEqual(["in_progress", "pending"]);
    expect(statuses([...first, done(1, { changes: [file("a")] })])).toEqual(["done", "in_progress"]);
    const both = [...first, done(1, { changes: [file("b")] }), ...write(2, "a"), done(2, { changes: [file("a")] })];
    expect(statuses(both)).toEqual(["done", "done"]);
  });

  test("[PL-6] a plan that waits for the person, or that plan mode made, is not begun", () => {
    const asked = [...intake.slice(0, -1), make.planned({ plan: two, needsConfirmation: true })];
    expect(statuses(asked)).toEqual(["pending", "pending"]);
    expect(statuses([...asked, make.planAnswered("yes")])).toEqual(["in_progress", "pending"]);
    expect(statuses([event({ type: "mode.changed", mode: "plan" }), ...intake])).toEqual(["pending", "pending"]);
  });

  test("[PL-6] the next step is handed over with its files before the next call, once", () => {
    const path = [...first, done(1, { changes: [file("a")] })];
    const { step: last } = move(path.slice(0, -1), path.at(-1) as Event);
    const text = phrase("run.step_next_files", { id: "2", title: "step 2", n: 0, files: "b (modify)" });
    expect(last.effects).toEqual([
      { type: "give_advice", runId: "r1", text },
      { type: "call_model", runId: "r1", index: 2, attempt: 1 },
    ]);
    const { step: again } = move([...path, ...write(2, "x")], done(2));
    expect(again.effects).toEqual([{ type: "call_model", runId: "r1", index: 3, attempt: 1 }]);
  });

  test("[PL-6] where a later step has begun and the due one is neither reported nor there, the model is asked, once", () => {
    const path = [...first, done(1, { changes: [file("b")] })];
    const { step: last } = move(path.slice(0, -1), path.at(-1) as Event);
    const text = phrase("run.step_doubted", { id: "1", title: "step 1" });
    expect(last.effects[0]).toEqual({ type: "give_advice", runId: "r1", text });
    expect(statuses(path)).toEqual(["in_progress", "pending"]);
    expect(move([...path, ...write(2, "x")], done(2)).step.effects.length).toBe(1);
  });

  test("[PL-6] [VF-7] an answer with open steps is asked about once, and then stands", () => {
    const path = [...first, done(1, { changes: [file("a")] })];
    const { step: asked } = move(path, make.replied([], { index: 2 }));
    expect(asked.effects).toEqual([
      { type: "give_advice", runId: "r1", text: phrase("run.steps_open", { steps: "2. step 2" }) },
      { type: "call_model", runId: "r1", index: 3, attempt: 1 },
    ]);
    const again = [...path, make.replied([], { index: 2 })];
    expect(move(again, make.replied([], { index: 3 })).step.effects).toEqual([{ type: "run_checks", taskId: "t1" }]);
    expect(statuses([...again, make.replied([], { index: 3 })])).toEqual(["done", "in_progress"]);
  });

  test("[PL-6] [VF-7] where the model cannot be reached to be asked, its answer stands", () => {
    const { step: last } = move([...first, done(1), make.replied([], { index: 2 })], make.failed(null, { index: 3 }));
    expect(last.state.run).toMatchObject({ phase: "completed", end: { stop: "COMPLETED" } });
    expect(last.effects).toEqual([{ type: "run_checks", taskId: "t1" }]);
  });

  test("[PL-6] [BR-1] where no further call may be made, the answer stands as it is", () => {
    const few = make.started({ limits: { ...limits, maxSteps: 2 } });
    const path = [...first, done(1)].map((one) => (one.type === "task.started" ? few : one));
    const { step: last } = move(path, make.replied([], { index: 2 }));
    expect(last.state.run).toMatchObject({ phase: "completed", end: { stop: "COMPLETED" } });
  });

  test("[PL-6] a plan of one step is done with the answer, unless a file of it is missing", () => {
    for (const [artifacts, status] of [
      [[], "done"],
      [[{ path: "z", change: "create" }], "in_progress"],
    ] as const) {
      const one = { ...two, steps: [{ ...step("1", "a"), expected_artifacts: artifacts }] };
      const path = [...intake.slice(0, -1), make.planned({ plan: one }), make.runStarted(), make.replied([])];
      expect(statuses(path)).toEqual([status]);
    }
  });

  test("[PL-4] [CAN-2] a cancel changes no step of the plan and no todo", () => {
    expect(statuses([...first, make.cancel()])).toEqual(["in_progress", "pending"]);
    expect(after([...first, make.cancel()]).todos).toEqual(after(first).todos);
  });

  test("[PL-6] the todos are the steps of the plan, with the same ids, whatever moves them", () => {
    const list = (path: readonly Event[]) => after(path).todos.map(({ id, status }) => `${id} ${status}`);
    expect(list(intake)).toEqual(["1 in_progress", "2 pending"]);
    expect(list([...first, done(1, { changes: [file("a")] })])).toEqual(["1 completed", "2 in_progress"]);
    const skipped = { ...two, steps: two.steps.map((one) => ({ ...one, status: "skipped" as const })) };
    expect(list([...first, done(1, { plan: skipped })])).toEqual([]);
  });

  test("[PL-6] a new task begins a new list, and what the older one left is kept with it", () => {
    const over = [...first, make.cancel(), make.stopped(), done(1), make.summarized(), make.ended()];
    const begin = (id: string, kind: "task" | "shell") => [
      make.admitted(`i${id}`, { kind }),
      make.started({ taskId: `t${id}`, runId: `r${id}`, inputId: `i${id}` }),
    ];
    const { todos: shown, leftTodos } = after([...over, ...begin("2", "shell")]);
    expect([shown.length, leftTodos.length]).toEqual([2, 0]);
    const next = after([...over, ...begin("2", "task")]);
    expect([next.todos, next.leftTodos.map(({ taskId, todos: its }) => [taskId, its.length])]).toEqual([
      [],
      [["t1", 2]],
    ]);
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
    const answered = [make.replied([], { index: 2 }), make.replied([], { index: 3 })];
    const over = [...first, done(1), ...answered, make.checked(), make.summarized(), make.ended()];
    const again = [make.admitted("i2"), make.started({ taskId: "t2", runId: "r2", inputId: "i2" })];
    const { plan: kept, planTask } = after([...over, ...again]);
    expect([kept?.steps.map(({ status }) => status), planTask]).toEqual([["in_progress", "pending"], null]);
  });
});
