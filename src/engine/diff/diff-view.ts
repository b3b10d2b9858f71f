import type { CallResult } from "../../contract/message.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Lang, phrase } from "../../contract/text/catalogue.ts";
import type { ChangePlan } from "../../contract/tool.ts";
import type { Unkept } from "../../contract/undo.ts";
import { clean } from "../call/redact.ts";
import { field } from "../call/result.ts";
import type { PreviewForm } from "../port.ts";
import { note, showChanges } from "./show-diff.ts";

/** For the user who decides and can page; anything beyond is in the arguments. */
const maxPreview = 4_000_000;
const maxShown = 400_000;
const maxNames = 100;
const bounded = { maxChars: maxShown, cleaned: clean };

/** Unredacted for the user: a placeholder would hide what is written. Redacted for programs, which may store it. */
export function previewText({ changes, data }: ChangePlan, lang: Lang, form: PreviewForm): Promise<string | null> {
  const contents = new Map<string, Uint8Array>();
  for (const { change, beforeBytes, afterBytes } of changes) {
    if (change.before && beforeBytes) contents.set(change.before.hash, beforeBytes);
    if (change.after && afterBytes) contents.set(change.after.hash, afterBytes);
  }
  const bytes = (hash: string): Uint8Array | null => contents.get(hash) ?? null;
  const files = changes.map(({ change }) => change);
  const how = form === "forPerson" ? { maxChars: maxPreview, cleaned: (text: string) => text } : bounded;
  return showChanges(files, { bytes, moved: movedIn(data), lang, ...how });
}

/** TP-6: redacted like the result of the call. */
export async function changesText(
  { changes = [], unkept = [], data }: Pick<CallResult, "changes" | "unkept" | "data">,
  bytes: (hash: string) => Uint8Array | null,
  lang: Lang,
): Promise<string | null> {
  const shown = await showChanges(changes, { bytes, moved: movedIn(data), lang, ...bounded });
  const notes = unkept.length > 0 ? `${unkeptNotes(unkept, lang).join("\n")}\n` : "";
  return shown === null && notes === "" ? null : `${shown ?? ""}${notes}`;
}

function unkeptNotes(unkept: readonly Unkept[], lang: Lang): readonly string[] {
  const named = unkept
    .slice(0, maxNames)
    .map(({ path, why }) => phrase("undo.file", { path: visible(clean(path)), why: phrase(`undo.unkept.${why}`) }));
  const more = unkept.length - named.length;
  return [...named, ...(more > 0 ? [phrase("changes.more_files", { n: more, files: "…" })] : [])].map((one) =>
    note(lang, one),
  );
}

function movedIn(data: unknown): ReadonlyMap<string, string> {
  const files = field(data, "files");
  const named = (Array.isArray(files) ? files : []) as readonly { readonly path?: unknown; readonly from?: unknown }[];
  return new Map(
    named.flatMap(({ path, from }) =>
      typeof path === "string" && typeof from === "string" ? [[path, from] as const] : [],
    ),
  );
}
