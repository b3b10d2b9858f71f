import type { PermissionRule } from "./permission.ts";
import type { SandboxUse } from "./sandbox.ts";
import type { ComplexThresholds, GitMode, Mode, OnFail, Preset } from "./task.ts";
import type { Lang, Phrase } from "./text/catalogue.ts";
import type { UiSettings } from "./ui.ts";

export type Protocol = "openai-chat" | "openai-responses" | "anthropic" | "google";

export interface Provider {
  readonly name: string;
  /** `builtin`: spoken with nobody; the model is part of coder. */
  readonly protocol: Protocol | "builtin";
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Environment variables looked at for the key, in order; named in the error when none is set. */
  readonly apiKeyEnv: readonly string[];
  readonly needsKey: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Where it differs from what is usual for its protocol. */
  readonly quirks?: Partial<Quirks>;
}

/** What a provider wants or takes beyond the letter of its protocol. */
export interface Quirks {
  /** Calls that a weak model wrote as text are read as calls (MD-6). */
  readonly textToolCalls: boolean;
  /** `nine`: call ids are exactly nine letters or digits. */
  readonly callIds: "any" | "nine";
  /** `alternate`: no two messages of the same side in a row. `strict`: and none of the person right after a tool result. */
  readonly roles: "any" | "alternate" | "strict";
  /** Whether plain reasoning text goes back to the model that wrote it. `tool_loop`: since the person's last message. */
  readonly reasoningBack: "never" | "tool_loop" | "always";
  /** Takes the request for usage at the end of a stream. */
  readonly streamOptions: boolean;
  /** `false`: one call in a reply is asked for. */
  readonly parallelCalls: boolean;
  /** Takes a name under which the prefix of a request is cached. */
  readonly cacheKey: boolean;
  /** Takes our ids of session, run and step in the body. */
  readonly metadata: boolean;
  /** Sends summaries of its reasoning when asked. */
  readonly reasoningSummary: boolean;
}

/** Whole micro-dollars for a million tokens: sums of them do not drift. Reasoning is part of the output. */
export interface Price {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
  /** What the whole of a request costs whose input is longer than this many tokens. */
  readonly long?: Omit<Price, "long"> & { readonly over: number };
}

/** How hard a model is to think, the least first. */
export const efforts = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof efforts)[number];

/** `level`: the model takes a word for it; `budget`: a number of tokens. */
export interface EffortUse {
  readonly level: Effort;
  readonly by: "level" | "budget";
}

/** Servers on the person's own machine that differ in how they say how much context they give a model. */
export type LocalServer = "ollama" | "lmstudio" | "llamacpp" | "vllm";

export interface ModelChoice {
  /** `provider/name` as the person wrote it. */
  readonly ref: string;
  readonly name: string;
  readonly provider: Provider;
  readonly contextWindow: number;
  readonly takesImages: boolean;
  /** `false`: known to take no tools. */
  readonly takesTools?: boolean | undefined;
  /** Most tokens of one reply, where the person said so. */
  readonly maxOutput?: number;
  /** Where the configuration or the catalogue says it. */
  readonly price?: Price | undefined;
  /** How hard it is to think, where that was asked for and the model is known to take it. */
  readonly effort?: EffortUse | undefined;
  /** Nobody has said how large its window is: the server knows. */
  readonly windowFrom?: LocalServer;
}

/** How requests leave the machine; what the usual variables say counts besides. */
export interface Network {
  readonly proxy: string | null;
  /** Certificates that are trusted besides those of the system. */
  readonly caFile: string | null;
}

/** Whether what the workspace brings along takes effect (PO-9). */
export interface TrustSettings {
  readonly state: "trusted" | "untrusted" | "changed";
  /** What of it does not, and why, to be said once. */
  readonly ignored: readonly Phrase[];
}

/** From a request to its evidence. */
export interface WorkflowSettings {
  readonly autoVerify: boolean;
  /** What the person or a project wants run; only what is listed is. */
  readonly verifyCommands: readonly string[];
  /** What the person has added to the list of commands that may verify (VF-2); an answer "always" adds to it while coder runs. */
  readonly verifyAllowed: readonly string[];
  readonly maxVerifyAttempts: number;
  readonly verifyTimeoutMs: number;
  /** What becomes of changes whose check fails for good. */
  readonly onVerifyFailure: OnFail;
  /** When a check fails, the same is run on the files as they were before, and what failed then is not the task's. */
  readonly verifyBaseline: boolean;
  readonly requireTodo: boolean;
  /** Checks that the model may run by itself in one task. */
  readonly maxDiagnostics: number;
  readonly complex: ComplexThresholds;
}

/** Of the constant part of the system text: what stands in its place, and what follows it. */
export interface SystemPrompt {
  readonly replace?: string;
  readonly append?: string;
}

/** Everything that flags, environment and files decide; frozen, made once. */
export interface Settings {
  readonly home: string;
  readonly workspace: string;
  readonly addDirs: readonly string[];
  /** `null`: that of the session, or ours. */
  readonly prompt: SystemPrompt | null;
  readonly lang: Lang;
  /** `null` = the machine's: to ask the runtime for it takes longer than all else that is read at the start. */
  readonly timezone: string | null;
  readonly ui: UiSettings;
  readonly mode: Mode;
  readonly preset: Preset | null;
  /** Who chose them: what a resumed session was left in gives way to a flag, and to a project that is stricter. */
  readonly chosenBy: { readonly mode: "flag" | "project" | "person"; readonly preset: "project" | "person" };
  /** Explicit rules: the user's config, the flags, a trusted project's. What "always" has stored is in the store. */
  readonly rules: readonly PermissionRule[];
  readonly model: ModelChoice | null;
  /** What may be offered when the model is out of reach, in this order. */
  readonly fallback: {
    readonly models: readonly string[];
    /** Taken without asking where nobody can be asked. */
    readonly headless: boolean;
  };
  readonly network: Network;
  readonly maxSteps: number;
  readonly maxTokens: number | null;
  /** Micro-dollars. */
  readonly maxCost: number | null;
  readonly maxTimeMs: number | null;
  readonly commandTimeoutMs: number;
  readonly maxStreamBytes: number;
  readonly compactAt: number;
  readonly keepRecent: number;
  /** `false`: what does not fit is told, and the person shortens it. */
  readonly autoCompact: boolean;
  /** Rules that the person has named besides those that lie in their places. */
  readonly rulesFiles: readonly string[];
  /** Tokens for the map of the workspace, and half as many for the places of a task; 0 = no index at all. */
  readonly mapTokens: number;
  readonly modelIdleMs: number;
  readonly modelAttempts: number;
  /** A model that cannot be reached is waited for at least so long. */
  readonly modelOutageMs: number;
  readonly readRetryMs: readonly number[];
  readonly shellApproval: "pipeline" | "direct";
  /** What is removed by itself at the end of a run, once a day; `null` = nothing ever is. */
  readonly retention: { readonly maxAgeDays: number | null; readonly maxSizeMb: number | null };
  readonly sandbox: SandboxUse;
  /** Environment variables that commands get although their names look like secrets. */
  readonly passEnv: readonly string[];
  /** Of one file that a confined command writes. */
  readonly fileSizeMb: number;
  readonly workflow: WorkflowSettings;
  readonly gitMode: GitMode;
  /** Tools switched off for this agent. */
  readonly toolsOff: readonly string[];
  readonly trust: TrustSettings;
  readonly verbose: boolean;
}
