import type { MessageDelta } from "../contract/delta.ts";
import type { ErrorInfo, Result } from "../contract/error.ts";
import type { CancelSource, Compaction, CutReply, Delivery, Recorded } from "../contract/event.ts";
import type { Exported, ExportForm } from "../contract/export.ts";
import type { Scope } from "../contract/grant.ts";
import type { CallId, InputId, TaskId } from "../contract/ids.ts";
import type { Job } from "../contract/job.ts";
import type { ToolSpec } from "../contract/message.ts";
import type { KeptRule, PermissionRule } from "../contract/permission.ts";
import type { Plan } from "../contract/plan.ts";
import type { Effort, Price, Settings } from "../contract/settings.ts";
import type { Skills } from "../contract/skill.ts";
import type { LeaseHolder, SessionRow } from "../contract/store.ts";
import type { Mode, Preset, TaskSummary } from "../contract/task.ts";
import type { Phrase, TextKey } from "../contract/text/catalogue.ts";
import type { UiChoice } from "../contract/ui.ts";
import type { Check } from "../contract/verification.ts";
import type { SessionState } from "../machine/state.ts";
import type { OpenFallback } from "./question/model-fallback.ts";
import type { OpenQuestion } from "./question/open-question.ts";
import type { Extracted } from "./structured-output/extract.ts";

export type { OpenFallback, OpenQuestion };

/** A step of either machine, for `/status` and traces. */
export interface Transition {
  readonly machine: "task" | "run";
  readonly from: string;
  readonly to: string;
}

/** Everything a surface can observe. Events are stored before they are seen here. */
export type Published =
  | {
      readonly kind: "event";
      readonly recorded: Recorded;
      readonly state: SessionState;
      readonly transitions: readonly Transition[];
    }
  | { readonly kind: "delta"; readonly delta: MessageDelta }
  | { readonly kind: "output"; readonly callId: CallId; readonly stream: "stdout" | "stderr"; readonly text: string }
  | { readonly kind: "context"; readonly tokens: number; readonly window: number }
  /** The model is asked for notes, to make room in the context. */
  | { readonly kind: "compacting" }
  | { readonly kind: "session"; readonly state: SessionState }
  /** The model is out of reach, and another one is offered; `null` = not any more. */
  | { readonly kind: "fallback"; readonly offer: OpenFallback | null }
  /** The store failed: nothing more happens in this session until it is opened again. */
  | { readonly kind: "fatal"; readonly error: ErrorInfo };

export interface InputOptions {
  /** How to deliver while a task runs; without one running both mean "now". */
  readonly delivery?: Exclude<Delivery, "now">;
  /** `coder tool`: run exactly this call; with a task of the model's: before it says anything. */
  readonly call?: { readonly tool: string; readonly input: unknown };
  /** JSON Schema that the final answer must fit; means nothing for what is no task. */
  readonly schema?: unknown;
  /** A plan to be carried out. */
  readonly plan?: Plan;
  /** Nothing may be changed or run in this task. */
  readonly readOnly?: true;
  /** Of a task that a command makes: what of it the person has said. Without it nothing. */
  readonly about?: string;
}

/** What became of an input. `command`: a slash command answered at once. */
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

/** To any open question; what makes no sense for its kind is refused, and it stays open. */
export interface Answer {
  readonly answer: "yes" | "no" | "always" | "edit";
  /** Words to the model. With `yes` to a question or a clarification: the answer itself. */
  readonly words?: string;
  /** With `edit` of a call: the new arguments. */
  readonly input?: unknown;
  /** With `edit` of a plan: the new one. */
  readonly plan?: Plan;
  readonly by: "person" | "client";
  /** With `yes`: one of those that are offered; absent = this call, or all that the plan lists. */
  readonly scope?: Scope;
}

/** What would verify now, or why nothing would. `left`: projects or commands beside it that nothing is run for. */
export type ChecksNow =
  | {
      readonly kind: "run";
      readonly checks: readonly Check[];
      readonly left: readonly { readonly why: Phrase; readonly advice?: Phrase }[];
    }
  /** `command`: one that could, if it were listed. */
  | { readonly kind: "none"; readonly command: string; readonly why: Phrase; readonly advice?: Phrase };

export type PreviewForm = "forPerson" | "forLog";

/** A task as a command makes it. */
export interface TaskInput {
  readonly text: string;
  readonly options: InputOptions;
}

