import { zonedTime } from "../../contract/show/zoned-time.ts";
import type { SessionRow } from "../../contract/store.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";

export interface ExportHead extends SessionRow {
  readonly timezone: string | null;
}

export function headLine(head: ExportHead, lang: Lang): string {
  const { workspace, events, timezone } = head;
  const [from, to] = [shownTime(head.createdAt, timezone), shownTime(head.updatedAt, timezone)];
  return say(lang, phrase("export.head", { from, to, model: head.model || "–", workspace, events }));
}

export function shownTime(at: number, timezone: string | null): string {
  return zonedTime(timezone, { seconds: true }).format(at);
}
