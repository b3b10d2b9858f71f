import { describe, expect, test } from "bun:test";
import type { Event, EventType } from "../../src/contract/event.ts";
import { reduce } from "../../src/machine/session.ts";
import { isRunOver, openCalls, type SessionState } from "../../src/machine/state.ts";
import { after } from "./make.ts";
import { type Place, places } from "./places.ts";
import { samples } from "./samples.ts";

const types = Object.keys(samples) as readonly EventType[];

/** The session's own events are heard everywhere. */
const own: readonly EventType[] = [
  "session.started",
  "session.resumed",
  "session.renamed",
  "aside.answered",
  "session.moved",
  "mode.changed",
  "plan.changed",
  "constraints.said",
  "preset.changed",
  "model.changed",
  "history.restored",
  "notice.given",
  "rules.read",
  "overview.given",
  "internal.reported",
  "input.admitted",
  "job.started",
  "reply.cut",
];
/** About a job that nobody started, an input that does not wait, and a task that has not stopped. */
const ofNothing: readonly EventType[] = ["job.ended", "input.returned", "task.continued"];
const ofSomeRun: readonly EventType[] = ["input.delivered", "advice.given"];
const ofModel: readonly EventType[] = [
  "model.replied",
  "model.failed",
  "retry.due",
  "context.overflowed",
  "context.compacted",
];
const ofCall: readonly EventType[] = [
  "tool.decided",
  "tool.deferred",
  "approval.answered",
  "tool.intended",
  "process.spawned",
  "tool.settled",
];
const ofRun: readonly EventType[] = ["run.started", ...ofModel, ...ofCall, "sub.started", "run.stopped"];
const ofPlan: readonly EventType[] = ["plan.settled", "plan.rejected", "plan.answered"];
/** They begin a run of their own: while another one runs, they are reported. */
const ofNewRun: readonly EventType[] = ["checks.chosen", "check.judged", "recovery.decided"];
const besideRuns: readonly EventType[] = [
  "task.assessed",
  "clarification.answered",
  "clarification.unanswered",
  "context.built",
  ...ofPlan,
  "checks.finished",
  "task.summarized",
  "task.ended",
];
const ofTask: readonly EventType[] = [...besideRuns, ...ofNewRun];
const ends: readonly EventType[] = ["cancel.requested", "task.timed_out"];

interface Row {
  readonly accepts: readonly EventType[];
  /** Falls without a word: too late, or without meaning here. What is in neither list is reported. */
  readonly drops: readonly EventType[];
}

const without = (list: readonly EventType[], ...names: EventType[]) => list.filter((one) => !names.includes(one));

const stopped: Row = { accepts: ["task.continued"], drops: [...ofTask, ...ofRun, ...ends] };

