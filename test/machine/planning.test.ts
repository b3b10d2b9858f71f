import { describe, expect, test } from "bun:test";
import type { Effect } from "../../src/contract/effect.ts";
import type { Event } from "../../src/contract/event.ts";
import { type Phrase, phrase } from "../../src/contract/text/catalogue.ts";
import type { RunCore, TaskCore, TaskState } from "../../src/machine/state.ts";
import { after, assessment, call, limits, make, move, plan, reason } from "./make.ts";
import { places } from "./places.ts";
import { expectTask, model, spent, statuses, taskCore } from "./steps.ts";

const complex = (more: Partial<TaskCore> = {}) =>
  taskCore({ assessment: assessment({ complexity: "complex" }), ...more });
const confirm = make.planned({ plan, needsConfirmation: true });
const startRun: Effect = { type: "start_run", taskId: "t1", runId: "r1" };
const askPlan: Effect = { type: "ask_plan", taskId: "t1" };
const settlePlan: Effect = { type: "settle_plan", taskId: "t1" };
const decideFirst: Effect = { type: "decide_call", runId: "r1", callId: "r1/1/1" };
const goOn: Effect = { type: "give_advice", runId: "r1", text: phrase("run.plan_go_on") };
const settles = (status: "denied" | "refused", text: Phrase): readonly Effect[] =>
  (["r1/1/1", "r1/1/2"] as const).map((callId) => ({
    type: "settle_call",
    runId: "r1",
    callId,
    status,
    error: { code: "E_POLICY_DENIED", text },
  }));
const planning = (more: Partial<Extract<TaskState, { phase: "PLANNING" }>> = {}) =>
  ({ phase: "PLANNING", task: complex(), words: "", plan: null, begun: true, ...more }) as const;
/** The reply was the plan and nothing else. */
const textOnly = [...places["PLANNING, model_running"], make.replied([])];

function coreOf(path: readonly Event[]): RunCore {
  const { run } = after(path);
  if (run.phase === "idle") throw new Error("no run");
  return run.run;
}

