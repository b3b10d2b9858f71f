import type { Attachment } from "./attachment.ts";
import type { ModelFault } from "./delta.ts";
import type { ErrorInfo } from "./error.ts";
import type { Listed, Scope } from "./grant.ts";
import type { CallId, InputId, RunId, SessionId, TaskId } from "./ids.ts";
import type { JobEnd } from "./job.ts";
import type { AssistantReply, Call, CallResult, Intent, Todo, Usage } from "./message.ts";
import type { PermissionRule } from "./permission.ts";
import type { Plan } from "./plan.ts";
import type { RunForm } from "./sandbox.ts";
import type { SystemPrompt } from "./settings.ts";
import type { Assessment, Blockage, ChecksResult, Mode, OnFail, Preset, Rung, TaskSummary } from "./task.ts";
import type { Phrase } from "./text/catalogue.ts";
import type { Check, LeftOut, VerificationResult } from "./verification.ts";

/** What an input becomes. `tool`: one call asked for on the command line, through the same pipeline, without a model. */
export type InputKind = "task" | "shell" | "tool";
/** `now`: nothing runs. `steer`: delivered after the current tool calls. `queue`: a task of its own afterwards. */
export type Delivery = "now" | "steer" | "queue";
export type CancelSource = "esc" | "sigint" | "sigterm" | "sighup" | "client" | "internal" | "fork";
/** `tree`: its files. `map`: the most important definitions. `places`: where the words of the task seem to belong. */
export type OverviewPart = "tree" | "map" | "places";
type ApprovalAnswer = "yes" | "no" | "always" | "edit";
export type Decision = "allow" | "ask" | "deny";

/** Facts, past tense, written once. `at` is wall-clock milliseconds: for showing, never for ordering. */
export type Event = { readonly v: 1; readonly at: number } & EventBody;

