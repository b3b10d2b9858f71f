import type { ErrorInfo } from "../../contract/error.ts";
import type { CallResult, FileChange, Todo } from "../../contract/message.ts";
import type { ResultData } from "../../contract/result-data.ts";
import { type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import type { PathFact, ToolOutput } from "../../contract/tool.ts";
import { shownRules } from "../../policy/rule/shown-files.ts";
import { allowFlag } from "../../policy/rule/text.ts";

/** A result before it is bounded, redacted and keyed. */
export type Settled = Omit<CallResult, "key" | "ms">;

export function field(data: unknown, name: string): unknown {
  return typeof data === "object" && data !== null ? (data as Record<string, unknown>)[name] : undefined;
}

/** Whether a command was killed, possibly in the middle of a word. */
export function isEndedEarly({ data }: Settled): boolean {
  return data?.timed_out === true || data?.cancelled === true || (data?.exit_code ?? 0) > 128;
}

export function written(text: string, changes: readonly FileChange[], data?: ResultData): Settled {
  return { status: "done", output: text, changes, ...(data === undefined ? {} : { data }) };
}

export function failed(error: ErrorInfo): Settled {
  return {
    status: error.code === "E_CANCELLED" ? "cancelled" : error.code === "E_POLICY_DENIED" ? "denied" : "failed",
    output: errorText(error),
    error,
  };
}

export function cancelledResult(): Settled {
  const error: ErrorInfo = { code: "E_CANCELLED", text: phrase("run.never_started"), sideEffect: "none" };
  return { status: "cancelled", output: errorText(error), error };
}

type FileState = "applied" | "untouched" | "foreign";

/** Applied changes of an interrupted call can be undone like any other change. */
export function halfDone(changes: readonly FileChange[], states: readonly FileState[]): Settled {
  const made = changes.filter((_, at) => states[at] === "applied");
  return { ...failed(foreignChange(changes, states)), ...(made.length > 0 ? { changes: made } : {}) };
}

/** Someone else changed files of an interrupted call, so it can be neither completed nor reverted: names the state of each file. */
function foreignChange(changes: readonly FileChange[], states: readonly FileState[]): ErrorInfo {
  const named = (state: string): string =>
    changes.flatMap(({ path }, at) => (states[at] === state ? [path] : [])).join(", ") || "–";
  const path = named("foreign");
  const text =
    changes.length === 1
      ? phrase("run.file_changed", { path: changes[0]?.path ?? "" })
      : phrase("run.files_changed", { path, done: named("applied"), open: named("untouched") });
  return { code: "E_CONFLICT", text, sideEffect: "unknown" };
}

export const otherPlan: ErrorInfo = { code: "E_CONFLICT", text: phrase("run.other_plan"), sideEffect: "none" };

export function changedSinceShown(changes: readonly FileChange[]): ErrorInfo {
  const path = changes.map((one) => one.path).join(", ");
  const text = phrase("approval.changed", { path });
  return { code: "E_CONFLICT", text, advice: phrase("approval.changed.advice"), sideEffect: "none" };
}

/** The model's view of an error: always English, with the next step. */
export function errorText(error: ErrorInfo): string {
  const advice = error.advice ? `\n${say("en", error.advice)}` : "";
  return `${error.code}: ${say("en", error.text)}${advice}`;
}

const wantsTerminal: ErrorInfo = {
  code: "E_IO",
  text: phrase("bash.wants_terminal"),
  advice: phrase("bash.wants_terminal.advice"),
};

/** PO-8: the same command outside the sandbox, or with hidden files shown, is a different call with its own approval. */
function stoppedBySandbox(text: Phrase, missed: readonly string[]): ErrorInfo {
  const advice = missed.length > 0 ? shownAdvice(missed) : phrase("sandbox.blamed.advice");
  return { code: "E_POLICY_DENIED", text, advice, sideEffect: "unknown" };
}

/** How to show hidden files: to this command by approval, to all commands by a rule. */
export function shownAdvice(files: readonly string[]): Phrase {
  const rules = shownRules("allow", files.map(factOf), "");
  return phrase("sandbox.shown.advice", { files: JSON.stringify(files), flags: rules.map(allowFlag).join(" ") });
}

function factOf(real: string): PathFact {
  return { given: real, real, inside: true, exists: true, kind: "file" };
}

/** The result of a tool; images by reference only. Unchanged todos are dropped, so that the breakers do not count them as progress. */
export function ranResult(output: ToolOutput, todosBefore: readonly Todo[]): Settled {
  const { text, data, seen, todos, plan, images } = output;
  const {
    cancelled: isCancelled = false,
    timed_out: isTimeout = false,
    wants_terminal: isInteractive = false,
  } = data ?? {};
  const { cpu_seconds: cpuSeconds, sandbox: blamed, missed = [] } = data ?? {};
  const stopped = blamed && stoppedBySandbox(blamed, missed);
  const isChanged = todos !== undefined && JSON.stringify(todos) !== JSON.stringify(todosBefore);
  return {
    status: isCancelled ? "cancelled" : output.failed ? "failed" : "done",
    output: [text, ...(isInteractive ? [errorText(wantsTerminal)] : []), ...(stopped ? [errorText(stopped)] : [])].join(
      "\n",
    ),
    ...(isCancelled ? { error: { code: "E_CANCELLED", text: phrase("run.cancelled_call") } } : {}),
    ...(isTimeout ? { error: { code: "E_TOOL_TIMEOUT", text: phrase("run.timed_out") } } : {}),
    ...(cpuSeconds === undefined
      ? {}
      : { error: { code: "E_TOOL_TIMEOUT", text: phrase("run.cpu_limit", { n: cpuSeconds }) } }),
    ...(isInteractive ? { error: wantsTerminal } : {}),
    ...(stopped ? { error: stopped } : {}),
    ...(data === undefined ? {} : { data }),
    ...(seen ? { seen } : {}),
    ...(isChanged ? { todos } : {}),
    ...(plan && (isChanged || todos === undefined) ? { plan: plan.plan } : {}),
    ...(plan?.change === "patch" ? { isReplan: true } : {}),
    ...(images ? { images: images.map(({ ref }) => ref) } : {}),
  };
}
