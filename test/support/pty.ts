// A person at a terminal: a program in a real pty, what it draws as they would see it, and their keys.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Cell, Emulator } from "../surface/tui/emulator.ts";
import { fromSource } from "./binary.ts";
import type { Cli } from "./cli.ts";
import { bytesOf, type Keyboard } from "./keyboard.ts";
import { mark, syncedOsc } from "./typed-clock.ts";
import { settled, until } from "./until.ts";

export interface Sitting {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Besides PATH, HOME, TERM and a UTF-8 locale: nothing of the machine's own decides what is drawn. */
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  readonly scrollback?: number;
  readonly keyboard?: Keyboard;
  /** The colour behind the text, for a program that asks; otherwise the terminal does not answer that. */
  readonly background?: "dark" | "light";
  /** Keeps what the program wrote, with its times. */
  readonly records?: boolean;
  /** It answers nothing that it is asked. */
  readonly isSilent?: boolean;
  /** What it does with an answer; otherwise it gives it at once. */
  readonly answers?: (answer: string) => void;
}

/** What was written at a time; `resized` instead: the size from then on. */
export interface Recorded {
  readonly ms: number;
  readonly data: Uint8Array | { readonly columns: number; readonly rows: number };
}

interface Waiter {
  readonly isThere: () => boolean;
  readonly go: (problem: string | null) => void;
}

/** Somewhat longer than the time in which nobody has read a question. */
export const readingMs = 350;
/** Longer than a person pauses within a text that they are typing. */
const pausingMs = 600;

/** At the built program, in the workspace of a test and with nothing of the person who runs it. */
export function sitDown(cli: Cli, args: readonly string[] = [], more: Partial<Sitting> = {}): Person {
  const env = { HOME: cli.root, CODER_HOME: cli.home, ...more.env };
  return new Person({ argv: cli.line(args).command, cwd: cli.workspace, ...more, env });
}

/** At the program from source, whose clock is moved by `Person.tick` alone once that was called. */
export function sitDownTimed(cli: Cli, args: readonly string[] = [], more: Partial<Sitting> = {}): Person {
  const [bun = "", ...rest] = fromSource;
  const argv = [bun, `--preload=${join(import.meta.dir, "typed-clock.ts")}`, ...rest, ...args];
  return sitDown(cli, args, { ...more, argv, env: { ...more.env, CODER_TEST_TYPED_CLOCK: "1" } });
}

export class Person implements AsyncDisposable {
  readonly emulator: Emulator;
  readonly recording: Recorded[] = [];
  /** The exit code, 128 + n after signal n; everything that was written is on the screen by then. */
  readonly exited: Promise<number>;
  private readonly child: Bun.Subprocess;
  private readonly keyboard: Keyboard;
  private readonly started: number;
  private readonly ended = Promise.withResolvers<void>();
  private readonly waiters = new Set<Waiter>();
  private readonly kitty: number[] = [];
  private hasOtherKeys = false;
  private hasEnded = false;
  /** Whether its clock is moved by `tick`. */
  private readonly isTimed: boolean;
  /** When the program asked for the status of the terminal last, as it does behind a question. */
  private statusAskedAt = Number.NEGATIVE_INFINITY;
  private synced = 0;
  /** Called with what the program wrote, at once. */
  onBytes: ((data: Uint8Array) => void) | null = null;
  private onSynced: ((value: string) => void) | null = null;

  constructor(sitting: Sitting) {
    const { columns = 100, rows = 30, argv, cwd } = sitting;
    this.keyboard = sitting.keyboard ?? "plain";
    this.isTimed = sitting.env?.CODER_TEST_TYPED_CLOCK === "1";
    this.emulator = new Emulator(columns, rows, sitting.scrollback);
    this.answerQuestions(sitting);
    this.started = performance.now();
    this.child = Bun.spawn([...argv], {
      cwd,
      env: {
        ...{ PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "/", LANG: "C.UTF-8", TERM: "xterm-256color" },
        ...sitting.env,
      },
      terminal: {
        ...{ cols: columns, rows, name: "xterm-256color" },
        data: (_, data) => this.take(data, sitting.records === true),
        exit: () => this.ended.resolve(),
      },
    });
    this.exited = this.untilExit();
  }

  get pid(): number {
    return this.child.pid;
  }

