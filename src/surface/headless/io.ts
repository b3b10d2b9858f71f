import { plainJson } from "../../contract/show/visible.ts";

export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly isErrTerminal: boolean;
  /** Calls `handler` once when the reader of our output is gone; later output is dropped. */
  readonly onClosed: (handler: () => void) => void;
  /** Waits until stdout is flushed, its reader is gone, or `patienceMs` pass without progress. */
  readonly drained: (patienceMs: number) => Promise<void>;
  /** Why output was lost although its reader was there (a full disk); `null` when none was. */
  readonly failure: () => string | null;
}

export function jsonLine(value: unknown): string {
  return `${plainJson(value)}\n`;
}
