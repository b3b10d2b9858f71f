import { describe, expect, test } from "bun:test";
import type { Event } from "../../src/contract/event.ts";
import { followUp } from "../../src/machine/follow-up.ts";
import { pending } from "../../src/machine/pending.ts";
import { reduce } from "../../src/machine/session.ts";
import { emptySession, type SessionState } from "../../src/machine/state.ts";
import { after, call, event, limits, make, move, plan, reason } from "./make.ts";
import { places } from "./places.ts";
import { samples } from "./samples.ts";

const queueOf = (events: readonly Event[]) => after(events).queue.map((one) => one.inputId);
const queued = (inputId: string) => ({ inputId, kind: "task", delivery: "now", text: inputId }) as const;
const startTask = (inputId: string) => ({ type: "start_task", inputId }) as const;

describe("the session's own facts", () => {
  const begun = after([samples["session.started"]]);

  test("before its first event a session has done nothing, sees the whole history and decides by the default mode", () => {
    expect(emptySession).toEqual({
      title: "",
      id: "",
      workspace: "",
      addDirs: [],
      prompt: null,
      model: "",
      rewound: null,
      mode: "default",
      knowsYolo: false,
      preset: null,
      grant: null,
      tasks: 0,
      runs: 0,
      inputs: 0,
      queue: [],
      task: { phase: "IDLE" },
      stopped: null,
      run: { phase: "idle" },
      subs: [],
      view: { pruneBefore: 0, trimBefore: 0 },
      todos: [],
      plan: null,
      checksRun: 0,
      replans: 0,
      planTask: null,
      driven: { told: null, doubted: null, asked: null, made: [] },
      listTask: null,
      leftTodos: [],
      usage: { input: 0, output: 0, cachedInput: 0, reasoning: 0 },
      cost: 0,
      jobs: [],
      jobsStarted: 0,
    });
  });

  test("a session starts with what its first event says", () => {
    const { sessionId: id, workspace, addDirs, model, mode, preset } = samples["session.started"];
    expect(begun).toEqual({ ...emptySession, id, workspace, addDirs, model, mode, preset });
  });

  test("a resume brings its own mode, preset and model, and keeps the rest", () => {
    const resumed = samples["session.resumed"];
    expect(reduce(begun, resumed)).toEqual({
      state: { ...begun, mode: "yolo", knowsYolo: true, preset: "yolo", model: "n" },
      effects: [],
      accepted: true,
    });
  });

  test("mode, preset and model change one by one", () => {
    expect(reduce(begun, samples["mode.changed"]).state).toEqual({ ...begun, mode: "auto-edit" });
    const yolo = event({ type: "preset.changed", preset: "yolo" });
    expect(reduce(begun, yolo).state).toEqual({ ...begun, preset: "yolo" });
    expect(reduce(begun, samples["model.changed"]).state).toEqual({ ...begun, model: "o" });
  });

  test("[PL-4] [PL-5] the plan is the newest that was settled, edited, changed or sent by a call, whatever becomes of its task", () => {
    const titled = (title: string) => ({ ...plan, title });
    const path = [...places["AWAITING_CONFIRMATION, held"]];
    expect(after(path).plan).toEqual(plan);
    const edit = make.planAnswered("edit", { plan: titled("edited") });
    expect(after([...path, edit]).plan).toEqual(titled("edited"));
    expect(after([...path, make.planAnswered("edit")]).plan).toEqual(plan);
    expect(after([...path, make.planAnswered("no", { plan: titled("no") })]).plan).toEqual(plan);
    const changed = event({ type: "plan.changed", plan: titled("changed"), by: "model" });
    expect(after([...path, changed]).plan).toEqual(titled("changed"));
    const executing = after(places["tool_running, executing"]);
    const sent = make.settled(1, { plan: titled("sent"), todos: [] });
    expect(reduce(executing, sent).state).toMatchObject({ plan: titled("sent"), todos: [] });
    expect(
      after([changed, make.admitted(), make.started(), make.assessed(), make.built(), make.planned()]).plan,
    ).toEqual(titled("changed"));
    expect(after([...path, make.cancel()]).plan).toEqual(plan);
  });

  test("[VF-2] checks that the model runs by itself are counted when they begin, for this task only", () => {
    const check = call(1, { tool: "diagnostics", access: "exec" });
    const asked = [...places["model_running, calling"], make.replied([check, { ...check, id: "r1/1/2" }])];
    const count = (...events: readonly Event[]) => after([...asked, ...events]).checksRun;
    expect(count()).toBe(0);
    const begun = [make.decided(1, "allow"), make.intended(1)];
    expect(count(...begun)).toBe(1);
    expect(count(...begun, make.settled(1), make.settled(2, { status: "denied" }))).toBe(1);
    const over = [make.settled(1), make.settled(2), make.replied([], { index: 2 }), make.checked(), make.summarized()];
    const next = [make.ended(), make.admitted("i2"), make.started({ taskId: "t2", runId: "r2", inputId: "i2" })];
    expect(count(...begun, ...over, ...next)).toBe(0);
    expect(after(places["VERIFYING, executing"]).checksRun).toBe(0);
  });

  test("[PL-4] replans are counted for this task only", () => {
    const executing = places["tool_running, executing"];
    const replan = make.settled(1, { plan: { ...plan, title: "patched" }, isReplan: true });
    expect(after([...executing, replan]).replans).toBe(1);
    expect(after([...executing, make.settled(1, { plan })]).replans).toBe(0);
    const over = [replan, make.settled(2), make.replied([], { index: 2 }), make.checked(), make.summarized()];
    const next = [make.ended(), make.admitted("i2"), make.started({ taskId: "t2", runId: "r2", inputId: "i2" })];
    expect(after([...executing, ...over, ...next]).replans).toBe(0);
  });

  test("notices, advice and reports are accepted and change nothing", () => {
    const state = after(places["tool_running, executing"]);
    for (const type of ["notice.given", "internal.reported", "advice.given"] as const) {
      expect(reduce(state, samples[type])).toEqual({ state, effects: [], accepted: true });
    }
  });
});