const table: Readonly<Record<Place, Row>> = {
  IDLE: { accepts: [], drops: [...ofTask, ...ofRun, ...ends, ...ofSomeRun] },
  INTAKE: { accepts: ["task.assessed", ...ends], drops: [] },
  CLARIFYING: {
    accepts: ["clarification.answered", "clarification.unanswered", "cancel.requested"],
    drops: ["task.timed_out"],
  },
  CONTEXT_BUILDING: { accepts: ["context.built", ...ends], drops: [] },
  PLANNING: { accepts: ["plan.settled", ...ends], drops: [] },
  "PLANNING with a given plan": { accepts: ["plan.settled", ...ends], drops: [] },
  "PLANNING, preparing": { accepts: ["run.started", ...ends], drops: [] },
  "PLANNING, model_running": { accepts: ["model.replied", "model.failed", "context.overflowed", ...ends], drops: [] },
  "PLANNING, held": { accepts: ["plan.settled", "plan.rejected", ...ends], drops: [] },
  "PLANNING, edited": { accepts: ["plan.settled", "plan.rejected", ...ends], drops: [] },
  "PLANNING, refused": { accepts: ["tool.settled", ...ends], drops: [] },
  "AWAITING_CONFIRMATION of a given plan": {
    accepts: ["plan.answered", "cancel.requested"],
    drops: ["task.timed_out"],
  },
  "AWAITING_CONFIRMATION, held": { accepts: ["plan.answered", "cancel.requested"], drops: ["task.timed_out"] },
  preparing: { accepts: ["run.started", ...ends], drops: [] },
  "model_running, calling": { accepts: ["model.replied", "model.failed", "context.overflowed", ...ends], drops: [] },
  "model_running, waiting": { accepts: ["retry.due", ...ends], drops: [] },
  "model_running, compacting": { accepts: ["context.compacted", ...ends], drops: [] },
  "tool_running, deciding": { accepts: ["tool.decided", "tool.settled", ...ends], drops: [] },
  awaiting_human: { accepts: ["approval.answered", "tool.settled", "cancel.requested"], drops: ["task.timed_out"] },
  "tool_running, intending": { accepts: ["tool.intended", "tool.settled", ...ends], drops: [] },
  "tool_running, executing": { accepts: ["process.spawned", "tool.settled", "sub.started", ...ends], drops: [] },
  "inside a call, model_running": {
    accepts: ["model.replied", "model.failed", "context.overflowed", ...ends],
    drops: [],
  },
  "inside a call, executing": { accepts: ["process.spawned", "tool.settled", ...ends], drops: [] },
  "inside a call, over": { accepts: [...ends], drops: without(ofRun, "sub.started", "run.stopped") },
  "SUMMARIZING, stopping inside a call": {
    accepts: ["run.stopped", "process.spawned", "tool.settled"],
    drops: [...without(ofRun, "run.stopped", "process.spawned", "tool.settled"), ...besideRuns, ...ends],
  },
  "SUMMARIZING, closing inside a call": {
    accepts: ["process.spawned", "tool.settled"],
    drops: [...without(ofRun, "process.spawned", "tool.settled"), ...besideRuns, ...ends],
  },
  VERIFYING: { accepts: ["checks.chosen", "checks.finished", ...ends], drops: ofRun },
  "VERIFYING, preparing": { accepts: ["run.started", ...ends], drops: [] },
  "VERIFYING, executing": { accepts: ["process.spawned", "tool.settled", ...ends], drops: [] },
  "VERIFYING, judging": { accepts: ["checks.chosen", "check.judged", ...ends], drops: ofRun },
  "VERIFYING, between checks": { accepts: ["run.started", ...ends], drops: [] },
  "VERIFYING, finishing": { accepts: ["checks.finished", ...ends], drops: ofRun },
  "RECOVERING after a failed run": {
    accepts: ["recovery.decided", "cancel.requested"],
    drops: [...ofRun, "task.timed_out"],
  },
  "RECOVERING after failed calls": {
    accepts: ["recovery.decided", "cancel.requested"],
    drops: [...ofRun, "task.timed_out"],
  },
  "RECOVERING, asking": {
    accepts: ["clarification.answered", "clarification.unanswered", "cancel.requested"],
    drops: [...ofRun, "task.timed_out"],
  },
  "RECOVERING after failed checks": {
    accepts: ["recovery.decided", "cancel.requested"],
    drops: [...ofRun, "task.timed_out"],
  },
  "RECOVERING, undoing in preparing": { accepts: ["run.started", "cancel.requested"], drops: ["task.timed_out"] },
  "RECOVERING, undoing in tool_running": {
    accepts: ["process.spawned", "tool.settled", "cancel.requested"],
    drops: ["task.timed_out"],
  },
  "VERIFYING after the undo": { accepts: ["checks.chosen", "checks.finished", ...ends], drops: ofRun },
  "RECOVERING after the undo": {
    accepts: ["recovery.decided", "cancel.requested"],
    drops: [...ofRun, "task.timed_out"],
  },
  "RECOVERING, stopping in preparing": {
    accepts: ["run.stopped", "cancel.requested"],
    drops: [...without(ofRun, "run.stopped"), ...besideRuns, "task.timed_out"],
  },
  "RECOVERING, stopping a held reply": {
    accepts: ["run.stopped", "cancel.requested"],
    drops: [...without(ofRun, "run.stopped"), ...besideRuns, "task.timed_out"],
  },
  "RECOVERING, stopping in VERIFYING": {
    accepts: ["run.stopped", "cancel.requested"],
    drops: [...without(ofRun, "run.stopped"), ...without(ofTask, "recovery.decided"), "task.timed_out"],
  },
  "RECOVERING, stopping a check": {
    accepts: ["run.stopped", "cancel.requested", "process.spawned", "tool.settled"],
    drops: [...without(ofRun, "run.stopped", "process.spawned", "tool.settled"), ...besideRuns, "task.timed_out"],
  },
  "RECOVERING, stopping in tool_running": {
    accepts: ["run.stopped", "cancel.requested", "process.spawned", "tool.settled"],
    drops: [...without(ofRun, "run.stopped", "process.spawned", "tool.settled"), ...besideRuns, "task.timed_out"],
  },
  "RECOVERING after a time-out": {
    accepts: ["recovery.decided", "cancel.requested"],
    drops: [...ofRun, ...without(ofTask, "recovery.decided"), "task.timed_out"],
  },
  SUMMARIZING: { accepts: ["task.summarized"], drops: [...ofRun, ...ends] },
  "SUMMARIZING, stopping in CONTEXT_BUILDING": {
    accepts: ["run.stopped"],
    drops: [...without(ofRun, "run.stopped"), ...besideRuns, ...ends],
  },
  "SUMMARIZING, stopping in model_running": {
    accepts: ["run.stopped"],
    drops: [...without(ofRun, "run.stopped"), ...besideRuns, ...ends],
  },
  "SUMMARIZING, stopping in tool_running": {
    accepts: ["run.stopped", "process.spawned", "tool.settled"],
    drops: [...without(ofRun, "run.stopped", "process.spawned", "tool.settled"), ...besideRuns, ...ends],
  },
  "SUMMARIZING, stopping a held reply": {
    accepts: ["run.stopped"],
    drops: [...without(ofRun, "run.stopped"), ...besideRuns, ...ends],
  },
  "SUMMARIZING, stopping a check": {
    accepts: ["run.stopped", "process.spawned", "tool.settled"],
    drops: [...without(ofRun, "run.stopped", "process.spawned", "tool.settled"), ...besideRuns, ...ends],
  },
  // Nothing but the question was open, so that nothing can be on its way.
  "SUMMARIZING, stopping after a second refusal": {
    accepts: ["run.stopped"],
    drops: [...without(ofRun, "run.stopped"), ...ends],
  },
  "SUMMARIZING, stopping a question": {
    accepts: ["run.stopped"],
    drops: [...without(ofRun, "run.stopped"), ...ofTask, ...ends],
  },
  "SUMMARIZING, closing calls": {
    accepts: ["process.spawned", "tool.settled"],
    drops: [...without(ofRun, "process.spawned", "tool.settled"), ...besideRuns, ...ends],
  },
  "SUMMARIZING after a cancel": {
    accepts: ["task.summarized"],
    drops: [...ofRun, ...without(ofTask, "task.summarized"), ...ends],
  },
  DONE: { accepts: ["task.ended"], drops: [...ofRun, ...ends] },
  "IDLE after a task": { accepts: [], drops: [...ofTask, ...ofRun, ...ends] },
  "IDLE after a failed call": stopped,
  "IDLE after a cancelled call": stopped,
  "IDLE after cancelled tools": stopped,
  "IDLE after a cancelled check": stopped,
  "IDLE after a cancelled plan": stopped,
  // Its run has not begun.
  "IDLE after an unanswered question": { accepts: ["task.continued"], drops: [...ofTask, ...ends] },
};

