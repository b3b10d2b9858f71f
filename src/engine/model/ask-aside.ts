// `/btw`: a question beside the task, in a request of its own. Loaded on demand.
import { asideRequest } from "../../context/aside.ts";
import { CoderError, fail, ok, type Result } from "../../contract/error.ts";
import type { Aside } from "../../contract/event.ts";
import { noUsage } from "../../contract/message.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { accumulate, emptyReply, snapshot } from "../../model/reply/accumulate.ts";
import type { Loop } from "../loop/loop.ts";
import type { AsideOptions } from "../port.ts";
import type { SessionModel } from "../session/session-model.ts";
import { costOf, guessedUsage } from "./cost.ts";
import type { ModelCallDeps } from "./model-call.ts";

/** Stored once it is complete or stopped: after a kill in between there is nothing of it. Never retried. */
export async function askAside(
  loop: Loop,
  models: SessionModel,
  question: string,
  { signal, onText }: Required<AsideOptions>,
): Promise<Result<Aside>> {
  const deps = await models.port().then((port) => models.callDeps(port));
  const { state } = loop;
  const { messages, tokens } = asideRequest(loop.history, state.view, question);
  const partial = emptyReply("aside", 0, 1);
  const request = {
    ...{ sessionId: state.id, runId: "aside", modelCallIndex: 0, attempt: 1, imageBytes: deps.imageBytes },
    ...{ system: deps.system, tools: deps.specs, messages },
  };
  for await (const delta of deps.model.stream(request, signal)) {
    accumulate(partial, delta);
    if (delta.kind === "text") onText(delta.text);
  }
  const reply = snapshot(partial);
  const isCut = signal.aborted;
  if (isCut && reply.text === "") return fail("E_CANCELLED", phrase("aside.cancelled"));
  if (reply.failure && !isCut) return { ok: false, error: reply.failure.error };
  const usage = reply.usage ?? guessedUsage(tokens * deps.calibration.ratio, `${reply.text}${reply.thinking}`);
  const aside = asideOf(deps, { question, text: reply.text, usage, ...(isCut ? { isCut } : {}) });
  await loop.pushStored({ type: "aside.answered", ...aside, usage: reply.usage ?? noUsage });
  if (reply.text.trim() === "")
    return fail("E_MODEL", phrase("aside.wordless"), { advice: phrase("aside.wordless.advice") });
  return ok(aside);
}

function asideOf({ ref, price }: ModelCallDeps, aside: Omit<Aside, "model" | "cost">): Aside {
  return { ...aside, model: ref, ...(price ? { cost: costOf(aside.usage, price) } : {}) };
}

/** What cannot be opened is told, not thrown. */
export async function orFailure(work: Promise<Result<Aside>>): Promise<Result<Aside>> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CoderError) || error.info.code === "E_INTERNAL") throw error;
    return { ok: false, error: error.info };
  }
}