describe("a log of an earlier version", () => {
  const { maxChecks: _, recovers: _recovers, ...oldLimits } = limits;
  const old = { intent: "task", complexity: "simple", riskLevel: "low", foreseen: [], missing: [] } as const;
  const begin = [
    ...[make.admitted(), make.started({ limits: oldLimits })],
    event({ type: "task.assessed", taskId: "t1", assessment: old }),
    ...[make.built(), make.planned(), make.runStarted()],
  ];
  const unfit = { ...make.checked({ kind: "none", reason }), answer: ["a"] };

  test("[PS-4] its task, which knows no checks, rungs or kinds, folds to its end", () => {
    const repaired = [unfit, make.recovered(true), make.runStarted([], "r2"), make.replied([], { runId: "r2" })];
    const end = [{ ...unfit, answer: [] }, make.summarized(), make.ended()];
    const state = after([...begin, make.replied([]), ...repaired, ...end]);
    expect(state.task).toEqual({ phase: "IDLE" });
    expect({ runs: state.runs, plan: state.plan, checksRun: state.checksRun }).toEqual({
      runs: 2,
      plan: null,
      checksRun: 0,
    });
  });

  test("[PS-4] cut off at any event, it orders what it would have ordered then", () => {
    const path = [...begin, make.replied([])];
    const nextOf = (state: SessionState): string | undefined => (pending(state)[0] ?? followUp(state))?.type;
    expect(path.map((_one, at) => nextOf(after(path.slice(0, at + 1))))).toEqual([
      ...["start_task", "assess_task", "context.built", "plan.settled"],
      ...["start_run", "call_model", "run_checks"],
    ]);
    expect(followUp(after([...path, unfit]))).toMatchObject({ type: "recovery.decided", rung: "answer" });
  });
});

