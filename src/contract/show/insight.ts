// What a session and its configuration look like from outside, for commands that show it.
import type { Usage } from "../message.ts";

/** What fills the window, in the order of the request: `said` = the user's messages with attachments. */
export const contextKinds = [
  ...(["system", "tools", "rules", "map", "summary", "said", "replies", "results", "commands", "notes"] as const),
] as const;
export type ContextKind = (typeof contextKinds)[number];

export interface WindowUse {
  readonly parts: readonly { readonly kind: ContextKind; readonly tokens: number }[];
  readonly window: number;
  /** From here on older history is summarised; `null` = never by itself. */
  readonly compactsAt: number | null;
}

export interface SpentOn {
  /** A model, or the first line of a task. */
  readonly name: string;
  readonly requests: number;
  readonly usage: Usage;
  /** Micro-dollars; `null` = unknown for some of it. */
  readonly cost: number | null;
}

export interface SessionSpending {
  readonly models: readonly SpentOn[];
  /** In order; side questions come last, as one. */
  readonly tasks: readonly SpentOn[];
}

/** A report made elsewhere: in words, and as data. */
export interface Report {
  readonly text: string;
  readonly data: unknown;
}

/** A rules file that the model reads, or would read. */
export interface MemoryFile {
  readonly file: string;
  readonly name: string;
  readonly state: "counts" | "untrusted" | "unused" | "missing";
}
