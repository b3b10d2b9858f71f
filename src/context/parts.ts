import type { View } from "../contract/event.ts";
import type { ContextKind } from "../contract/show/insight.ts";
import type { Entry } from "../machine/history/entry.ts";
import type { History } from "../machine/history/history.ts";
import { labelledHead, messageTokens, renderAt } from "./build.ts";

/** Estimated tokens of the messages by kind: together as many as `buildMessages` counts, but for images that it leaves out. */
export function messageParts(history: History, view: View): ReadonlyMap<ContextKind, number> {
  const parts = new Map<ContextKind, number>();
  const add = (kind: ContextKind, tokens: number): void => void parts.set(kind, (parts.get(kind) ?? 0) + tokens);
  for (const { kind, rendered } of labelledHead(history, view)) add(kind, rendered.tokens);
  for (const [at, entry] of history.entries.entries()) {
    if (at < view.trimBefore) continue;
    for (const message of renderAt(entry, at, view).messages)
      add(message.role === "tool" ? "results" : kindOf(entry), messageTokens(message));
  }
  return parts;
}

function kindOf(entry: Entry): ContextKind {
  switch (entry.kind) {
    case "user":
    case "steer":
      return "said";
    case "note":
      return typeof entry.note === "object" && "rules" in entry.note ? "rules" : "notes";
    case "overview":
      return "map";
    case "command":
      return "commands";
    case "step":
      return "replies";
  }
}
