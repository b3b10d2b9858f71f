import type { Recorded } from "../../contract/event.ts";
import type { ExportForm } from "../../contract/export.ts";
import type { Lang } from "../../contract/text/catalogue.ts";
import type { ExportHead } from "./head.ts";
import { html } from "./html.ts";
import { json } from "./json.ts";
import { markdown } from "./markdown.ts";

export interface Source {
  readonly head: ExportHead;
  /** Iterated several times. */
  readonly log: Iterable<Recorded>;
  readonly imageBytes: (hash: string) => Uint8Array | null;
}

/** In pieces. Another process may be appending: only events that existed at the start are exported. */
export function render(form: ExportForm, { head, log, imageBytes }: Source, lang: Lang): Generator<string> {
  const fixed: Iterable<Recorded> = { [Symbol.iterator]: () => until(log, head.events) };
  if (form === "json") return json(head, fixed);
  return form === "html" ? html({ head, lang, imageBytes }, fixed) : markdown(head, fixed, lang);
}

function* until(log: Iterable<Recorded>, last: number): Generator<Recorded> {
  for (const one of log) {
    if (one.seq > last) return;
    yield one;
  }
}
