import type { MessageDelta } from "../contract/delta.ts";
import type { ErrorInfo, Result } from "../contract/error.ts";
import type { Aside, CancelSource, Compaction, CutReply, Delivery, Recorded } from "../contract/event.ts";
import type { Exported, ExportForm } from "../contract/export.ts";
import type { Listed, Scope } from "../contract/grant.ts";
import type { CallId, InputId, TaskId } from "../contract/ids.ts";
import type { Job } from "../contract/job.ts";
import type { ToolSpec } from "../contract/message.ts";
import type { KeptRule, PermissionRule } from "../contract/permission.ts";
import type { Plan } from "../contract/plan.ts";
import type { Effort, Price, Settings } from "../contract/settings.ts";
import type { MemoryFile, Report, SessionSpending, WindowUse } from "../contract/show/insight.ts";
import type { Skills } from "../contract/skill.ts";
import type { LeaseHolder, SessionRow } from "../contract/store.ts";
import type { Mode, Preset, Question, TaskSummary } from "../contract/task.ts";
import type { Phrase, TextKey } from "../contract/text/catalogue.ts";
import type { UiChoice } from "../contract/ui.ts";
import type { Check } from "../contract/verification.ts";
import type { SessionState } from "../machine/state.ts";
import type { Extracted } from "./structured-output/extract.ts";

export interface Transition {
  readonly machine: "task" | "run";
  readonly from: string;
  readonly to: string;
}

/** Everything a surface can observe. Events are stored before they are published. */
export type Published =
  | {
      readonly kind: "event";
      readonly recorded: Recorded;
      readonly state: SessionState;
      readonly transitions: readonly Transition[];
    }
  | { readonly kind: "delta"; readonly delta: MessageDelta }
  | { readonly kind: "output"; readonly callId: CallId; readonly stream: "stdout" | "stderr"; readonly text: string }
  /** `isInner`: the window of a sub-agent. */
  | { readonly kind: "context"; readonly tokens: number; readonly window: number; readonly isInner?: true }
  | { readonly kind: "compacting" }
  | { readonly kind: "session"; readonly state: SessionState }
  /** The model is unreachable and another one is offered; `null` = the offer has ended. */
  | { readonly kind: "fallback"; readonly offer: OpenFallback | null }
  /** The store failed: the session stops until it is opened again. */
  | { readonly kind: "fatal"; readonly error: ErrorInfo };

export interface InputOptions {
  /** Delivery while a task runs; otherwise both mean "now". */
  readonly delivery?: Exclude<Delivery, "now">;
  /** `coder tool`: run exactly this call. With a task: run it before the model's first reply. */
  readonly call?: { readonly tool: string; readonly input: unknown };
  /** JSON Schema that the final answer must fit; ignored for anything but a task. */
  readonly schema?: unknown;
  readonly plan?: Plan;
  /** The task must not change or run anything. */
  readonly readOnly?: true;
  /** Real paths outside the workspace, mentioned in it, that the user lets the model read with this input only. */
  readonly outside?: readonly string[];
  /** For a task made by a slash command: the user's own words in it; absent = none. */
  readonly about?: string;
}

/** `command`: a slash command that was answered at once. */
export type Admission =
  | { readonly kind: "nothing" }
  | { readonly kind: "command"; readonly result: CommandResult }
  | {
      readonly kind: "admitted";
      readonly inputId: InputId;
      readonly delivery: Delivery;
      readonly notice: Phrase | null;
    }
  | { readonly kind: "refused"; readonly error: ErrorInfo };

/** An answer to any open question. One that does not fit its kind is refused, and the question stays open. */
export interface Answer {
  readonly answer: "yes" | "no" | "always" | "edit";
  /** Words to the model. With `yes` to a question or clarification: the answer itself. */
  readonly words?: string;
  readonly input?: unknown;
  /** For an edit of a file change: the text that the file gets, instead of `input`. */
  readonly file?: ProposedFile;
  readonly plan?: Plan;
  readonly by: "person" | "client";
  /** For `yes`: one of the offered scopes; absent = this call, or everything the plan lists. */
  readonly scope?: Scope;
}

/** The checks that would run now, or why none would. `left`: other projects or commands that are not checked. */
export type ChecksNow =
  | {
      readonly kind: "run";
      readonly checks: readonly Check[];
      readonly left: readonly { readonly why: Phrase; readonly advice?: Phrase }[];
    }
  /** `command`: one that would run if it were listed. */
  | { readonly kind: "none"; readonly command: string; readonly why: Phrase; readonly advice?: Phrase };

