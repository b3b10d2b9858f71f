// What went wrong: what, what to do about it, and under which code and id it is found again.
import { describe } from "../../../command/answer.ts";
import type { ErrorInfo } from "../../../contract/error.ts";
import type { EventOf } from "../../../contract/event.ts";
import { phrase, say } from "../../../contract/text/catalogue.ts";
import { clean, oneLine, wrap } from "../fit.ts";
import { type Look, words } from "../look.ts";
import { runningTime } from "../measure.ts";
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

/** A fault of ours that did not stop anything. */
export function internalBlock(look: Look, { traceId, what }: EventOf<"internal.reported">): Still {
  const text = phrase("block.internal", { what });
  return faultBlock(look, { code: "E_INTERNAL", text, traceId });
}

/** A model call that failed and is made again: how long that takes, while it does. */
export class RetryBlock implements Block {
  readonly group = "step";
  readonly detail = null;
  private readonly look: Look;
  private readonly now: () => number;
  private readonly event: EventOf<"model.failed">;
  private readonly dueAt: number;
  private readonly isSeen: boolean;
  private ending: "no" | "again" | "given up" = "no";
  private isTaken = false;

  /** `isSeen`: a part of the reply stands above and is worth nothing any more (MD-4). */
  constructor(look: Look, now: () => number, event: EventOf<"model.failed">, isSeen: boolean) {
    this.look = look;
    this.now = now;
    this.event = event;
    this.dueAt = now() + (event.retryInMs ?? 0);
    this.isSeen = isSeen;
  }

  /** It is made again, or not any more. */
  end(isAgain: boolean): void {
    if (this.ending === "no") this.ending = isAgain ? "again" : "given up";
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
    const left = Math.ceil((this.dueAt - this.now()) / 1000) * 1000;
    const told = {
      no: () => words(look, "block.retry", { text, time: runningTime(look, left) }),
      again: () => words(look, "block.retried", { text, n: attempt + 1 }),
      "given up": () => `${text} (${error.code})`,
    }[this.ending]();
    const broken = this.isSeen
      ? wrap(words(look, this.ending === "given up" ? "block.broken" : "block.broken_off"), look.width(), "  ")
      : [];
    return [...wrap(told, look.width(), `${look.theme.warn("▲")} `, "  "), ...broken];
  }
}

/** What stands above is no reply. */
export function brokenBlock(look: Look): Still {
  return new Still(look, "step", () =>
    wrap(words(look, "block.broken_off"), look.width(), `${look.theme.warn("▲")} `, "  "),
  );
}

/** The reply as it was kept is not what was shown. */
export function otherReplyBlock(look: Look): Still {
  return new Still(look, "step", () =>
    wrap(words(look, "block.other_reply"), look.width(), `${look.theme.warn("▲")} `, "  "),
  );
}
