import type { ModelMessage } from "../../contract/message.ts";

type AssistantMessage = Extract<ModelMessage, { readonly role: "assistant" }>;
type ToolMessage = Extract<ModelMessage, { readonly role: "tool" }>;

const leftOut: ModelMessage = { role: "user", text: "[coder] Earlier messages were left out." };
const goOn: ModelMessage = { role: "user", text: "Continue." };

/** As strict providers want it: user first and last, one result after each call, none empty. Unchanged messages keep identity. */
export function straightened(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const straight: ModelMessage[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at];
    if (message === undefined || message.role === "tool" || isMute(message)) continue;
    straight.push(message.role === "user" && isBlank(message.text) ? { role: "user", text: "(empty)" } : message);
    if (message.role === "assistant" && message.calls.length > 0) straight.push(...resultsOf(message, messages, at));
  }
  if (straight[0]?.role !== "user") straight.unshift(leftOut);
  if (straight.at(-1)?.role === "assistant") straight.push(goOn);
  return straight;
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}

function isMute(message: ModelMessage): boolean {
  return message.role === "assistant" && message.calls.length === 0 && isBlank(message.text);
}

/** Searches up to the next reply, because a user message may stand between. */
function resultsOf({ calls }: AssistantMessage, messages: readonly ModelMessage[], at: number): readonly ToolMessage[] {
  const found = new Map<string, ToolMessage>();
  for (let next = at + 1; next < messages.length; next++) {
    const message = messages[next];
    if (message === undefined || message.role === "assistant") break;
    if (message.role === "tool" && !found.has(message.id)) found.set(message.id, message);
  }
  return calls.map(({ id, tool }) => found.get(id) ?? { role: "tool", id, tool, text: "(no result was recorded)" });
}