const ofTree: readonly EventType[] = ["run.stopped", "sub.started"];
/** What happens inside a call is told of the run inside it; but everything stops together. */
const innermost = ({ run, subs }: SessionState) => subs[0]?.run ?? run;

/** What a report names as the place: the phase, or the part of it that did not fit. */
function where(state: SessionState, type: EventType): string {
  const { task } = state;
  const run = ofNewRun.includes(type) || ofTree.includes(type) ? state.run : innermost(state);
  if (ofNewRun.includes(type) && !isRunOver(run)) return run.phase;
  if (ofPlan.includes(type) && "begun" in task && task.begun && !("held" in run)) return run.phase;
  if (type === "recovery.decided" && task.phase === "RECOVERING") return "RECOVERING (still busy)";
  if (ofTask.includes(type) || type === "task.started") return task.phase;
  if (type === "run.started" && run.phase === "preparing") return task.phase;
  if ("held" in run) return run.phase;
  if (ofModel.includes(type) && run.phase === "model_running") return run.doing;
  const first = openCalls(run)[0];
  return ofCall.includes(type) && first ? first.status : run.phase;
}

/** The sample as if it were about the run that is there now, and its first call. */
function sampleFor(state: SessionState, type: EventType): Event {
  const run = innermost(state);
  const sample = samples[type];
  if (!("runId" in sample) || ofNewRun.includes(type) || type === "task.started") return sample;
  const about = ofTree.includes(type) ? state.run : run;
  const runId = "run" in about ? about.run.id : sample.runId;
  const call = openCalls(run)[0]?.call.id;
  return { ...sample, runId, ...("callId" in sample && call ? { callId: call } : {}) } as Event;
}