describe("input", () => {
  test("[IN-5] input in IDLE is queued and starts a task at once", () => {
    const call = { tool: "read", input: { path: "a" } };
    const { step } = move([], make.admitted("i1", { kind: "tool", call }));
    const first = { inputId: "i1", kind: "tool", delivery: "now", text: "text of i1", call } as const;
    expect(step).toEqual({
      state: { ...emptySession, inputs: 1, queue: [first] },
      effects: [startTask("i1")],
      accepted: true,
    });
  });

  test("[IN-5] input while a task runs is queued behind what is there, and orders nothing", () => {
    const path = [...places["model_running, calling"], make.admitted("i2", { delivery: "steer" })];
    const { before, step } = move(path, make.admitted("i3", { delivery: "queue", kind: "shell" }));
    const third = { inputId: "i3", kind: "shell", delivery: "queue", text: "text of i3" } as const;
    expect(step).toEqual({
      state: { ...before, inputs: 3, queue: [...before.queue, third] },
      effects: [],
      accepted: true,
    });
  });

  test("[IN-5] delivered and returned input leaves the queue, and only that", () => {
    const two = [make.admitted("i2", { delivery: "steer" }), make.admitted("i3"), make.admitted("i4")];
    const path = [...places["model_running, calling"], ...two];
    expect(queueOf([...path, event({ type: "input.delivered", runId: "r1", inputIds: ["i2", "i4"] })])).toEqual(["i3"]);
    expect(queueOf([...path, event({ type: "input.returned", inputIds: ["i3"] })])).toEqual(["i2", "i4"]);
  });

  test("[IN-5] [SM-6] what was delivered before, or is not known, cannot be taken back: that is late, and no internal error", () => {
    const path = [...places["model_running, calling"], make.admitted("i2", { delivery: "steer" }), make.admitted("i3")];
    const gone = [...path, event({ type: "input.delivered", runId: "r1", inputIds: ["i2"] })];
    for (const inputIds of [["i2"], ["i9"], []]) {
      const { before, step } = move(gone, event({ type: "input.returned", inputIds }));
      expect(step).toEqual({ state: before, effects: [], accepted: false });
    }
  });

  test("[IN-5] where the one that was about to begin is taken back, the next begins", () => {
    const waiting = { ...emptySession, queue: [queued("i1"), queued("i2")] };
    const first = reduce(waiting, event({ type: "input.returned", inputIds: ["i1"] }));
    expect(first).toEqual({ state: { ...waiting, queue: [queued("i2")] }, effects: [startTask("i2")], accepted: true });
    const second = reduce(waiting, event({ type: "input.returned", inputIds: ["i2"] }));
    expect(second).toEqual({ state: { ...waiting, queue: [queued("i1")] }, effects: [], accepted: true });
  });

  test("[IN-5] a cancel returns all input that was not delivered, in order", () => {
    const path = [...places.VERIFYING, make.admitted("i2", { delivery: "steer" }), make.admitted("i3")];
    const { before, step } = move(path, make.cancel());
    expect(step.effects).toEqual([
      { type: "stop_run", runId: "r1" },
      { type: "return_input", inputIds: ["i2", "i3"] },
    ]);
    expect(step.state.queue).toEqual(before.queue);
  });

  test("[IN-5] a cancel returns a single input too", () => {
    const { step } = move([...places.CLARIFYING, make.admitted("i2")], make.cancel());
    expect(step.effects).toEqual([
      { type: "stop_run", runId: "r1" },
      { type: "return_input", inputIds: ["i2"] },
    ]);
  });

  test("[IN-5] a cancel that is not accepted returns nothing, and a time-out never does", () => {
    const summarizing = [...places.SUMMARIZING, make.admitted("i2")];
    expect(move(summarizing, make.cancel()).step.effects).toEqual([]);
    const timedOut = move([...places.VERIFYING, make.admitted("i2")], make.timedOut());
    expect(timedOut.step.effects).toEqual([{ type: "stop_run", runId: "r1" }]);
  });

  test("[IN-5] the next queued input starts when the task has ended", () => {
    const path = [...places.DONE, make.admitted("i2"), make.admitted("i3")];
    const { before, step } = move(path, make.ended());
    expect(step).toEqual({
      state: { ...before, task: { phase: "IDLE" } },
      effects: [startTask("i2")],
      accepted: true,
    });
  });

  test("[IN-5] input sent while a cancel is under way becomes the next task", () => {
    const stopping = [...places["model_running, calling"], make.cancel(), make.admitted("i2"), make.stopped()];
    expect(move([...stopping, make.summarized()], make.ended()).step.effects).toEqual([startTask("i2")]);
  });

  test("[IN-5] a task takes its own input out of the queue and leaves the others there", () => {
    const path = [make.admitted("i1"), make.admitted("i2")];
    const { step } = move(path, make.started({ inputId: "i2" }));
    expect(step.state.queue.map((one) => one.inputId)).toEqual(["i1"]);
    expect(step.state.task).toMatchObject({ phase: "INTAKE", task: { input: { inputId: "i2" } } });
  });

  test("[SM-6] a task that starts without its input in the queue, or beside another, is reported", () => {
    const report = (where: string) => [{ type: "report_internal", what: `task.started in ${where}` } as const];
    const missing = move([make.admitted("i1")], make.started({ inputId: "i2" }));
    expect(missing.step).toEqual({ state: missing.before, effects: report("IDLE"), accepted: false });
    const second = move([...places.INTAKE, make.admitted("i2")], make.started({ taskId: "t2", inputId: "i2" }));
    expect(second.step).toEqual({ state: second.before, effects: report("INTAKE"), accepted: false });
  });

  test("tasks and runs are counted, so that ids never repeat", () => {
    const next = make.started({ taskId: "t2", runId: "r2", inputId: "i2", limits });
    const state = after([...places["IDLE after a task"], make.admitted("i2"), next]);
    expect({ tasks: state.tasks, runs: state.runs, inputs: state.inputs }).toEqual({ tasks: 2, runs: 2, inputs: 2 });
  });
});

