import type { Mode, Preset } from "./task.ts";
import type { Lang } from "./text/catalogue.ts";

export type Protocol = "openai-chat" | "openai-responses" | "anthropic" | "google";

export interface Provider {
  readonly name: string;
  readonly protocol: Protocol;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Environment variables looked at for the key, in order; named in the error when none is set. */
  readonly apiKeyEnv: readonly string[];
  readonly needsKey: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ModelChoice {
  /** `provider/name` as the person wrote it. */
  readonly ref: string;
  readonly name: string;
  readonly provider: Provider;
  readonly contextWindow: number;
  readonly takesImages: boolean;
}

/** Everything that flags, environment and files decide; frozen, made once. */
export interface Settings {
  readonly home: string;
  readonly workspace: string;
  readonly addDirs: readonly string[];
  readonly lang: Lang;
  readonly timezone: string;
  readonly mode: Mode;
  readonly preset: Preset | null;
  readonly model: ModelChoice | null;
  readonly maxSteps: number;
  readonly maxTokens: number | null;
  readonly maxTimeMs: number | null;
  readonly commandTimeoutMs: number;
  readonly maxStreamBytes: number;
  readonly compactAt: number;
  readonly keepRecent: number;
  readonly modelIdleMs: number;
  readonly modelAttempts: number;
  readonly readRetryMs: readonly number[];
  readonly shellApproval: "pipeline" | "direct";
  /** Tools switched off for this agent. */
  readonly toolsOff: readonly string[];
  readonly verbose: boolean;
}
