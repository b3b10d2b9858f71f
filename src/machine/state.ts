import type { ErrorInfo } from "../contract/error.ts";
import type { CancelSource, Delivery, InputKind, RunLimits, SubKind, View } from "../contract/event.ts";
import type { Grant, Listed } from "../contract/grant.ts";
import type { CallId, InputId, RunId, SessionId, TaskId } from "../contract/ids.ts";
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

export interface QueuedInput {
  readonly inputId: InputId;
  readonly kind: InputKind;
  readonly delivery: Delivery;
  readonly text: string;
  readonly call?: { readonly tool: string; readonly input: unknown };
  /** JSON Schema that the final answer must fit. */
  readonly schema?: unknown;
  /** A plan to be carried out. */
  readonly plan?: Plan;
  readonly readOnly?: true;
  /** What of it the person has said, where that is not the text. */
  readonly about?: string;
}

/** What a task carries through all its phases. */
export interface TaskCore {
  readonly id: TaskId;
  readonly input: QueuedInput;
  readonly runId: RunId;
  readonly limits: RunLimits;
  /** ISO time. */
  readonly startedAt: string;
  readonly assessment: Assessment | null;
  /** Plans that the person refused, and plans that could not be followed. */
  readonly refusals: number;
  readonly unsound: number;
  readonly checks: ChecksResult | null;
  /** One for each round of checks, oldest first, whether or not it said something about the code (VF-1). */
  readonly rounds: readonly Attempt[];
  /** A check beside the list that the person said yes to, and that ran. */
  readonly agreed?: Pick<Check, "command" | "cwd">;
  /** What recovery has tried so far. */
  readonly rungs: readonly Rung[];
  /** The undo that it ordered last did take something back. */
  readonly tookBack?: true;
  /** What kept an answer from fitting its schema; set once, by the answer that was sent back. */
  readonly unfit?: readonly string[];
  /** The same of the last answer, where its checks failed. */
  readonly problems?: readonly string[];
  /** What it was to do was not allowed; since then it was only asked for its answer again. */
  readonly denied?: true;
  /** How the task ends, once an answer that did not fit was asked for again. */
  readonly failed?: TaskEnd;
}

/** What is left of a round of checks, so that the next can be compared with it. */
export interface Attempt {
  readonly ok: boolean;
  readonly type: VerificationResult["type"];
  readonly failing: number;
  readonly fingerprint: string;
}

type RecoverySource = "run" | "tools" | "checks" | "plan" | "answer" | "timeout";

/** Why a task ends. */
export interface TaskEnd {
  readonly stop: StopReason;
  readonly error: ErrorInfo | null;
  /** Text shown with a stop that is no error (step limit, no progress). */
  readonly note: Phrase | null;
  /** What it stopped over, where recovery has found it out. */
  readonly blockage?: Blockage;
  /** The model came to its end although the last thing that it wanted to do was not allowed. */
  readonly denied?: true;
}

