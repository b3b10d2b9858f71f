import { CoderError, type ErrorInfo, fail, ok, type Result } from "../../contract/error.ts";
import type { EventBody, EventOf } from "../../contract/event.ts";
import type { InputId } from "../../contract/ids.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { QueuedInput } from "../../machine/state.ts";
import type { Spill } from "../call/bound-output.ts";
import type { Blob, Loop } from "../loop/loop.ts";
import type { InputOptions } from "../port.ts";
import type { Attached } from "./mentions.ts";
import type { AttachDeps, OutsideMention } from "./read-mentioned.ts";

/** Shorter texts are never shortened, whatever the window. */
const longChars = 2730;

export const nothingAttached: Attached = { attachments: [], blobs: [], notices: [], long: null };

const cancelled: ErrorInfo = {
  code: "E_CANCELLED",
  text: phrase("attach.cancelled"),
  advice: phrase("attach.cancelled.advice"),
  sideEffect: "none",
};

/** Resolves mentions, one input at a time: inputs typed while files are being read stay in order. */
export class Intake {
  private last: Promise<void> | null = null;
  private stop = new AbortController();
  private readonly deps: () => Promise<Omit<AttachDeps, "outside">>;

  constructor(deps: () => Promise<Omit<AttachDeps, "outside">>) {
    this.deps = deps;
  }

  isNeeded(isTask: boolean, text: string): boolean {
    return this.last !== null || (isTask && needsReading(text));
  }

  /** For a surface that asks its user about them. */
  async outside(text: string): Promise<readonly OutsideMention[]> {
    if (!text.includes("@")) return [];
    const { outsideMentions } = await import("./mentions.ts");
    return outsideMentions(text, { ...(await this.deps()), outside: [] });
  }

  resolve(isTask: boolean, text: string, outside: readonly string[] = []): Promise<Result<Attached>> {
    const { signal } = this.stop;
    const turn = (this.last ?? Promise.resolve()).then(() => this.look(isTask, text, outside, signal));
    // The caller of `bring` sees a failure; it must not block the next input.
    const over: Promise<void> = turn.then(ignore, ignore).then(() => {
      if (this.last === over) this.last = null;
    });
    this.last = over;
    return turn;
  }

  /** Nothing was sent yet: waiting inputs return to their sender. */
  cancel(): void {
    if (this.last === null) return;
    this.stop.abort();
    this.stop = new AbortController();
  }

  private async look(
    isTask: boolean,
    text: string,
    outside: readonly string[],
    signal: AbortSignal,
  ): Promise<Result<Attached>> {
    if (signal.aborted) return { ok: false, error: cancelled };
    if (!isTask || !needsReading(text)) return ok(nothingAttached);
    const { attachedTo } = await import("./mentions.ts");
    const attached = await attachedTo(text, { ...(await this.deps()), outside }, signal);
    return attached === null || signal.aborted ? { ok: false, error: cancelled } : attached;
  }
}

function needsReading(text: string): boolean {
  return text.length > longChars || text.includes("@");
}

function ignore(): void {}

export function inEvent(
  { attachments, long, notices }: Attached,
  spill: Spill,
): {
  readonly fields: Pick<EventOf<"input.admitted">, "attachments" | "shown">;
  readonly notices: readonly Phrase[];
} {
  const attached = attachments.length > 0 ? { attachments } : {};
  if (long === null) return { fields: attached, notices };
  const { shown, notice } = long.shorten(spill);
  return { fields: { ...attached, ...(shown === null ? {} : { shown }) }, notices: [...notices, notice] };
}

/** In one transaction: everything arrives before the loop drains. */
export function storeTogether(loop: Loop, bodies: readonly EventBody[], blobs: readonly Blob[]): Promise<void> {
  const [first, ...rest] = bodies;
  if (blobs.length === 0 || first === undefined) return loop.pushStored(...bodies);
  loop.push(first, blobs);
  return loop.pushStored(...rest);
}

/** IN-5: stored before the text is returned, so that it is never both in the editor and with the model. */
export async function recall(loop: Loop | undefined, inputId: InputId): Promise<Result<string>> {
  const input = loop?.state.queue.find((one) => one.inputId === inputId);
  try {
    // An earlier event may have delivered it: the machine decides.
    if (loop && input && (await loop.pushChecked({ type: "input.returned", inputIds: [inputId] })))
      return ok(typed(input));
  } catch (error) {
    if (!(error instanceof CoderError)) throw error;
    return { ok: false, error: error.info };
  }
  return fail("E_INVALID_ARGS", phrase("input.not_queued", { input: inputId }), {
    advice: phrase("input.not_queued.advice"),
  });
}

function typed({ kind, text }: QueuedInput): string {
  if (kind === "tool") return "";
  return kind === "shell" ? `!${text}` : text;
}

type Wishes = Pick<EventOf<"input.admitted">, "call" | "schema" | "plan" | "readOnly" | "typed" | "about">;

/** What was asked for beside the text. `typed`: the slash command behind it. */
export function asked(options: InputOptions, isTask: boolean, typed: string | null): Wishes {
  const { call } = options;
  const { schema, plan, readOnly, about = "" } = isTask ? options : {};
  return {
    ...{ ...(call && { call }), ...(schema !== undefined && { schema }), ...(plan && { plan }) },
    ...{ ...(readOnly && { readOnly }), ...(typed !== null && { typed }) },
    ...(typed !== null && isTask && { about }),
  };
}
