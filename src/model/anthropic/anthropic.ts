import type { LanguageModelV4FunctionTool, LanguageModelV4Message, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ModelPort } from "../../contract/delta.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import type { Origin } from "../fault/fault.ts";
import { toFunctionTool } from "../prompt.ts";
import { anthropicEffort } from "../request/effort.ts";
import { quirksOf } from "../request/quirks.ts";
import { sdkPort } from "../sdk-port.ts";
import { StrictPrompt } from "../strict-prompt.ts";
import { endpoint } from "../wire/address.ts";
import type { Patience } from "../wire/exchange.ts";
import { AnthropicEvents } from "./anthropic-events.ts";

/** Anthropic's messages. */
export async function openAnthropic(choice: ModelChoice, origin: Origin, patience: Patience): Promise<ModelPort> {
  const { AnthropicLanguageModel } = await import("@ai-sdk/anthropic/internal");
  const { apiKey, headers } = choice.provider;
  const { metadata, parallelCalls } = quirksOf(choice.provider);
  const prompt = new StrictPrompt(choice);
  const address = (base: string) => endpoint(base, "/messages", "v1");
  const maxOutputTokens = choice.maxOutput ?? roomFor(choice.contextWindow);
  return await sdkPort(choice, origin, patience, address, (fetch) => ({
    model: new AnthropicLanguageModel(choice.name, {
      provider: "anthropic",
      baseURL: choice.provider.baseUrl,
      headers: {
        "user-agent": "coder",
        "anthropic-version": "2023-06-01",
        ...(apiKey === null ? {} : { "x-api-key": apiKey }),
        ...headers,
      },
      fetch,
    }),
    events: () => new AnthropicEvents(),
    options: (request) => ({
      prompt: withCacheMarks(prompt.of(request)),
      ...toolsOf(request.tools.map(toFunctionTool), request.system === ""),
      maxOutputTokens,
      providerOptions: {
        anthropic: {
          // Not every server that speaks this protocol knows the field for it.
          toolStreaming: false,
          ...(parallelCalls ? {} : { disableParallelToolUse: true }),
          ...anthropicEffort(choice.effort, maxOutputTokens),
          // Must not tell who the person is: a session's name is made of chance.
          ...(metadata ? { metadata: { userId: request.sessionId } } : {}),
        },
      },
    }),
  }));
}

/** The protocol asks for a limit. Newer models count it against the window, of which compaction leaves a fifth. */
function roomFor(contextWindow: number): number {
  return Math.min(32_000, Math.floor(contextWindow / 5));
}

const cached: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };

/**
 * Marks what the next request begins with. The system text's mark covers the tools before it. The last message of the
 * step before is marked too: a mark is found again only within 20 blocks, and one step may add more.
 */
function withCacheMarks(prompt: readonly LanguageModelV4Message[]): LanguageModelV4Message[] {
  const isAssistant = (at: number): boolean => prompt[at]?.role === "assistant";
  const ends = prompt.flatMap((_, at) =>
    !isAssistant(at) && (isAssistant(at + 1) || at === prompt.length - 1) ? [at] : [],
  );
  const lasts = ends.slice(-2);
  return prompt.map((message, at) =>
    message.role === "system" || lasts.includes(at) ? { ...message, providerOptions: cached } : message,
  );
}

function toolsOf(tools: LanguageModelV4FunctionTool[], isMarked: boolean): { tools?: LanguageModelV4FunctionTool[] } {
  const last = tools.at(-1);
  if (last === undefined) return {};
  return { tools: isMarked ? [...tools.slice(0, -1), { ...last, providerOptions: cached }] : tools };
}