/** The question that is open now, with all that a person needs to answer it. */
export interface OpenApproval {
  readonly callId: CallId;
  readonly tool: string;
  readonly input: unknown;
  /** Exactly what will run, in full, with nothing hidden in it. */
  readonly shown: string;
  /** It changes files: `preview` says how. */
  readonly isChange: boolean;
  readonly reasons: readonly Phrase[];
  /**
   * What the answer "always" would allow from now on, in this workspace; for a check, by the person's own configuration,
   * everywhere. `null` = it is not offered.
   */
  readonly always: readonly string[] | null;
  /** How far a yes may reach: this call; the step of the plan that lists it; the same again in this task; all that the person types. */
  readonly scopes: readonly Exclude<Scope, "plan">[];
}

/** A task that `/undo n` would take back, together with all newer ones. */
export interface Undoable {
  readonly n: number;
  /** What was asked for, its first line. */
  readonly text: string;
  /** What it changed, also what could not be kept. */
  readonly files: readonly string[];
  /** When it began, by the clock. */
  readonly at: number;
}

/**
 * What confines the next command. `off`: nothing, as configured, or in yolo mode. `missing`: this machine offers nothing.
 * `failing`: it is there and does not work. `unknown`: nobody has looked yet; that takes a process, and comes with the first command.
 */
export type SandboxWord = "on" | "off" | "missing" | "failing" | "unknown";

type OpenRefusal =
  | { readonly reason: "missing"; readonly nearest: readonly SessionRow[] }
  /** Not in the store, but a snapshot of that id lies in the workspace. */
  | { readonly reason: "snapshot" }
  | { readonly reason: "held"; readonly holder: LeaseHolder }
  | { readonly reason: "failed"; readonly error: ErrorInfo };

export type Opened = { readonly ok: true } | { readonly ok: false; readonly refusal: OpenRefusal };

/** A model that could be chosen. */
export interface KnownModel {
  readonly ref: string;
  readonly contextWindow: number;
  readonly price: Price | null;
  readonly isUsable: boolean;
}

/** What is sent to a session. */
export interface InputPort {
  runInput(text: string, options?: InputOptions): Promise<Admission>;
  /**
   * Takes a queued input back: it is neither delivered nor begun any more. Its text as it was typed, for the editor; "" for a call
   * that a command has made. An error when it does not wait any more.
   */
  recall(inputId: InputId): Promise<Result<string>>;
  /**
   * PS-6: lets the newest task go on that has stopped: the model call that was cut is made again, else the next step follows. Its
   * state says whether there is one. An error when there is none, or a budget of it is spent.
   */
  goOn(): Promise<Result<void>>;
  cancel(source: CancelSource): void;
  /** Ends a background job of the open session. */
  killJob(id: string): Promise<Result<Job>>;
  /** Ends every process that was started, at once; for the second Ctrl+C. */
  kill(): Promise<void>;
  /** Resolves when no task runs and nothing is queued, or when the store failed. */
  idle(): Promise<void>;
}

/** What a person is asked, and their answer. */
export interface QuestionPort {
  /** What a person is asked now; `null` = nothing. Published with everything that may change it. */
  question(): OpenQuestion | null;
  answer(id: string, answer: Answer): Result<void>;
  /**
   * What the open approval would do to the files as they were when it was planned, as a unified diff: after a yes it does that or
   * nothing. `forPerson`: not redacted, since whoever decides sees what will be written, not a placeholder that hides it; `forLog`:
   * like a result. A line that begins with `\ ` is a note. `null` = it changes no file, or that cannot be told: `shown` says what
   * will run.
   */
  preview(callId: CallId, form: PreviewForm): Promise<string | null>;
  /** Whoever could have answered an open question or plan has gone. */
  leaveUnanswered(): void;
}

/** The plan of the newest task. */
export interface PlanPort {
  /** The plan that waits, or the newest; `null` = there was none in this session. */
  plan(): Plan | null;
  /** The person's own change to the plan that is there. */
  changePlan(plan: Plan): Result<void>;
  /** What the open plan becomes when the person edits it so, as a plan or as the text of one; done steps stay as they are. */
  editedPlan(edited: Plan | string): Promise<Result<Plan>>;
  /** The plan as JSON in a new file of the workspace, or in one of our own. */
  exportPlan(plan: Plan, file: string | null): Promise<Result<Exported>>;
  planInFile(file: string): Promise<Result<Plan>>;
}

/** What has happened in the open session. */
export interface HistoryPort {
  /**
   * What happened in the newest tasks of the open session and since: accepted events in order, for showing one that was resumed.
   * Their numbers jump where something is left out: before them stand the inputs that waited longer than that, and of a very
   * long task there are the start and the last 2,000 events.
   */
  past(tasks: number): readonly Recorded[];
  /** What a settled call of the open session did to files, in the same form; redacted like its result. `null` = nothing. */
  changesOf(callId: CallId): Promise<string | null>;
  /** What `/undo` could take back, the newest first, 50 at most. */
  undoable(): readonly Undoable[];
  /** The newest task that has come to its end. */
  lastTask(): { readonly taskId: TaskId; readonly summary: TaskSummary } | null;
  lastText(taskId: TaskId): string;
  /** What had come of a reply after that, and was cut off. */
  cutReply(taskId: TaskId): CutReply | null;
  /** The answer that was asked for as JSON; `unfit` when it is none, `null` when none was asked for. */
  structured(taskId: TaskId): Extracted | "unfit" | null;
}

