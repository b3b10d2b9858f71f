// Keys as the terminal sends them, one at a time, in the least ambiguous form that it knows.
import { setKittyProtocolActive } from "@earendil-works/pi-tui/dist/keys.js";
import { StdinBuffer } from "@earendil-works/pi-tui/dist/stdin-buffer.js";

interface InputDeps {
  readonly write: (text: string) => void;
  /** One key, one paste between its marks, or one answer of the terminal. */
  readonly hear: (sequence: string) => void;
}

/** Pastes are marked; then the kitty protocol is wanted, asked for, and last what every terminal answers, known protocol or not. */
const ON = "\x1b[?2004h\x1b[>7u\x1b[?u\x1b[c";
const OFF = "\x1b[?2004l\x1b[<u";
const OTHER_KEYS_ON = "\x1b[>4;2m";
const OTHER_KEYS_OFF = "\x1b[>4;0m";
const KITTY = /^\x1b\[\?(\d+)u$/;
const WHO = /^\x1b\[\?[\d;]*c$/;
const STATUS = "\x1b[0n";
const PROGRAM = /^\x1b\[>[\d;]*c$/;

const ESCAPE = "\x1b";
const TWICE = "\x1b\x1b";
/** A lone ESC is the Escape key after this time; through a network what follows it may come later. */
const ESCAPE_MS = 10;
const ESCAPE_MS_SSH = 100;
/** So long the rest of a sequence is waited for, an answer that comes in pieces say. */
const PIECES_MS = 150;
/** Whoever presses one of these so long after the last piece of a paste has waited for its end, which got lost. */
const PASTE_MS = 1_000;
const PASTE_END = "\x1b[201~";
const WAY_OUT = /^(?:\x03|\x1b|\x1b\[27;5;99~|(?:\x1b\[(?:99;5|27(?:;1)?)(?::[13])?u)+)$/;
/** An answer that takes longer than this does not come. */
const ANSWER_MS = 400;

export class TerminalInput {
  private readonly deps: InputDeps;
  private buffer: StdinBuffer | null = null;
  private isKitty = false;
  private hasOtherKeys = false;
  /** Since when answers are waited for, and how many. */
  private askedAt = 0;
  private unanswered = 0;
  private readAt = 0;
  /** It answers: not all terminals do. */
  hasAnswered = false;

  constructor(deps: InputDeps) {
    this.deps = deps;
  }

  start(): void {
    const isRemote = Boolean(process.env.SSH_CONNECTION || process.env.SSH_TTY);
    this.buffer = new StdinBuffer({ timeout: PIECES_MS, escapeTimeout: isRemote ? ESCAPE_MS_SSH : ESCAPE_MS });
    this.buffer.on("data", (sequence) => {
      // Escape pressed twice may come in one piece, through a network most of all; nobody has a key that sends this.
      for (const one of sequence === TWICE ? [ESCAPE, ESCAPE] : [sequence]) this.take(one);
    });
    this.buffer.on("paste", (text) => this.deps.hear(`\x1b[200~${text}\x1b[201~`));
    process.stdin.setRawMode?.(true);
    process.stdin.setEncoding("utf8");
    process.stdin.on("data", this.read);
    process.stdin.resume();
    this.unanswered = 0;
    this.ask(ON);
  }

  stop(): void {
    process.stdin.off("data", this.read);
    this.buffer?.destroy();
    this.buffer = null;
    this.setKitty(false);
    // Before the terminal is a line editor again: what waits there is for whoever comes next.
    process.stdin.pause();
    process.stdin.setRawMode?.(false);
  }

  /** What switches off all that was switched on. */
  off(): string {
    const off = `${OFF}${this.hasOtherKeys ? OTHER_KEYS_OFF : ""}`;
    this.hasOtherKeys = false;
    return off;
  }

  /** An answer that comes after we have gone would stand in the person's shell. */
  async answered(): Promise<void> {
    while (this.unanswered > 0 && performance.now() - this.askedAt < ANSWER_MS) await Bun.sleep(5);
  }

  /** Something that the terminal answers. */
  ask(question: string): void {
    this.askedAt = performance.now();
    this.unanswered++;
    this.deps.write(question);
  }

  private readonly read = (data: string): void => {
    const now = performance.now();
    if (now - this.readAt > PASTE_MS && WAY_OUT.test(data) && this.isPasting) this.buffer?.process(PASTE_END);
    this.readAt = now;
    this.buffer?.process(data);
  };

  /** Reached inside of the buffer, whose version is pinned. */
  private get isPasting(): boolean {
    return (this.buffer as unknown as { readonly pasteMode: boolean } | null)?.pasteMode === true;
  }

  private take(sequence: string): void {
    const flags = KITTY.exec(sequence)?.[1];
    const isWho = WHO.test(sequence);
    if (flags === undefined && !isWho) this.deps.hear(sequence);
    else if (flags !== undefined && flags !== "0") this.setKitty(true);
    else if (!this.isKitty && !this.hasOtherKeys) {
      this.hasOtherKeys = true;
      this.deps.write(OTHER_KEYS_ON);
    }
    if (!isWho && sequence !== STATUS && !PROGRAM.test(sequence)) return;
    this.unanswered = Math.max(0, this.unanswered - 1);
    this.hasAnswered = true;
  }

  private setKitty(isOn: boolean): void {
    this.isKitty = isOn;
    setKittyProtocolActive(isOn);
  }
}
