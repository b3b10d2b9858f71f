import type { History } from "../context/history.ts";
import type { Effect } from "../contract/effect.ts";
import type { EventBody } from "../contract/event.ts";
import { callId } from "../contract/ids.ts";
import type { Settings } from "../contract/settings.ts";
import type { Assessment } from "../contract/task.ts";
import { phrase } from "../contract/text/catalogue.ts";
import type { AnyTool } from "../contract/tool.ts";
import { callState, type QueuedInput, type SessionState } from "../machine/state.ts";
import { repairInstruction, schemaHint } from "./answer/words.ts";
import { checksResult } from "./checks.ts";
import type { Answer } from "./loop.ts";
import type { Pipeline } from "./pipeline.ts";
import { makeCall } from "./reply.ts";
import { summarize } from "./summary.ts";

export interface InstantDeps {
  readonly settings: Settings;
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly pipeline: Pipeline;
  readonly hints: () => string;
  readonly compact: (state: SessionState) => Extract<EventBody, { type: "context.compacted" }>["compaction"];
  readonly traceId: () => string;
}

/** Effects that need no waiting: answered inside the batch that ordered them. `null` = has to be performed. */
export function answerAtOnce(deps: InstantDeps, effect: Effect, state: SessionState, history: History): Answer | null {
  switch (effect.type) {
    case "decide_call":
    case "intend_call":
    case "execute_call":
    case "settle_call":
      return answerCall(deps, effect, state);
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
      const { maxSteps, maxTokens, modelAttempts: maxAttempts } = deps.settings;
      const ids = { taskId: `t${state.tasks + 1}`, runId: `r${state.runs + 1}`, inputId: effect.inputId };
      return [{ type: "task.started", ...ids, limits: { maxSteps, maxTokens, maxAttempts } }];
    }
    case "return_input":
      return [{ type: "input.returned", inputIds: effect.inputIds }];
    case "deliver_input":
      return [{ type: "input.delivered", runId: effect.runId, inputIds: effect.inputIds }];
    case "assess_task":
      return state.task.phase === "IDLE"
        ? []
        : [{ type: "task.assessed", taskId: effect.taskId, assessment: assess(state.task.task.input) }];
    case "build_context":
      return [{ type: "context.built", taskId: effect.taskId, hints: hintsFor(deps, state) }];
    case "settle_plan":
      return [{ type: "plan.settled", taskId: effect.taskId, plan: null, needsConfirmation: false }];
    case "start_run":
      return [{ type: "run.started", runId: effect.runId, calls: typedCalls(deps, effect.runId, state) }];
    case "compact":
      return [{ type: "context.compacted", runId: effect.runId, index: effect.index, compaction: deps.compact(state) }];
    case "give_advice":
      return [{ type: "advice.given", runId: effect.runId, text: effect.text }];
    case "run_checks":
      if (schemaOf(state) !== undefined) return null;
      return [{ type: "checks.finished", taskId: effect.taskId, result: checksResult(history) }];
    case "decide_recovery": {
      if (effect.cause === "answer") return [sentBack(effect.taskId, state)];
      const reason = phrase(effect.cause === "timeout" ? "task.timed_out" : "recovery.none");
      return [
        {
          type: "recovery.decided",
          taskId: effect.taskId,
          runId: `r${state.runs + 1}`,
          repairable: false,
          reason,
          instruction: "",
        },
      ];
    }
    case "summarize_task":
      if (state.task.phase !== "SUMMARIZING") return [];
      return [
        {
          type: "task.summarized",
          taskId: effect.taskId,
          summary: summarize(state.task, history.task, state.mode, deps.settings.lang),
        },
      ];
    case "end_task":
      return [{ type: "task.ended", taskId: effect.taskId }];
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

function schemaOf(state: SessionState): unknown {
  return state.task.phase === "IDLE" ? undefined : state.task.task.input.schema;
}

function hintsFor(deps: InstantDeps, state: SessionState): string {
  const schema = schemaOf(state);
  return schema === undefined ? deps.hints() : `${deps.hints()}\n${schemaHint(schema)}`;
}

/** The one repair of an answer that does not fit its schema. */
function sentBack(taskId: string, state: SessionState): EventBody {
  const problems = state.task.phase === "IDLE" ? [] : (state.task.task.unfit ?? []);
  return {
    type: "recovery.decided",
    taskId,
    runId: `r${state.runs + 1}`,
    repairable: true,
    reason: phrase("answer.repair"),
    instruction: repairInstruction(problems),
  };
}

/** Without a model call (SM-3). What a task needs is assessed by rules; here only what the input itself says. */
function assess(input: QueuedInput): Assessment {
  const nothing = { complexity: "simple", riskLevel: "low", foreseen: [], missing: [] } as const;
  if (input.kind === "shell") return { ...nothing, intent: "shell", riskLevel: "medium", foreseen: ["exec"] };
  return { ...nothing, intent: input.kind };
}

/** `!command` and `coder tool` bring their one call along; it passes the same pipeline as a model's. */
function typedCalls(deps: InstantDeps, runId: string, state: SessionState) {
  if (state.task.phase === "IDLE") return [];
  const { input } = state.task.task;
  if (input.kind === "task") return [];
  const asked = input.call ?? { tool: "bash", input: { command: input.text } };
  return [makeCall(callId(runId, 0, 1), null, asked.tool, asked.input, deps.tools)];
}
