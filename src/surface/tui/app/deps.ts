import type { Lang } from "../../../contract/text/catalogue.ts";
import type { ThemeName } from "../../../contract/ui.ts";
import type { EnginePort } from "../../../engine/port.ts";
import type { StatusOutput } from "./status-command.ts";

/** Everything the application gets from the machine; by itself it touches only its terminal. */
export interface TerminalDeps {
  readonly theme: ThemeName;
  /** The user's key bindings: action → keys. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** Used until there is an engine with settings. */
  readonly lang: Lang;
  /** Asks first, then opens the engine; `null`: the user left. Rejects with a CoderError, which the caller reports. */
  readonly start: (ask: Questions) => Promise<Started | null>;
  readonly output: TerminalOutput;
  /** Logs a fault of ours; returns the id to show for it. */
  readonly fault: (error: unknown) => string;
}

/** Writes to the terminal in order, without blocking. */
export interface TerminalOutput {
  write(text: string): void;
  readonly isBehind: boolean;
  /** `drained`: the buffer is empty again. `lost`: the terminal is gone. */
  follow(handlers: { readonly drained: () => void; readonly lost: () => void }): void;
  drained(patienceMs: number): Promise<void>;
  /** Synchronous. Output that is buffered and not taken soon is dropped and replaced by `instead`. */
  writeNow(text: string, instead?: string): void;
}

export interface Started {
  readonly port: EnginePort;
  /** The prompt from the command line; "": none. */
  readonly first: string;
  readonly resume: { readonly id: string; readonly how: "itself" | "copy" | "snapshot" } | null;
  /** The checked-out branch; `null`: none, or unknown. */
  readonly branch: () => string | null;
  /** Every path of the user's home directory. */
  readonly homes: readonly string[];
  readonly history: InputHistory;
  /** Relative paths to mention, directories with a trailing slash; once the signal fires, those found so far. */
  readonly files: (signal: AbortSignal) => Promise<readonly string[]>;
  /**
   * The saved text, or `null` after a failure, which `tell` reports; `hasDied`: the editor did not restore the terminal. `name`: of the file that
   * it is the text of.
   */
  readonly editText: (
    text: string,
    tell: (problem: string, hasDied: boolean) => void,
    options?: { readonly signal?: AbortSignal; readonly name?: string },
  ) => Promise<string | null>;
  /** Asks for a model and what it needs, or for the key of this one only. Returns the model to use; `null`: none. */
  readonly setUp: (ask: Questions, ref: string | null) => Promise<string | null>;
  /** Opens the file itself in the user's editor. */
  readonly editFile: (
    file: string,
    tell: (problem: string, hasDied: boolean) => void,
    signal: AbortSignal,
  ) => Promise<void>;
  /** `true`: a clipboard program of this machine has taken the text. */
  readonly copyText: (text: string) => Promise<boolean>;
  /** Saves an image from the clipboard into the workspace; returns the path to mention, `null`: there is none. */
  readonly pasteImage: () => Promise<string | null>;
  /** Runs the user's status command with this JSON as its input. */
  readonly statusOutput: (command: string, input: string, signal: AbortSignal) => Promise<StatusOutput>;
  readonly version: string;
  /** No input was ever sent on this machine: show some help. */
  readonly isFirst: boolean;
  readonly notices: readonly string[];
}

/** Lends the terminal to the user's editor. */
export type EditText = (text: string, tell: (problem: string) => void, name?: string) => Promise<string | null>;

/** Earlier inputs of this workspace, newest last. */
export interface InputHistory {
  load(): Promise<readonly string[]>;
  add(text: string): void;
}

/** Questions before there is an engine. The answer `null` means that the user wants to leave. */
export interface Questions {
  tell(text: string): void;
  line(question: string): Promise<string | null>;
  secret(question: string): Promise<string | null>;
  /** Resolves with the index of the chosen option. */
  choose(question: string, options: readonly string[]): Promise<number | null>;
}