  /** Keys are sent as terminals always did: nothing that the program has asked for is in force. */
  get isKeyboardPlain(): boolean {
    return this.kitty.length === 0 && !this.hasOtherKeys;
  }

  /** Milliseconds of work, of the program alone: so far, or in all once it has ended. */
  get cpuMs(): number {
    if (this.hasEnded) return Number(this.child.resourceUsage()?.cpuTime.total ?? 0) / 1000;
    const stat = readFileSync(`/proc/${this.pid}/stat`, "utf8");
    const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14).map(Number);
    return (user + system) * 10;
  }

  /** What the program wrote so far. */
  get bytes(): number {
    return this.emulator.bytes;
  }

  /** As it is: Enter is a key, not a character. */
  type(text: string): void {
    this.send(text);
  }

  /** Keys one after the other: `enter`, `escape`, `ctrl+c`, `shift+tab`, `alt+enter`, `up`, `f1`, `y`, … */
  press(...keys: readonly string[]): void {
    const modes = {
      hasOtherKeys: this.hasOtherKeys,
      kittyFlags: this.kitty.at(-1) ?? 0,
      hasApplicationCursor: this.emulator.modes.has(1),
    };
    for (const key of keys) this.send(bytesOf(key, modes));
  }

  /** Line ends become those of the Enter key, as every terminal does it. */
  paste(text: string): void {
    const sent = text.replace(/\r?\n/g, "\r");
    this.send(this.emulator.modes.has(2004) ? `\x1b[200~${sent}\x1b[201~` : sent);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.emulator.resize(columns, rows);
    this.recording.push({ ms: this.now(), data: { columns, rows } });
    this.child.terminal?.resize(columns, rows);
  }

  /** The program's clock stands still but for this. Only for `sitDownTimed`. */
  tick(ms: number): void {
    if (!this.isTimed) throw new Error("the clock of this program cannot be moved");
    this.send(`${mark}tick ${ms}${mark}`);
  }

  /** The program has taken all keys so far, and all that it wrote by then is on the screen. Only for `sitDownTimed`. */
  async sync(): Promise<void> {
    const wanted = `${++this.synced}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.onSynced = (value) => value === wanted && resolve();
    this.send(`${mark}sync ${wanted}${mark}`);
    await settled(promise, () => `the program to take its keys\n${this.framed()}`);
    await this.emulator.settled();
  }

  /** As a keyboard sends a key that is held down. Only for `sitDownTimed`. */
  async hold(key: string, times = 20): Promise<void> {
    for (let n = 0; n < times; n++) {
      this.press(key);
      this.tick(30);
    }
    await this.sync();
  }

  /** Text is looked for on the visible screen, one row at a time. Whole frames only: never in the midst of one. */
  async waitFor(what: string | RegExp | (() => boolean)): Promise<void> {
    const isThere =
      typeof what === "function"
        ? what
        : () => this.rows().some((row) => (typeof what === "string" ? row.includes(what) : row.search(what) !== -1));
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const waiter: Waiter = { isThere, go: resolve };
    this.waiters.add(waiter);
    try {
      await this.emulator.settled();
      this.look();
      const problem = await settled(promise, () => `${String(what)}\n${this.framed()}`);
      if (problem !== null) throw new Error(`${problem}: ${String(what)}\n${this.framed()}`);
    } finally {
      this.waiters.delete(waiter);
    }
  }

  /** A question is read before it is answered: keys that come sooner do not count. */
  async answer(question: string | RegExp, key: string): Promise<void> {
    await this.waitFor(question);
    await this.reads();
    this.press(key);
  }

  /** The question that is on the screen could be read since. */
  reads(): Promise<void> {
    return this.pauses(readingMs);
  }

  /** And the person has stopped typing: what follows is an answer. */
  stopsTyping(): Promise<void> {
    return this.pauses(pausingMs);
  }

  /** At least so long, as the program sees it: its clock runs since it drew the question and asked for the status behind it. */
  private async pauses(ms: number): Promise<void> {
    if (this.isTimed) {
      await this.sync();
      this.tick(ms);
      return;
    }
    const began = performance.now();
    await until("time has passed", () => performance.now() - Math.max(began, this.statusAskedAt) > ms);
  }

  /** The visible rows, without blanks at their ends and without empty ones at the bottom. */
  screen(): string {
    return this.rows().join("\n").trimEnd();
  }

  rows(): readonly string[] {
    return this.emulator.screen();
  }

  /** Every line since the start, as far as the terminal keeps them; what it had to break is whole. */
  scrollback(): readonly string[] {
    return this.emulator.scrollback();
  }

  /** In the visible screen; `null` = hidden. */
  cursor(): { readonly row: number; readonly column: number } | null {
    return this.emulator.picture().cursor;
  }

  title(): string {
    return this.emulator.title();
  }

  cell(row: number, column: number): Cell {
    return this.emulator.cell(row, column);
  }

  /** How the first letter of a text looks that is on the screen. */
  styleOf(text: string): Cell {
    const row = this.rows().findIndex((line) => line.includes(text));
    if (row === -1) throw new Error(`not on the screen: ${text}\n${this.framed()}`);
    const before = this.rows()[row]?.indexOf(text) ?? 0;
    let [at, column] = [0, 0];
    // The second half of a wide sign is a cell without text.
    while (at < before || this.cell(row, column).text === "") at += this.cell(row, column++).text.length;
    return this.cell(row, column);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** The window is closed. */
  hangUp(): void {
    this.child.terminal?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.hasEnded) this.child.kill("SIGKILL");
    await this.exited;
    this.child.terminal?.close();
    this.emulator.terminal.dispose();
  }

  private send(text: string): void {
    this.child.terminal?.write(text);
  }

  private now(): number {
    return performance.now() - this.started;
  }

  private take(data: Uint8Array, isKept: boolean): void {
    this.onBytes?.(data);
    if (isKept) this.recording.push({ ms: this.now(), data: data.slice() });
    this.emulator.write(data);
    void this.emulator.settled().then(() => this.look());
  }

  private look(): void {
    // A program that says where a frame begins and ends means that nobody looks in between.
    if (this.emulator.modes.has(2026) && !this.hasEnded) return;
    for (const waiter of this.waiters) {
      if (waiter.isThere()) waiter.go(null);
      else if (this.hasEnded) waiter.go("the program ended");
    }
  }

  private async untilExit(): Promise<number> {
    const code = await this.child.exited;
    // A process that it left behind may hold the terminal open.
    await Promise.race([this.ended.promise, Bun.sleep(3_000)]);
    await this.emulator.settled();
    this.hasEnded = true;
    this.look();
    return code;
  }

  private framed(): string {
    const edge = "─".repeat(this.emulator.columns());
    return `${edge}\n${this.screen()}\n${edge}`;
  }

  /** What the emulator answers by itself (who it is, where the cursor stands) and what it does not know of. */
  private answerQuestions({ background, isSilent, answers = (answer) => this.send(answer) }: Sitting): void {
    const { terminal } = this.emulator;
    const { parser } = terminal;
    parser.registerCsiHandler({ final: "n" }, (params) => {
      if (params[0] === 5) this.statusAskedAt = performance.now();
      return false;
    });
    parser.registerOscHandler(syncedOsc, (value) => {
      this.onSynced?.(value);
      return true;
    });
    if (isSilent) return;
    terminal.onData(answers);
    parser.registerCsiHandler({ prefix: ">", final: "m" }, (params) => {
      if (params[0] === 4) this.hasOtherKeys = this.keyboard === "xterm" && params[1] === 2;
      return false;
    });
    if (this.keyboard === "kitty") {
      parser.registerCsiHandler({ prefix: ">", final: "u" }, (params) => this.kitty.push(Number(params[0] ?? 0)) > 0);
      parser.registerCsiHandler({ prefix: "<", final: "u" }, (params) => {
        this.kitty.splice(-Math.max(1, Number(params[0] ?? 1)));
        return true;
      });
      parser.registerCsiHandler({ prefix: "?", final: "u" }, () => {
        this.send(`\x1b[?${this.kitty.at(-1) ?? 0}u`);
        return true;
      });
    }
    if (background === undefined) return;
    parser.registerOscHandler(11, (asked) => {
      if (asked === "?") this.send(`\x1b]11;rgb:${background === "dark" ? "1e1e/1e1e/1e1e" : "ffff/ffff/ffff"}\x1b\\`);
      return true;
    });
  }
}
