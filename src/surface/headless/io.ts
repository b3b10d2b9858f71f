import { plainJson } from "../../contract/show/visible.ts";

/** The standard streams, as whoever prints sees them. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly isErrTerminal: boolean;
  /** Called once when whoever read our output has gone; what is written afterwards is dropped. */
  readonly onClosed: (handler: () => void) => void;
  /** Waits until all of stdout is written, its reader is gone, or `patienceMs` have passed without any progress. */
  readonly drained: (patienceMs: number) => Promise<void>;
  /** Why output was lost although its reader was there (a full disk); `null` when it was not. */
  readonly failure: () => string | null;
}

/** For JSON on stdout. */
export function jsonLine(value: unknown): string {
  return `${plainJson(value)}\n`;
}
