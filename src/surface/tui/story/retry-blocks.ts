// A model call that failed and is retried, and the text it had streamed (MD-4).
import type { EventOf } from "../../../contract/event.ts";
import type { Block } from "../blocks/block.ts";
import { RetryBlock } from "../blocks/fault.ts";
import type { Look } from "../terminal/look.ts";
import type { ReplyStreams } from "./reply-stream.ts";

interface RetryDeps {
  readonly look: Look;
  readonly now: () => number;
  readonly add: (block: Block) => void;
}

export class RetryBlocks {
  private readonly deps: RetryDeps;
  private readonly turns: ReplyStreams;
  private block: RetryBlock | null = null;

  constructor(deps: RetryDeps, turns: ReplyStreams) {
    this.deps = deps;
    this.turns = turns;
  }

  failed(event: EventOf<"model.failed">): void {
    // The end of the task shows the error.
    if (event.retryInMs === null) {
      const hasWords = this.turns.givenUp(event.runId);
      this.end(!hasWords, hasWords);
      return;
    }
    this.turns.failed(event.runId);
    if (this.block) {
      this.block.failed(event);
      return;
    }
    this.block = new RetryBlock(this.deps.look, this.deps.now, event);
    this.deps.add(this.block);
  }

  due(): void {
    this.block?.due();
  }

  /** The retry has yielded something. */
  answered(runId: string, index: number, attempt: number): void {
    this.end(true, this.turns.replaces(runId, index, attempt));
  }

  /** No more retries. */
  giveUp(): void {
    this.end(false, this.turns.hasFailedWords);
  }

  private end(isAgain: boolean, isBroken: boolean): void {
    this.block?.end(isAgain, isBroken);
    this.block = null;
  }
}
