// Judges a chat history as a strict provider does: engine faults must show as a refused request, not as a strange reply.

export interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type?: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

/** What is wrong with the history; `null` = nothing. */
export function historyProblem(messages: unknown): string | null {
  if (!Array.isArray(messages) || messages.length === 0) return "messages must be a list with at least one message";
  let open = new Set<string>();
  let lastCalls: WireMessage["tool_calls"] = [];
  for (const [at, message] of (messages as WireMessage[]).entries()) {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id ?? "")) {
        return `message ${at}: tool result ${message.tool_call_id} answers no open call of the assistant message before it`;
      }
      if (typeof message.content !== "string") return `message ${at}: a tool result must have text`;
      continue;
    }
    if (open.size > 0) return `message ${at}: calls without a result before it: ${[...open].join(", ")}`;
    if (message.role === "assistant") {
      const calls = message.tool_calls ?? [];
      open = new Set(calls.map(({ id }) => id));
      if (open.size < calls.length) return `message ${at}: two calls have the same id`;
      if (calls.length === 0 && !message.content) return `message ${at}: an assistant message needs content or calls`;
      if (calls.length > 0) lastCalls = calls;
    } else if (message.role === "system") {
      if (at > 0) return `message ${at}: system text must come first`;
    } else if (message.role !== "user") return `message ${at}: unknown role ${message.role}`;
    else if (!message.content) return `message ${at}: a user message needs content`;
  }
  if (open.size > 0) return `calls without a result at the end: ${[...open].join(", ")}`;
  if ((messages as WireMessage[]).at(-1)?.role === "assistant") return "the last message must not be the assistant's";
  return argumentsProblem(lastCalls);
}

/** What OpenAI and Anthropic take for one. */
export function isToolName(name: unknown): boolean {
  return typeof name === "string" && /^[a-zA-Z0-9_-]{1,64}$/.test(name);
}

/** Only the newest calls: earlier ones were judged when they were the newest, and histories are long. */
function argumentsProblem(calls: WireMessage["tool_calls"]): string | null {
  for (const { id, function: called } of calls ?? []) {
    if (!isToolName(called.name)) return `call ${id}: no tool can have the name ${JSON.stringify(called.name)}`;
    try {
      const value: unknown = JSON.parse(called.arguments);
      if (typeof value !== "object" || value === null || Array.isArray(value))
        return `call ${id}: arguments must be a JSON object`;
    } catch {
      return `call ${id}: arguments are not JSON: ${called.arguments.slice(0, 80)}`;
    }
  }
  return null;
}
