import type { History } from "../../context/history.ts";
import { aloneHint, modeHint } from "../../context/system.ts";
import type { Effect } from "../../contract/effect.ts";
import type { Compaction, EventBody, RunLimits } from "../../contract/event.ts";
import { callId } from "../../contract/ids.ts";
import type { Call } from "../../contract/message.ts";
import type { Plan } from "../../contract/plan.ts";
import type { Settings } from "../../contract/settings.ts";
import type { Assessment } from "../../contract/task.ts";
import type { AnyTool } from "../../contract/tool.ts";
import type { Check } from "../../contract/verification.ts";
import { assessTask } from "../../machine/assess/assess.ts";
import { ownWords } from "../../machine/assess/own-words.ts";
import { callState, type QueuedInput, type SessionState } from "../../machine/state.ts";
import { constraintsIn } from "../../policy/constraint/said.ts";
import type { Pipeline } from "../call/pipeline.ts";
import { checksAtOnce, judgeCheck, verdictIn } from "../check/checks.ts";
import type { Answer } from "../loop/loop.ts";
import { compactionText } from "../model/compaction-text.ts";
import { makeCall } from "../model/reply.ts";
import { heard } from "../plan/constraints.ts";
import { recoveryFor } from "../recovery/recover.ts";
import { schemaHint } from "../structured-output/schema-words.ts";
import { commitAfter } from "../task/commit-after.ts";
import { summarize } from "../task/summary.ts";

export interface InstantDeps {
  readonly settings: Settings;
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly pipeline: Pipeline;
  readonly hints: () => string;
  readonly isInteractive: () => boolean;
  readonly compact: (state: SessionState) => Compaction;
  /** What the rules say, where that is something else than before. */
  readonly rules: (state: SessionState, history: History) => readonly EventBody[];
  /** Somebody can be asked whether commands may see these hidden files, and was not asked before. */
  readonly mayShow: (files: readonly string[]) => boolean;
  readonly traceId: () => string;
}

export function limitsOf({ maxSteps, maxTokens, maxCost, modelAttempts, workflow }: Settings): RunLimits {
  const cost = maxCost === null ? {} : { maxCost };
  const { maxVerifyAttempts: maxChecks } = workflow;
  return { maxSteps, maxTokens, ...cost, maxAttempts: modelAttempts, maxChecks, recovers: true, endsByFacts: true };
}

/** Effects that need no waiting: answered inside the batch that ordered them. `null` = has to be performed. */
export function answerAtOnce(deps: InstantDeps, effect: Effect, state: SessionState, history: History): Answer | null {
  switch (effect.type) {
    case "decide_call":
    case "intend_call":
    case "execute_call":
    case "settle_call":
      return answerCall(deps, effect, state);
    case "settle_sub": {
      const call = state.outer && callState(state.outer.run, effect.callId)?.call;
      return call ? { bodies: [deps.pipeline.settleSub(call, state, history)], blobs: [] } : { bodies: [], blobs: [] };
    }
    default: {
      const bodies = factsOf(deps, effect, state, history);
      return bodies && { bodies, blobs: [] };
    }
  }
}

/** What follows from the state alone. */
function factsOf(
  deps: InstantDeps,
  effect: Effect,
  state: SessionState,
  history: History,
): readonly EventBody[] | null {
  switch (effect.type) {
    case "start_task": {
      // Taken back before it began.
      if (!state.queue.some(({ inputId }) => inputId === effect.inputId)) return [];
      const ids = { taskId: `t${state.tasks + 1}`, runId: `r${state.runs + 1}`, inputId: effect.inputId };
      return [
        ...(isTask(state, effect.inputId) ? deps.rules(state, history) : []),
        { type: "task.started", ...ids, limits: limitsOf(deps.settings) },
      ];
    }
    case "return_input":
      return [{ type: "input.returned", inputIds: effect.inputIds }];
    case "deliver_input":
      return [
        ...state.queue.filter(({ inputId }) => effect.inputIds.includes(inputId)).flatMap(({ text }) => heard(text)),
        { type: "input.delivered", runId: effect.runId, inputIds: effect.inputIds },
      ];
    case "assess_task":
      return state.task.phase === "IDLE"
        ? []
        : [{ type: "task.assessed", taskId: effect.taskId, assessment: assess(deps, state.task.task.input, history) }];
    case "build_context":
      return [{ type: "context.built", taskId: effect.taskId, hints: hintsFor(deps, state) }];
    case "settle_plan":
      // What plans need is loaded where there is one.
      if (state.task.phase === "PLANNING" && state.task.plan !== null) return null;
      return [{ type: "plan.settled", taskId: effect.taskId, plan: null, needsConfirmation: false }];
    case "start_run":
      if (isComplex(state) && isByModel(state)) return null;
      return [{ type: "run.started", runId: effect.runId, calls: givenCalls(deps, effect.runId, state) }];
    case "compact": {
      const compaction = deps.compact(state);
      const told = compactionText(compaction);
      return [
        { type: "context.compacted", runId: effect.runId, index: effect.index, compaction },
        ...(told ? [{ type: "notice.given", text: told } as const] : []),
      ];
    }
    case "give_advice":
      return [{ type: "advice.given", runId: effect.runId, text: effect.text }];
    case "run_checks": {
      if (schemaOf(state) !== undefined || state.mode === "plan") return null;
      const result = checksAtOnce(state, history);
      return result && [{ type: "checks.finished", taskId: effect.taskId, result }];
    }
    case "judge_check": {
      const judged = judgeCheck(state, history, deps.settings.lang, deps.mayShow);
      return judged ? [judged] : [];
    }
    case "finish_checks": {
      if (schemaOf(state) !== undefined) return null;
      return [{ type: "checks.finished", taskId: effect.taskId, result: verdictIn(state, deps.settings.lang) }];
    }
    case "decide_recovery":
      // What failed calls need is loaded where there are any.
      if (effect.cause === "plan" || effect.cause === "tools") return null;
      return [recoveryFor(effect, state, history, deps.settings)];
    case "summarize_task":
      if (state.task.phase !== "SUMMARIZING") return [];
      return [
        {
          type: "task.summarized",
          taskId: effect.taskId,
          summary: summarize(state.task, history.task, state, deps.settings.lang),
        },
      ];
    case "end_task":
      return [{ type: "task.ended", taskId: effect.taskId }, ...commitAfter(deps.settings, state, history)];
    case "report_internal":
      return [{ type: "internal.reported", traceId: deps.traceId(), what: effect.what }];
    default:
      return null;
  }
}

