import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { Io } from "../../surface/headless/io.ts";
import type { Questions } from "../../surface/tui/app/deps.ts";

type Asker = Questions & Disposable;

const ENTER = /[\r\n]/;
const CANCEL = "\u0003";
const END = "\u0004";
const RUBOUT = /[\u0008\u007f]/;

/** Asks line by line on stderr, because stdout is for results. */
export function askAt(io: Pick<Io, "err">, lang: Lang): Asker {
  const typed = new Typed();
  const line = async (question: string): Promise<string | null> => {
    io.err(question);
    return await typed.line();
  };
  return {
    tell: (text) => io.err(`${text}\n`),
    line,
    secret: async (question) => {
      io.err(question);
      try {
        return await typed.secret();
      } finally {
        io.err("\n");
      }
    },
    choose: async (question, options) => {
      io.err(`${question}\n${options.map((one, at) => `  ${at + 1}. ${one}\n`).join("")}`);
      for (;;) {
        const answer = await line(say(lang, phrase("setup.number")));
        if (answer === null) return null;
        const named = options.findIndex((one) => one.toLowerCase() === answer.toLowerCase());
        const number = /^\d+$/.test(answer) ? Number(answer) : named + 1;
        if (number >= 1 && number <= options.length) return number - 1;
        io.err(`${say(lang, phrase("setup.bad_number", { max: options.length }))}\n`);
      }
    },
    [Symbol.dispose]: () => typed.stop(),
  };
}

/** What was typed after the end of an answer is kept for the next question. */
class Typed {
  private waiting = "";
  private wake: (() => void) | null = null;
  private hasEnded = false;
  private readonly decoder = new TextDecoder();
  private readonly onData = (bytes: Uint8Array): void => {
    this.waiting += this.decoder.decode(bytes, { stream: true });
    this.wake?.();
  };
  private readonly onEnd = (): void => {
    this.hasEnded = true;
    this.wake?.();
  };

  constructor() {
    process.stdin.on("data", this.onData);
    process.stdin.on("end", this.onEnd);
  }

  stop(): void {
    process.stdin.off("data", this.onData);
    process.stdin.off("end", this.onEnd);
    process.stdin.pause();
  }

  async line(): Promise<string | null> {
    while (!ENTER.test(this.waiting)) {
      if (this.hasEnded) return null;
      await this.more();
    }
    const at = this.waiting.search(ENTER);
    const text = this.waiting.slice(0, at);
    this.waiting = this.waiting.slice(at + 1);
    return text.trim();
  }

  async secret(): Promise<string | null> {
    process.stdin.setRawMode?.(true);
    try {
      for (let text = ""; ; await this.more()) {
        for (const letter of this.takeAll()) {
          if (ENTER.test(letter)) return text.trim();
          if (letter === CANCEL || letter === END) return null;
          text = RUBOUT.test(letter) ? text.slice(0, -1) : text + letter;
        }
        if (this.hasEnded) return null;
      }
    } finally {
      process.stdin.setRawMode?.(false);
    }
  }

  private async more(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.wake = resolve;
    await promise;
    this.wake = null;
  }

  private *takeAll(): Generator<string> {
    while (this.waiting !== "") {
      const letter = this.waiting[0] ?? "";
      this.waiting = this.waiting.slice(1);
      yield letter;
    }
  }
}