describe("the plan of a complex task", () => {
  const building = [make.admitted(), make.started(), make.assessed({ complexity: "complex" })];

  test("[SM-4] the run of a complex task begins in PLANNING, and its plan costs no model call of its own", () => {
    expectTask(building, make.built(), planning(), startRun);
    expect(coreOf(places["PLANNING, preparing"]).planning).toBe(true);
    expect(move(places["PLANNING, preparing"], make.runStarted()).step.effects).toEqual([model(1)]);
  });

  test("[SM-4] a command that counts as complex is no task to plan", () => {
    for (const kind of ["shell", "tool"] as const) {
      const path = [make.admitted("i1", { kind }), ...building.slice(1)];
      expectTask(path, make.built(), move(path, make.built()).step.state.task, { follows: "plan.settled" });
    }
  });

  test("[SM-4] [PL-3] the first reply is held, with all its calls, until its plan is read", () => {
    const calls = [call(1, { access: "write" }), call(2)];
    const { step } = move(places["PLANNING, model_running"], make.replied(calls));
    const base = { status: "queued", reasons: [], intent: null, spawned: null, result: null } as const;
    expect(step.state.run).toEqual({
      phase: "tool_running",
      run: spent({ planning: true }),
      calls: calls.map((one) => ({ call: one, ...base })),
      held: true,
    });
    expect(step.state.task).toEqual(planning());
    expect(step.effects).toEqual([{ type: "read_plan", runId: "r1" }]);
  });

  test("[SM-3] a plan that needs no confirmation lets the calls of its reply start", () => {
    const { step } = move(places["PLANNING, held"], make.planned({ plan }));
    expect(step.state.task).toEqual({ phase: "EXECUTING", task: complex() });
    expect(step.effects).toEqual([decideFirst]);
    expect(statuses(step.state)).toBe("deciding queued");
    expect(step.state.run).not.toHaveProperty("held");
    expect(step.state.run).toMatchObject({ run: { planning: false } });
  });

  test("[SM-4] a reply in which there is no plan goes on without one, even if it is said to need a confirmation", () => {
    for (const settled of [make.planned(), make.planned({ needsConfirmation: true })]) {
      const { step } = move(places["PLANNING, held"], settled);
      expect(step.state.task.phase).toBe("EXECUTING");
      expect(step.effects).toEqual([decideFirst]);
    }
  });

  test("[PL-3] after a reply that was only the plan the model is told to go on with it", () => {
    const { step } = move(textOnly, make.planned({ plan, goesOn: true }));
    expect(step.effects).toEqual([goOn, model(2)]);
    expect(step.state.task.phase).toBe("EXECUTING");
  });

  test("[PL-3] a reply without calls that is not to go on ends the run", () => {
    const { step } = move(textOnly, make.planned({ plan }));
    expect(step.state.run).toMatchObject({ phase: "completed", end: { stop: "COMPLETED" } });
    expect(step.effects).toEqual([{ type: "run_checks", taskId: "t1" }]);
  });

  test("[IN-5] steering input that came while the plan was read goes on with the run", () => {
    const steered = [...textOnly, make.admitted("i2", { delivery: "steer" })];
    const deliver: Effect = { type: "deliver_input", runId: "r1", inputIds: ["i2"] };
    expect(move(steered, make.planned({ plan })).step.effects).toEqual([deliver, model(2)]);
  });

  test("[PL-3] an unsound plan is counted, its calls are refused, and the next reply may hold another", () => {
    const { step } = move(places["PLANNING, held"], make.rejected());
    expect(step.state.task).toEqual(planning({ task: complex({ unsound: 1 }) }));
    expect(step.effects).toEqual([...settles("refused", phrase("run.plan_unsound", { problems: [reason] }))]);
    expect(step.state.run).toMatchObject({ run: { planning: true, denied: false } });
    expect(move(textOnly, make.rejected()).step.effects).toEqual([
      { type: "give_advice", runId: "r1", text: phrase("run.plan_unsound", { problems: [reason] }) },
      model(2),
    ]);
  });

  test("[PL-3] the reply after an unsound plan is held as well", () => {
    const path = [...textOnly, make.rejected()];
    expect(move(path, make.replied([call(1)], { index: 2 })).step.effects).toEqual([
      { type: "read_plan", runId: "r1" },
    ]);
  });

  test("[SM-9] an unsound plan that was corrected makes no denial of the run", () => {
    const refused = [make.settled(1, { status: "refused" }), make.settled(2, { status: "refused" })];
    const path = [...places["PLANNING, held"], make.rejected(), ...refused, make.replied([], { index: 2 })];
    expect(after([...path, make.planned({ plan })]).run).toMatchObject({ end: { stop: "COMPLETED" } });
  });

  test("[BR-1] the step limit ends a run that is still planning", () => {
    const few = make.started({ limits: { ...limits, maxSteps: 1 } });
    const path = textOnly.map((one) => (one.type === "task.started" ? few : one));
    const { step } = move(path, make.rejected());
    expect(step.state.run).toMatchObject({ phase: "completed", end: { stop: "STEP_LIMIT" } });
    expect(step.state.task.phase).toBe("VERIFYING");
    expect(step.effects).toEqual([{ type: "run_checks", taskId: "t1" }]);
  });

  test("[SM-3] a model that fails while planning leads to RECOVERING", () => {
    const { step } = move(places["PLANNING, model_running"], make.failed(null));
    expect(step.state.task).toMatchObject({ phase: "RECOVERING", cause: "run" });
  });
});

