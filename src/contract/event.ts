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

/** `tool`: a single call from the command line, through the same pipeline, without a model. */
export type InputKind = "task" | "shell" | "tool";
/** `now`: nothing is running. `steer`: after the current tool calls. `queue`: as a task of its own afterwards. */
export type Delivery = "now" | "steer" | "queue";
export type CancelSource = "esc" | "sigint" | "sigterm" | "sighup" | "client" | "internal" | "fork";
/** `tree`: the files. `map`: the most important definitions. `places`: likely places for the words of the task. */
export type OverviewPart = "tree" | "map" | "places";
type ApprovalAnswer = "yes" | "no" | "always" | "edit";
export type Decision = "allow" | "ask" | "deny";

export interface ModelCall {
  readonly runId: RunId;
  readonly index: number;
  readonly attempt: number;
}

/** Facts in the past tense, written once. `at` is wall-clock milliseconds, for display and never for ordering. */
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
      /** It has only the beginning of the session it was forked from. `code`: the files were taken back to that point too. */
      readonly rewound?: { readonly code: boolean };
      readonly prompt?: SystemPrompt;
    }
  | {
      readonly type: "session.resumed";
      readonly pid: number;
      readonly mode: Mode;
      readonly preset: Preset | null;
      readonly model: string;
      /** Absent = unchanged. */
      readonly prompt?: SystemPrompt;
    }
  /** The workspace was moved or renamed, and the user continues the session there. */
  | { readonly type: "session.moved"; readonly from: string; readonly to: string }
  | { readonly type: "session.renamed"; readonly title: string }
  | ({ readonly type: "aside.answered" } & Aside)
  /** Restored from a snapshot because the log is lost; the model sees it as untrusted text. */
  | {
      readonly type: "history.restored";
      readonly text: string;
      readonly todos: readonly Todo[];
    }
  /** `told`: the model is told if a task runs; absent in old logs, where it was not. */
  | { readonly type: "mode.changed"; readonly mode: Mode; readonly told?: true }
  | { readonly type: "preset.changed"; readonly preset: Preset }
  | { readonly type: "model.changed"; readonly model: string }
  | { readonly type: "notice.given"; readonly text: Phrase }
  | { readonly type: "internal.reported"; readonly traceId: string; readonly what: string }
  /** CX-1: the rules from here on, as the model reads them; `text` is empty if none are left. `salt` makes their marks unique. */
  | { readonly type: "rules.read"; readonly files: readonly string[]; readonly text: string; readonly salt: string }
  /** CX-4: what the index knows, as the model reads it: data between marks. Stored before the model call that contains it. */
  | { readonly type: "overview.given"; readonly part: OverviewPart; readonly text: string }
  | {
      readonly type: "input.admitted";
      readonly inputId: InputId;
      readonly kind: InputKind;
      readonly delivery: Delivery;
      readonly text: string;
      readonly call?: { readonly tool: string; readonly input: unknown };
      readonly schema?: unknown;
      /** A plan to carry out, chosen by the user. */
      readonly plan?: Plan;
      /** The user's own words, if a command made the task. */
      readonly about?: string;
      /** Nothing may be changed or run, whatever the mode allows. */
      readonly readOnly?: true;
      /** Replaces a long text for the model: its start, its end and where the whole text is. */
      readonly shown?: string;
      /** The typed command; `text` is then what the command tells the model in the user's name. */
      readonly typed?: string;
      /** The `@` mentions, read when the input was sent; absent in old logs. */
      readonly attachments?: readonly Attachment[];
    }
  | { readonly type: "input.delivered"; readonly runId: RunId; readonly inputIds: readonly InputId[] }
  /** PL-3: what the user has forbidden during the task, in their own words. */
  | { readonly type: "constraints.said"; readonly constraints: readonly string[] }
  | { readonly type: "input.returned"; readonly inputIds: readonly InputId[] }
  | {
      readonly type: "task.started";
      readonly taskId: TaskId;
      readonly runId: RunId;
      readonly inputId: InputId;
      readonly limits: RunLimits;
    }
  /** The user continues a stopped task. `limits`: the current ones. `nextRunId`: the run it gets if it needs a new one. */
  | {
      readonly type: "task.continued";
      readonly taskId: TaskId;
      readonly nextRunId: RunId;
      readonly limits: RunLimits;
    }
  /** `hints`: told to the model for this task only; absent in old logs, where `context.built` had them. */
  | {
      readonly type: "task.assessed";
      readonly taskId: TaskId;
      readonly assessment: Assessment;
      readonly hints?: string;
    }
  | { readonly type: "clarification.answered"; readonly taskId: TaskId; readonly text: string }
  | { readonly type: "clarification.unanswered"; readonly taskId: TaskId }
  | { readonly type: "context.built"; readonly taskId: TaskId; readonly hints?: string }
  | {
      readonly type: "plan.settled";
      readonly taskId: TaskId;
      readonly plan: Plan | null;
      readonly needsConfirmation: boolean;
      readonly goesOn?: boolean;
      /** PL-2: our own calls before those of the reply, such as the todo list derived from the plan. */
      readonly calls?: readonly Call[];
      /** PL-6: what a yes covers; absent if nobody is asked, and in old logs. */
      readonly listed?: readonly Listed[];
    }
  | {
      readonly type: "plan.rejected";
      readonly taskId: TaskId;
      readonly problems: readonly Phrase[];
      /** There was no plan: the calls of the reply run, and the model is reminded. */
      readonly missing?: true;
    }
  /** PL-4: its steps progressed, or the user or model changed it. */
  | { readonly type: "plan.changed"; readonly plan: Plan; readonly by: "model" | "person" }
  | {
      readonly type: "plan.answered";
      readonly taskId: TaskId;
      readonly answer: "yes" | "no" | "edit";
      readonly words: string;
      readonly plan: Plan | null;
      /** For a yes or edit: everything listed, or step by step; absent in old logs, where a yes covered nothing. */
      readonly scope?: Extract<Scope, "step" | "plan">;
    }
  /** The checks of the task, run one after the other, each as its own run. `runId`: the first. */
  | {
      readonly type: "checks.chosen";
      readonly taskId: TaskId;
      readonly runId: RunId;
      readonly checks: readonly Check[];
      readonly left?: readonly LeftOut[];
    }
  /** The result of one check. `runId`: the next check, if any. */
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
      /** Why the final answer does not fit its schema; absent without a schema. */
      readonly answer?: readonly string[];
    }
  | {
      readonly type: "recovery.decided";
      readonly taskId: TaskId;
      readonly runId: RunId;
      readonly repairable: boolean;
      /** SM-8; absent in old logs. */
      readonly rung?: Rung;
      readonly reason: Phrase;
      readonly instruction: string;
      /** After failed calls: the question to the user, or the reason for stopping. */
      readonly blockage?: Blockage;
      /** Why recovery ends, if no check says it. */
      readonly note?: Phrase;
    }
  | { readonly type: "task.summarized"; readonly taskId: TaskId; readonly summary: TaskSummary }
  | { readonly type: "task.ended"; readonly taskId: TaskId }
  | { readonly type: "task.timed_out"; readonly taskId: TaskId }
  | { readonly type: "cancel.requested"; readonly source: CancelSource }
  /** TL-5: a run inside a call, with its own context; its outcome is the call's result. */
  | {
      readonly type: "sub.started";
      readonly runId: RunId;
      readonly subId: RunId;
      readonly callId: CallId;
      readonly sub: SubTask;
      readonly mayWrite?: false;
      /** BR-4: absent = all that is left, also in old logs. */
      readonly share?: RunShare;
    }
  | { readonly type: "run.started"; readonly runId: RunId; readonly calls: readonly Call[] }
  | (ModelCall & { readonly type: "model.replied"; readonly reply: AssistantReply })
  | (ModelCall & {
      readonly type: "model.failed";
      readonly error: ErrorInfo;
      readonly fault: ModelFault["kind"];
      readonly retryInMs: number | null;
    })
  | (ModelCall & { readonly type: "reply.cut" } & CutReply)
  | (ModelCall & { readonly type: "retry.due" })
  | (ModelCall & {
      readonly type: "context.overflowed";
      /** The model's notes on the context so far, if it was asked; stored together with the compaction. */
      readonly notes?: AskedNotes;
    })
  | {
      readonly type: "context.compacted";
      /** Absent if the user asked for the compaction between two tasks. */
      readonly runId?: RunId;
      readonly index?: number;
      readonly compaction: Compaction;
      readonly notes?: AskedNotes;
    }
  | {
      readonly type: "tool.decided";
      readonly runId: RunId;
      readonly callId: CallId;
      readonly decision: Decision;
      readonly reasons: readonly Phrase[];
      readonly source: string;
      /** Real paths outside the workspace that were judged; the call may touch no others there. */
      readonly outside?: readonly string[];
      readonly run?: RunForm;
    }
  /** TP-2: it may do more than read, so it is judged again once the calls before it have ended. */
  | { readonly type: "tool.deferred"; readonly runId: RunId; readonly callId: CallId }
  | {
      readonly type: "approval.answered";
      readonly runId: RunId;
      readonly callId: CallId;
      readonly answer: ApprovalAnswer;
      readonly words: string;
      readonly call: Call | null;
      readonly by: "person" | "client" | "nobody";
      readonly scope?: Exclude<Scope, "plan">;
      readonly step?: string;
      /** With `task`: what will not be asked again. */
      readonly rules?: readonly PermissionRule[];
      /** For a yes to file changes: the digest of the changes shown. No others are applied. */
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
      /** The user started it, or moved it to the background: it does not end with its task. */
      readonly by?: "person";
    }
  | ({ readonly type: "job.ended"; readonly jobId: string } & JobEnd)
  | { readonly type: "tool.settled"; readonly runId: RunId; readonly callId: CallId; readonly result: CallResult }
  | { readonly type: "advice.given"; readonly runId: RunId; readonly text: Phrase }
  | { readonly type: "run.stopped"; readonly runId: RunId; readonly unstopped: readonly string[] };

