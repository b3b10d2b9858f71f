// What goes to the model and comes back during a task, counted from what is published.
import { partialTokens } from "../../../context/tokens.ts";
import type { Published } from "../../../engine/port.ts";

/** Sooner, a rate says little. */
const RATED_MS = 1_000;
/** A model or a command that is quiet for this long may have stalled. */
const STALL_MS = 15_000;

interface OpenReply {
  tokens: number;
  firstAt: number;
}

export class Traffic {
  private readonly now: () => number;
  /** Of replies that are complete, as the provider counted them. */
  private input = 0;
  private output = 0;
  private cost = 0;
  /** Estimates for the call that runs. */
  private asked = 0;
  private reply: OpenReply = { tokens: 0, firstAt: 0 };
  private heardAt: number;

  constructor(now: () => number) {
    this.now = now;
    this.heardAt = now();
  }

  restart(): void {
    [this.input, this.output, this.cost] = [0, 0, 0];
    this.endCall();
  }

  hear(published: Published): void {
    this.heardAt = this.now();
    if (published.kind === "context") this.asked = published.tokens;
    if (published.kind === "delta" && "text" in published.delta) this.stream(published.delta.text);
    if (published.kind !== "event" || !published.recorded.accepted) return;
    const { event } = published.recorded;
    if (event.type === "model.replied") {
      const { usage, cost = 0 } = event.reply;
      this.input += usage.input || this.asked;
      this.output += usage.output || Math.ceil(this.reply.tokens);
      this.cost += cost;
    }
    if (event.type === "model.replied" || event.type === "model.failed" || event.type === "context.overflowed")
      this.endCall();
  }

  private stream(text: string): void {
    if (this.reply.tokens === 0) this.reply.firstAt = this.heardAt;
    this.reply.tokens += partialTokens(text);
  }

  private endCall(): void {
    this.asked = 0;
    this.reply = { tokens: 0, firstAt: 0 };
  }

  /** Micro-dollars; 0: nothing yet, or unknown. */
  get spent(): number {
    return this.cost;
  }

  get tokens(): { readonly input: number; readonly output: number } {
    return { input: this.input + this.asked, output: this.output + Math.ceil(this.reply.tokens) };
  }

  /** Tokens a second of the reply that streams; `null`: none, or too short to say. */
  get rate(): number | null {
    const ms = this.now() - this.reply.firstAt;
    return this.reply.tokens === 0 || ms < RATED_MS ? null : Math.round((this.reply.tokens * 1000) / ms);
  }

  /** How long nothing has come; `null`: not long enough to mention. */
  get quietMs(): number | null {
    const ms = this.now() - this.heardAt;
    return ms < STALL_MS ? null : ms;
  }
}