describe("calls of ours", () => {
  const ours = call(1, { id: "r1/0/1", tool: "todowrite", access: "session" });
  const settled = { ...make.settled(1, { todos: [] }), callId: ours.id };
  const decide: Effect = { type: "decide_call", runId: "r1", callId: "r1/0/1" };

  test("[PL-2] a run may begin with one, simple or complex, and the model is called after its result, with step 1", () => {
    for (const place of ["preparing", "PLANNING, preparing"] as const) {
      expect(move(places[place], make.runStarted([ours])).step.effects).toEqual([decide]);
      expect(move([...places[place], make.runStarted([ours])], settled).step.effects).toEqual([model(1)]);
    }
  });

  test("[PL-2] a plan brings one that comes before the calls of its reply", () => {
    const { step } = move(places["PLANNING, held"], make.planned({ plan, calls: [ours] }));
    expect(step.effects).toEqual([decide]);
    expect(statuses(step.state)).toBe("deciding queued queued");
  });

  test("[PL-2] [SM-3] it waits for the confirmation too, and is refused with its plan", () => {
    const path = [...places["PLANNING, held"], make.planned({ plan, needsConfirmation: true, calls: [ours] })];
    expect(statuses(after(path))).toBe("queued queued queued");
    expect(move(path, make.planAnswered("yes")).step.effects).toEqual([decide]);
    expect(statuses(after([...path, make.planAnswered("no")]))).toBe("denied denied denied");
  });

  test("[PL-2] [PL-3] after a reply that was only the plan, the model goes on behind it", () => {
    const path = [...textOnly, make.planned({ plan, goesOn: true, calls: [ours] })];
    expect(move(path, settled).step.effects).toEqual([model(2)]);
  });
});

