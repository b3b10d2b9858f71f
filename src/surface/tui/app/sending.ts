// What the person has typed, on its way to the engine. Nothing of it is lost: what is not taken stands in the prompt again.
import type { ErrorInfo } from "../../../contract/error.ts";
import type { CommandResult, EnginePort } from "../../../engine/port.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { oneLine } from "../terminal/fit.ts";

export type Sent = "steer" | "queue";

interface SendingDeps {
  readonly port: EnginePort;
  readonly prompt: Prompt;
  /** `true`: the text is answered by something to choose from, or has opened a session. */
  readonly isOpened: (text: string) => boolean | Promise<boolean>;
  readonly answered: (text: string, result: CommandResult) => void;
  readonly refused: (error: ErrorInfo) => void;
  readonly fault: (error: unknown) => void;
  /** Something begins or is over. */
  readonly changed: () => void;
}

interface OnItsWay {
  readonly text: string;
  readonly isCommand: boolean;
  readonly since: number;
}

/** What is over sooner than this is not worth a line that says so. */
const SOON_MS = 150;

const opensSession = /^\s*\/(?:resume|new|fork)\b/;

export class Sending {
  private readonly deps: SendingDeps;
  private readonly onTheirWay = new Set<OnItsWay>();
  private last: Promise<void>;

  /** `ready`: nothing is sent before, so that it does not begin a session while another is being opened. */
  constructor(deps: SendingDeps, ready: Promise<void>) {
    this.deps = deps;
    this.last = ready;
  }

  get isBusy(): boolean {
    return this.onTheirWay.size > 0;
  }

  /** What has been going on for long enough to be told: a command, or "" for a message. */
  get slow(): { readonly command: string; readonly since: number } | null {
    for (const { text, isCommand, since } of this.onTheirWay)
      if (performance.now() - since >= SOON_MS) return { command: isCommand ? oneLine(text) : "", since };
    return null;
  }

  /**
   * Messages go one after the other, as they were typed: what one mentions may take long to read. A command is waited for only where
   * it decides which session the next one goes to.
   */
  send(text: string, delivery: Sent): void {
    const isCommand = text.trimStart().startsWith("/");
    const before = this.last;
    const done = before.then(() => this.give({ text, isCommand, since: performance.now() }, delivery));
    this.last = isCommand && !opensSession.test(text) ? before : done;
  }

  /** Before what was typed since. */
  back(text: string): void {
    const { prompt } = this.deps;
    prompt.setText(prompt.isEmpty ? text : `${text}\n\n${prompt.text}`);
  }

  private async give(one: OnItsWay, delivery: Sent): Promise<void> {
    const { port, isOpened, answered, refused, fault, changed } = this.deps;
    this.onTheirWay.add(one);
    changed();
    try {
      if (await isOpened(one.text)) return;
      const admission = await port.runInput(one.text, { delivery });
      if (admission.kind === "command") answered(one.text, admission.result);
      if (admission.kind !== "refused") return;
      refused(admission.error);
      this.back(one.text);
    } catch (error) {
      fault(error);
      this.back(one.text);
    } finally {
      this.onTheirWay.delete(one);
      changed();
    }
  }
}