/** An answer beside the task: no part of the history, but paid for. */
export interface Aside {
  readonly question: string;
  readonly text: string;
  readonly model: string;
  /** Stopped by the user: `text` is what had come. */
  readonly isCut?: true;
  readonly usage: Usage;
  readonly cost?: number;
}

export interface CutReply {
  readonly text: string;
  readonly why: "cancelled" | "failed" | "killed";
  /** The call is repeated at once, so this text is dropped. */
  readonly isRepeated?: true;
}

export type SubKind = "explore" | "general";
export const subKinds: readonly SubKind[] = ["explore", "general"];

export interface SubTask {
  readonly kind: SubKind;
  readonly title: string;
  readonly prompt: string;
}

export interface RunLimits {
  readonly maxSteps: number;
  readonly maxTokens: number | null;
  /** In micro-dollars, for the whole task; absent = none. */
  readonly maxCost?: number;
  readonly maxAttempts: number;
  /** TL-5: sub-agents at a time; absent in old logs, where it was one. */
  readonly maxParallel?: number;
  /** VF-1: verification runs per task; absent in old logs, which had none. */
  readonly maxChecks?: number;
  /** SM-8: recovery after failed calls; absent in old logs, which went straight to the checks. */
  readonly recovers?: true;
  /** What happens to changes whose check finally failed; absent in old logs, where the engine decided. */
  readonly onVerifyFailure?: OnFail;
  /** VF-7: the outcome follows from the facts at the end; absent in old logs, where it followed from the last call. */
  readonly endsByFacts?: true;
  /** Changes are tries: when the task is cut off, what no check has passed is undone first. */
  readonly undoesTries?: true;
}

