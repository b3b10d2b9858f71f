// A model call that failed and is retried, and the text it had streamed (MD-4).
import type { EventOf } from "../../../contract/event.ts";
import { say } from "../../../contract/text/catalogue.ts";
import { type Block, WholeBlock } from "../blocks/block.ts";
import { oneLine, wrap } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { runningTime } from "../terminal/measure.ts";
import type { ReplyStreams } from "./reply-stream.ts";

interface RetryDeps {
  readonly look: Look;
  readonly now: () => number;
  readonly add: (block: Block) => void;
}

class RetryBlock extends WholeBlock {
  readonly group = "step";
  readonly detail = null;
  private readonly look: Look;
  private readonly now: () => number;
  private event: EventOf<"model.failed">;
  dueAt = 0;
  private ending: "no" | "again" | "given up" = "no";
  private isBroken = false;

  constructor({ look, now }: RetryDeps, event: EventOf<"model.failed">) {
    super();
    this.look = look;
    this.now = now;
    this.event = event;
    this.failed(event);
  }

  failed(event: EventOf<"model.failed">): void {
    this.event = event;
    this.dueAt = this.now() + (event.retryInMs ?? 0);
  }

  /** `isBroken`: an unfinished part of a reply stands above (MD-4). */
  end(isAgain: boolean, isBroken: boolean): void {
    this.ending = isAgain ? "again" : "given up";
    this.isBroken = isBroken;
  }

  get isOver(): boolean {
    return this.ending !== "no";
  }

  protected lines(): readonly string[] {
    const { look } = this;
    const { error, attempt } = this.event;
    const text = oneLine(say(look.lang, error.text));
    const line = {
      no: () => this.waiting(text),
      again: () => words(look, "block.retried", { text, n: attempt + 1 }),
      "given up": () => text,
    }[this.ending]();
    const broken = words(look, this.ending === "given up" ? "block.broken" : "block.broken_off");
    return [
      ...wrap(line, look.width(), `${look.theme.warn("▲")} `, "  "),
      ...(this.isBroken ? wrap(broken, look.width(), "  ") : []),
    ];
  }

  private waiting(text: string): string {
    const left = Math.ceil((this.dueAt - this.now()) / 1000) * 1000;
    if (left <= 0) return words(this.look, "block.retrying", { text });
    return words(this.look, "block.retry", { text, time: runningTime(this.look, left) });
  }
}

export class RetryBlocks {
  private readonly deps: RetryDeps;
  private readonly replies: ReplyStreams;
  private block: RetryBlock | null = null;

  constructor(deps: RetryDeps, replies: ReplyStreams) {
    this.deps = deps;
    this.replies = replies;
  }

  failed(event: EventOf<"model.failed">): void {
    // The end of the task shows the error.
    if (event.retryInMs === null) {
      const hasWords = this.replies.givenUp(event.runId);
      this.end(!hasWords, hasWords);
      return;
    }
    this.replies.failed(event.runId);
    if (this.block) this.block.failed(event);
    else {
      this.block = new RetryBlock(this.deps, event);
      this.deps.add(this.block);
    }
  }

  due(): void {
    if (this.block) this.block.dueAt = this.deps.now();
  }

  answered(runId: string, index: number, attempt: number): void {
    this.end(true, this.replies.replaces(runId, index, attempt));
  }

  giveUp(): void {
    this.end(false, this.replies.hasFailedWords);
  }

  private end(isAgain: boolean, isBroken: boolean): void {
    this.block?.end(isAgain, isBroken);
    this.block = null;
  }
}
