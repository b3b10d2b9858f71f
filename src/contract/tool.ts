import type { Result } from "./error.ts";
import type { SubTask } from "./event.ts";
import type { JobPort } from "./job.ts";
import type { Access, AfterCrash, CallRole, FileChange, ImageRef, Todo } from "./message.ts";
import type { Host, NetworkPort } from "./network/network.ts";
import type { PlanTaken } from "./plan.ts";
import type { ResultData } from "./result-data.ts";
import type { Confinement, ObeyedScope } from "./sandbox.ts";
import type { Phrase } from "./text/catalogue.ts";
import type { PastPort } from "./undo.ts";
import type { VerificationResult } from "./verification.ts";

/** The context of a running tool. A tool never asks for approval, truncates its output or emits events: the pipeline does. */
export interface ToolContext {
  readonly root: string;
  readonly addDirs: readonly string[];
  /** Real paths outside root and addDirs, or behind symlinks, that were judged and allowed for this call. */
  readonly allowedOutside: readonly string[];
  readonly signal: AbortSignal;
  readonly commands: CommandLimits;
  /** The hash this session last saw at a real path; `undefined` = never read. */
  readonly knownHash: (real: string) => string | undefined;
  /** `coder tool` has no earlier read to compare with, so writes need none. */
  readonly readsByItself: boolean;
  readonly todos: () => readonly Todo[];
  /** The user's answer, for a tool that asks. */
  readonly answer?: string;
  readonly takePlan?: (sent: unknown) => Promise<Result<PlanTaken>>;
  /** PL-6: submits todos, which are the steps of the plan, and returns the resulting list. */
  readonly takeTodos?: (todos: readonly Todo[]) => Promise<Result<PlanTaken & { readonly todos: readonly Todo[] }>>;
  readonly defaultTimeoutMs: number;
  readonly maxStreamBytes: number;
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void;
  /** Stores pid and start time durably; the program does not start before this resolves. */
  readonly onSpawn: (pid: number, startTime: string) => Promise<void>;
  /** Whether a file name indicates secrets. Folder searches skip such files; policy asks about those named explicitly. */
  readonly isSecret?: (path: string) => boolean;
  readonly jobs: JobPort;
  /** The tasks that can be undone or committed. */
  readonly past?: PastPort;
  /** TP-6: redacts text that a tool publishes. */
  readonly withoutSecrets?: (text: string) => string;
  readonly verify?: VerifyPort;
  /** Absent = no rule names a host. */
  readonly network?: NetworkPort;
  /** Marks the call's processes through their environment, so that strays can be found. */
  readonly marker: string;
}

export interface VerifyPort {
  readonly timeoutMs: number;
  readonly read: (ran: CheckRun) => Promise<VerificationResult>;
  /** The environment that the project's programs need, and which of them the command starts. */
  readonly programs: (
    command: string,
    cwd: string,
  ) => Promise<{
    readonly set: Readonly<Record<string, string>>;
    readonly program: string | null;
  }>;
  /** VF-5: the check's result before the task; absent if disabled. */
  readonly baseline?: Baseline;
  /** The result of the last equal check if still valid; `null` = files have changed, or it must run again. */
  readonly last: (check: CheckKey) => ToolOutput | null;
  readonly keep: (check: CheckKey, output: ToolOutput) => void;
}

export interface Baseline {
  /** Whether the baseline is needed: something failed that the task did not touch. */
  readonly isWanted: (found: VerificationResult, cwd: string) => Promise<boolean>;
  /** `null` = no copy of the earlier state is possible. */
  readonly before: (confine: Confinement | null, signal: AbortSignal) => Promise<BeforeRun | null>;
  /** The result before the task, computed once per task and check. */
  readonly known: (
    check: CheckKey,
    run: () => Promise<VerificationResult | null>,
  ) => Promise<VerificationResult | null>;
  /** `now` without the failures that `before` already had. */
  readonly without: (now: VerificationResult, before: VerificationResult, cwd: string) => Promise<VerificationResult>;
}

export interface BeforeRun {
  readonly confine: Confinement;
  readonly place: (real: string) => string;
  readonly end: () => void;
}

export interface CheckKey {
  readonly command: string;
  readonly cwd: string;
  readonly isConfined: boolean;
}

export interface CheckRun {
  readonly command: string;
  readonly cwd: string;
  readonly exitCode: number | null;
  readonly output: string;
  readonly timedOut: boolean;
  /** Where the folder really is, if in a copy. */
  readonly place?: string;
  /** Wall-clock start: older report files belong to another run. */
  readonly began: number;
}

export interface ToolOutput {
  /** Text for the model, not yet bounded or redacted. */
  readonly text: string;
  readonly data?: ResultData;
  readonly seen?: readonly { readonly real: string; readonly hash: string }[];
  readonly todos?: readonly Todo[];
  readonly plan?: PlanTaken;
  readonly images?: readonly { readonly ref: ImageRef; readonly bytes: Uint8Array }[];
  /** The tool worked, but what it ran failed (exit code ≠ 0): the model reads `text`, and the call counts as failed. */
  readonly failed?: boolean;
}

export interface ChangePlan {
  readonly changes: readonly PlannedChange[];
  readonly text: string;
  readonly data?: ResultData;
}

export interface PlannedChange {
  readonly change: FileChange;
  /** The pre-image; `null` = no file. */
  readonly beforeBytes: Uint8Array | null;
  /** `null` deletes. */
  readonly afterBytes: Uint8Array | null;
}

/** The JSON Schema for the model, and the validation of what it sends. */
export interface ToolInput<I> {
  readonly toJSONSchema: () => object;
  readonly safeParse: (raw: unknown) => InputParse<I>;
}

