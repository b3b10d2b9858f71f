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

/** What a running tool is given. It never asks for approval, cuts its output or emits events: the pipeline does. */
export interface ToolContext {
  /** Real path of the workspace root. */
  readonly root: string;
  /** Real paths of further folders the person added. */
  readonly addDirs: readonly string[];
  /** Real paths outside root and addDirs, or behind links, that were judged and allowed for this very call. */
  readonly allowedOutside: readonly string[];
  readonly signal: AbortSignal;
  readonly commands: CommandLimits;
  /** Hash this session last saw at a real path; `undefined` = never read. */
  readonly knownHash: (real: string) => string | undefined;
  /** `coder tool` on its own has no earlier read to compare with: it reads by itself. */
  readonly readsByItself: boolean;
  readonly todos: () => readonly Todo[];
  /** What the person answered, for a tool that asks. */
  readonly answer?: string;
  /** What the machine makes of a plan, or of changes to the one there is; absent where there is no task to plan. */
  readonly takePlan?: (sent: unknown) => Promise<Result<PlanTaken>>;
  /** The same for a todo list, which is a plan's steps (PL-6); with the list as it is then. */
  readonly takeTodos?: (todos: readonly Todo[]) => Promise<Result<PlanTaken & { readonly todos: readonly Todo[] }>>;
  readonly defaultTimeoutMs: number;
  /** At most this many bytes are kept of each output stream. */
  readonly maxStreamBytes: number;
  /** Live output, for showing only. */
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void;
  /** Makes pid and start time durable; the spawned program does not start before this has resolved. */
  readonly onSpawn: (pid: number, startTime: string) => Promise<void>;
  /** Whether a file's name says it holds secrets. A search over a folder leaves such files out; policy asks for them by name. */
  readonly isSecret?: (path: string) => boolean;
  readonly jobs: JobPort;
  /** What may be taken back, or committed. */
  readonly past?: PastPort;
  /** TP-6, for words that a tool makes public. */
  readonly withoutSecrets?: (text: string) => string;
  /** For what verifies. */
  readonly verify?: VerifyPort;
  /** For what dials; absent = no host is named by a rule. */
  readonly network?: NetworkPort;
  /** Names this call in the environment of what it starts, so that strays can be found. */
  readonly marker: string;
}

/** What the output of a test program says. */
export interface VerifyPort {
  readonly timeoutMs: number;
  readonly read: (ran: CheckRun) => Promise<VerificationResult>;
  /** What the project's own programs need of the environment, and which of them the command starts. */
  readonly programs: (
    command: string,
    cwd: string,
  ) => Promise<{
    readonly set: Readonly<Record<string, string>>;
    readonly program: string | null;
  }>;
  /** VF-5: what the check says on the files as they were before the task; absent where nobody wants to know. */
  readonly baseline?: Baseline;
  /** What the same check said last, as that of now; `null` = files have changed since, or it has to run for another reason. */
  readonly last: (check: CheckKey) => ToolOutput | null;
  readonly keep: (check: CheckKey, output: ToolOutput) => void;
}

export interface Baseline {
  /** Whether a look is worth it: something failed that the task has nothing to do with. */
  readonly isWanted: (found: VerificationResult, cwd: string) => Promise<boolean>;
  /** Where it runs; `null` = that cannot be had. */
  readonly before: (confine: Confinement | null, signal: AbortSignal) => Promise<BeforeRun | null>;
  /** What it said then; asked once in a task for each check. */
  readonly known: (
    check: CheckKey,
    run: () => Promise<VerificationResult | null>,
  ) => Promise<VerificationResult | null>;
  /** The first without what failed in the second already. */
  readonly without: (now: VerificationResult, before: VerificationResult, cwd: string) => Promise<VerificationResult>;
}

export interface BeforeRun {
  readonly confine: Confinement;
  /** Where a real path of the workspace lies in the copy. */
  readonly place: (real: string) => string;
  readonly end: () => void;
}

/** What makes two checks the same. */
export interface CheckKey {
  readonly command: string;
  /** Real path. */
  readonly cwd: string;
  readonly isConfined: boolean;
}

export interface CheckRun {
  readonly command: string;
  /** Real path. */
  readonly cwd: string;
  readonly exitCode: number | null;
  readonly output: string;
  readonly timedOut: boolean;
  /** Where that folder lies on the disk, when it is another. */
  readonly place?: string;
  /** When it was started, by the clock: reports that are older are not its own. */
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
  /** Set when the tool ran but what it ran failed (exit code ≠ 0): the model reads `text`, the call counts as failed. */
  readonly failed?: boolean;
}

/** A write, fully prepared: the bytes, the change, and what to say afterwards. Nothing on disk has changed yet. */
export interface ChangePlan {
  readonly changes: readonly PlannedChange[];
  readonly text: string;
  readonly data?: ResultData;
}

export interface PlannedChange {
  readonly change: FileChange;
  /** Content to keep for undo; `null` where there was no file. */
  readonly beforeBytes: Uint8Array | null;
  /** Content to write; `null` deletes. */
  readonly afterBytes: Uint8Array | null;
}

/** The arguments of a tool: their JSON Schema for the model, and the check of what the model sent. */
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

/** What is true of every command of a call. */
export interface CommandLimits {
  /** How far it may reach; `null` = as far as this program. */
  readonly confine: Confinement | null;
  /** Environment variables that it gets although their names look like secrets. */
  readonly keep: readonly string[];
  /** Set above all else: git without its helpers. */
  readonly set: Readonly<Record<string, string>>;
  /** Nothing of the environment that loads programs or holds secrets, as for a confined one. */
  readonly isProved: boolean;
  /** Processor time of each of its processes; absent = as much as it takes. */
  readonly cpuSeconds?: number;
  /** Where nothing may come of it that other programs obey; `null` or absent = everything may. */
  readonly obeyed?: ObeyedScope | null;
  /** Follows what it does to files. */
  readonly witness?: WitnessPort;
}