export type PreviewForm = "forPerson" | "forLog";

export interface TaskInput {
  readonly text: string;
  readonly options: InputOptions;
}

export interface ProposedFile {
  readonly path: string;
  readonly text: string;
}

export interface OpenApproval {
  readonly callId: CallId;
  readonly tool: string;
  readonly input: unknown;
  readonly shown: string;
  readonly isChange: boolean;
  readonly reasons: readonly Phrase[];
  /** Rules that "always" would add: for this workspace, or for a check to the user's configuration. `null` = not offered. */
  readonly always: readonly string[] | null;
  /** How far an approval may reach: this call, the plan step that lists it, the same again in this task, everything the user types. */
  readonly scopes: readonly Exclude<Scope, "plan">[];
}

/** A task that `/undo n` would revert, with all newer ones. */
export interface Undoable {
  readonly n: number;
  readonly text: string;
  readonly files: readonly string[];
  /** Start time, in ms. */
  readonly at: number;
}

/** A message to go back to. `n`: 1 is the newest. `files`: those that its own task changed. */
export interface Rewindable {
  readonly n: number;
  readonly taskId: TaskId;
  readonly text: string;
  /** When its task started, in ms. */
  readonly at: number;
  readonly files: readonly string[];
}

export interface Rewound {
  readonly opened: Opened;
  /** The message, as it was typed. */
  readonly text: string;
}

/**
 * `off`: by configuration or yolo mode. `missing`: none on this machine. `failing`: installed but not working. `unknown`: not probed yet,
 * since that takes a process.
 */
export type SandboxWord = "on" | "off" | "missing" | "failing" | "unknown";

type OpenRefusal =
  | { readonly reason: "missing"; readonly nearest: readonly SessionRow[] }
  /** Not in the store, but the workspace has a snapshot with this id. */
  | { readonly reason: "snapshot" }
  | { readonly reason: "held"; readonly holder: LeaseHolder }
  | { readonly reason: "failed"; readonly error: ErrorInfo };

export type Opened = { readonly ok: true } | { readonly ok: false; readonly refusal: OpenRefusal };

export interface KnownModel {
  readonly ref: string;
  readonly contextWindow: number;
  readonly price: Price | null;
  readonly isUsable: boolean;
}

/** The whole session in pieces that can be shown each by itself, oldest first. */
export interface LogPages {
  readonly pageCount: number;
  /** The accepted events of a page, and those of earlier ones that it needs. */
  page(page: number): readonly Recorded[];
}

export interface InputPort {
  runInput(text: string, options?: InputOptions): Promise<Admission>;
  /** Mentioned files that are only not attached because they lie outside the workspace. */
  outsideMentions(text: string): Promise<readonly { readonly real: string; readonly name: string }[]>;
  /** Takes a queued input back and returns its text as typed, "" for a command's call. Fails if the input is no longer queued. */
  recall(inputId: InputId): Promise<Result<string>>;
  /** PS-6: repeats an interrupted model call, else takes the next step. Fails without a stopped task or budget. */
  goOn(): Promise<Result<void>>;
  cancel(source: CancelSource): void;
  killJob(id: string): Promise<Result<Job>>;
  /** `null` = there is no session yet. */
  background(): Background | null;
  kill(): Promise<void>;
  /** Resolves when no task is running or queued, or the store has failed. */
  idle(): Promise<void>;
}

/** The jobs of this process; the state knows all jobs. */
export interface Background {
  /** Whether a command runs that could go on in the background. */
  readonly canMove: boolean;
  /** It goes on as a job of the session, which neither its time limit nor a cancel ends. */
  moveToBackground(): Result<void>;
  /** How many bytes a job has written so far. */
  total(id: string): number;
  /** The latest of them; `null` = unknown, or a job of an earlier process. */
  shown(id: string): { readonly text: string; readonly missing: number } | null;
}

export interface QuestionPort {
  /** The open question; `null` = none. Anything that may change it is published. */
  question(): OpenQuestion | null;
  answer(id: string, answer: Answer): Result<void>;
  /**
   * The open approval's changes as a unified diff: after approval the call does exactly this or nothing. `forPerson`: unredacted, because a
   * placeholder would hide what is written. Lines starting with `\ ` are notes. `null` = no changes, or unknown; `shown` says what will
   * run.
   */
  preview(callId: CallId, form: PreviewForm): Promise<string | null>;
  /** The text of the one file that the open approval's call would write, to be edited; `null` = there is no such file. */
  proposed(callId: CallId): Promise<ProposedFile | null>;
  /** There is no user left to answer an open question or plan. */
  leaveUnanswered(): void;
}

