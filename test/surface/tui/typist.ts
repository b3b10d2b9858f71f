import { stripTerminalSequences } from "@earendil-works/pi-tui/dist/utils.js";
import { allCommands } from "../../../src/command/all.ts";
import { Keys } from "../../../src/surface/tui/app/keys.ts";
import { Prompt } from "../../../src/surface/tui/prompt/prompt.ts";
import { themeOf } from "../../../src/surface/tui/terminal/theme.ts";

export const key = {
  ...{ enter: "\r", altEnter: "\x1b\r", up: "\x1b[A", down: "\x1b[B", right: "\x1b[C", left: "\x1b[D", esc: "\x1b" },
  ...{
    tab: "\t",
    back: "\x7f",
    ctrlR: "\x12",
    ctrlU: "\x15",
    ctrlA: "\x01",
    ctrlW: "\x17",
    undo: "\x1f",
    home: "\x1b[H",
  },
} as const;

interface Options {
  readonly past?: readonly string[];
  readonly files?: readonly string[];
  readonly arguments?: ConstructorParameters<typeof Prompt>[0]["arguments"];
  readonly lang?: "en" | "zh";
  readonly vim?: boolean;
}

/** A person at a prompt. */
export class Typist {
  readonly sent: (readonly [text: string, delivery: string])[] = [];
  readonly kept: string[] = [];
  readonly prompt: Prompt;
  redraws = 0;
  listings = 0;

  constructor({ past = [], files = [], arguments: completed, lang = "en", vim = false }: Options = {}) {
    this.prompt = new Prompt({
      look: { theme: themeOf("terminal", false), lang, width: () => 60 },
      ...{ keys: new Keys(), rows: () => 30, hasVim: () => vim },
      redraw: () => {
        this.redraws += 1;
      },
      send: (text, delivery) => this.sent.push([text, delivery]),
      history: { load: async () => past, add: (text) => this.kept.push(text) },
      commands: async () => allCommands,
      files: async () => {
        this.listings += 1;
        return files;
      },
      ...(completed ? { arguments: completed } : {}),
    });
  }

  /** As a terminal sends what is typed: unit by unit. Lets what was waited for arrive. */
  async type(...texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      const isKey = (Object.values(key) as readonly string[]).includes(text) || text.startsWith("\x1b");
      for (const one of isKey ? [text] : text.split("")) this.prompt.handle(one);
      await new Promise(setImmediate);
    }
  }

  paste(text: string): void {
    this.prompt.handle(`\x1b[200~${text}\x1b[201~`);
  }

  /** What is seen, with the cursor as a bar. */
  seen(width = 60, room = 20): string {
    const { lines, cursor } = this.prompt.frame(width, room);
    return lines
      .map((line, row) => {
        const bare = stripTerminalSequences(line);
        if (cursor?.row !== row) return bare.trimEnd();
        return barAt(bare, cursor.column);
      })
      .join("\n");
  }
}

function barAt(line: string, column: number): string {
  let width = 0;
  let at = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(line)) {
    if (width >= column) break;
    width += Bun.stringWidth(segment);
    at = index + segment.length;
  }
  return `${line.slice(0, at)}${" ".repeat(Math.max(0, column - width))}▏${line.slice(at)}`.trimEnd();
}
