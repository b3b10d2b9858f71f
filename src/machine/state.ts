import type { ErrorInfo } from "../contract/error.ts";
import type { CancelSource, EventOf, RunLimits, RunShare, SubKind, View } from "../contract/event.ts";
import type { Grant, Listed } from "../contract/grant.ts";
import { type CallId, type RunId, runOfCall, type SessionId, type TaskId } from "../contract/ids.ts";
import type { Job } from "../contract/job.ts";
import {
  type Access,
  type Call,
  type CallResult,
  type Intent,
  noUsage,
  type Todo,
  type Usage,
} from "../contract/message.ts";
import type { Plan } from "../contract/plan.ts";
import type { RunForm } from "../contract/sandbox.ts";
import type { SystemPrompt } from "../contract/settings.ts";
import type {
  Assessment,
  Blockage,
  ChecksResult,
  Mode,
  Preset,
  Question,
  Rung,
  StopReason,
  TaskSummary,
} from "../contract/task.ts";
import type { Phrase } from "../contract/text/catalogue.ts";
import type { Check, LeftOut, VerificationResult } from "../contract/verification.ts";
import type { Breakers } from "./breakers.ts";
import type { Made } from "./plan/progress.ts";

/** What only the history and the surfaces need of an input is left out. */
export type QueuedInput = Omit<EventOf<"input.admitted">, "v" | "at" | "type" | "shown" | "typed" | "attachments">;

export interface TaskCore {
  readonly id: TaskId;
  readonly input: QueuedInput;
  readonly runId: RunId;
  readonly limits: RunLimits;
  readonly startedAt: string;
  readonly assessment: Assessment | null;
  /** Plans that the user refused, and plans that could not be followed. */
  readonly refusals: number;
  readonly unsound: number;
  readonly checks: ChecksResult | null;
  /** One per pass of checks, oldest first, whether or not it said something about the code (VF-1). */
  readonly rounds: readonly Attempt[];
  /** A check outside the allow list that the user approved, and that ran. */
  readonly agreed?: Pick<Check, "command" | "cwd">;
  readonly rungs: readonly Rung[];
  /** The last undo that recovery ordered reverted something. */
  readonly tookBack?: true;
  /** Why the answer did not fit its schema; set when the answer is sent back, which happens once. */
  readonly unfit?: readonly string[];
  /** Why the last answer did not fit its schema, when its checks failed too. */
  readonly problems?: readonly string[];
  /** The work was denied; since then only the answer was requested again. */
  readonly denied?: true;
  /** How the task ends after an answer that did not fit was requested again. */
  readonly failed?: TaskEnd;
}

/** The result of one pass of checks, kept for comparison with the next. */
export interface Attempt {
  readonly ok: boolean;
  readonly type: VerificationResult["type"];
  readonly failing: number;
  readonly fingerprint: string;
}

type RecoverySource = "run" | "tools" | "checks" | "plan" | "answer" | "timeout" | "cancel";

export interface TaskEnd {
  readonly stop: StopReason;
  readonly error: ErrorInfo | null;
  readonly note: Phrase | null;
  readonly blockage?: Blockage;
  /** The model finished although its last effective call was denied. */
  readonly denied?: true;
}

