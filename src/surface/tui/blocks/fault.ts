// Errors: what failed, what to do next, and the trace id that leads into the log.
import { describe } from "../../../command/text/answer.ts";
import type { ErrorInfo } from "../../../contract/error.ts";
import type { EventOf } from "../../../contract/event.ts";
import { phrase, say } from "../../../contract/text/catalogue.ts";
import { clean, oneLine, wrap } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { runningTime } from "../terminal/measure.ts";
import { type Block, Still } from "./block.ts";

export function faultLines(look: Look, error: ErrorInfo): readonly string[] {
  const sign = look.theme.bad("✗");
  return clean(describe(look.lang, error))
    .split("\n")
    .flatMap((line, at) => wrap(line, look.width(), at === 0 ? `${sign} ` : "  ", "  "));
}

export function faultBlock(look: Look, error: ErrorInfo): Still {
  return new Still(look, "step", () => faultLines(look, error));
}

/** A fault of ours that stopped nothing. */
export function internalBlock(look: Look, { traceId, what }: EventOf<"internal.reported">): Still {
  const text = phrase("block.internal", { what });
  return faultBlock(look, { code: "E_INTERNAL", text, traceId });
}

/** A failed model call that is retried, with a countdown. */
export class RetryBlock implements Block {
  readonly group = "step";
  readonly detail = null;
  private readonly look: Look;
  private readonly now: () => number;
  private event: EventOf<"model.failed">;
  private dueAt: number;
  private ending: "no" | "again" | "given up" = "no";
  private isBroken = false;
  private isTaken = false;

  constructor(look: Look, now: () => number, event: EventOf<"model.failed">) {
    this.look = look;
    this.now = now;
    this.event = event;
    this.dueAt = now() + (event.retryInMs ?? 0);
  }

  failed(event: EventOf<"model.failed">): void {
    this.event = event;
    this.dueAt = this.now() + (event.retryInMs ?? 0);
  }

  /** The retry starts: the delay is over, or the user skipped it. */
  due(): void {
    this.dueAt = this.now();
  }

  /** The retries are over. `isBroken`: an unfinished part of a reply stands above (MD-4). */
  end(isAgain: boolean, isBroken: boolean): void {
    if (this.ending !== "no") return;
    this.ending = isAgain ? "again" : "given up";
    this.isBroken = isBroken;
  }

  get isOver(): boolean {
    return this.ending !== "no";
  }

  take(): readonly string[] {
    if (!this.isOver || this.isTaken) return [];
    this.isTaken = true;
    return this.lines();
  }

  live(room: number): readonly string[] {
    return this.isTaken ? [] : this.lines().slice(0, room);
  }

  private lines(): readonly string[] {
    const { look } = this;
    const { error, attempt } = this.event;
    const text = oneLine(say(look.lang, error.text));
    const told = {
      no: () => this.waiting(text),
      again: () => words(look, "block.retried", { text, n: attempt + 1 }),
      "given up": () => text,
    }[this.ending]();
    const broken = this.isBroken
      ? wrap(words(look, this.ending === "given up" ? "block.broken" : "block.broken_off"), look.width(), "  ")
      : [];
    return [...wrap(told, look.width(), `${look.theme.warn("▲")} `, "  "), ...broken];
  }

  private waiting(text: string): string {
    const left = Math.ceil((this.dueAt - this.now()) / 1000) * 1000;
    if (left <= 0) return words(this.look, "block.retrying", { text });
    return words(this.look, "block.retry", { text, time: runningTime(this.look, left) });
  }
}

/** The text above is not a complete reply. */
export function brokenBlock(look: Look): Still {
  return new Still(look, "step", () =>
    wrap(words(look, "block.broken_off"), look.width(), `${look.theme.warn("▲")} `, "  "),
  );
}

/** The stored reply differs from the one that was shown. */
export function otherReplyBlock(look: Look): Still {
  return new Still(look, "step", () =>
    wrap(words(look, "block.other_reply"), look.width(), `${look.theme.warn("▲")} `, "  "),
  );
}
