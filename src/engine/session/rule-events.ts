import { rulesText } from "../../context/rules-text.ts";
import type { EventBody } from "../../contract/event.ts";
import type { RulesNow } from "../../contract/rules.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { History } from "../../machine/history/history.ts";
import { clean } from "../call/redact.ts";

/** Share of the window: rules must leave room for the work. */
const SHARE = 0.2;

/** CX-1: the current rules if they differ from those told before, which stay in place, so that no cached prefix changes. */
export function rulesEvents(now: RulesNow, window: number, history: History, sessionId: string): readonly EventBody[] {
  const notices = now.notices.map((text): EventBody => ({ type: "notice.given", text }));
  // A fork has another id but keeps the salt of its rules.
  const salt = history.rules.salt || sessionId;
  const { text, cut } = rulesText(now.files, Math.floor(window * SHARE), salt);
  const cleaned = clean(text);
  if (cleaned === history.rules.text) return notices;
  const files = now.files.map(({ name }) => visible(name));
  const isNew = history.rules.at === -1;
  const change = phrase(cleaned === "" ? "rules.gone" : "rules.changed", { files: files.join(", ") });
  const short = phrase("rules.cut", { files: cut.map(visible).join(", ") });
  return [
    ...notices,
    ...(isNew ? [] : [{ type: "notice.given", text: change } as const]),
    ...(cut.length > 0 ? [{ type: "notice.given", text: short } as const] : []),
    { type: "rules.read", files, text: cleaned, salt },
  ];
}
