// The beginning of a reply: kept while it comes, and told when the rest never does.
import type { CutReply, EventBody } from "../../contract/event.ts";
import type { PartialText } from "../../contract/store.ts";
import type { SessionState } from "../../machine/state.ts";
import type { PartialReply } from "../../model/reply/accumulate.ts";

/** A second of words may be lost to a kill. Long ones are written less often: at most so much each second. */
const EVERY_MS = 1_000;
const CHARS_PER_MS = 64;
/** Far above what models say in one reply. */
const MOST = 1_000_000;

/** Follows one reply; `grew` after each piece of text, `end` when no more comes. */
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

/** `answer`: what becomes of the call; `null` = it was cancelled. */
export function cutReply(partial: PartialReply, answer: EventBody | null): readonly EventBody[] {
  const { runId, modelCallIndex: index, attempt, text } = partial;
  if (text.trim() === "" || answer?.type === "context.overflowed") return [];
  const isRepeated = answer?.type === "model.failed" && answer.retryInMs !== null;
  const why = answer === null ? "cancelled" : "failed";
  const cut = { type: "reply.cut", runId, index, attempt, text: text.slice(0, MOST), why } as const;
  return [isRepeated ? { ...cut, isRepeated: true } : cut];
}

/** After a kill: what was kept of the reply that the log still waits for. `told`: what the log has of it already. */
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