export type EventBody =
  | {
      readonly type: "session.started";
      readonly sessionId: SessionId;
      readonly workspace: string;
      readonly addDirs: readonly string[];
      readonly model: string;
      readonly mode: Mode;
      readonly preset: Preset | null;
      readonly forkedFrom: SessionId | null;
      readonly prompt?: SystemPrompt;
    }
  | {
      readonly type: "session.resumed";
      readonly pid: number;
      readonly mode: Mode;
      readonly preset: Preset | null;
      readonly model: string;
      /** Absent: as it was. */
      readonly prompt?: SystemPrompt;
    }
  /** Its workspace was moved or renamed, and the person has said that it goes on there. */
  | { readonly type: "session.moved"; readonly from: string; readonly to: string }
  /** A conversation taken from a workspace's snapshot because the log is gone: told to the model as untrusted text. */
  | {
      readonly type: "history.restored";
      readonly text: string;
      readonly todos: readonly Todo[];
    }
  /** `told`: the model is, where a task runs; absent in old logs, in which it was not. */
  | { readonly type: "mode.changed"; readonly mode: Mode; readonly told?: true }
  | { readonly type: "preset.changed"; readonly preset: Preset }
  | { readonly type: "model.changed"; readonly model: string }
  | { readonly type: "notice.given"; readonly text: Phrase }
  | { readonly type: "internal.reported"; readonly traceId: string; readonly what: string }
  /** The rules that hold from here on (CX-1), as the model reads them; `text` is empty when none do any more. `salt`: of their marks. */
  | { readonly type: "rules.read"; readonly files: readonly string[]; readonly text: string; readonly salt: string }
  /** What the index of the workspace says (CX-4), as the model reads it: data between marks. Stored before the call that it rides in. */
  | { readonly type: "overview.given"; readonly part: OverviewPart; readonly text: string }
  // input
  | {
      readonly type: "input.admitted";
      readonly inputId: InputId;
      readonly kind: InputKind;
      readonly delivery: Delivery;
      readonly text: string;
      readonly call?: { readonly tool: string; readonly input: unknown };
      /** JSON Schema that the final answer of this task must fit. */
      readonly schema?: unknown;
      /** A plan to be carried out, chosen by the person. */
      readonly plan?: Plan;
      /** Nothing may be changed or run in this task, whatever the mode allows. */
      /** Of a task that a command makes: the person's own words in it. */
      readonly about?: string;
      readonly readOnly?: true;
      /** What the model reads in place of a long text: its beginning and end, and where the whole of it is. */
      readonly shown?: string;
      /** The command that was typed for it: then the text is what that says to the model in the person's name. */
      readonly typed?: string;
      /** What it mentions with `@`, read when it was sent; absent in old logs. */
      readonly attachments?: readonly Attachment[];
    }
  | { readonly type: "input.delivered"; readonly runId: RunId; readonly inputIds: readonly InputId[] }
  /** PL-3: what the person has forbidden while the task runs, in words of their own. */
  | { readonly type: "constraints.said"; readonly constraints: readonly string[] }
  | { readonly type: "input.returned"; readonly inputIds: readonly InputId[] }
  // task machine
  | {
      readonly type: "task.started";
      readonly taskId: TaskId;
      readonly runId: RunId;
      readonly inputId: InputId;
      readonly limits: RunLimits;
    }
  /** The person lets a task go on that had stopped. `limits`: of now. `nextRunId`: for a run of its own, where it needs one. */
  | {
      readonly type: "task.continued";
      readonly taskId: TaskId;
      readonly nextRunId: RunId;
      readonly limits: RunLimits;
    }
  /** `hints`: what the model is told with this task only; absent in old logs, where it came with `context.built`. */
  | {
      readonly type: "task.assessed";
      readonly taskId: TaskId;
      readonly assessment: Assessment;
      readonly hints?: string;
    }
  | { readonly type: "clarification.answered"; readonly taskId: TaskId; readonly text: string }
  /** There is nobody who could answer. */
  | { readonly type: "clarification.unanswered"; readonly taskId: TaskId }
  | { readonly type: "context.built"; readonly taskId: TaskId; readonly hints?: string }
  | {
      readonly type: "plan.settled";
      readonly taskId: TaskId;
      readonly plan: Plan | null;
      readonly needsConfirmation: boolean;
      /** The reply was the plan and nothing else: the model is to go on with it. */
      readonly goesOn?: boolean;
      /** Calls of ours before those of the reply: the todo list that follows from the plan (PL-2). */
      readonly calls?: readonly Call[];
      /** What a yes would cover (PL-6); absent where nobody is asked, and in old logs. */
      readonly listed?: readonly Listed[];
    }
  /** A plan that cannot be followed: it is asked for once more. */
  | {
      readonly type: "plan.rejected";
      readonly taskId: TaskId;
      readonly problems: readonly Phrase[];
      /** There was none: the calls of the reply go on, and the model is reminded. */
      readonly missing?: true;
    }
  /** Its steps moved on, or it was changed by the person or the model (PL-4). */
  | { readonly type: "plan.changed"; readonly plan: Plan; readonly by: "model" | "person" }
  | {
      readonly type: "plan.answered";
      readonly taskId: TaskId;
      readonly answer: "yes" | "no" | "edit";
      readonly words: string;
      readonly plan: Plan | null;
      /** Of all but a no: all that is listed, or each step by itself; absent in old logs, in which it covered nothing. */
      readonly scope?: Extract<Scope, "step" | "plan">;
    }
  /** What verifies the task now, one after the other, each as a run of its own. `runId`: of the first. */
  | {
      readonly type: "checks.chosen";
      readonly taskId: TaskId;
      readonly runId: RunId;
      readonly checks: readonly Check[];
      readonly left?: readonly LeftOut[];
    }
  /** What one of them said. `runId`: of the next, if there is one. */
  | {
      readonly type: "check.judged";
      readonly taskId: TaskId;
      readonly runId: RunId;
      readonly result: VerificationResult;
    }
  | {
      readonly type: "checks.finished";
      readonly taskId: TaskId;
      readonly result: ChecksResult;
      /** What keeps the final answer from fitting the schema of its input; absent where none was given. */
      readonly answer?: readonly string[];
    }
  | {
      readonly type: "recovery.decided";
      readonly taskId: TaskId;
      readonly runId: RunId;
      readonly repairable: boolean;
      /** How far up the ladder (SM-8); absent in old logs. */
      readonly rung?: Rung;
      readonly reason: Phrase;
      readonly instruction: string;
      /** After calls that fail: what the person is asked about, or what it stops over. */
      readonly blockage?: Blockage;
      /** Why nothing more is tried, where that is for no check to say. */
      readonly note?: Phrase;
    }
  | { readonly type: "task.summarized"; readonly taskId: TaskId; readonly summary: TaskSummary }
  | { readonly type: "task.ended"; readonly taskId: TaskId }
  | { readonly type: "task.timed_out"; readonly taskId: TaskId }
  | { readonly type: "cancel.requested"; readonly source: CancelSource }
  /** TL-5: a run inside the call that asked for it, with a conversation of its own; that call's result is its end. */
  | {
      readonly type: "sub.started";
      readonly runId: RunId;
      /** The new run's. */
      readonly subId: RunId;
      readonly callId: CallId;
      readonly sub: SubTask;
      /** Nothing that it could do may change a file. */
      readonly mayWrite?: false;
    }
  // run machine
  | { readonly type: "run.started"; readonly runId: RunId; readonly calls: readonly Call[] }
  | {
      readonly type: "model.replied";
      readonly runId: RunId;
      readonly index: number;
      readonly attempt: number;
      readonly reply: AssistantReply;
    }
  | {
      readonly type: "model.failed";
      readonly runId: RunId;
      readonly index: number;
      readonly attempt: number;
      readonly error: ErrorInfo;
      readonly fault: ModelFault["kind"];
      readonly retryInMs: number | null;
    }
  | ({ readonly type: "reply.cut"; readonly runId: RunId; readonly index: number; readonly attempt: number } & CutReply)
  | { readonly type: "retry.due"; readonly runId: RunId; readonly index: number; readonly attempt: number }
  | {
      readonly type: "context.overflowed";
      readonly runId: RunId;
      readonly index: number;
      readonly attempt: number;
      /** What the model made of the conversation so far, where it was asked; stored with what follows from it. */
      readonly notes?: AskedNotes;
    }
  | {
      readonly type: "context.compacted";
      /** Absent where the person asked for it, between two tasks. */
      readonly runId?: RunId;
      readonly index?: number;
      readonly compaction: Compaction;
      /** Of one that the person asked for. */
      readonly notes?: AskedNotes;
    }
  | {
      readonly type: "tool.decided";
      readonly runId: RunId;
      readonly callId: CallId;
      readonly decision: Decision;
      readonly reasons: readonly Phrase[];
      readonly source: string;
      /** Real paths outside the workspace that were judged: only these may be touched there. */
      readonly outside?: readonly string[];
      /** Of a command: how it is started once it may. */
      readonly run?: RunForm;
    }
  | {
      readonly type: "approval.answered";
      readonly runId: RunId;
      readonly callId: CallId;
      readonly answer: ApprovalAnswer;
      readonly words: string;
      readonly call: Call | null;
      readonly by: "person" | "client" | "nobody";
      /** Of a yes; absent = this call. */
      readonly scope?: Exclude<Scope, "plan">;
      /** With `step`: which one. */
      readonly step?: string;
      /** With `task`: what is not asked about again. */
      readonly rules?: readonly PermissionRule[];
      /** Of a yes to a change of files: a digest of what was shown. Nothing else is done. */
      readonly shown?: string;
    }
  | { readonly type: "tool.intended"; readonly runId: RunId; readonly callId: CallId; readonly intent: Intent }
  | {
      readonly type: "process.spawned";
      readonly runId: RunId;
      readonly callId: CallId;
      readonly pid: number;
      readonly startTime: string;
    }
  | {
      readonly type: "job.started";
      readonly jobId: string;
      readonly taskId: TaskId;
      readonly callId: CallId;
      readonly command: string;
      readonly pid: number;
      readonly startTime: string;
    }
  | ({ readonly type: "job.ended"; readonly jobId: string } & JobEnd)
  | { readonly type: "tool.settled"; readonly runId: RunId; readonly callId: CallId; readonly result: CallResult }
  | { readonly type: "advice.given"; readonly runId: RunId; readonly text: Phrase }
  | { readonly type: "run.stopped"; readonly runId: RunId; readonly unstopped: readonly string[] };

