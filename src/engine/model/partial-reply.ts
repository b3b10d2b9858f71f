// The beginning of a reply: kept while it streams, and reported if the rest never comes.
import type { CutReply, EventBody } from "../../contract/event.ts";
import type { PartialText } from "../../contract/store.ts";
import type { SessionState } from "../../machine/state.ts";
import type { PartialReply } from "../../model/reply/accumulate.ts";

/** A kill may lose one second of text. Long replies are written less often, to bound bytes per second. */
const EVERY_MS = 1_000;
const CHARS_PER_MS = 64;
const MOST = 1_000_000;

/** Keeps one reply: call `grew` after each piece of text and `end` when the stream ends. */
export function partialKeeper(partial: PartialReply, keep: (partial: PartialText) => void) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const write = (): void => {
    timer = null;
    const { runId, modelCallIndex: index, attempt, text } = partial;
    keep({ runId, index, attempt, text: text.slice(0, MOST) });
  };
  return {
    grew: (): void => {
      timer ??= setTimeout(write, Math.max(EVERY_MS, partial.text.length / CHARS_PER_MS));
    },
    end: (): void => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** `answer`: the event that ends the call; `null` = cancelled. */
export function cutReply(partial: PartialReply, answer: EventBody | null): readonly EventBody[] {
  const { runId, modelCallIndex: index, attempt, text } = partial;
  if (text.trim() === "" || answer?.type === "context.overflowed") return [];
  const isRepeated = answer?.type === "model.failed" && answer.retryInMs !== null;
  const why = answer === null ? "cancelled" : "failed";
  const cut = { type: "reply.cut", runId, index, attempt, text: text.slice(0, MOST), why } as const;
  return [isRepeated ? { ...cut, isRepeated: true } : cut];
}

/** After a kill: the kept beginning of the reply that the log still waits for. `told`: a cut reply already in the log. */
export function killedReply(
  { run }: SessionState,
  kept: PartialText | null,
  told: CutReply | null,
): readonly EventBody[] {
  if (kept === null || run.phase !== "model_running" || kept.text.trim() === "") return [];
  if (told?.text.startsWith(kept.text)) return [];
  const isSame = run.run.id === kept.runId && run.run.index === kept.index && run.attempt === kept.attempt;
  return isSame ? [{ type: "reply.cut", ...kept, why: "killed" }] : [];
}
