import type { View } from "../contract/event.ts";
import type { ModelMessage } from "../contract/message.ts";
import { hasAllResults } from "../machine/history/entry.ts";
import type { History } from "../machine/history/history.ts";
import { type Built, buildMessages } from "./build.ts";
import { estimateTokens } from "./tokens.ts";

/** A question beside the task: the same prefix as the task's own requests, so that a provider's cache serves both. */
export function asideRequest({ entries, rules }: History, view: View, question: string): Built {
  // A step that still waits for results would be refused.
  const open = entries.findIndex((entry, at) => at >= view.trimBefore && !hasAllResults(entry));
  const shown = open === -1 ? entries : entries.slice(0, open);
  const { messages, tokens } = buildMessages({ entries: shown, rules }, view);
  const text = `${question}\n\n${NOTE}`;
  const asked: ModelMessage = { role: "user", text };
  return { messages: [...messages, asked], tokens: tokens + estimateTokens(text) };
}

const NOTE =
  "[coder] The person asks this beside the task. Answer in words, from what stands above and what you know: no tool runs, and neither the question nor your answer becomes part of the task.";
