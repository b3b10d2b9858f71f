import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import type { ModelPort, ModelRequest } from "../../contract/delta.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import type { Origin } from "../fault/fault.ts";
import { toFunctionTool } from "../prompt.ts";
import { responsesEffort } from "../request/effort.ts";
import { quirksOf } from "../request/quirks.ts";
import { sdkPort } from "../sdk-port.ts";
import { StrictPrompt } from "../strict-prompt.ts";
import { endpoint } from "../wire/address.ts";
import type { Patience } from "../wire/exchange.ts";
import { ResponsesEvents } from "./responses-events.ts";

/** OpenAI's responses. Nothing is kept on the server: reasoning comes encrypted and goes back with the history. */
export async function openResponses(choice: ModelChoice, origin: Origin, patience: Patience): Promise<ModelPort> {
  const { OpenAIResponsesLanguageModel } = await import("@ai-sdk/openai/internal");
  const { apiKey, headers } = choice.provider;
  const address = (base: string) => endpoint(base, "/responses");
  const prompt = new StrictPrompt(choice);
  return await sdkPort(choice, origin, patience, address, (fetch) => ({
    model: new OpenAIResponsesLanguageModel(choice.name, {
      provider: "openai",
      url: () => address(choice.provider.baseUrl),
      headers: { "user-agent": "coder", ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }), ...headers },
      fetch,
    }),
    events: () => new ResponsesEvents(),
    options: (request) => optionsOf(choice, request, prompt.of(request).map(withoutBareReasoning)),
  }));
}

function optionsOf(
  choice: ModelChoice,
  request: ModelRequest,
  prompt: LanguageModelV4Message[],
): LanguageModelV4CallOptions {
  const hasReasoning = prompt.some(({ role, content }) => role === "assistant" && content.some(isReasoning));
  // The SDK asks for it by itself where it knows that a model reasons; others refuse to be asked, so a first reply tells.
  const include = hasReasoning ? { include: ["reasoning.encrypted_content"] } : {};
  return {
    prompt,
    ...(request.tools.length > 0 ? { tools: request.tools.map(toFunctionTool) } : {}),
    ...(choice.maxOutput === undefined ? {} : { maxOutputTokens: choice.maxOutput }),
    providerOptions: { openai: { store: false, ...include, ...extras(choice, request) } },
  };
}

function isReasoning({ type }: { readonly type: string }): boolean {
  return type === "reasoning";
}

function extras({ provider, effort }: ModelChoice, { sessionId, runId, modelCallIndex }: ModelRequest) {
  const { cacheKey, metadata, parallelCalls, reasoningSummary } = quirksOf(provider);
  const ids = { session_id: sessionId, run_id: runId, model_call_index: String(modelCallIndex) };
  return {
    ...(cacheKey ? { promptCacheKey: sessionId } : {}),
    ...(metadata ? { metadata: ids } : {}),
    ...(parallelCalls ? {} : { parallelToolCalls: false }),
    ...(reasoningSummary ? { reasoningSummary: "auto" } : {}),
    ...responsesEffort(effort),
  };
}

/** Reasoning that is only named, not sent along, is looked for on the server, which kept nothing. */
function withoutBareReasoning(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== "assistant") return message;
  const of = (part: (typeof message.content)[number]) =>
    part.type === "reasoning" ? part.providerOptions?.openai : undefined;
  const whole = new Set(
    message.content.filter((part) => of(part)?.reasoningEncryptedContent).map((part) => of(part)?.itemId),
  );
  const kept = message.content.filter((part) => part.type !== "reasoning" || whole.has(of(part)?.itemId));
  return kept.length === message.content.length ? message : { ...message, content: kept };
}
