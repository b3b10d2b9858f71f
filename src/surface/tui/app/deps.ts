import type { Lang } from "../../../contract/text/catalogue.ts";
import type { ThemeName } from "../../../contract/ui.ts";
import type { EnginePort } from "../../../engine/port.ts";

/** What the application gets from the machine that it runs on; it touches nothing but its terminal itself. */
export interface TerminalDeps {
  readonly theme: ThemeName;
  /** Key bindings of the person's own: action → keys. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** Until there is an engine; then its settings say. */
  readonly lang: Lang;
  /**
   * Asks what has to be known first and opens the engine; `null` = the person left. Rejects with a CoderError where nothing can
   * be opened: the terminal is given back, and whoever called the application tells the person.
   */
  readonly start: (ask: Questions) => Promise<Started | null>;
  readonly output: TerminalOutput;
  /** Keeps a fault of ours; the id that the person is shown for it. */
  readonly fault: (error: unknown) => string;
}

/** The terminal as something to write to: in order, and never waited for. */
export interface TerminalOutput {
  write(text: string): void;
  /** Something was not taken yet. */
  readonly isBehind: boolean;
  /** `drained`: all was taken, after it was not. `lost`: nobody is there any more. */
  follow(handlers: { readonly drained: () => void; readonly lost: () => void }): void;
  /** Until all is taken, or nothing was for so long. */
  drained(patienceMs: number): Promise<void>;
  /** Before it returns; what waits and is not taken soon is dropped, for `instead`. */
  writeNow(text: string, instead?: string): void;
}

export interface Started {
  readonly port: EnginePort;
  /** What to begin with: a prompt of the command line; "" = nothing. */
  readonly first: string;
  /** A session to be opened. */
  readonly resume: { readonly id: string; readonly how: "itself" | "copy" | "snapshot" } | null;
  /** The branch that is checked out; `null` = none, or unknown. */
  readonly branch: () => string | null;
  /** The person's own folder, under every name that it has. */
  readonly homes: readonly string[];
  readonly history: InputHistory;
  /**
   * Paths inside the workspace that may be mentioned, relative, folders with a slash at the end; what is ignored is left out.
   * Once the signal fires: those that were found until then.
   */
  readonly files: (signal: AbortSignal) => Promise<readonly string[]>;
  /**
   * The person's editor with this text; what it was saved as, `null` = there is none or it failed, with the reason told by `tell`.
   * `hasDied`: it has left the terminal as it was. Once the signal fires it is ended.
   */
  readonly editText: (
    text: string,
    tell: (problem: string, hasDied: boolean) => void,
    signal?: AbortSignal,
  ) => Promise<string | null>;
  /** An image from the clipboard as a file of the workspace; the path to mention, `null` = there is none. */
  readonly pasteImage: () => Promise<string | null>;
  readonly version: string;
  /** Nothing was ever sent from here on this machine: some help is welcome. */
  readonly isFirst: boolean;
  /** What to tell once, ready to be written. */
  readonly notices: readonly string[];
}

/** What was sent from this workspace before, the newest last. */
export interface InputHistory {
  load(): Promise<readonly string[]>;
  add(text: string): void;
}

/** Questions before there is an engine. `null` as an answer: the person wants to leave. */
export interface Questions {
  tell(text: string): void;
  line(question: string): Promise<string | null>;
  /** What is typed is not shown. */
  secret(question: string): Promise<string | null>;
  /** The place of the chosen one. */
  choose(question: string, options: readonly string[]): Promise<number | null>;
}
