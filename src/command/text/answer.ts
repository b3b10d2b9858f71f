import { type ErrorInfo, errorTable } from "../../contract/error.ts";
import { type Lang, type Phrase, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import type { CommandResult } from "../../engine/port.ts";

export function done(text: string, data?: unknown): CommandResult {
  return data === undefined ? { ok: true, text } : { ok: true, text, data };
}

export function refused(lang: Lang, text: Phrase, advice?: Phrase): CommandResult {
  const error: ErrorInfo = advice ? { code: "E_INVALID_ARGS", text, advice } : { code: "E_INVALID_ARGS", text };
  return failedWith(lang, error);
}

export function failedWith(lang: Lang, error: ErrorInfo): CommandResult {
  return { ok: false, text: describe(lang, error), error };
}

/** A message for the screen: without the error code, but with the trace id that leads into the log. */
export function describe(lang: Lang, error: ErrorInfo): string {
  const advice: Phrase = error.advice ?? phrase(errorTable[error.code].advice as TextKey);
  const trace = error.traceId ? ` [${error.traceId}]` : "";
  return `${say(lang, error.text)}\n${say(lang, advice)}${trace}`;
}

export function tooMany(lang: Lang, name: string, args: readonly string[], most: number): CommandResult | null {
  return args.length > most
    ? refused(lang, phrase("command.too_many", { name, extra: args.slice(most).join(" ") }))
    : null;
}