export type TaskState =
  | { readonly phase: "IDLE" }
  | { readonly phase: "INTAKE"; readonly task: TaskCore }
  | { readonly phase: "CLARIFYING"; readonly task: TaskCore; readonly questions: readonly Question[] }
  | { readonly phase: "CONTEXT_BUILDING"; readonly task: TaskCore }
  /** `plan`: the person's own. `begun`: the run has, because the plan is read from its first reply. */
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
      /** What a yes would cover. */
      readonly listed?: readonly Listed[];
    }
  | { readonly phase: "EXECUTING"; readonly task: TaskCore }
  | {
      readonly phase: "VERIFYING";
      readonly task: TaskCore;
      readonly end: TaskEnd;
      /** What was chosen; empty until then. */
      readonly todo: readonly Check[];
      readonly left?: readonly LeftOut[];
      readonly results: readonly VerificationResult[];
      /** What failed was taken back: it is only seen where that leads, and counts as no attempt. */
      readonly isAfterUndo?: true;
    }
  | {
      readonly phase: "RECOVERING";
      readonly task: TaskCore;
      readonly cause: RecoverySource;
      readonly end: TaskEnd;
      readonly stopping: boolean;
      /** The last change is being taken back, by a run of its own. */
      readonly undoing?: true;
      /** What the person is asked, and the run that their answer begins. */
      readonly asks?: { readonly questions: readonly Question[]; readonly runId: RunId };
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

/** A task of a model that has stopped and can go on. */
export interface StoppedTask {
  readonly task: TaskCore;
  readonly end: TaskEnd;
  /** The last one of it. */
  readonly run: RunState;
}

export type TaskPhase = TaskState["phase"];

/**
 * `waiting`: has to be asked about, but another prompt is open.
 * `denied`, `refused`: is to be settled so without being judged, since its plan was.
 */
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
  readonly reasons: readonly Phrase[];
  /** Real paths outside the workspace that were judged along with the call. */
  readonly outside?: readonly string[];
  /** How its command is started, as judged. */
  readonly form?: RunForm;
  readonly intent: Intent | null;
  /** What the person answered to a question. */
  readonly words?: string;
  /** What the person has said yes to, of a change of files. */
  readonly shown?: string;
  readonly spawned: { readonly pid: number; readonly startTime: string } | null;
  readonly result: { readonly status: CallResult["status"]; readonly key: string; readonly progress: boolean } | null;
}

/** The last call of a run that failed and has not been made good since. */
export interface FailedCall {
  /** The step it failed in. */
  readonly index: number;
  readonly tool: string;
  readonly access: Access;
  /** Its command, path or pattern, cut. */
  readonly about: string;
  /** `null`: a command that ended with an exit code of its own. */
  readonly error: ErrorInfo | null;
  /** What the model read of it, cut. */
  readonly said: string;
}

/** What a run carries through all its phases. */
export interface RunCore {
  readonly id: RunId;
  /** false for `!command` and `coder tool`: one call, no model. */
  readonly withModel: boolean;
  readonly limits: RunLimits;
  /** The current step, from 1; 0 = a run without a model. */
  readonly index: number;
  readonly breakers: Breakers;
  readonly tokens: number;
  /** Micro-dollars, of all runs of the task so far; what has no known price counts as nothing. */
  readonly cost: number;
  readonly lastText: string;
  /** Steps of runs inside its calls: they count as its own; absent = none. */
  readonly innerSteps?: number;
  /** The next reply may hold the plan. */
  readonly planning: boolean;
  /** It is told so with the results of the calls that came without one. */
  readonly lacksPlan?: true;
  /** A question was put and there was nobody to answer. */
  readonly unanswered: boolean;
  /** A call was denied, and nothing with effects was done in this run. */
  readonly denied: boolean;
  readonly hasDone?: true;
  readonly failure?: FailedCall;
  /** A cancel is being carried out: results still count, nothing new is ordered. `closing`: all that ran has stopped. */
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
      /** What the model made of the conversation, for the compaction that is due. */
      readonly notes?: string;
    }
  | {
      readonly phase: "tool_running" | "awaiting_human";
      readonly run: RunCore;
      readonly calls: readonly CallState[];
      /** Nothing starts before the plan of this reply is settled. */
      readonly held?: true;
      /** What the person made of that plan: once it is settled, the model is told so in place of these calls. */
      readonly edit?: { readonly plan: Plan | null; readonly words: string };
    }
  | { readonly phase: "completed"; readonly run: RunCore; readonly end: TaskEnd }
  | { readonly phase: "failed"; readonly run: RunCore; readonly end: TaskEnd; readonly cut?: Cut }
  | { readonly phase: "aborted"; readonly run: RunCore; readonly cut?: Cut };

/** A model call that got no reply: its last attempt. */
interface Cut {
  readonly attempt: number;
}

export type RunPhase = RunState["phase"];