describe("background jobs", () => {
  const started = samples["job.started"];
  const ended = samples["job.ended"];
  const job = {
    id: "j1",
    taskId: "t1",
    callId: "r1/1/1",
    command: "serve",
    pid: 7,
    startTime: "70",
    end: null,
  } as const;
  const running = after([started]);

  test("a started job is known until it ends, whatever the task does, and its number is never given again", () => {
    expect(running).toEqual({ ...emptySession, jobs: [job], jobsStarted: 1 });
    const end = { fate: "exited", exitCode: 0, signal: null, tail: "bye" } as const;
    expect(reduce(running, ended)).toEqual({
      state: { ...running, jobs: [{ ...job, end }] },
      effects: [],
      accepted: true,
    });
  });

  test("a job ends once: a second end is late, and a second start under its name is reported", () => {
    const over = reduce(running, ended).state;
    expect(reduce(over, ended)).toEqual({ state: over, effects: [], accepted: false });
    const report = { type: "report_internal", what: "job.started in job" };
    expect(reduce(running, started)).toEqual({ state: running, effects: [report], accepted: false } as never);
  });

  test("[PS-4] after a crash the orders end exactly the jobs that run, before anything else goes on", () => {
    const second = { ...started, jobId: "j2" } as const;
    const state = after([...places.INTAKE, started, second, ended]);
    expect(pending(state)).toEqual([
      { type: "end_job", jobId: "j2" },
      { type: "assess_task", taskId: "t1" },
    ]);
    expect(pending(after([started]))).toEqual([{ type: "end_job", jobId: "j1" }]);
  });

  test("of the ended jobs the last sixteen stay known, and every running one", () => {
    const many = Array.from({ length: 20 }, (_, at) => ({ ...started, jobId: `j${at + 1}` }));
    const ends = many.slice(1).map(({ jobId }) => ({ ...ended, jobId }));
    const state = after([...many, ...ends]);
    expect(state.jobs.map(({ id }) => id)).toEqual(["j1", ...many.slice(4).map(({ jobId }) => jobId)]);
    expect(state.jobsStarted).toBe(20);
  });

  test("a job that ends after many younger ones is not the one that is forgotten", () => {
    const many = Array.from({ length: 18 }, (_, at) => ({ ...started, jobId: `j${at + 1}` }));
    const [first, ...others] = many.map(({ jobId }) => ({ ...ended, jobId }));
    const state = after([...many, ...others.slice(0, 16), ...(first ? [first] : []), ...others.slice(16)]);
    expect(state.jobs.map(({ id }) => id).sort()).toEqual(["j1", ...many.slice(3).map(({ jobId }) => jobId)].sort());
  });
});
