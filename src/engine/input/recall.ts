import { CoderError, fail, ok, type Result } from "../../contract/error.ts";
import type { InputId } from "../../contract/ids.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { QueuedInput } from "../../machine/state.ts";
import type { Loop } from "../loop/loop.ts";

/** IN-5: stored before the text is returned, so that it is never both in the editor and with the model. */
export async function recall(loop: Loop | undefined, inputId: InputId): Promise<Result<string>> {
  const input = loop?.state.queue.find((one) => one.inputId === inputId);
  try {
    // An earlier event may have delivered it: the machine decides.
    if (loop && input && (await loop.pushTaken({ type: "input.returned", inputIds: [inputId] })))
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