/** A run that waits for the one inside one of its calls (TL-5). */
export interface OuterRun {
  readonly run: Extract<RunState, { readonly calls: unknown }>;
  readonly callId: CallId;
  readonly kind: SubKind;
  /** How much of its own conversation it shows. */
  readonly view: View;
  /** All that ran has stopped: it ends as soon as the inner one has closed its calls. */
  readonly isStopped: boolean;
}

/** PL-6: what the model was told of the plan, and which of its files have come. */
export interface Driven {
  /** The step that it knows to be the current one. */
  readonly told: string | null;
  /** The step that it was asked about because a later one has begun. */
  readonly doubted: string | null;
  /** The call in which it is asked, once, what has become of the open steps: run and index. */
  readonly asked: string | null;
  readonly made: Made;
}

export const notDriven: Driven = { told: null, doubted: null, asked: null, made: [] };

interface LeftTodos {
  readonly taskId: TaskId;
  /** What was asked for, its first line. */
  readonly title: string;
  readonly todos: readonly Todo[];
}

export interface SessionState {
  readonly id: SessionId;
  readonly workspace: string;
  readonly addDirs: readonly string[];
  /** `null`: our own system text. */
  readonly prompt: SystemPrompt | null;
  readonly model: string;
  readonly mode: Mode;
  /** It was in yolo before: whoever works in it knows what that means. */
  readonly knowsYolo: boolean;
  /** What the person chose on top of the mode; `null` = the mode alone decides. */
  readonly preset: Preset | null;
  readonly tasks: number;
  readonly runs: number;
  readonly inputs: number;
  readonly queue: readonly QueuedInput[];
  readonly task: TaskState;
  /** What the person can go on with; `null` = the newest task of a model runs, or has come to its end. */
  readonly stopped: StoppedTask | null;
  /** The run that goes on now: the task's, or the one inside a call of it. */
  readonly run: RunState;
  /** The task's run, while one inside it goes on; `null` = `run` is the task's. They do not nest. */
  readonly outer: OuterRun | null;
  /** Of the conversation of `run`. */
  readonly view: View;
  /** Of the newest task: the steps of the plan that it follows (PL-6), or what was restored. */
  readonly todos: readonly Todo[];
  /** Whose list it is; `null` = of none that is known. */
  readonly listTask: Pick<LeftTodos, "taskId" | "title"> | null;
  /** What older tasks have left unfinished, oldest first. */
  readonly leftTodos: readonly LeftTodos[];
  /** The newest plan, whatever has become of its task, and how often it was changed in this one. */
  readonly plan: Plan | null;
  readonly replans: number;
  /** The task that follows it, and how far it is driven. */
  readonly planTask: TaskId | null;
  readonly driven: Driven;
  /** What the person has said yes to beforehand, in the task that runs. */
  readonly grant: Grant | null;
  /** Checks that the model has run by itself in this task. */
  readonly checksRun: number;
  readonly usage: Usage;
  /** Micro-dollars; `null` once a reply has come whose price was not known. */
  readonly cost: number | null;
  /** Background jobs: all that run, and the last that ended. */
  readonly jobs: readonly Job[];
  readonly jobsStarted: number;
}

export const emptySession: SessionState = {
  id: "",
  workspace: "",
  addDirs: [],
  prompt: null,
  model: "",
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
  outer: null,
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

/** What the person is asked about the task as a whole; empty = nothing. */
export function openQuestions(task: TaskState): readonly Question[] {
  if (task.phase === "CLARIFYING") return task.questions;
  return task.phase === "RECOVERING" ? (task.asks?.questions ?? []) : [];
}

/** The calls of the step that is running now; none outside it. */
export function openCalls(run: RunState): readonly CallState[] {
  return run.phase === "tool_running" || run.phase === "awaiting_human" ? run.calls : [];
}

export function callState(run: RunState, id: CallId): CallState | undefined {
  return openCalls(run).find((one) => one.call.id === id);
}