/** What had come of a reply that never came to its end. */
export interface CutReply {
  readonly text: string;
  /** `killed`: the process was. */
  readonly why: "cancelled" | "failed" | "killed";
  /** The same call is made again at once: what had come of it is given up. */
  readonly isRepeated?: true;
}

/** `explore` can only look. */
export type SubKind = "explore" | "general";
export const subKinds: readonly SubKind[] = ["explore", "general"];

export interface SubTask {
  readonly kind: SubKind;
  /** For the person: a few words. */
  readonly title: string;
  readonly prompt: string;
}

export interface RunLimits {
  readonly maxSteps: number;
  readonly maxTokens: number | null;
  /** Micro-dollars, for the whole task; absent: none. */
  readonly maxCost?: number;
  /** Model attempts under one index, the first included. */
  readonly maxAttempts: number;
  /** Verification runs in a task (VF-1); absent in old logs, which had none. */
  readonly maxChecks?: number;
  /** A run that stops over failed calls is recovered from (SM-8); absent in old logs, which went on to the checks. */
  readonly recovers?: true;
  /** What becomes of changes that failed their check for good; absent in old logs, where the engine decided it. */
  readonly onVerifyFailure?: OnFail;
  /** How a task ends follows from what is true then (VF-7); absent in old logs, where it followed from the last call. */
  readonly endsByFacts?: true;
}

/** How much of the history the model sees, by position; changed by compaction only. The log keeps everything. */
export interface View {
  /** Long tool results before this position are shown as a one-line stub. */
  readonly pruneBefore: number;
  /** History before this position is not shown at all. */
  readonly trimBefore: number;
  /** Overviews before this position are not shown: they are the first to go. */
  readonly overviewsFrom?: number;
  /** Stands in its place. */
  readonly summary?: Summary;
}

export interface Summary {
  /** As the model reads it. */
  readonly text: string;
  /** What of it was made of the conversation; the next summary starts from it. */
  readonly notes: string;
  readonly by: "model" | "rules";
}

/** One answer to overflow. */
export interface Compaction extends View {
  readonly stage: "prune" | "summary" | "trim" | "exhausted";
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Entries of the history that are no longer shown and were before. */
  readonly dropped?: number;
}

/** An extra request without tools (CX-2). `text` is empty when nothing came of it; its cost counts all the same. */
export interface AskedNotes {
  readonly text: string;
  readonly usage: Usage;
  readonly cost?: number;
}

export type EventType = EventBody["type"];
export type EventOf<T extends EventType> = Extract<Event, { readonly type: T }>;

/** An event in its place. `accepted: false` = stale or unexpected: kept for the record, never folded. */
export interface Recorded {
  readonly seq: number;
  readonly accepted: boolean;
  readonly event: Event;
}
