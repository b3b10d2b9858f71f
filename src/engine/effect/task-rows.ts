import { aloneHint, modeHint } from "../../context/system.ts";
import type { EffectOf } from "../../contract/effect.ts";
import type { RunLimits } from "../../contract/event.ts";
import type { Plan } from "../../contract/plan.ts";
import type { Settings } from "../../contract/settings.ts";
import type { Assessment } from "../../contract/task.ts";
import type { History } from "../../machine/history/history.ts";
import type { QueuedInput, SessionState } from "../../machine/state.ts";
import { assessTask } from "../../words/assess.ts";
import { constraintsIn } from "../../words/constraints.ts";
import { ownWords } from "../../words/own-words.ts";
import { heard } from "../plan/constraints.ts";
import { commitAfter } from "../task/commit-after.ts";
import { summarize } from "../task/summary.ts";
import { answer, type EffectPorts, type EffectRow } from "./row.ts";

export const taskRows = {
  start_task: { now: startTask },
  return_input: { now: (_, { inputIds }) => answer({ type: "input.returned", inputIds }) },
  deliver_input: {
    now: (_, { runId, inputIds }, { state }) =>
      answer(...state.queue.filter(({ inputId }) => inputIds.includes(inputId)).flatMap(({ text }) => heard(text)), {
        type: "input.delivered",
        runId,
        inputIds,
      }),
  },
  assess_task: {
    now: (ports, { taskId }, { state, history }) => {
      if (state.task.phase === "IDLE") return answer();
      const { input } = state.task.task;
      const assessment = assess(ports.settings, input, history);
      const hints = hintsFor(ports, state, input, assessment);
      return answer({ type: "task.assessed", taskId, assessment, hints });
    },
  },
  ask_clarification: {
    // The open question waits in the state for the user's answer.
    now: ({ isInteractive }, { taskId }) =>
      isInteractive() ? answer() : answer({ type: "clarification.unanswered", taskId }),
  },
  summarize_task: {
    now: ({ settings }, { taskId }, { state, history }) => {
      if (state.task.phase !== "SUMMARIZING") return answer();
      const summary = summarize(state.task, history.task, state, settings.lang);
      return answer({ type: "task.summarized", taskId, summary });
    },
  },
  end_task: {
    now: ({ settings }, { taskId }, { state, history }) =>
      answer({ type: "task.ended", taskId }, ...commitAfter(settings, state, history)),
  },
  report_internal: {
    now: ({ traceId }, { what }) => answer({ type: "internal.reported", traceId: traceId(), what }),
  },
} satisfies { [T in EffectOf<TaskEffect>["type"]]: EffectRow<EffectOf<T>> };

type TaskEffect =
  | "start_task"
  | "return_input"
  | "deliver_input"
  | "assess_task"
  | "ask_clarification"
  | "summarize_task"
  | "end_task"
  | "report_internal";

export function limitsOf({ maxSteps, maxTokens, maxCost, modelAttempts, workflow }: Settings): RunLimits {
  const cost = maxCost === null ? {} : { maxCost };
  const { maxVerifyAttempts: maxChecks, onVerifyFailure } = workflow;
  const checks = { maxChecks, onVerifyFailure };
  return { maxSteps, maxTokens, ...cost, maxAttempts: modelAttempts, ...checks, recovers: true, endsByFacts: true };
}

function startTask(
  { settings, rules }: EffectPorts,
  { inputId }: EffectOf<"start_task">,
  { state, history }: { readonly state: SessionState; readonly history: History },
) {
  const input = state.queue.find((one) => one.inputId === inputId);
  // The user recalled it before it began.
  if (!input) return answer();
  const ids = { taskId: `t${state.tasks + 1}`, runId: `r${state.runs + 1}`, inputId };
  return answer(...(input.kind === "task" ? rules(state, history) : []), {
    type: "task.started",
    ...ids,
    limits: limitsOf(settings),
  });
}

function hintsFor(ports: EffectPorts, state: SessionState, input: QueuedInput, { complexity }: Assessment): string {
  const isAlone = !ports.isInteractive();
  return [
    ports.hints(),
    modeHint(state.mode, isAlone),
    ...(isAlone ? [aloneHint] : []),
    ...(complexity === "complex" ? ["This task counts as one of several steps: begin with the plan."] : []),
    ...(input.plan ? [givenPlan(input.plan)] : []),
    ...(input.schema === undefined ? [] : [schemaHint(input.schema)]),
  ].join("\n");
}

function givenPlan(plan: Plan): string {
  return `Carry out this plan of the person's, step by step:\n${JSON.stringify(plan)}`;
}

/** Works without a model call (SM-3). */
function assess(settings: Settings, input: QueuedInput, history: History): Assessment {
  const nothing = { complexity: "simple", riskLevel: "low", foreseen: [], missing: [] } as const;
  if (input.readOnly) return { ...nothing, kind: input.kind, intent: "review" };
  if (input.kind === "task") {
    const assessed = assessTask(input.text, settings.workflow.complex, history.tasks.length === 1);
    const constraints = constraintsIn(ownWords(input.text));
    const said = constraints.length > 0 ? { ...assessed, constraints } : assessed;
    // A given plan answers open questions.
    return input.plan ? { ...said, missing: [] } : said;
  }
  const isShell = input.kind === "shell";
  if (!isShell) return { ...nothing, kind: input.kind, intent: "run" };
  return { ...nothing, kind: input.kind, intent: "run", riskLevel: "medium", foreseen: ["exec"] };
}

/** Follows the task text, after the prefix that is the same for every task. */
function schemaHint(schema: unknown): string {
  return [
    "The final answer of this task (the reply without tool calls) must be one JSON value and nothing else: no prose, no",
    "explanation. It is checked against this JSON Schema:",
    JSON.stringify(schema),
  ].join("\n");
}