describe("the person's answer to a plan", () => {
  const awaiting = places["AWAITING_CONFIRMATION, held"];

  test("[SM-3] PLANNING goes to AWAITING_CONFIRMATION, and nothing of the reply starts", () => {
    const next = { phase: "AWAITING_CONFIRMATION", task: complex(), plan, begun: true } as const;
    expectTask("PLANNING, held", confirm, next, askPlan);
    expect(statuses(after(awaiting))).toBe("queued queued");
  });

  test("[SM-3] yes leads to EXECUTING with the calls that were held", () => {
    expectTask(
      "AWAITING_CONFIRMATION, held",
      make.planAnswered("yes"),
      { phase: "EXECUTING", task: complex() },
      decideFirst,
    );
    const only = [...textOnly, confirm];
    expect(move(only, make.planAnswered("yes")).step.effects).toEqual([goOn, model(2)]);
  });

  test("[SM-3] the first no leads to PLANNING with the person's words, and the model reads them in place of results", () => {
    const no = make.planAnswered("no", { words: "not that file" });
    const why = phrase("run.plan_refused_with_words", { words: "not that file" });
    const next = planning({ task: complex({ refusals: 1 }), words: "not that file" });
    expectTask("AWAITING_CONFIRMATION, held", no, next, ...settles("denied", why));
    const only = [...textOnly, confirm];
    expect(move(only, make.planAnswered("no")).step.effects).toEqual([
      { type: "give_advice", runId: "r1", text: phrase("run.plan_refused", { words: "" }) },
      model(2),
    ]);
  });

  test("[SM-9] a refused plan that nothing follows ends as DENIED, and one that another plan follows does not", () => {
    const refused = [...textOnly, confirm, make.planAnswered("no"), make.replied([], { index: 2 })];
    expect(after([...refused, make.planned()]).run).toMatchObject({ end: { denied: true } });
    expect(after([...refused, make.planned({ plan })]).run).not.toMatchObject({ end: { denied: true } });
    const confirmed = [...refused, confirm, make.planAnswered("yes"), make.replied([], { index: 3 })];
    expect(after(confirmed).run).toMatchObject({ end: { stop: "COMPLETED" } });
  });

  test("[SM-3] a call of a refused plan is never judged, whatever is said about it", () => {
    const { before, step } = move(places["PLANNING, refused"], make.decided(1, "allow"));
    const report = { type: "report_internal", what: "tool.decided in denied" } as const;
    expect(step).toEqual({ state: before, effects: [report], accepted: false });
  });

  test("[SM-3] the second no stops the run and ends the task as DENIED, without another model call", () => {
    const stopping = places["SUMMARIZING, stopping after a second refusal"];
    const end = { stop: "DENIED", error: null, note: phrase("task.plan_refused") } as const;
    const task = complex({ refusals: 2 });
    const state = after(stopping);
    expect(state.task).toEqual({ phase: "SUMMARIZING", task, end, cancelled: null, stopping: true });
    expect(state.run).toMatchObject({ run: { stopping: "asked" } });
    const { step } = move(stopping, make.stopped());
    expect(step.state.task).toEqual({ phase: "SUMMARIZING", task, end, cancelled: null, stopping: false });
    expect(step.effects).toEqual([{ type: "summarize_task", taskId: "t1" }]);
  });

  test("[TP-4] the calls that a second no leaves open each get their result before the summary", () => {
    const calls = [call(1, { id: "r1/2/1" }), call(2, { id: "r1/2/2" })];
    const settled = [make.settled(1, { status: "denied" }), make.settled(2, { status: "denied" })];
    const again = [...settled, make.replied(calls, { index: 2 }), confirm, make.planAnswered("no")];
    const { step } = move([...places["PLANNING, refused"], ...again], make.stopped());
    expect(step.effects.map((one) => (one.type === "settle_call" ? [one.callId, one.status] : one))).toEqual([
      ["r1/2/1", "cancelled"],
      ["r1/2/2", "cancelled"],
    ]);
  });

  test("[SM-3] an edit leads to PLANNING with the edited plan, and the reply stays held until that is settled", () => {
    const edited = { ...plan, title: "edited" };
    const edit = make.planAnswered("edit", { words: "like this", plan: edited });
    expectTask("AWAITING_CONFIRMATION, held", edit, planning({ words: "like this", plan: edited }), settlePlan);
    const held = after([...awaiting, edit]);
    expect(statuses(held)).toBe("queued queued");
    expect(held.run).toMatchObject({ held: true });
  });

  test("[SM-3] an edit that brings no plan keeps the one there is", () => {
    const edit = make.planAnswered("edit", { words: "shorter" });
    expectTask("AWAITING_CONFIRMATION, held", edit, planning({ words: "shorter", plan }), settlePlan);
  });

  test("[SM-3] once an edited plan is settled, the old calls are refused and the model is told the new plan", () => {
    const edited = { ...plan, title: "edited" };
    const why = phrase("run.plan_edited", { plan: JSON.stringify(edited), words: "like this" });
    const { step } = move(places["PLANNING, edited"], make.planned({ plan: edited }));
    expect(step.state.task).toEqual({ phase: "EXECUTING", task: complex() });
    expect(step.effects).toEqual([...settles("refused", why)]);
    expect(step.state.run).toMatchObject({ run: { planning: false, denied: false } });
    const only = [...textOnly, confirm, make.planAnswered("edit", { words: "like this" })];
    expect(move(only, make.planned({ plan: edited })).step.effects).toEqual([
      { type: "give_advice", runId: "r1", text: why },
      model(2),
    ]);
  });

  test("[SM-3] the person's plan is told even if nothing more is said about it", () => {
    const edited = { ...plan, title: "edited" };
    const path = [...awaiting, make.planAnswered("edit", { words: "so", plan: edited })];
    const why = phrase("run.plan_edited", { plan: JSON.stringify(edited), words: "so" });
    expect(move(path, make.planned()).step.effects).toEqual([...settles("refused", why)]);
  });

  test("[SM-3] an edited plan that has to be confirmed is, and its yes starts none of the old calls", () => {
    const edited = { ...plan, title: "edited" };
    const again = [...places["PLANNING, edited"], make.planned({ plan: edited, needsConfirmation: true })];
    expect(after(again).task).toEqual({ phase: "AWAITING_CONFIRMATION", task: complex(), plan: edited, begun: true });
    const why = phrase("run.plan_edited", { plan: JSON.stringify(edited), words: "like this" });
    expect(move(again, make.planAnswered("yes")).step.effects).toEqual([...settles("refused", why)]);
  });

  test("[SM-3] an edit between two refusals does not count as one", () => {
    const path = [...places["PLANNING, edited"], confirm];
    expect(move(path, make.planAnswered("no")).step.state.task.phase).toBe("PLANNING");
  });

  test("[PL-3] an edited plan that cannot be followed gives the word back to the model", () => {
    const { step } = move(places["PLANNING, edited"], make.rejected());
    expect(step.state.task).toEqual(planning({ task: complex({ unsound: 1 }), words: "like this" }));
    expect(step.effects).toEqual([...settles("refused", phrase("run.plan_unsound", { problems: [reason] }))]);
  });
});
