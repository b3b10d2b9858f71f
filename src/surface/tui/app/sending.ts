// Sends the user's input to the engine. Nothing is lost: refused text returns to the prompt.
import type { ErrorInfo } from "../../../contract/error.ts";
import type { CommandResult, EnginePort } from "../../../engine/port.ts";
import { isFarewell } from "../prompt/input-text.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { oneLine } from "../terminal/fit.ts";

export type Sent = "steer" | "queue";

interface SendingDeps {
  readonly port: EnginePort;
  readonly prompt: Prompt;
  /** `true`: the text was answered by a picker, or has opened a session. */
  readonly isOpened: (text: string) => boolean | Promise<boolean>;
  /** Whether the model may read these files outside the workspace, for one message. */
  readonly asksOutside: (names: readonly string[]) => Promise<"yes" | "no" | "back">;
  readonly answered: (text: string, result: CommandResult) => void;
  readonly refused: (error: ErrorInfo) => void;
  readonly fault: (error: unknown) => void;
  readonly changed: () => void;
}

interface InFlight {
  readonly text: string;
  readonly isCommand: boolean;
  readonly since: number;
}

/** Faster commands and messages get no activity line. */
const SOON_MS = 150;

const opensSession = /^\s*\/(?:resume|new|clear|fork|rewind|redo)\b/;

export class Sending {
  private readonly deps: SendingDeps;
  private readonly inFlight = new Set<InFlight>();
  private last: Promise<void>;

  /** Sends nothing before `ready`: a message must not start a session while another is being opened. */
  constructor(deps: SendingDeps, ready: Promise<void>) {
    this.deps = deps;
    this.last = ready;
  }

  get isBusy(): boolean {
    return this.inFlight.size > 0;
  }

  /** A command that takes long, or "" for a message that does. */
  get slow(): { readonly command: string; readonly since: number } | null {
    for (const { text, isCommand, since } of this.inFlight)
      if (performance.now() - since >= SOON_MS) return { command: isCommand ? oneLine(text) : "", since };
    return null;
  }

  /** Messages go in order, though reading a mentioned file may take long; only commands that open a session hold up later input. */
  send(said: string, delivery: Sent): void {
    const text = isFarewell(said) ? "/quit" : said;
    const isCommand = text.trimStart().startsWith("/");
    const before = this.last;
    const done = before.then(() => this.give({ text, isCommand, since: performance.now() }, delivery));
    this.last = isCommand && !opensSession.test(text) ? before : done;
  }

  putBack(text: string): void {
    const { prompt } = this.deps;
    prompt.setText(prompt.isEmpty ? text : `${text}\n\n${prompt.text}`);
  }

  /** What the user lets the model read with this message; `null`: it is not to be sent. */
  private async outsideOf({ text, isCommand }: InFlight): Promise<readonly string[] | null> {
    if (isCommand || text.trimStart().startsWith("!") || !text.includes("@")) return [];
    const found = await this.deps.port.outsideMentions(text);
    if (found.length === 0) return [];
    const answer = await this.deps.asksOutside(found.map(({ name }) => name));
    return answer === "back" ? null : answer === "yes" ? found.map(({ real }) => real) : [];
  }

  private async give(one: InFlight, delivery: Sent): Promise<void> {
    const { port, isOpened, answered, refused, fault, changed } = this.deps;
    this.inFlight.add(one);
    changed();
    try {
      if (await isOpened(one.text)) return;
      const outside = await this.outsideOf(one);
      if (outside === null) return this.putBack(one.text);
      const admission = await port.runInput(one.text, { delivery, outside });
      if (admission.kind === "command") answered(one.text, admission.result);
      if (admission.kind !== "refused") return;
      refused(admission.error);
      this.putBack(one.text);
    } catch (error) {
      fault(error);
      this.putBack(one.text);
    } finally {
      this.inFlight.delete(one);
      changed();
    }
  }
}