export type TaskState =
  | { readonly phase: "IDLE" }
  | { readonly phase: "INTAKE"; readonly task: TaskCore }
  | { readonly phase: "CLARIFYING"; readonly task: TaskCore; readonly questions: readonly Question[] }
  | { readonly phase: "CONTEXT_BUILDING"; readonly task: TaskCore }
  /** `plan`: one that the user supplied. `begun`: the run has started, because the plan is read from its first reply. */
  | {
      readonly phase: "PLANNING";
      readonly task: TaskCore;
      readonly words: string;
      readonly plan: Plan | null;
      readonly begun: boolean;
    }
  | {
      readonly phase: "AWAITING_CONFIRMATION";
      readonly task: TaskCore;
      readonly plan: Plan;
      readonly begun: boolean;
      readonly listed?: readonly Listed[];
    }
  | { readonly phase: "EXECUTING"; readonly task: TaskCore }
  | {
      readonly phase: "VERIFYING";
      readonly task: TaskCore;
      readonly end: TaskEnd;
      /** The chosen checks; empty until chosen. */
      readonly todo: readonly Check[];
      readonly left?: readonly LeftOut[];
      readonly results: readonly VerificationResult[];
      /** The failed change was undone: this pass only observes the result and is not counted as an attempt. */
      readonly isAfterUndo?: true;
    }
  | {
      readonly phase: "RECOVERING";
      readonly task: TaskCore;
      readonly cause: RecoverySource;
      readonly end: TaskEnd;
      readonly stopping: boolean;
      /** A run of its own is undoing the last change. */
      readonly undoing?: true;
      readonly asks?: { readonly questions: readonly Question[]; readonly runId: RunId };
      /** The task ends as cancelled once its tries are undone. */
      readonly cancelled?: CancelSource;
    }
  | {
      readonly phase: "SUMMARIZING";
      readonly task: TaskCore;
      readonly end: TaskEnd;
      readonly cancelled: CancelSource | null;
      readonly stopping: boolean;
    }
  | {
      readonly phase: "DONE";
      readonly task: TaskCore;
      readonly end: TaskEnd;
      readonly cancelled: CancelSource | null;
      readonly summary: TaskSummary;
    };

export interface StoppedTask {
  readonly task: TaskCore;
  readonly end: TaskEnd;
  readonly run: RunState;
}

export type TaskPhase = TaskState["phase"];

/** `waiting`: has to ask, but another prompt is open. `denied`, `refused`: settled like this without being judged, as its plan was. */
type CallStatus =
  | "queued"
  | "denied"
  | "refused"
  | "deciding"
  | "waiting"
  | "asking"
  | "intending"
  | "executing"
  | "settled";

export interface CallState {
  readonly call: Call;
  readonly status: CallStatus;
  /** TP-2: judged while earlier calls run. `unproved`: it may do more than read, so it is judged again when it is next. */
  readonly ahead?: "judging" | "unproved";
  readonly reasons: readonly Phrase[];
  /** Real paths outside the workspace that were judged with the call. */
  readonly outside?: readonly string[];
  /** How the command is started, as judged. */
  readonly form?: RunForm;
  readonly intent: Intent | null;
  readonly words?: string;
  /** Digest of the file changes that the user approved. */
  readonly shown?: string;
  readonly spawned: { readonly pid: number; readonly startTime: string } | null;
  readonly result: { readonly status: CallResult["status"]; readonly key: string; readonly progress: boolean } | null;
}

/** The last failed call of a run that no later call made good. */
export interface FailedCall {
  readonly index: number;
  readonly callId: CallId;
  readonly tool: string;
  readonly access: Access;
  /** Its command, path or pattern, cut. */
  readonly about: string;
  /** `null`: a command that ended with its own exit code. */
  readonly error: ErrorInfo | null;
  readonly said: string;
}

export interface RunCore {
  readonly id: RunId;
  /** false for `!command` and `coder tool`: one call, no model. */
  readonly withModel: boolean;
  readonly limits: RunLimits;
  /** What a sub-agent may use of the limits; absent = all that is left. */
  readonly share?: RunShare;
  /** The current step, from 1; 0 = a run without a model. */
  readonly index: number;
  readonly breakers: Breakers;
  readonly tokens: number;
  /** Micro-dollars, over all runs of the task so far; replies without a known price count as 0. */
  readonly cost: number;
  readonly lastText: string;
  /** Steps of finished sub-agents, which count as its own; absent = none. */
  readonly innerSteps?: number;
  readonly planning: boolean;
  /** The reply held calls but no plan: the model is told with their results. */
  readonly lacksPlan?: true;
  readonly unanswered: boolean;
  /** A call was denied, and no call with effects succeeded in this run. */
  readonly denied: boolean;
  readonly hasDone?: true;
  readonly failure?: FailedCall;
  /** A cancel is in progress: results still count, nothing new is ordered. `closing`: all running calls have stopped. */
  readonly stopping: "no" | "asked" | "closing";
}

