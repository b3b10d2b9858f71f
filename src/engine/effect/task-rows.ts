import { aloneHint, modeHint } from "../../context/system.ts";
import type { EffectOf } from "../../contract/effect.ts";
import type { EventBody, RunLimits } from "../../contract/event.ts";
import type { Plan } from "../../contract/plan.ts";
import type { Settings } from "../../contract/settings.ts";
import type { Assessment, ChecksResult, TaskSummary } from "../../contract/task.ts";
import type { History } from "../../machine/history/history.ts";
import type { QueuedInput, SessionState } from "../../machine/state.ts";
import { repositoryAbove } from "../../platform/changes/above.ts";
import { assessTask } from "../../words/assess.ts";
import { constraintsIn } from "../../words/constraints.ts";
import { ownWords } from "../../words/own-words.ts";
import { heard } from "../plan/constraints.ts";
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

/** `model`: the built-in one tries changes that nobody has thought about. */
export function limitsOf(
  { maxSteps, maxParallel, maxTokens, maxCost, modelAttempts, workflow }: Settings,
  model: string,
): RunLimits {
  const tries = model.startsWith("builtin/") ? ({ undoesTries: true } as const) : {};
  const cost = maxCost === null ? {} : { maxCost };
  const { maxVerifyAttempts: maxChecks, onVerifyFailure } = workflow;
  const checks = { maxChecks, onVerifyFailure };
  const always = { recovers: true, endsByFacts: true } as const;
  return { maxSteps, maxParallel, maxTokens, ...cost, maxAttempts: modelAttempts, ...checks, ...always, ...tries };
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
    limits: limitsOf(settings, state.model),
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
    const result = constraints.length > 0 ? { ...assessed, constraints } : assessed;
    // A given plan answers open questions.
    return input.plan ? { ...result, missing: [] } : result;
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

/** RB-4: the commit is an input of its own, stored with the task's end, so that a kill comes before both or after both. */
function commitAfter(settings: Settings, state: SessionState, history: History): readonly EventBody[] {
  const { gitMode, lang, workspace } = settings;
  const { task } = state;
  const summary = history.task?.summary;
  if (gitMode === "off" || task.phase === "IDLE" || task.task.input.kind !== "task" || !summary) return [];
  const range = rangeOf(summary, task.task.checks, task.task.id);
  if (range === null || summary.changed_files.length === 0 || repositoryAbove(workspace) === null) return [];
  const branch = gitMode === "branch" ? { branch: `coder/${state.id}` } : {};
  const input = { auto: true, lang, ...range, ...branch };
  const call = { tool: "commit", input };
  return [
    {
      type: "input.admitted",
      inputId: `commit-${task.task.id}`,
      kind: "tool",
      delivery: "queue",
      text: "commit",
      call,
    },
  ];
}

/** A verified commit covers everything the session did so far. If there was nothing to verify, it covers only this task. */
function rangeOf({ outcome }: TaskSummary, checks: ChecksResult | null, until: string): object | null {
  if (outcome === "VERIFIED") return { until };
  const isUncheckable = checks?.kind === "none" && nothingToVerify.has(checks.reason.key);
  return outcome === "UNVERIFIED" && isUncheckable ? { until, task: until } : null;
}

const nothingToVerify: ReadonlySet<string> = new Set([
  "verify.only_documents",
  "verify.no_project",
  "verify.no_test_script",
  "verify.no_pytest",
]);