export interface PlanPort {
  /** The plan waiting for approval, or the newest; `null` = none in this session. */
  plan(): Plan | null;
  changePlan(plan: Plan): Result<void>;
  /** The open plan after the user's edit, given as a plan or as text; done steps stay. */
  editedPlan(edited: Plan | string): Promise<Result<Plan>>;
  /** Writes the plan as JSON to a new file in the workspace, or to one of our own. */
  exportPlan(plan: Plan, file: string | null): Promise<Result<Exported>>;
  planInFile(file: string): Promise<Result<Plan>>;
}

export interface HistoryPort {
  /**
   * Accepted events of the newest tasks and since, to show a resumed session. Sequence numbers may jump: inputs that waited longer come
   * first, and of a very long task only the start and the last 2,000 events are included.
   */
  past(tasks: number): readonly Recorded[];
  /** `null` = there is no session yet. */
  wholeLog(): LogPages | null;
  /** File changes of a settled call, or the net changes of a task, in the same form, redacted like a result. `null` = none. */
  changesOf(id: CallId | TaskId): Promise<string | null>;
  /** Tasks that `/undo` could revert, newest first, at most 50. */
  undoable(): readonly Undoable[];
  /** Messages that the session can be taken back to, newest first. */
  rewindable(): readonly Rewindable[];
  lastTask(): { readonly taskId: TaskId; readonly summary: TaskSummary } | null;
  lastText(taskId: TaskId): string;
  /** An interrupted reply after `lastText`. */
  cutReply(taskId: TaskId): CutReply | null;
  /** The requested JSON answer; `unfit` = it does not fit, `null` = none was requested. */
  structured(taskId: TaskId): Extracted | "unfit" | null;
}

interface SessionPort {
  /** Asks the model beside whatever runs; neither question nor answer becomes part of the history. */
  aside(question: string, options?: AsideOptions): Promise<Result<Aside>>;
  /** Names the open session, or a new one. Returns the name as it is kept. */
  rename(title: string): Promise<Result<string>>;
  /** The newest complete reply; "" = none. */
  lastReply(): string;
  spending(): SessionSpending;
  windowUse(): Promise<WindowUse>;
  readonly about: About;
  sessions(limit: number): readonly SessionRow[];
  /** The open session's, as in the list; "": it has none yet. */
  title(): string;
  newSession(): Promise<Opened>;
  resume(id: string): Promise<Opened>;
  /** Rebuilds a session from its snapshot, as untrusted history. */
  restore(id: string): Promise<Opened>;
  /** Continues a copy of a session, even of one that another process holds. */
  resumeCopy(id: string): Promise<Opened>;
  /**
   * Continues in a copy that ends before this message; the session itself stays as it is. `code`: first undoes every file change since, or
   * fails. `typed`: the command that asked for it.
   */
  rewind(taskId: TaskId, code: boolean, typed: string): Promise<Result<Rewound>>;
  /** Undoes a rewind, unless something was done since. */
  unrewind(): Promise<Result<{ readonly opened: Opened }>>;
  /** Writes the open session to a new file in the workspace, or to its own in `.coder/exports`. */
  exportSession(form: ExportForm, file: string | null): Promise<Result<Exported>>;
  /** Cancels what runs, flushes, releases the lease. */
  close(): Promise<void>;
}

export interface ModelPort {
  /** `effort`: thinking effort instead of the configured one. */
  setModel(ref: string, effort?: Effort): Promise<Result<Phrase | null>>;
  /** Models to choose from: catalogue models with an API key, and those the user named. */
  knownModels(): Promise<readonly KnownModel[]>;
  /** Ends the wait for the model and asks it now; fails if there is no wait. */
  retryNow(): Result<void>;
  context(): { readonly tokens: number; readonly window: number };
  /** CX-2: replaces older history by a summary now. `compaction` is `null` if nothing would shrink. */
  compact(focus: string): Promise<Result<{ readonly text: Phrase; readonly compaction: Compaction | null }>>;
  toolSpecs(): Promise<readonly ToolSpec[]>;
  skills(): Promise<Skills>;
}