describe("every pair of place and event", () => {
  for (const [name, events] of Object.entries(places)) {
    const row = table[name as Place];
    const state = after(events);
    const heard = [...own, ...row.accepts, ...(row.drops.includes("advice.given") ? [] : ofSomeRun)];

    test(`[SM-2] [SM-3] [SM-5] ${name} accepts what its row of the table says, and nothing else`, () => {
      const accepted = types.filter((type) => reduce(state, sampleFor(state, type)).accepted);
      expect(accepted).toEqual(types.filter((type) => heard.includes(type)));
    });

    test(`[SM-6] ${name} is not changed by any other event, and reports each that is not just late`, () => {
      for (const type of types.filter((one) => !heard.includes(one))) {
        const report = { type: "report_internal", what: `${type} in ${where(state, type)}` } as const;
        const step = reduce(state, sampleFor(state, type));
        expect({ type, ...step }).toEqual({
          type,
          state,
          effects: [...row.drops, ...ofNothing].includes(type) ? [] : [report],
          accepted: false,
        });
        expect(step.state).toBe(state);
      }
    });
  }
});

describe("answers of other runs, tasks, steps and attempts", () => {
  for (const [name, events] of Object.entries(places)) {
    const state = after(events);

    test(`[SM-6] in ${name} the answers of an older run and an older task fall without a word`, () => {
      for (const type of types) {
        const sample = samples[type];
        const isHeard =
          ["task.started", "job.started", "reply.cut", ...ofNewRun].includes(type) ||
          !("runId" in sample || "taskId" in sample);
        if (isHeard) continue;
        const old = { ...sample, ...("runId" in sample ? { runId: "r0" } : { taskId: "t0" }) };
        expect({ type, ...reduce(state, old) }).toEqual({ type, state, effects: [], accepted: false });
      }
      for (const type of ofNewRun) {
        const old = { ...samples[type], taskId: "t0" } as Event;
        expect({ type, ...reduce(state, old) }).toEqual({ type, state, effects: [], accepted: false });
      }
    });
  }

  test("[MD-4] in model_running the answers of another step or attempt fall without a word", () => {
    for (const place of ["model_running, calling", "model_running, waiting", "model_running, compacting"] as const) {
      const state = after(places[place]);
      for (const type of ofModel) {
        const sample = samples[type];
        for (const other of [{ index: 2 }, { index: 0 }, ...("attempt" in sample ? [{ attempt: 2 }] : [])]) {
          expect({ type, ...reduce(state, { ...sample, ...other }) }).toEqual({
            type,
            state,
            effects: [],
            accepted: false,
          });
        }
      }
    }
  });

  test("[SM-6] an answer about a call that the step does not have is reported", () => {
    const state = after(places["tool_running, executing"]);
    for (const type of ofCall) {
      const what = `${type} r1/1/9 in a step without that call`;
      expect(reduce(state, { ...samples[type], callId: "r1/1/9" } as (typeof samples)[typeof type])).toEqual({
        state,
        effects: [{ type: "report_internal", what }],
        accepted: false,
      });
    }
  });
});
