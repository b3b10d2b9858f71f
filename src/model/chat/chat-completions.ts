import type { ModelPort, ModelRequest } from "../../contract/delta.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import type { Origin } from "../fault/fault.ts";
import { chatEffort } from "../request/effort.ts";
import { GrowingBody } from "../request/growing-body.ts";
import { quirksOf } from "../request/quirks.ts";
import { authHeaders, endpoint } from "../wire/address.ts";
import type { Patience } from "../wire/exchange.ts";
import { modelPort } from "../wire/model-port.ts";
import { ChatEvents } from "./chat-events.ts";
import { ChatMessages } from "./chat-messages.ts";

/** OpenAI's chat completions, as spoken by nearly every gateway and local server. */
export async function openChat(choice: ModelChoice, origin: Origin, patience: Patience): Promise<ModelPort> {
  const history = new ChatMessages(choice);
  const body = new GrowingBody();
  const frame = frameFor(choice);
  return await modelPort(choice, origin, patience, {
    url: endpoint(choice.provider.baseUrl, "/chat/completions"),
    headers: authHeaders(choice.provider),
    body: (request) => {
      const { head, tail } = frame(request);
      return body.of(head, history.of(request), tail);
    },
    decoder: (reply) => new ChatEvents(reply),
    joins: true,
  });
}

interface Frame {
  readonly head: string;
  readonly tail: string;
}

/** Reuses the last frame as long as system text, tools and session are the same. */
function frameFor(choice: ModelChoice): (request: ModelRequest) => Frame {
  let last: { readonly frame: Frame; readonly request: ModelRequest } | null = null;
  return (request) => {
    const known = last?.request;
    const isSame = known?.system === request.system && known.sessionId === request.sessionId;
    if (last === null || !isSame || known.tools !== request.tools) last = { frame: frameOf(choice, request), request };
    return last.frame;
  };
}

function frameOf(choice: ModelChoice, { system, tools, sessionId }: ModelRequest): Frame {
  const { name, provider, maxOutput, effort } = choice;
  const { cacheKey, parallelCalls, streamOptions } = quirksOf(provider);
  const before = {
    model: name,
    ...(maxOutput === undefined ? {} : { max_tokens: maxOutput }),
    ...chatEffort(effort),
    ...(cacheKey ? { prompt_cache_key: sessionId } : {}),
    ...(parallelCalls || tools.length === 0 ? {} : { parallel_tool_calls: false }),
  };
  const after = {
    ...(tools.length === 0 ? {} : { tools: tools.map(chatTool) }),
    stream: true,
    ...(streamOptions ? { stream_options: { include_usage: true } } : {}),
  };
  const first = system === "" ? "" : JSON.stringify({ role: "system", content: system });
  return {
    head: `${JSON.stringify(before).slice(0, -1)},"messages":[${first}`,
    tail: `],${JSON.stringify(after).slice(1)}`,
  };
}

function chatTool({ name, description, schema: parameters }: ModelRequest["tools"][number]): object {
  return { type: "function", function: { name, description, parameters } };
}
