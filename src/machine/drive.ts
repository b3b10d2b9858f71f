// PL-6: the plan drives. What the model is told of it between two replies, and what it is asked before its last word counts.
import type { Effect } from "../contract/effect.ts";
import type { Plan, PlanStep } from "../contract/plan.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { following, isFollowed } from "./carry.ts";
import { nextStep as dueStep, isMissing, isOvertaken, isTodoList, openSteps, withStatus } from "./plan/progress.ts";
import { nextStep } from "./run.ts";
import type { Driven, RunCore, RunState, SessionState } from "./state.ts";
import type { Step } from "./step.ts";

interface Drive {
  readonly session: SessionState;
  readonly step: Step<RunState>;
}

/** VF-7: steps that are open where the task ends now. A plan that was only wanted is not carried out at all. */
export function stepsLeft(state: SessionState): readonly PlanStep[] {
  return isCarriedOut(state) ? openSteps(state.plan) : [];
}

/** Those that were given up: done is something else. */
export function stepsSkipped(state: SessionState): readonly PlanStep[] {
  return isCarriedOut(state) ? state.plan.steps.filter(({ status }) => status === "skipped") : [];
}

function isCarriedOut(state: SessionState): state is SessionState & { readonly plan: Plan } {
  const { task, mode } = state;
  return isFollowed(state) && mode !== "plan" && task.phase !== "IDLE" && task.task.limits.endsByFacts === true;
}

/** `session`: as the event leaves it. `step`: what the run makes of the event. */
export function driveOn(session: SessionState, before: RunState, step: Step<RunState>): Drive {
  const run = step.state;
  // Logs of earlier versions went on without it.
  const isDriven = session.task.phase === "EXECUTING" && !session.task.task.failed && isCarriedOut(session);
  if (!isDriven || !("run" in run) || !run.run.withModel) return { session, step };
  if (run.phase === "model_running" && !isSameCall(before, run)) return beforeCall(session, session.plan, step);
  const isEnd = run.phase === "completed" && run.end.stop === "COMPLETED" && before.phase !== "completed";
  // It had answered before it was asked: that it cannot be reached any more changes nothing about that.
  if (run.phase === "failed" && session.driven.asked === callOf(run.run))
    return { session, step: { ...step, state: answered(run.run) } };
  return isEnd ? atEnd(session, session.plan, run.run, step) : { session, step };
}

function isSameCall(before: RunState, now: Extract<RunState, { phase: "model_running" }>): boolean {
  return before.phase === "model_running" && before.run.index === now.run.index;
}

/** The current step is handed over when it is another than the model knows of. */
function beforeCall(session: SessionState, plan: Plan, step: Step<RunState>): Drive {
  const { driven } = session;
  const due = dueStep(plan);
  const told = (more: Partial<Driven>, text: Phrase): Drive => ({
    session: { ...session, driven: { ...driven, ...more } },
    step: { ...step, effects: withAdvice(step, text) },
  });
  if (due === null || isTodoList(plan)) return { session, step };
  if (due.id !== driven.told) return told({ told: due.id }, handOver(plan, due));
  if (driven.doubted !== due.id && isOvertaken(plan, due, driven.made))
    return told({ doubted: due.id }, phrase("run.step_doubted", { id: due.id, title: due.title }));
  return { session, step };
}

/** Behind what else it is told, and before it is called. */
function withAdvice({ state, effects }: Step<RunState>, text: Phrase): readonly Effect[] {
  const runId = "run" in state ? state.run.id : "";
  return [...effects.slice(0, -1), { type: "give_advice", runId, text }, ...effects.slice(-1)];
}

function handOver(plan: Plan, { id, title, description, expected_artifacts: files }: PlanStep): Phrase {
  const more = description === "" ? title : `${title}: ${description}`;
  const open = openSteps(plan).length;
  const left = { id, title: more, n: open - 1 };
  if (files.length === 0) return phrase("run.step_next", left);
  const named = files.map(({ path, change }) => `${path} (${change})`).join(", ");
  return phrase("run.step_next_files", { ...left, files: named });
}

/** A plan of one step is done with the answer, unless it is a list that the model keeps itself; of any other the model says once what has become of the open steps. */
function atEnd(session: SessionState, plan: Plan, run: RunCore, step: Step<RunState>): Drive {
  const [only, ...others] = plan.steps;
  const isAnswer =
    only &&
    others.length === 0 &&
    !isTodoList(plan) &&
    only.status !== "blocked" &&
    !isMissing(only, session.driven.made);
  if (isAnswer) return { session: following(session, withStatus(plan, only.id, "done"), session.planTask), step };
  const open = openSteps(plan);
  const isBlocked = open.some(({ status }) => status === "blocked");
  if (open.length === 0 || isBlocked || session.driven.asked !== null) return { session, step };
  const steps = open.map(({ id, title }) => `${id}. ${title}`).join("; ");
  const asked = nextStep(run, [], [phrase("run.steps_open", { steps })]);
  // Where no further call may be made, its answer stands as it is.
  if (asked.state.phase !== "model_running") return { session, step };
  const driven = { ...session.driven, asked: callOf(asked.state.run), told: dueStep(plan)?.id ?? null };
  return { session: { ...session, driven }, step: asked };
}

function callOf({ id, index }: RunCore): string {
  return `${id}/${index}`;
}

function answered(run: RunCore): RunState {
  return { phase: "completed", run, end: { stop: "COMPLETED", error: null, note: null } };
}
