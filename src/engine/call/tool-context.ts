import { posix } from "node:path";
import type { EventBody } from "../../contract/event.ts";
import { runOfCall, wireCallId } from "../../contract/ids.ts";
import type { Call } from "../../contract/message.ts";
import { isSecretIn } from "../../contract/path/secret-path.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { AnyTool, Baseline, CheckKey, ToolContext, ToolOutput, VerifyPort } from "../../contract/tool.ts";
import type { PastPort } from "../../contract/undo.ts";
import type { VerificationDetail, VerificationResult } from "../../contract/verification.ts";
import type { History } from "../../machine/history/history.ts";
import { callIn, currentTask, type SessionState, subWith, type TaskCore } from "../../machine/state.ts";
import { namesHost } from "../../policy/rule/host.ts";
import type { CheckDeps } from "../check/standing.ts";
import type { Judge } from "../judge/judge.ts";
import type { Blob } from "../loop/loop.ts";
import type { Spill } from "./bound-output.ts";
import type { Watch } from "./command-changes.ts";
import type { Jobs, JobsDeps } from "./jobs.ts";
import { clean } from "./redact.ts";
import { field } from "./result.ts";

export interface PipelineDeps extends CheckDeps {
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly judge: Judge;
  readonly state: () => SessionState;
  readonly push: (body: EventBody, blobs?: readonly Blob[]) => void;
  readonly pushStored: (body: EventBody) => Promise<void>;
  readonly onOutput: (callId: Call["id"], stream: "stdout" | "stderr", text: string) => void;
  readonly spill: (call: Call) => Spill;
  readonly jobs: Jobs;
  readonly past: PastPort;
  readonly history: History;
  /** Its parts are loaded with the first command that may change something. */
  readonly watch: Watch;
  readonly endSurvivor: JobsDeps["endSurvivor"];
}

/** The view of the session that a running call gets. `state`: when the call was ordered. */
export function toolContext(deps: PipelineDeps, state: SessionState, call: Call, signal: AbortSignal): ToolContext {
  const { settings } = deps;
  return {
    root: settings.workspace,
    addDirs: settings.addDirs,
    allowedOutside: allowedOutside(state, call),
    isSecret: isSecretIn(settings.workspace),
    // The sandbox is decided when the command starts.
    commands: { confine: null, keep: settings.passEnv, set: {}, isProved: false },
    signal,
    knownHash: (real) => deps.history.of(runOf(call)).known.get(real),
    readsByItself: isTyped(state),
    todos: () => deps.state().todos,
    past: deps.past,
    withoutSecrets: clean,
    ...answered(state, call),
    ...planning(deps.state),
    defaultTimeoutMs: settings.commandTimeoutMs,
    maxStreamBytes: settings.maxStreamBytes,
    onOutput: (stream, text) => deps.onOutput(call.id, stream, text),
    onSpawn: (pid, startTime) =>
      deps.pushStored({ type: "process.spawned", runId: runOf(call), callId: call.id, pid, startTime }),
    jobs: deps.jobs.portFor(call),
    verify: verifyPort(deps, state, call),
    network: { ...settings.network, isNamed: (host) => namesHost(settings.rules, host) },
    marker: markerOf(state.id, call.id),
  };
}

function verifyPort(deps: PipelineDeps, state: SessionState, call: Call): VerifyPort {
  const { settings, history, watch } = deps;
  const task = currentTask(state);
  // A running job may write at any time, even where the watch does not look.
  const isQuiet = state.jobs.every(({ end }) => end !== null);
  const hasChanged = !isTyped(state) && (history.task?.changes.length ?? 0) > 0;
  return {
    timeoutMs: settings.workflow.verifyTimeoutMs,
    read: async (ran) => (await import("../check/choose-checks.ts")).readCheck(ran, settings, history),
    programs: async (command, cwd) =>
      (await import("../../verify/detect/toolchain.ts")).ownPrograms(command, settings.workspace, cwd, process.env),
    last: (key) =>
      isTyped(state) || !isQuiet ? null : reused(watch.checks.last(sameCheck(key, state, call)), settings.lang),
    keep: (key, output) => {
      if (isQuiet) watch.checks.keep(sameCheck(key, state, call), output);
    },
    ...(task && hasChanged && settings.workflow.verifyBaseline ? { baseline: baselineOf(deps, task) } : {}),
  };
}

/** Reuse is limited to one task, since a new request wants a new result, and ends when a job starts. */
function sameCheck(key: CheckKey, state: SessionState, { input }: Call): string {
  return JSON.stringify([currentTask(state)?.id ?? "", state.jobsStarted, key, field(input, "show") ?? []]);
}