export type RunState =
  | { readonly phase: "idle" }
  | { readonly phase: "preparing"; readonly run: RunCore }
  | {
      readonly phase: "model_running";
      readonly run: RunCore;
      readonly attempt: number;
      readonly failures: number;
      readonly doing: "calling" | "waiting" | "compacting";
      readonly notes?: string;
    }
  | {
      readonly phase: "tool_running" | "awaiting_human";
      readonly run: RunCore;
      readonly calls: readonly CallState[];
      /** Nothing starts before the plan of this reply is settled. */
      readonly held?: true;
      /** The user's edit of that plan: once it is settled, the model gets it in place of these calls. */
      readonly edit?: { readonly plan: Plan | null; readonly words: string };
    }
  | { readonly phase: "completed"; readonly run: RunCore; readonly end: TaskEnd }
  | { readonly phase: "failed"; readonly run: RunCore; readonly end: TaskEnd; readonly cut?: Cut }
  | { readonly phase: "aborted"; readonly run: RunCore; readonly cut?: Cut };

interface Cut {
  readonly attempt: number;
}

export type RunPhase = RunState["phase"];

/** TL-5: a run inside a call of the task's run. Sub-agents do not nest. */
export interface SubRun {
  readonly run: RunState;
  readonly callId: CallId;
  readonly kind: SubKind;
  readonly view: View;
  /** Everything that ran has stopped: only the results of its open calls are missing. */
  readonly isStopped?: true;
}

/** PL-6: what the model was told about the plan, and which of its files exist. */
export interface Driven {
  /** The step announced to the model as the current one. */
  readonly told: string | null;
  /** The step that the model was asked about because a later one had begun. */
  readonly doubted: string | null;
  /** The one model call (run and index) that asked what became of the open steps. */
  readonly asked: string | null;
  readonly made: Made;
}

export const completed: TaskEnd = { stop: "COMPLETED", error: null, note: null };

export const notDriven: Driven = { told: null, doubted: null, asked: null, made: [] };

interface LeftTodos {
  readonly taskId: TaskId;
  readonly title: string;
  readonly todos: readonly Todo[];
}

export interface SessionState {
  readonly id: SessionId;
  /** The name that the user gave it; "" = none. */
  readonly title: string;
  readonly workspace: string;
  readonly addDirs: readonly string[];
  /** `null`: our own system text. */
  readonly prompt: SystemPrompt | null;
  readonly model: string;
  /** The session that continues behind the point that this one was rewound to; `tasks`: how many there were. */
  readonly rewound: { readonly from: SessionId; readonly code: boolean; readonly tasks: number } | null;
  readonly mode: Mode;
  /** The session was in yolo before, so its user knows what yolo means. */
  readonly knowsYolo: boolean;
  /** The user's choice on top of the mode; `null` = the mode alone decides. */
  readonly preset: Preset | null;
  readonly tasks: number;
  readonly runs: number;
  readonly inputs: number;
  readonly queue: readonly QueuedInput[];
  readonly task: TaskState;
  /** The task the user can continue; `null` = the newest task of a model is running or has completed. */
  readonly stopped: StoppedTask | null;
  /** The task's run. */
  readonly run: RunState;
  /** The runs of its sub-agents, in the order of their starts. */
  readonly subs: readonly SubRun[];
  /** The view of the history of `run`. */
  readonly view: View;
  /** The newest task's: the steps of its plan (PL-6), or restored todos. */
  readonly todos: readonly Todo[];
  /** The task that owns `todos`; `null` = unknown. */
  readonly listTask: Pick<LeftTodos, "taskId" | "title"> | null;
  /** Unfinished lists of older tasks, oldest first. */
  readonly leftTodos: readonly LeftTodos[];
  /** The newest plan, whatever became of its task; and how often this task changed it. */
  readonly plan: Plan | null;
  readonly replans: number;
  /** The task that follows the plan, and its progress. */
  readonly planTask: TaskId | null;
  readonly driven: Driven;
  readonly grant: Grant | null;
  readonly checksRun: number;
  readonly usage: Usage;
  /** Micro-dollars; `null` after a reply of unknown price. */
  readonly cost: number | null;
  /** Background jobs: all running ones, and the last that ended. */
  readonly jobs: readonly Job[];
  readonly jobsStarted: number;
}