export type InputParse<I> =
  | { readonly success: true; readonly data: I }
  | { readonly success: false; readonly error: { readonly issues: readonly InputIssue[] } };

export interface InputIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export interface CommandLimits {
  /** `null` = unconfined. */
  readonly confine: Confinement | null;
  /** Environment variables that commands get despite their secret-looking names. */
  readonly keep: readonly string[];
  /** Overrides everything else: keeps git from starting helpers. */
  readonly set: Readonly<Record<string, string>>;
  /** Proved harmless: gets no variables that load programs or hold secrets, like a confined command. */
  readonly isProved: boolean;
  readonly cpuSeconds?: number;
  /** Where protected files must not change; `null` or absent = anything may. */
  readonly obeyed?: ObeyedScope | null;
  readonly witness?: WitnessPort;
}

/** Starts a command under observation of its file accesses. */
export interface WitnessPort {
  /** Called for each start. `null` = cannot be observed, and runs anyway. */
  readonly enter: (isConfined: boolean) => Promise<WitnessEntrance | null>;
}

/** `first`: the number of the first of `fds` in the command. */
export type WitnessEntrance = (first: number) => {
  readonly argv: readonly string[];
  readonly fds: readonly number[];
};

/** `free`: outside the sandbox. */
export interface Reach {
  readonly network: boolean;
  readonly free: boolean;
  readonly shows?: readonly string[];
  /** Hold it to read-only even if unproved and even if everything is allowed. */
  readonly onlyReads?: true;
}

interface ToolBase<I> {
  readonly name: string;
  readonly description: string;
  readonly input: ToolInput<I>;
  readonly access: Access;
  /** For calls that do less than the tool in general, such as a dry run. */
  readonly accessOf?: (input: I) => Access;
  readonly afterCrash: AfterCrash;
  readonly role?: CallRole;
  /** Not offered to the model, which cannot call it. */
  readonly isForPerson?: true;
  /** Paths (as given) for policy to judge. */
  readonly touches?: (input: I) => readonly string[];
  /** The subset of `touches` that will be removed. */
  readonly removes?: (input: I) => readonly string[];
  /** The hosts to dial: judged first, then dialled exactly. */
  readonly hosts?: (input: I) => readonly Host[];
  readonly command?: (input: I) => string;
  readonly reach?: (input: I) => Reach;
  /** Texts to be written to files; refused if they contain a redaction placeholder. */
  readonly writes?: (input: I) => readonly string[];
  /** The replacements it would make. `contentOf` takes a path as given and returns "" for a missing file. */
  readonly rewrites?: (input: I, contentOf: (path: string) => string) => readonly Rewritten[];
  /** The call that gives a file exactly this content, for a user who edits what the tool would write. */
  readonly inFull?: (path: string, content: string) => { readonly tool: string; readonly input: unknown };
  /** SM-8: alternatives for the same purpose, nearest first. Writing tools must not be bypassed by a command. */
  readonly instead?: readonly Substitute[];
  /**
   * Counts affected files before judging. A failure becomes the result of the call, so that nobody is asked about something impossible.
   * `null` = nothing to count.
   */
  readonly survey?: (input: I, ctx: ToolContext) => Promise<Result<number>> | null;
  readonly assess?: (input: I, facts: ToolFacts) => readonly Phrase[];
}

export interface Rewritten {
  readonly before: string;
  readonly after: string;
  readonly deletes?: true;
}

export interface Substitute {
  readonly tool: string;
  readonly how: string;
}

/** Facts about the disk, gathered by the engine so that judging stays pure. */
interface ToolFacts {
  readonly paths: readonly PathFact[];
  readonly count?: number;
}

export interface PathFact {
  readonly given: string;
  /** With symlinks resolved (the parent's for a missing file); `null` = cannot be resolved. */
  readonly real: string | null;
  readonly inside: boolean;
  readonly exists: boolean;
  readonly kind: "file" | "folder" | "other" | "none";
  /** For a write: git reads config or runs programs from there, although the name does not show it. */
  readonly isObeyed?: true;
  /** For a read: named like a secret but without one. */
  readonly isHarmless?: true;
  /** Only its name and attributes are read, not its content. */
  readonly isNamed?: true;
  /** The parent folder of the workspace, of which only names are listed. */
  readonly isListing?: true;
}

interface RunTool<I> extends ToolBase<I> {
  readonly run: (input: I, ctx: ToolContext) => Promise<Result<ToolOutput>>;
  /** A fast synchronous path within the ordering step; `null` = use `run`. Only for calls without effects. */
  readonly runNow?: (input: I, ctx: ToolContext) => Result<ToolOutput> | null;
}

/** For writing: `plan` prepares, the pipeline makes the intent durable and applies it, and a crash is reconciled by hash. */
interface WriteTool<I> extends ToolBase<I> {
  readonly plan: (input: I, ctx: ToolContext) => Promise<Result<ChangePlan>>;
}

/** Fast enough to prepare synchronously within the ordering step. */
interface QuickWriteTool<I> extends ToolBase<I> {
  readonly plan: (input: I, ctx: ToolContext) => Result<ChangePlan>;
  readonly plansAtOnce: true;
}

/** TL-5: the pipeline starts a run inside the call, whose outcome is the result. */
interface SubTool<I> extends ToolBase<I> {
  readonly sub: (input: I) => SubTask;
  /** The run may overlap with others of its kind. */
  readonly overlaps: (input: I) => boolean;
}

export type Tool<I = never> = RunTool<I> | WriteTool<I> | QuickWriteTool<I> | SubTool<I>;
/** Hides the input type; `parse` is the only way to call the tool. */
export type AnyTool = Tool<never>;

export function defineTool<I>(tool: Tool<I>): AnyTool {
  return tool as unknown as AnyTool;
}