/** A check that said nothing about the code may say more next time. */
function reused(output: ToolOutput | null, lang: Lang): ToolOutput | null {
  const found = output?.data?.verification;
  if (output === null || found === undefined || found.type === "environment" || found.type === "timeout") return null;
  const summary = say(lang, phrase("check.reused", { summary: found.summary }));
  const verification: VerificationResult = { ...found, summary, reused: true };
  const text = `${output.text}\nNot run again: no file has changed since it was.`;
  return { ...output, text, data: { ...output.data, verification } };
}

function answered(state: SessionState, call: Call): Pick<ToolContext, "answer"> {
  const words = callIn(state, call.id)?.words;
  return words === undefined ? {} : { answer: words };
}

function planning(state: () => SessionState): Pick<ToolContext, "takePlan" | "takeTodos"> {
  const task = currentTask(state());
  if (!task) return {};
  return {
    takePlan: async (sent) => (await import("../plan/plan.ts")).planFromTool(state(), sent),
    // A todo list typed by the user is not the plan of a model.
    ...(task.input.kind === "task"
      ? { takeTodos: async (todos) => (await import("../plan/plan.ts")).planFromTodos(state(), todos) }
      : {}),
  };
}

/** Only judged paths may be touched: a symlink changed since then leads elsewhere and is refused. */
export function allowedOutside(state: SessionState, call: Call): readonly string[] {
  return callIn(state, call.id)?.outside ?? [];
}

/** Unique across sessions: names temporary files and processes that other sessions in the workspace must not touch. */
export function markerOf(sessionId: string, callId: Call["id"]): string {
  return `${sessionId}.${wireCallId(callId)}`;
}

export function runOf(call: Call): string {
  return runOfCall(call.id);
}

export function isTyped(state: SessionState): boolean {
  return (currentTask(state)?.input.kind ?? "task") !== "task";
}

/** `runId`: the run that wants to act. */
export function isReadOnly(state: SessionState, runId = ""): boolean {
  return subWith(state, runId)?.kind === "explore" || currentTask(state)?.input.readOnly === true;
}

export function mayWrite(state: SessionState, { tools, settings: { toolsOff } }: PipelineDeps): boolean {
  if (state.mode === "plan" || state.preset === "strict" || isReadOnly(state)) return false;
  const left = [...tools.values()].filter(({ name, isForPerson }) => !isForPerson && !toolsOff.includes(name));
  return left.some(({ access, role }) => access === "write" || role === "runs");
}

const aboutCode: readonly VerificationResult["type"][] = ["test_failure", "lint_failure", "build_failure"];

function baselineOf(deps: PipelineDeps, { id, input }: Pick<TaskCore, "id" | "input">): Baseline {
  const { settings, history, past, judge, watch } = deps;
  const { workspace, lang } = settings;
  const touchedIn = async (cwd: string): Promise<(detail: VerificationDetail) => boolean> => {
    const { touching } = await import("../../verify/relate/touched.ts");
    const { changedIn } = await import("../check/choose-checks.ts");
    const below = posix.relative(workspace, cwd);
    return touching({ root: workspace, cwd: below, changed: changedIn(history), asked: input.text });
  };
  return {
    isWanted: async ({ type, details }, cwd) => {
      if (!aboutCode.includes(type)) return false;
      const isTouched = await touchedIn(cwd);
      return details.some((detail) => !isTouched(detail));
    },
    before: async (given, signal) => {
      const confine =
        given ?? ((await judge.canHold()) ? await judge.confiner.confine(inSandbox, deps.state().id) : null);
      if (confine === null) return null;
      const { before } = await import("../check/baseline.ts");
      return before(confine, { workspace, history, bytes: past.bytes, ownFolder: judge.confiner.ownFolder, signal });
    },
    known: async (check, run) => {
      const key = JSON.stringify([id, check]);
      const known = watch.checks.before.get(key);
      if (known !== undefined) return known;
      const found = await run();
      watch.checks.before.set(key, found);
      return found;
    },
    without: async (now, old, cwd) => {
      const { withoutOld } = await import("../../verify/result/subtract-baseline.ts");
      const isTouched = await touchedIn(cwd);
      return withoutOld(now, old, lang, (detail) => !isTouched(detail));
    },
  };
}

/** The baseline runs in the sandbox even if the check itself ran without one. */
const inSandbox = { confined: true, readOnly: false, network: false, isCheck: true } as const;
