import type { PermissionRule } from "./permission.ts";
import type { SandboxUse } from "./sandbox.ts";
import type { ComplexThresholds, GitMode, Mode, OnFail, Preset } from "./task.ts";
import type { Lang, Phrase } from "./text/catalogue.ts";
import type { UiSettings } from "./ui.ts";

export type Protocol = "openai-chat" | "openai-responses" | "anthropic" | "google";

export interface Provider {
  readonly name: string;
  /** `builtin`: part of coder, no server. */
  readonly protocol: Protocol | "builtin";
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Environment variables for the key, in order; errors name them. */
  readonly apiKeyEnv: readonly string[];
  readonly needsKey: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly quirks?: Partial<Quirks>;
}

export interface Quirks {
  /** MD-6: parses tool calls that a weak model wrote as text. */
  readonly textToolCalls: boolean;
  /** `nine`: ids of exactly nine letters or digits. */
  readonly callIds: "any" | "nine";
  /** `alternate`: no two consecutive messages of the same side. `strict`: also no user message right after a tool result. */
  readonly roles: "any" | "alternate" | "strict";
  /** Whether plain reasoning goes back to the model that wrote it. `tool_loop`: only since the last user message. */
  readonly reasoningBack: "never" | "tool_loop" | "always";
  /** Accepts the request for usage at the end of a stream. */
  readonly streamOptions: boolean;
  /** `false` = requests one call per reply. */
  readonly parallelCalls: boolean;
  readonly cacheKey: boolean;
  /** Accepts our ids of session, run and step in the body. */
  readonly metadata: boolean;
  readonly reasoningSummary: boolean;
}

/** Integer micro-dollars per million tokens, so that sums do not drift. Reasoning counts as output. */
export interface Price {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
  /** The price of a whole request with a longer input. */
  readonly long?: Omit<Price, "long"> & { readonly over: number };
}

export const efforts = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof efforts)[number];

/** `level`: the model takes a word; `budget`: a number of tokens. */
export interface EffortUse {
  readonly level: Effort;
  readonly by: "level" | "budget";
}

/** Local servers, which differ in how they report a model's window. */
export type LocalServer = "ollama" | "lmstudio" | "llamacpp" | "vllm";

export interface ModelChoice {
  readonly ref: string;
  readonly name: string;
  readonly provider: Provider;
  readonly contextWindow: number;
  readonly takesImages: boolean;
  readonly takesTools?: boolean | undefined;
  /** The most output tokens of one reply, if configured. */
  readonly maxOutput?: number;
  readonly price?: Price | undefined;
  /** Set if requested and the model is known to accept it. */
  readonly effort?: EffortUse | undefined;
  /** The window is not configured, so the server is asked. */
  readonly windowFrom?: LocalServer;
}

/** In addition to the usual environment variables. */
export interface Network {
  readonly proxy: string | null;
  /** Trusted in addition to the system's certificates. */
  readonly caFile: string | null;
}

/** PO-9: whether the workspace's configuration takes effect. */
export interface TrustSettings {
  readonly state: "trusted" | "untrusted" | "changed";
  /** What does not take effect and why; shown once. */
  readonly ignored: readonly Phrase[];
}

export interface WorkflowSettings {
  readonly autoVerify: boolean;
  /** Replaces detection: only these run. */
  readonly verifyCommands: readonly string[];
  /** VF-2: the user's additions to the allowed check commands; the answer "always" adds to them at run time. */
  readonly verifyAllowed: readonly string[];
  readonly maxVerifyAttempts: number;
  readonly verifyTimeoutMs: number;
  /** What happens to changes whose check finally failed. */
  readonly onVerifyFailure: OnFail;
  /** If a check fails, also runs it on the files as they were before, and ignores failures found there. */
  readonly verifyBaseline: boolean;
  readonly requireTodo: boolean;
  readonly maxDiagnostics: number;
  readonly complex: ComplexThresholds;
}

/** `replace` substitutes the constant part of the system text, `append` follows it. */
export interface SystemPrompt {
  readonly replace?: string;
  readonly append?: string;
}

export interface Settings {
  readonly home: string;
  readonly workspace: string;
  readonly addDirs: readonly string[];
  /** `null` = the session's, or our own. */
  readonly prompt: SystemPrompt | null;
  readonly lang: Lang;
  /** `null` = the machine's: asking the runtime takes longer than everything else read at the start. */
  readonly timezone: string | null;
  readonly ui: UiSettings;
  readonly mode: Mode;
  readonly preset: Preset | null;
  /** A flag, and a stricter project, override the mode a session was left in. */
  readonly chosenBy: { readonly mode: "flag" | "project" | "person"; readonly preset: "project" | "person" };
  /** Explicit rules from the user's config, flags and a trusted project. Rules stored by "always" are in the store. */
  readonly rules: readonly PermissionRule[];
  readonly model: ModelChoice | null;
  /** Offered in this order if the model is unavailable. */
  readonly fallback: {
    readonly models: readonly string[];
    readonly headless: boolean;
  };
  readonly network: Network;
  readonly maxSteps: number;
  /** Sub-agents at a time. */
  readonly maxParallel: number;
  readonly maxTokens: number | null;
  readonly maxCost: number | null;
  readonly maxTimeMs: number | null;
  readonly commandTimeoutMs: number;
  readonly maxStreamBytes: number;
  readonly compactAt: number;
  readonly keepRecent: number;
  /** `false`: reports what does not fit, and the user compacts. */
  readonly autoCompact: boolean;
  /** Rule files that the user named in addition to the standard ones. */
  readonly rulesFiles: readonly string[];
  /** Tokens for the workspace map, and half as many for `places`; 0 = no index. */
  readonly mapTokens: number;
  readonly modelIdleMs: number;
  readonly modelAttempts: number;
  readonly modelOutageMs: number;
  readonly readRetryMs: readonly number[];
  readonly shellApproval: "pipeline" | "direct";
  /** Sessions removed once a day at the end of a run; `null` = no limit. */
  readonly retention: { readonly maxAgeDays: number | null; readonly maxSizeMb: number | null };
  readonly sandbox: SandboxUse;
  /** Environment variables that commands get despite their secret-looking names. */
  readonly passEnv: readonly string[];
  readonly fileSizeMb: number;
  readonly workflow: WorkflowSettings;
  readonly gitMode: GitMode;
  readonly toolsOff: readonly string[];
  readonly trust: TrustSettings;
  readonly verbose: boolean;
}