/** What stands between a command and whoever starts it, so that it is known what its processes did. */
export interface WitnessPort {
  /** Asked for each start. `null` = it cannot be followed, and runs all the same. */
  readonly enter: (isConfined: boolean) => Promise<WitnessEntrance | null>;
}

/** `first`: the number that the first of `fds` will have in the command. */
export type WitnessEntrance = (first: number) => {
  readonly argv: readonly string[];
  readonly fds: readonly number[];
};

/** `free`: outside the sandbox. */
export interface Reach {
  readonly network: boolean;
  readonly free: boolean;
  /** Hidden files that it is to see, as given. */
  readonly shows?: readonly string[];
  /** It never does more than read: it is held to that even where it could not be proved, and where everything is allowed. */
  readonly onlyReads?: true;
}

interface ToolBase<I> {
  readonly name: string;
  /** Written for the model: short, with the limits and what an error means. */
  readonly description: string;
  readonly input: ToolInput<I>;
  readonly access: Access;
  /** For calls that may do less than the tool as a whole, such as a dry run. */
  readonly accessOf?: (input: I) => Access;
  readonly afterCrash: AfterCrash;
  readonly role?: CallRole;
  /** For what a person asks for: the model is not offered it and cannot call it. */
  readonly isForPerson?: true;
  /** Paths (as given) that policy judges. */
  readonly touches?: (input: I) => readonly string[];
  /** Those of them that will be gone afterwards. */
  readonly removes?: (input: I) => readonly string[];
  /** Whom it dials: judged before, and dialled as judged. */
  readonly hosts?: (input: I) => readonly Host[];
  /** Shell command that policy judges. */
  readonly command?: (input: I) => string;
  /** What the command asks for beyond the ordinary. */
  readonly reach?: (input: I) => Reach;
  /** Texts that will land in files; refused when they hold a redaction placeholder. */
  readonly writes?: (input: I) => readonly string[];
  /** What it would put in the place of what. `contentOf` a path as given: "" of what is not there. */
  readonly rewrites?: (input: I, contentOf: (path: string) => string) => readonly Rewritten[];
  /** Other tools for the same purpose, the nearest first (SM-8). What changes files has no way round it through a command. */
  readonly instead?: readonly Substitute[];
  /**
   * How many files it is about, for what has to be counted before it can be judged. A failure is the result of the call: nobody is
   * asked about what cannot be done. `null` = nothing to count.
   */
  readonly survey?: (input: I, ctx: ToolContext) => Promise<Result<number>> | null;
  /** Tool-level risk: reasons to ask a person, from facts alone. */
  readonly assess?: (input: I, facts: ToolFacts) => readonly Phrase[];
}

export interface Rewritten {
  readonly before: string;
  readonly after: string;
  /** A whole file goes. */
  readonly deletes?: true;
}

export interface Substitute {
  readonly tool: string;
  /** In English: the model reads it. */
  readonly how: string;
}

/** Facts about the disk, gathered by the engine, so that judging stays pure. */
interface ToolFacts {
  readonly paths: readonly PathFact[];
  /** What the tool's `survey` has counted. */
  readonly count?: number;
}

export interface PathFact {
  readonly given: string;
  /** Resolved through symlinks (the parent's for what does not exist); `null` when it cannot be resolved. */
  readonly real: string | null;
  readonly inside: boolean;
  readonly exists: boolean;
  readonly kind: "file" | "folder" | "other" | "none";
  /** Of a path to be written: git reads config or runs programs there, although the name does not say so. */
  readonly isObeyed?: true;
  /** Of a file to be read: it is named like a secret, and holds none. */
  readonly isHarmless?: true;
  /** Whatever it holds, only what it is called and its attributes are shown. */
  readonly isNamed?: true;
  /** It is the folder around the workspace, and only the names in it are shown. */
  readonly isListing?: true;
}

/** Reads and runs: `run` does it. */
interface RunTool<I> extends ToolBase<I> {
  readonly run: (input: I, ctx: ToolContext) => Promise<Result<ToolOutput>>;
  /** What is read in no time is answered within the step that ordered it; `null` = by `run`. Only for what changes nothing. */
  readonly runNow?: (input: I, ctx: ToolContext) => Result<ToolOutput> | null;
}

/** Writes: `plan` prepares, the pipeline makes the intent durable and applies it, so a crash is reconciled by hash. */
interface WriteTool<I> extends ToolBase<I> {
  readonly plan: (input: I, ctx: ToolContext) => Promise<Result<ChangePlan>>;
}

/** What is prepared in no time is intended within the step that ordered it. */
interface QuickWriteTool<I> extends ToolBase<I> {
  readonly plan: (input: I, ctx: ToolContext) => Result<ChangePlan>;
  readonly plansAtOnce: true;
}

/** Hands work on: the pipeline starts a run inside the call, and its end is the result (TL-5). */
interface SubTool<I> extends ToolBase<I> {
  readonly sub: (input: I) => SubTask;
}

export type Tool<I = never> = RunTool<I> | WriteTool<I> | QuickWriteTool<I> | SubTool<I>;
/** A tool with its input type hidden, as the registry holds it: `parse` is the only way to call it. */
export type AnyTool = Tool<never>;

export function defineTool<I>(tool: Tool<I>): AnyTool {
  return tool as unknown as AnyTool;
}
