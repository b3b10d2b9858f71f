// CX-2: asks the model for notes about the session, in an extra request without tools. Loaded when a summary is due.

import { summaryRequest } from "../../context/summary/request.ts";
import type { AskedNotes } from "../../contract/event.ts";
import { noUsage } from "../../contract/message.ts";
import { viewOf } from "../../machine/state.ts";
import { accumulate, emptyReply, snapshot } from "../../model/reply/accumulate.ts";
import { startLimit } from "../../platform/limit.ts";
import { costOf, guessedUsage } from "./cost.ts";
import type { ModelCallDeps } from "./model-call.ts";

export interface Ask {
  readonly runId: string;
  readonly index: number;
  readonly attempt: number;
  readonly focus: string;
  /** Token limit of the request (our estimate). */
  readonly room: number;
}

/** A constant: adapters cache the tool part of a request per list. */
const noTools: ModelCallDeps["specs"] = [];
const MAX_CHARS = 24_000;
const MAX_MS = 120_000;

/** `null`: not asked for lack of room, or cancelled. Other failures give "", and the summary is made by rule. Never retried. */
export async function askNotes(deps: ModelCallDeps, ask: Ask, signal: AbortSignal): Promise<AskedNotes | null> {
  const { runId, index, attempt, focus, room } = ask;
  const state = deps.state();
  const words = Math.max(80, Math.min(800, Math.floor(room / 20)));
  const asked = summaryRequest(deps.history, viewOf(state, deps.runId), { room, words, focus });
  if (asked === null) return null;
  const partial = emptyReply(runId, index, attempt);
  const enough = new AbortController();
  const request = {
    ...{ sessionId: state.id, runId, modelCallIndex: index, attempt, tools: noTools, imageBytes: deps.imageBytes },
    system: asked.system,
    messages: [{ role: "user", text: asked.text } as const],
  };
  const limit = startLimit(MAX_MS, () => enough.abort());
  for await (const delta of deps.model.stream(request, AbortSignal.any([signal, enough.signal]))) {
    accumulate(partial, delta);
    if (partial.text.length + partial.thinking.length > MAX_CHARS * 4) enough.abort();
  }
  limit.stop();
  if (signal.aborted) return null;
  const reply = snapshot(partial);
  const isWhole = reply.failure === null && reply.finish !== "refused";
  const usage = reply.usage ?? guessedUsage(asked.tokens * deps.calibration.ratio, `${reply.text}${reply.thinking}`);
  const cost = deps.price ? { cost: costOf(usage, deps.price) } : {};
  return { text: isWhole ? reply.text.slice(0, MAX_CHARS) : "", usage: reply.usage ?? noUsage, ...cost };
}