interface PermissionPort {
  setMode(mode: Mode): void;
  setPreset(preset: Preset): void;
  /** All rules in effect; those stored by "always" have a number. */
  rules(): readonly (PermissionRule | KeptRule)[];
  /** Removes a rule stored by "always"; `false` = no such rule. */
  forgetRule(id: number): boolean;
  sandboxState(): SandboxWord;
}

interface WorkPort {
  /** The checks that would run now, chosen as after a task. `command`: only this one. */
  checksNow(command: string | null): Promise<ChecksNow>;
  /** Why there is no diff; `null` = there is one. */
  diffProblem(): Promise<Phrase | null>;
  /** SL-3. `base`: revision to compare with instead of the last commit. Returns a phrase if there is nothing to review. */
  reviewTask(base: string | null, focus: string): Promise<TaskInput | Phrase>;
  /** A first AGENTS.md from facts about the repository; fails if there are rules already. */
  firstRules(): Promise<Result<{ readonly path: string; readonly content: string }>>;
}

export interface StatePort {
  state(): SessionState;
  subscribe(listener: (published: Published) => void): () => void;
  readonly settings: Settings;
  /** Applies at once and is saved to the user's configuration. Returns why saving failed, or `null`. */
  setUi(choice: UiChoice): Promise<Phrase | null>;
}

export interface AsideOptions {
  readonly signal?: AbortSignal;
  readonly onText?: (text: string) => void;
}

/** What only the composition root knows. Nothing of it changes anything. */
export interface About {
  /** The effective settings and where each comes from; `key`: only those. */
  config(key: string | null): Promise<Result<Report>>;
  /** The checks of `coder doctor`. */
  doctor(): Promise<Report>;
  memory(): Promise<readonly MemoryFile[]>;
}

export interface EnginePort
  extends InputPort,
    QuestionPort,
    PlanPort,
    HistoryPort,
    SessionPort,
    ModelPort,
    PermissionPort,
    WorkPort,
    StatePort {}

export interface CommandResult {
  readonly ok: boolean;
  readonly text: string;
  /** The same for JSON surfaces. */
  readonly data?: unknown;
  readonly error?: ErrorInfo;
  readonly quit?: boolean;
  readonly ui?: UiChoice;
  /** To edit and send again. */
  readonly draft?: string;
  /** Process exit code, if neither 0 nor that of the error. */
  readonly exitCode?: number;
  /** Calls to run, each as its own task; their results replace this one. */
  readonly calls?: readonly NonNullable<InputOptions["call"]>[];
  /** Nothing was done yet: asks the user this question; `yes` is the command that confirms. `text` contains both. */
  readonly ask?: { readonly question: string; readonly yes: string };
  readonly notice?: Phrase;
  readonly task?: TaskInput;
  /** A file to open in the user's editor, where there is one. */
  readonly edit?: string;
  /** For the clipboard; the surface says what became of it. */
  readonly copy?: string;
}

export interface SlashCommand {
  readonly name: string;
  /** Shown in help, e.g. `[preset]`. */
  readonly args: string;
  readonly help: TextKey;
  readonly whileRunning: boolean;
  readonly run: (port: EnginePort, args: readonly string[]) => Promise<CommandResult> | CommandResult;
}

export interface OpenFallback {
  readonly from: string;
  readonly to: string;
  readonly why: Phrase;
}

/** Surfaces draw it and call `answer(id, …)`; none of them decides which question is open. The `id` is stable. */
export type OpenQuestion = { readonly id: string } & (
  | { readonly kind: "fallback"; readonly offer: OpenFallback }
  | { readonly kind: "approval"; readonly approval: OpenApproval }
  /** An approval of a check that the user may also add to the configured ones. */
  | { readonly kind: "check"; readonly approval: OpenApproval }
  /** A question of the model, asked through a call. */
  | { readonly kind: "question"; readonly approval: OpenApproval; readonly questions: readonly Question[] }
  | { readonly kind: "plan"; readonly plan: Plan; readonly listed: readonly Listed[] }
  /** Information needed before the task can begin or continue. */
  | { readonly kind: "clarification"; readonly questions: readonly Question[] }
);

export const answersTo: Readonly<Record<OpenQuestion["kind"], readonly string[]>> = {
  fallback: ["yes", "no"],
  approval: ["yes", "no", "always", "edit"],
  check: ["yes", "no", "always", "edit"],
  question: ["yes", "no", "edit"],
  plan: ["yes", "no", "edit"],
  clarification: ["yes"],
};
