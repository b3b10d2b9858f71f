// Reads keys from the terminal, one at a time, in the least ambiguous encoding it supports.
import { setKittyProtocolActive } from "@earendil-works/pi-tui/dist/keys.js";
import { StdinBuffer } from "@earendil-works/pi-tui/dist/stdin-buffer.js";

interface InputDeps {
  readonly write: (text: string) => void;
  /** One key, one paste with its marks, or one answer of the terminal. */
  readonly hear: (sequence: string) => void;
}

/** Bracketed paste; the kitty protocol and its flags; program status; a query that every terminal answers, in case these are not. */
const ON = "\x1b[?2004h\x1b[>7u\x1b[?u\x1b]7501;?\x1b\\\x1b[c";
const OFF = "\x1b[?2004l\x1b[<u";
const OTHER_KEYS_ON = "\x1b[>4;2m";
const OTHER_KEYS_OFF = "\x1b[>4;0m";
const KITTY = /^\x1b\[\?(\d+)u$/;
const WHO = /^\x1b\[\?[\d;]*c$/;
const STATUS = "\x1b[0n";
const PROGRAM = /^\x1b\[>[\d;]*c$/;

const ESCAPE = "\x1b";
const TWICE = "\x1b\x1b";
/** A lone ESC is the Escape key after this time; over a network, the rest of a sequence may arrive later. */
const ESCAPE_MS = 10;
const ESCAPE_MS_SSH = 100;
/** How long to wait for the rest of a sequence that arrives in pieces, such as an answer. */
const PIECES_MS = 150;
/** If one of these keys arrives this long after the last piece of a paste, the end mark was lost and the user is stuck. */
const PASTE_MS = 1_000;
const PASTE_END = "\x1b[201~";
const WAY_OUT = /^(?:\x03|\x1b|\x1b\[27;5;99~|(?:\x1b\[(?:99;5|27(?:;1)?)(?::[13])?u)+)$/;
/** Slower answers are not waited for. */
const ANSWER_MS = 400;

export class TerminalInput {
  private readonly deps: InputDeps;
  private buffer: StdinBuffer | null = null;
  private isKitty = false;
  private hasOtherKeys = false;
  /** When the last query was sent, and how many are unanswered. */
  private askedAt = 0;
  private unanswered = 0;
  private readAt = 0;
  hasAnswered = false;

  constructor(deps: InputDeps) {
    this.deps = deps;
  }

  start(): void {
    const isRemote = Boolean(process.env.SSH_CONNECTION || process.env.SSH_TTY);
    this.buffer = new StdinBuffer({ timeout: PIECES_MS, escapeTimeout: isRemote ? ESCAPE_MS_SSH : ESCAPE_MS });
    this.buffer.on("data", (sequence) => {
      // Two presses of Escape may arrive as one sequence, mostly over a network; no key sends this.
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
    // Before raw mode ends: later input belongs to the next program.
    process.stdin.pause();
    process.stdin.setRawMode?.(false);
  }

  off(): string {
    const off = `${OFF}${this.hasOtherKeys ? OTHER_KEYS_OFF : ""}`;
    this.hasOtherKeys = false;
    return off;
  }

  /** An answer that arrives after exit would appear in the user's shell. */
  async answered(): Promise<void> {
    while (this.unanswered > 0 && performance.now() - this.askedAt < ANSWER_MS) await Bun.sleep(5);
  }

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

  /** An internal of the buffer, whose version is pinned. */
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
