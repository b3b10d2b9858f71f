// The user's terminal: taken over at the start, restored on every way out.
import { isKeyRelease } from "@earendil-works/pi-tui/dist/keys.js";
import type { TerminalOutput } from "../app/deps.ts";
import { TerminalInput } from "./terminal-input.ts";

export interface TerminalEvents {
  /** One key, one paste with its marks, or one answer of the terminal. */
  readonly key: (sequence: string) => void;
  readonly resized: () => void;
  readonly focused: (isFocused: boolean) => void;
  readonly drained: () => void;
  /** The terminal has said what its background is. */
  readonly ground: (answer: string) => void;
  readonly closed: () => void;
}

/** Saves the title, enables focus reports, and asks for grapheme clustering. */
const TAKE = "\x1b[22;0t\x1b[?1004h\x1b[?2027h";
const ASK_GROUND = "\x1b]11;?\x07";
const GROUND = /^\x1b\]11;/;
const ASK_WHO = "\x1b[>c";
const WHO = /^\x1b\[>[\d;]*c$/;
/** xterm.js, in editors and browsers: see `countsBelow`. */
const XTERM_JS = "\x1b[>0;276;0c";
/** tmux is asked because its variable does not pass through ssh. */
const TMUX = "\x1b[>84;";
/** Also undoes what a frame may have left. Not ?1049l: outside the alternate screen it moves the cursor to a saved place. */
const GIVE = "\x1b[?2027l\x1b[?1004l\x1b[?1047l\x1b[?2026l\x1b[?7h\x1b[?25h\x1b[0m\x1b[23;0t";
/** Undoes what a killed program may have left. The cursor may be anywhere, so a new line starts at the end of the screen. */
const MEND = "\x1b[?1047l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1l\x1b>\x1b[0m\x1b[?25h\x1b[r\x1b[9999;1H\n";
/** Erases the rest of a frame that the terminal took only in part. */
const CUT = "\r\x1b[J";
/** The answer of a terminal that shows what programs are doing. */
const TAKES_STATUS = /^\x1b\]7501;/;
const FOCUS_IN = "\x1b[I";
const FOCUS_OUT = "\x1b[O";

/** How long to wait for a terminal that takes no output. */
const PATIENCE_MS = 500;
/** The shell would have stopped us by then. */
const STOP_MS = 100;
/** A size that stays this long has settled. tmux reports one size every 250 ms, whatever happened in between. */
const STILL_MS = 25;
const STILL_MS_TMUX = 300;

/** These terminals cut long lines after a resize instead of rewrapping them. */
function doesReflow(env: NodeJS.ProcessEnv): boolean {
  return env.XTERM_VERSION === undefined && !/^(?:linux|screen|vt|rxvt)/.test(env.TERM ?? "");
}

export class OwnTerminal {
  private readonly output: TerminalOutput;
  private readonly input: TerminalInput;
  private events: TerminalEvents | null = null;
  isOurs = false;
  private isOver = false;
  private isGone = false;
  private isXtermJs = false;
  private isStatusTaken = false;
  /** The sequence that restores the terminal. It may wait behind a frame that is not taken, and must not be dropped with it. */
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

  readonly takesStatus = (): boolean => this.isStatusTaken;
  readonly countsBelow = (): boolean => this.isXtermJs;
  readonly columns = (): number => process.stdout.columns || Number(process.env.COLUMNS) || 80;
  readonly rows = (): number => process.stdout.rows || Number(process.env.LINES) || 24;

  /** Reads the current size: the resize signal may still be on its way. */
  measure(): void {
    (process.stdout as { _refreshSize?: () => void })._refreshSize?.();
  }

  readonly width = (): number => Math.max(10, this.columns());

  readonly write = (text: string): void => {
    if (!this.isGone) this.output.write(text);
  };

  /** The terminal answers behind every key that was pressed before. */
  readonly askStatus = (): void => this.input.ask("\x1b[5n");

  readonly hasAnswered = (): boolean => this.input.hasAnswered;

  get isBehind(): boolean {
    return this.output.isBehind;
  }

  start(events: TerminalEvents): void {
    this.events = events;
    this.output.follow({ drained: events.drained, lost: this.lost });
    process.on("exit", this.atExit);
    process.stdin.on("end", this.lost);
    // The terminal is gone; setting its mode can raise this too.
    process.stdin.on("error", this.lost);
    process.stdout.on("error", this.lost);
    process.stdout.on("resize", events.resized);
    this.take();
  }

  async stop(last: string): Promise<void> {
    this.isOver = true;
    if (this.isOurs) await this.input.answered();
    this.give();
    this.write(last);
    await this.output.drained(PATIENCE_MS);
    if (this.output.isBehind) this.output.writeNow("", `${CUT}${this.farewell}${last}`);
    if (this.events) process.stdout.off("resize", this.events.resized);
    process.off("exit", this.atExit);
    process.stdin.off("end", this.lost);
  }

  /** Synchronous, so that a fault can be reported on a readable terminal. */
  giveNow(last: string): void {
    this.isOver = true;
    if (this.isGone) return;
    const farewell = this.release() ? this.farewell : "";
    const instead = `${CUT}${this.farewell}${last}`;
    if (farewell + last !== "" || this.output.isBehind) this.output.writeNow(farewell + last, instead);
  }

  private readonly atExit = (): void => this.giveNow("");

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

  /** The program that had the terminal was killed. */
  mend(): void {
    this.write(MEND);
  }

  /** Stops the whole process group, so that the shell gets its prompt back; resolves at once if nothing stopped us. */
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

  /** The process continued after a stop that bypassed `suspend`: the shell has changed the terminal's mode. */
  retake(): boolean {
    if (!this.isOurs) return false;
    this.give();
    this.take();
    return true;
  }

  private give(): void {
    if (this.release()) this.write(this.farewell);
  }

  private release(): boolean {
    if (!this.isOurs) return false;
    this.isOurs = false;
    this.input.stop();
    this.farewell = `${this.input.off()}${GIVE}`;
    return true;
  }

  private take(): void {
    if (this.isOurs || this.isGone || this.isOver) return;
    this.isOurs = true;
    this.input.start();
    this.write(TAKE);
    // Not counted: some terminals do not answer, and all that do, do so before the next answer.
    this.write(ASK_GROUND);
    this.input.ask(ASK_WHO);
  }

  private readonly hear = (sequence: string): void => {
    if (sequence === FOCUS_IN || sequence === FOCUS_OUT) this.events?.focused(sequence === FOCUS_IN);
    else if (WHO.test(sequence)) this.meet(sequence);
    else if (TAKES_STATUS.test(sequence)) this.isStatusTaken = true;
    else if (GROUND.test(sequence)) this.events?.ground(sequence);
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
