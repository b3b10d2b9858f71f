import { StreamOutput } from "../../platform/stream-output.ts";
import type { Io } from "../../surface/headless/io.ts";

/** The streams of this process. */
export function realIo(isErrTerminal: boolean): Io {
  const out = new StreamOutput(1);
  const err = new StreamOutput(2);
  return {
    out: (text) => out.write(text),
    err: (text) => err.write(text),
    isErrTerminal,
    onClosed: (handler) => out.onClosed(handler),
    drained: async (patienceMs) => {
      await out.drained(patienceMs);
      await err.drained(patienceMs);
    },
    failure: () => out.failure,
  };
}
