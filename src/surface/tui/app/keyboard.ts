import type { Gate } from "../panels/gate.ts";
import type { Panel } from "../panels/panel.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { Story } from "../story/story.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Keys } from "./keys.ts";
import type { Layout } from "./layout.ts";

interface KeyboardDeps {
  readonly look: Look;
  readonly keys: Keys;
  readonly stage: Layout;
  readonly prompt: Prompt;
  readonly gate: Gate;
  readonly story: () => Story | null;
  readonly hint: (text: string) => void;
  readonly leave: () => void;
  readonly kill: () => void;
  readonly isLeaving: () => boolean;
}

const TWICE_MS = 1_500;
const ESCAPE_TWICE_MS = 600;
const ESCAPE = "\x1b";

export class Keyboard {
  private readonly deps: KeyboardDeps;
  private interruptedAt = Number.NEGATIVE_INFINITY;
  private escapedAt = Number.NEGATIVE_INFINITY;
  /** By the first of two presses of Esc. */
  private hasCancelled = false;
  private answered: Panel | null = null;

  constructor(deps: KeyboardDeps) {
    this.deps = deps;
  }

  handle(sequence: string): void {
    const { keys, gate, stage, story, hint } = this.deps;
    if (gate.hear(sequence) === "answered") return;
    story()?.attention.touched();
    stage.redraw();
    this.forgetOthers(sequence);
    // The hint was about the previous key.
    hint("");
    const { top } = stage;
    if (keys.is(sequence, "leave")) {
      // A panel that only shows something closes first.
      if (top === null || top.isQuestion) this.interrupt();
      else top.handle(ESCAPE);
    } else if (keys.is(sequence, "suspend")) this.suspend();
    else if (keys.is(sequence, "redraw")) stage.redrawAll();
    else if (top === null) this.atPrompt(sequence);
    else if (top.isQuestion && !(stage.isTopShown && gate.isOpen)) this.tooEarly(sequence);
    else {
      this.answered = top;
      top.handle(sequence);
      // Text typed into a search also counts as typing until the panel is closed.
      if (!top.isQuestion) gate.typed(stage.top !== top);
    }
  }

  /** Another key in between breaks a double press. */
  private forgetOthers(sequence: string): void {
    const { keys } = this.deps;
    if (!keys.is(sequence, "leave")) this.interruptedAt = Number.NEGATIVE_INFINITY;
    if (!keys.is(sequence, "cancel")) this.escapedAt = Number.NEGATIVE_INFINITY;
  }

  /** A key pressed before the question was visible is not an answer: text goes to the prompt, but is not sent. */
  private tooEarly(sequence: string): void {
    const { keys, story, stage, hint, look } = this.deps;
    const isCancel = keys.is(sequence, "cancel");
    // The user has begun to answer this panel, so the key is not text for the prompt; only cancelling makes sense so soon.
    if (this.answered === stage.top) {
      if (isCancel) stage.top?.handle(sequence);
    } else if (isCancel) story()?.cancel("esc");
    else if (!this.isSending(sequence)) {
      this.write(sequence);
      hint(words(look, "tui.too_early"));
    }
  }

  private isSending(sequence: string): boolean {
    const { keys } = this.deps;
    return keys.is(sequence, "send") || keys.is(sequence, "queue");
  }

  private write(sequence: string): void {
    const { gate, prompt } = this.deps;
    gate.typed(this.isSending(sequence));
    prompt.handle(sequence);
  }

  /** Ctrl+C cancels the running task or clears the prompt; a second press leaves. */
  interrupt(): void {
    const { prompt, story, look, keys, hint, isLeaving, kill, leave } = this.deps;
    const now = performance.now();
    const isTwice = now - this.interruptedAt < TWICE_MS;
    this.interruptedAt = now;
    if (isLeaving()) kill();
    else if (isTwice) leave();
    else {
      const isBusy = story()?.isBusy ?? false;
      if (isBusy) story()?.cancel("sigint");
      else if (!prompt.isEmpty) prompt.clear();
      hint(words(look, isBusy ? "tui.leave_running" : "tui.leave_again", { key: keys.shown("leave") }));
    }
  }

  private atPrompt(sequence: string): void {
    const { keys, prompt, story, leave, gate } = this.deps;
    if (keys.is(sequence, "cancel") && !prompt.takesCancel) this.escape();
    else if (keys.is(sequence, "end") && prompt.isEmpty) leave();
    else if (keys.is(sequence, "send") && prompt.isEmpty && gate.isOpen && story()?.retryNow()) return;
    else if (!story()?.shortcuts.act(sequence)) this.write(sequence);
  }

  /** Esc cancels the running task, and a second press brings its message back; otherwise a double press goes back to any message. */
  private escape(): void {
    const { story, prompt } = this.deps;
    const now = performance.now();
    const isTwice = now - this.escapedAt < ESCAPE_TWICE_MS;
    this.escapedAt = isTwice ? Number.NEGATIVE_INFINITY : now;
    if (!isTwice) this.hasCancelled = story()?.isBusy ?? false;
    if (isTwice && prompt.isEmpty) this.hasCancelled ? story()?.editLast() : story()?.rewind();
    else if (story()?.isBusy) story()?.cancel("esc");
  }

  private suspend(): void {
    void this.deps.stage.lend((terminal) => terminal.suspend());
  }
}