/** The part of the limits that one run may use. */
export interface RunShare {
  readonly maxSteps: number;
  readonly maxTokens: number | null;
  readonly maxCost?: number;
}

/** The part of the history that the model sees, by position. Only compaction changes it; the log keeps everything. */
export interface View {
  /** Long tool results before this position become one-line stubs. */
  readonly pruneBefore: number;
  readonly trimBefore: number;
  /** Overviews before this position are hidden; they are dropped first. */
  readonly overviewsFrom?: number;
  readonly summary?: Summary;
}

export interface Summary {
  readonly text: string;
  /** The part that the model or rules wrote; the next summary builds on it. */
  readonly notes: string;
  readonly by: "model" | "rules";
}

export interface Compaction extends View {
  readonly stage: "prune" | "summary" | "trim" | "exhausted";
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly dropped?: number;
}

/** CX-2: an extra request without tools. `text` is empty if it failed; it costs anyway. */
export interface AskedNotes {
  readonly text: string;
  readonly usage: Usage;
  readonly cost?: number;
}

export type EventType = EventBody["type"];
export type EventOf<T extends EventType> = Extract<Event, { readonly type: T }>;

/** `accepted: false` = stale or unexpected: recorded but never folded. */
export interface Recorded {
  readonly seq: number;
  readonly accepted: boolean;
  readonly event: Event;
}
