import type { Io } from "../surface/headless/io.ts";

/** Questions at a terminal. `null` as an answer: the person wants to leave. */
export interface Asker extends Disposable {
  line(question: string): Promise<string | null>;
  /** What is typed is not shown. */
  secret(question: string): Promise<string | null>;
}

const ENTER = /[\r\n]/;
const CANCEL = "\u0003";
const END = "\u0004";
const RUBOUT = /[\u0008\u007f]/;

/** Questions go to stderr: stdout is for results. */
export function askAt(io: Pick<Io, "err">): Asker {
  const { stdin } = process;
  let waiting = "";
  let wake: (() => void) | null = null;
  let hasEnded = false;
  const decoder = new TextDecoder();
  const onData = (bytes: Uint8Array): void => {
    waiting += decoder.decode(bytes, { stream: true });
    wake?.();
  };
  const onEnd = (): void => {
    hasEnded = true;
    wake?.();
  };
  stdin.on("data", onData);
  stdin.on("end", onEnd);
  const more = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    await promise;
    wake = null;
  };
  const line = async (question: string): Promise<string | null> => {
    io.err(question);
    while (!ENTER.test(waiting)) {
      if (hasEnded) return null;
      await more();
    }
    const at = waiting.search(ENTER);
    const text = waiting.slice(0, at);
    waiting = waiting.slice(at + 1);
    return text.trim();
  };
  const secret = async (question: string): Promise<string | null> => {
    io.err(question);
    stdin.setRawMode?.(true);
    try {
      for (let text = ""; ; await more()) {
        for (const letter of takeAll()) {
          if (ENTER.test(letter)) return text.trim();
          if (letter === CANCEL || letter === END) return null;
          text = RUBOUT.test(letter) ? text.slice(0, -1) : text + letter;
        }
        if (hasEnded) return null;
      }
    } finally {
      stdin.setRawMode?.(false);
      io.err("\n");
    }
  };
  /** What follows the end of the answer stays for the next question. */
  function* takeAll(): Generator<string> {
    while (waiting !== "") {
      const letter = waiting[0] ?? "";
      waiting = waiting.slice(1);
      yield letter;
    }
  }
  return {
    line,
    secret,
    [Symbol.dispose]: () => {
      stdin.off("data", onData);
      stdin.off("end", onEnd);
      stdin.pause();
    },
  };
}