/** Which session is open, and the others. */
interface SessionPort {
  sessions(limit: number): readonly SessionRow[];
  newSession(): Promise<Opened>;
  resume(id: string): Promise<Opened>;
  /** Rebuild a session from its snapshot, as untrusted history. */
  restore(id: string): Promise<Opened>;
  /** Continue a copy of a session, also of one that another process holds. */
  resumeCopy(id: string): Promise<Opened>;
  /** The open session as a file: a new one inside the workspace, or its own in `.coder/exports`. */
  exportSession(form: ExportForm, file: string | null): Promise<Result<Exported>>;
  /** Cancels what runs, flushes, gives the lease back. */
  close(): Promise<void>;
}

/** The model, what it knows and what it is offered. */
export interface ModelPort {
  /** `effort`: how hard it is to think, instead of what is configured. */
  setModel(ref: string, effort?: Effort): Promise<Result<Phrase | null>>;
  /** Models to choose from: those of the catalogue for which there is a key, and those that the person has named. */
  knownModels(): Promise<readonly KnownModel[]>;
  /** The model that is waited for is asked now; an error when none is. */
  retryNow(): Result<void>;
  context(): { readonly tokens: number; readonly window: number };
  /** CX-2: replaces what came before by a summary, now. `compaction` is `null` where nothing would get smaller. */
  compact(focus: string): Promise<Result<{ readonly text: Phrase; readonly compaction: Compaction | null }>>;
  toolSpecs(): Promise<readonly ToolSpec[]>;
  /** The skills there are now, and what is wrong with others. */
  skills(): Promise<Skills>;
}

/** What may happen without a question. */
interface PermissionPort {
  setMode(mode: Mode): void;
  setPreset(preset: Preset): void;
  /** Every explicit rule that applies; those that "always" has stored have a number. */
  rules(): readonly (PermissionRule | KeptRule)[];
  /** Takes back what "always" has stored; `false` = there is none of that number here. */
  forgetRule(id: number): boolean;
  sandboxState(): SandboxWord;
}

/** What commands look up in the workspace before they make a task of it. */
interface WorkPort {
  /** What would verify now, chosen as after a task; `command`: this one and no other. */
  checksNow(command: string | null): Promise<ChecksNow>;
  /** Why there is no diff to be had here; `null` = there is. */
  diffProblem(): Promise<Phrase | null>;
  /** SL-3. `base`: compare with this revision instead of the last commit. Why there is nothing to review, where there is not. */
  reviewTask(base: string | null, focus: string): Promise<TaskInput | Phrase>;
  /** A first AGENTS.md from what the repository shows; an error where rules are there. */
  firstRules(): Promise<Result<{ readonly path: string; readonly content: string }>>;
}

/** What there is to see. */
export interface StatePort {
  state(): SessionState;
  subscribe(listener: (published: Published) => void): () => void;
  readonly settings: Settings;
  /** From now on, also in the settings here, and kept in the person's own configuration. Why it could not be; `null` = it is. */
  setUi(choice: UiChoice): Promise<Phrase | null>;
}

/** All that surfaces and commands see of the engine. */
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
  /** Lines for a person, already in their language. */
  readonly text: string;
  /** The same for JSON surfaces. */
  readonly data?: unknown;
  readonly error?: ErrorInfo;
  readonly quit?: boolean;
  /** What the surface looks like from now on. */
  readonly ui?: UiChoice;
  /** Of a program that was started for it alone, where it is neither 0 nor that of the error. */
  readonly exitCode?: number;
  /** What it comes to: these calls, each a task of its own, or this task. The result is then theirs. */
  readonly calls?: readonly NonNullable<InputOptions["call"]>[];
  /** Nothing was done: the person is to be asked this first, and `yes` is the command that says yes. Both are in `text` too. */
  readonly ask?: { readonly question: string; readonly yes: string };
  /** Told before them. */
  readonly notice?: Phrase;
  readonly task?: TaskInput;
}

/** One slash command (IN-6). */
export interface SlashCommand {
  readonly name: string;
  /** Shown in help, e.g. `[preset]`. */
  readonly args: string;
  readonly help: TextKey;
  readonly whileRunning: boolean;
  readonly run: (port: EnginePort, args: readonly string[]) => Promise<CommandResult> | CommandResult;
}