export const emptySession: SessionState = {
  id: "",
  title: "",
  workspace: "",
  addDirs: [],
  prompt: null,
  model: "",
  rewound: null,
  mode: "default",
  knowsYolo: false,
  preset: null,
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
  listTask: null,
  leftTodos: [],
  plan: null,
  replans: 0,
  planTask: null,
  driven: notDriven,
  grant: null,
  checksRun: 0,
  usage: noUsage,
  cost: 0,
  jobs: [],
  jobsStarted: 0,
};

export function isRunOver(
  run: RunState,
): run is Extract<RunState, { phase: "idle" | "completed" | "failed" | "aborted" }> {
  return run.phase === "idle" || run.phase === "completed" || run.phase === "failed" || run.phase === "aborted";
}

export function currentTask({ task }: Pick<SessionState, "task">): TaskCore | undefined {
  return task.phase === "IDLE" ? undefined : task.task;
}

export function coreOf(run: RunState): RunCore | undefined {
  return run.phase === "idle" ? undefined : run.run;
}

export function openQuestions(task: TaskState): readonly Question[] {
  if (task.phase === "CLARIFYING") return task.questions;
  return task.phase === "RECOVERING" ? (task.asks?.questions ?? []) : [];
}

export function openCalls(run: RunState): readonly CallState[] {
  return run.phase === "tool_running" || run.phase === "awaiting_human" ? run.calls : [];
}

/** The task's run first. */
export function runsOf({ run, subs }: Pick<SessionState, "run" | "subs">): readonly RunState[] {
  return subs.length === 0 ? [run] : [run, ...subs.map((sub) => sub.run)];
}

/** A call of any run has the open prompt. */
export function isAsking(state: Pick<SessionState, "run" | "subs">): boolean {
  return runsOf(state).some(({ phase }) => phase === "awaiting_human");
}

export function subWith({ subs }: Pick<SessionState, "subs">, runId: RunId): SubRun | undefined {
  return subs.find(({ run }) => coreOf(run)?.id === runId);
}

export function runWith(state: Pick<SessionState, "run" | "subs">, runId: RunId): RunState {
  return subWith(state, runId)?.run ?? state.run;
}

export function viewOf(state: Pick<SessionState, "view" | "subs">, runId: RunId): View {
  return subWith(state, runId)?.view ?? state.view;
}

/** The call around a sub-agent waits for that one's run, and for nothing else. */
export function withoutSubs({ run, subs }: Pick<SessionState, "run" | "subs">): RunState {
  if (subs.length === 0 || !("calls" in run)) return run;
  return { ...run, calls: run.calls.filter(({ call }) => !subs.some(({ callId }) => callId === call.id)) };
}

/** An open call of any run. */
export function callIn(state: Pick<SessionState, "run" | "subs">, id: CallId): CallState | undefined {
  return callState(runWith(state, runOfCall(id)), id);
}

/** Of all runs, without those that only wait for a sub-agent. */
export function workingCalls(state: Pick<SessionState, "run" | "subs">): readonly CallState[] {
  return [withoutSubs(state), ...state.subs.map(({ run }) => run)].flatMap(openCalls);
}

export function callState(run: RunState, id: CallId): CallState | undefined {
  return openCalls(run).find((one) => one.call.id === id);
}