function answerCall(
  deps: InstantDeps,
  effect: Extract<Effect, { callId: unknown }>,
  state: SessionState,
): Answer | null {
  const call = callState(state.run, effect.callId)?.call;
  if (!call) {
    const what = `${effect.type} ${effect.callId}: no such call`;
    return { bodies: [{ type: "internal.reported", traceId: deps.traceId(), what }], blobs: [] };
  }
  const { pipeline } = deps;
  if (effect.type === "intend_call") return pipeline.intendAtOnce(call, state);
  if (effect.type === "execute_call") return pipeline.executeAtOnce(call, state);
  const body =
    effect.type === "settle_call"
      ? pipeline.settleNow(call, effect.status, effect.error)
      : pipeline.decide(call, state);
  return body && { bodies: [body], blobs: [] };
}

function isTask({ queue }: SessionState, inputId: string): boolean {
  return queue.some((one) => one.inputId === inputId && one.kind === "task");
}

function schemaOf(state: SessionState): unknown {
  return state.task.phase === "IDLE" ? undefined : state.task.task.input.schema;
}

function hintsFor(deps: InstantDeps, state: SessionState): string {
  const schema = schemaOf(state);
  const { task } = state;
  const isAlone = !deps.isInteractive();
  return [
    deps.hints(),
    modeHint(state.mode, isAlone),
    ...(isAlone ? [aloneHint] : []),
    ...(isComplex(state) ? ["This task counts as one of several steps: begin with the plan."] : []),
    ...(task.phase !== "IDLE" && task.task.input.plan ? [givenPlan(task.task.input.plan)] : []),
    ...(schema === undefined ? [] : [schemaHint(schema)]),
  ].join("\n");
}

function givenPlan(plan: Plan): string {
  return `Carry out this plan of the person's, step by step:\n${JSON.stringify(plan)}`;
}

/** Without a model call (SM-3). */
function assess({ settings }: InstantDeps, input: QueuedInput, history: History): Assessment {
  const nothing = { complexity: "simple", riskLevel: "low", foreseen: [], missing: [] } as const;
  if (input.readOnly) return { ...nothing, kind: input.kind, intent: "review" };
  if (input.kind === "task") {
    const assessed = assessTask(input.text, settings.workflow.complex, history.tasks.length === 1);
    const constraints = constraintsIn(ownWords(input.text));
    const said = constraints.length > 0 ? { ...assessed, constraints } : assessed;
    // A plan says what is wanted.
    return input.plan ? { ...said, missing: [] } : said;
  }
  const isShell = input.kind === "shell";
  if (!isShell) return { ...nothing, kind: input.kind, intent: "run" };
  return { ...nothing, kind: input.kind, intent: "run", riskLevel: "medium", foreseen: ["exec"] };
}

/** What a run carries out before, or without, a model; it passes the same pipeline as a model's calls. */
export function givenCalls({ tools }: Pick<InstantDeps, "tools">, runId: string, state: SessionState): readonly Call[] {
  const given = isByModel(state) ? firstCall(state) : givenCall(state);
  return given ? [makeCall(callId(runId, 0, 1), null, given.tool, given.input, tools)] : [];
}

function isByModel({ run }: SessionState): boolean {
  return "run" in run && run.run.withModel;
}

function isComplex({ task }: SessionState): boolean {
  return task.phase !== "IDLE" && task.task.assessment?.complexity === "complex";
}

/** What the model is to see before it says anything; not once more when it has to repair its answer. */
function firstCall({ task }: SessionState): { readonly tool: string; readonly input: unknown } | null {
  const isFirst = task.phase === "EXECUTING" && task.task.rungs.length === 0;
  return (isFirst && task.task.input.call) || null;
}

function inputOf({ command, cwd, shows }: Check) {
  return { command, path: cwd || ".", ...(shows ? { show: shows } : {}) };
}

function givenCall({ task }: SessionState): { readonly tool: string; readonly input: unknown } | null {
  if (task.phase === "IDLE") return null;
  if (task.phase === "RECOVERING") return { tool: "undo", input: {} };
  if (task.phase === "VERIFYING") {
    const check = task.todo[task.results.length];
    return check ? { tool: "diagnostics", input: inputOf(check) } : null;
  }
  const { input } = task.task;
  return input.kind === "task" ? null : (input.call ?? { tool: "bash", input: { command: input.text } });
}
