// The person's terminal: taken when the application starts, given back as it was on every way out.
import { isKeyRelease } from "@earendil-works/pi-tui/dist/keys.js";
import type { TerminalOutput } from "../app/deps.ts";
import { TerminalInput } from "./terminal-input.ts";

export interface TerminalEvents {
  /** One key, one paste (between its marks), or one answer of the terminal. */
  readonly key: (sequence: string) => void;
  readonly resized: () => void;
  /** It got or lost the person's attention. */
  readonly focused: (isFocused: boolean) => void;
  /** It has taken all that was written, after it had not for a while. */
  readonly drained: () => void;
  /** Nobody is there any more. */
  readonly closed: () => void;
}

/** Titles are put aside and back; focus is told; letters that are joined count as one where the terminal can do so. */
const TAKE = "\x1b[22;0t\x1b[?1004h\x1b[?2027h";
/** Which program is it? */
const ASK_WHO = "\x1b[>c";
const WHO = /^\x1b\[>[\d;]*c$/;
/** xterm.js, which is in editors and browsers: see `countsBelow`. */
const XTERM_JS = "\x1b[>0;276;0c";
/** It is asked since its variable does not come along through ssh. */
const TMUX = "\x1b[>84;";
/**
 * Also what a view or a frame may have left: the alternate screen, a hidden cursor, colours, lines that are not broken. Not ?1049l:
 * outside the alternate screen that moves the cursor to wherever it was saved last.
 */
const GIVE = "\x1b[?2027l\x1b[?1004l\x1b[?1047l\x1b[?2026l\x1b[?7h\x1b[?25h\x1b[0m\x1b[23;0t";
/**
 * What a program that was killed may have left: the alternate screen, mouse reports, other cursor keys, colours, scrolling of a part.
 * Where the cursor comes back to is not known: a new line at the end of the screen is below everything.
 */
const MEND = "\x1b[?1047l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1l\x1b>\x1b[0m\x1b[?25h\x1b[r\x1b[9999;1H\n";
/** Below what was drawn when the terminal took no more: the rest of it goes. */
const CUT = "\r\x1b[J";
const FOCUS_IN = "\x1b[I";
const FOCUS_OUT = "\x1b[O";

/** So long a terminal that takes nothing is waited for. */
const PATIENCE_MS = 500;
/** Whoever could stop us has done so by then. */
const STOP_MS = 100;
/** A size that has been the same for so long is not changing. tmux tells of one every 250 ms, whatever others it had meanwhile. */
const STILL_MS = 25;
const STILL_MS_TMUX = 300;

/** Terminals that cut what has become too long instead of breaking it into rows. */
function doesReflow(env: NodeJS.ProcessEnv): boolean {
  return env.XTERM_VERSION === undefined && !/^(?:linux|screen|vt|rxvt)/.test(env.TERM ?? "");
}

export class OwnTerminal {
  private readonly output: TerminalOutput;
  private readonly input: TerminalInput;
  private events: TerminalEvents | null = null;
  private isTaken = false;
  private isOver = false;
  private isGone = false;
  private isXtermJs = false;
  /** What gives it back. It may wait behind a frame that is not taken, and is not dropped with that. */
  private farewell = "";
  private isTmux = process.env.TMUX !== undefined;

  constructor(output: TerminalOutput) {
    this.output = output;
    this.input = new TerminalInput({ write: this.write, hear: (sequence) => this.hear(sequence) });
  }

  get doesReflow(): boolean {
    return this.isTmux || doesReflow(process.env);
  }

  get stillMs(): number {
    return this.isTmux ? STILL_MS_TMUX : STILL_MS;
  }

  readonly countsBelow = (): boolean => this.isXtermJs;
  readonly columns = (): number => process.stdout.columns || Number(process.env.COLUMNS) || 80;
  readonly rows = (): number => process.stdout.rows || Number(process.env.LINES) || 24;

  /** Its size as it is now: the signal that tells of another one may still be on its way. */
  measure(): void {
    (process.stdout as { _refreshSize?: () => void })._refreshSize?.();
  }

  /** Of what is drawn: no less than anything can be made for. What does not fit is cut. */
  readonly width = (): number => Math.max(10, this.columns());

  readonly write = (text: string): void => {
    if (!this.isGone) this.output.write(text);
  };

  /** Whether it is there; it answers behind every key that was pressed before. */
  readonly askStatus = (): void => this.input.ask("\x1b[5n");

  readonly hasAnswered = (): boolean => this.input.hasAnswered;

  /** More would only wait. */
  get isBehind(): boolean {
    return this.output.isBehind;
  }

  start(events: TerminalEvents): void {
    this.events = events;
    this.output.follow({ drained: events.drained, lost: this.lost });
    process.on("exit", this.atExit);
    process.stdin.on("end", this.lost);
    // Of a terminal that has gone; also when its mode is to be set.
    process.stdin.on("error", this.lost);
    process.stdout.on("error", this.lost);
    process.stdout.on("resize", events.resized);
    this.take();
  }

  /** For good: as it was found, and `last` below it. */
  async stop(last: string): Promise<void> {
    this.isOver = true;
    if (this.isTaken) await this.input.answered();
    this.give();
    this.write(last);
    await this.output.drained(PATIENCE_MS);
    if (this.output.isBehind) this.output.writeNow("", `${CUT}${this.farewell}${last}`);
    if (this.events) process.stdout.off("resize", this.events.resized);
    process.off("exit", this.atExit);
    process.stdin.off("end", this.lost);
  }

  /** Before it returns: whoever has to say something about a fault says it to a person who can read it. */
  giveNow(last: string): void {
    this.isOver = true;
    if (this.isGone) return;
    const given = this.release() ? this.farewell : "";
    const instead = `${CUT}${this.farewell}${last}`;
    if (given + last !== "" || this.output.isBehind) this.output.writeNow(given + last, instead);
  }

  private readonly atExit = (): void => this.giveNow("");

  get isOurs(): boolean {
    return this.isTaken;
  }

  /** Another program has it until `work` is done. */
  async lend(work: () => Promise<void>): Promise<void> {
    await this.input.answered();
    this.give();
    await this.output.drained(PATIENCE_MS);
    try {
      await work();
    } finally {
      this.take();
    }
  }

  /** Whoever had it has died. */
  mend(): void {
    this.write(MEND);
  }

  /**
   * Ctrl+Z: all that the shell started as this job, so that it gets its prompt back. Resolves when it is brought back, at once
   * where nobody could have stopped us.
   */
  async suspend(): Promise<void> {
    await this.lend(async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      process.once("SIGCONT", resolve);
      const timer = setTimeout(resolve, STOP_MS);
      process.kill(0, "SIGTSTP");
      await promise;
      clearTimeout(timer);
      process.off("SIGCONT", resolve);
    });
  }

  /** It went on after a stop that we were not asked about: the shell has set it up for itself since. */
  retake(): boolean {
    if (!this.isTaken) return false;
    this.give();
    this.take();
    return true;
  }

  private give(): void {
    if (this.release()) this.write(this.farewell);
  }

  private release(): boolean {
    if (!this.isTaken) return false;
    this.isTaken = false;
    this.input.stop();
    this.farewell = `${this.input.off()}${GIVE}`;
    return true;
  }

  private take(): void {
    if (this.isTaken || this.isGone || this.isOver) return;
    this.isTaken = true;
    this.input.start();
    this.write(TAKE);
    this.input.ask(ASK_WHO);
  }

  private readonly hear = (sequence: string): void => {
    if (sequence === FOCUS_IN || sequence === FOCUS_OUT) this.events?.focused(sequence === FOCUS_IN);
    else if (WHO.test(sequence)) this.meet(sequence);
    else if (!isKeyRelease(sequence)) this.events?.key(sequence);
  };

  private meet(who: string): void {
    this.isXtermJs = who === XTERM_JS;
    this.isTmux ||= who.startsWith(TMUX);
  }

  private readonly lost = (): void => {
    if (this.isGone) return;
    this.isGone = true;
    this.events?.closed();
  };
}
