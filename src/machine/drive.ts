// PL-6: the plan drives. This file decides what the model is told about the plan between two replies, and what it is asked before it ends.
import type { Effect } from "../contract/effect.ts";
import type { Plan, PlanStep } from "../contract/plan.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { following, isFollowed } from "./carry.ts";
import { nextStep as dueStep, isMissing, isOvertaken, isTodoList, openSteps, withStatus } from "./plan/progress.ts";
import { alone, nextStep } from "./run.ts";
import { completed, coreOf, type Driven, type RunCore, type RunState, type SessionState } from "./state.ts";
import type { Step } from "./step.ts";

interface Drive {
  readonly session: SessionState;
  readonly step: Step<RunState>;
}

/** VF-7: steps still open when the task ends now. Empty for a plan that was only written, not carried out. */
export function stepsLeft(state: SessionState): readonly PlanStep[] {
  return isCarriedOut(state) ? openSteps(state.plan) : [];
}

export function stepsSkipped(state: SessionState): readonly PlanStep[] {
  return isCarriedOut(state) ? state.plan.steps.filter(({ status }) => status === "skipped") : [];
}

function isCarriedOut(state: SessionState): state is SessionState & { readonly plan: Plan } {
  const { task, mode } = state;
  return isFollowed(state) && mode !== "plan" && task.phase !== "IDLE" && task.task.limits.endsByFacts === true;
}

/** `session`: the state after the event. `step`: what the run machine made of the event. */
export function driveOn(session: SessionState, before: RunState, step: Step<RunState>): Drive {
  const run = step.state;
  // Logs of earlier versions continued after such a failure without being driven.
  const isDriven = session.task.phase === "EXECUTING" && !session.task.task.failed && isCarriedOut(session);
  if (!isDriven || !("run" in run) || !run.run.withModel) return { session, step };
  if (run.phase === "model_running" && !isSameCall(before, run)) return beforeCall(session, session.plan, step);
  const isEnd = run.phase === "completed" && run.end.stop === "COMPLETED" && before.phase !== "completed";
  // The model had already answered before we asked about open steps, so a provider failure now does not change that.
  if (run.phase === "failed" && session.driven.asked === callOf(run.run))
    return { session, step: { ...step, state: { phase: "completed", run: run.run, end: completed } } };
  return isEnd ? atEnd(session, session.plan, run.run, step) : { session, step };
}

function isSameCall(before: RunState, now: Extract<RunState, { phase: "model_running" }>): boolean {
  return before.phase === "model_running" && before.run.index === now.run.index;
}

/** Announces the due step when the model knows of another one. */
function beforeCall(session: SessionState, plan: Plan, step: Step<RunState>): Drive {
  const { driven } = session;
  const due = dueStep(plan);
  const advise = (changed: Partial<Driven>, text: Phrase): Drive => ({
    session: { ...session, driven: { ...driven, ...changed } },
    step: { ...step, effects: withAdvice(step, text) },
  });
  if (due === null || isTodoList(plan)) return { session, step };
  if (due.id !== driven.told) return advise({ told: due.id }, handOver(plan, due));
  if (driven.doubted !== due.id && isOvertaken(plan, due, driven.made))
    return advise({ doubted: due.id }, phrase("run.step_doubted", { id: due.id, title: due.title }));
  return { session, step };
}

/** Inserts the advice after the other advice and before the model call, which is last. */
function withAdvice({ state, effects }: Step<RunState>, text: Phrase): readonly Effect[] {
  const runId = coreOf(state)?.id ?? "";
  return [...effects.slice(0, -1), { type: "give_advice", runId, text }, ...effects.slice(-1)];
}

function handOver(plan: Plan, { id, title, description, expected_artifacts: files }: PlanStep): Phrase {
  const what = description === "" ? title : `${title}: ${description}`;
  const open = openSteps(plan).length;
  const left = { id, title: what, n: open - 1 };
  if (files.length === 0) return phrase("run.step_next", left);
  const named = files.map(({ path, change }) => `${path} (${change})`).join(", ");
  return phrase("run.step_next_files", { ...left, files: named });
}

/** An answer completes a one-step plan, except a todo list, which the model keeps itself. Else asks once about the open steps. */
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
  const asked = nextStep(run, alone, [phrase("run.steps_open", { steps })]);
  // No further model call is allowed, so the answer stands.
  if (asked.state.phase !== "model_running") return { session, step };
  const driven = { ...session.driven, asked: callOf(asked.state.run), told: dueStep(plan)?.id ?? null };
  return { session: { ...session, driven }, step: asked };
}

function callOf({ id, index }: RunCore): string {
  return `${id}/${index}`;
}
