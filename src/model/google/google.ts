import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelPort } from "../../contract/delta.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import type { Origin } from "../fault/fault.ts";
import { googleEffort } from "../request/effort.ts";
import { toFunctionTool } from "../request/phrasing.ts";
import { sdkPort } from "../sdk-port.ts";
import { StrictPrompt } from "../strict-prompt.ts";
import type { Patience } from "../wire/exchange.ts";
import { endpoint } from "../wire/reply-to.ts";
import { GoogleEvents } from "./google-events.ts";

/** Models that think; others refuse to be asked for it. */
const thinks = /gemini-(2\.5|[3-9]|\d\d)/;

/** Google's streamGenerateContent. */
export async function openGoogle(choice: ModelChoice, origin: Origin, patience: Patience): Promise<ModelPort> {
  const { GoogleLanguageModel } = await import("@ai-sdk/google/internal");
  const { apiKey, headers, baseUrl } = choice.provider;
  const prompt = new StrictPrompt(choice);
  return await sdkPort(
    choice,
    origin,
    patience,
    (base) => address(base, choice.name),
    (fetch) => {
      const model = new GoogleLanguageModel(choice.name, {
        provider: "google",
        baseURL: baseUrl,
        headers: { "user-agent": "coder", ...(apiKey === null ? {} : { "x-goog-api-key": apiKey }), ...headers },
        generateId: () => "",
        fetch,
      });
      joinTurns(model);
      return {
        model,
        events: () => new GoogleEvents(),
        options: (request) => ({
          prompt: prompt.of(request),
          ...(request.tools.length > 0 ? { tools: request.tools.map(toFunctionTool) } : {}),
          ...(choice.maxOutput === undefined ? {} : { maxOutputTokens: choice.maxOutput }),
          ...(thinks.test(choice.name) || choice.effort !== undefined
            ? {
                providerOptions: {
                  google: { thinkingConfig: { includeThoughts: true, ...googleEffort(choice.effort) } },
                },
              }
            : {}),
        }),
      };
    },
  );
}

function address(base: string, model: string): string {
  const path = model.includes("/") ? model : `models/${model}`;
  const url = new URL(endpoint(base, `/${path}:streamGenerateContent`, "v1beta"));
  url.searchParams.set("alt", "sse");
  return url.href;
}

interface Turn {
  readonly role: string;
  readonly parts: readonly unknown[];
}

/**
 * The SDK writes a turn for every message, while the two sides must take turns. Its `getArgs` is private, but the SDK is
 * pinned; a test fails when it is gone.
 */
function joinTurns(model: object): void {
  if (!("getArgs" in model)) return;
  const sdk = model as {
    getArgs(options: LanguageModelV4CallOptions, more: unknown): Promise<{ args: { contents: Turn[] } }>;
  };
  const getArgs = sdk.getArgs.bind(model);
  sdk.getArgs = async (options, more) => {
    const prepared = await getArgs(options, more);
    return { ...prepared, args: { ...prepared.args, contents: joined(prepared.args.contents) } };
  };
}

function joined(turns: readonly Turn[]): Turn[] {
  const found: Turn[] = [];
  for (const turn of turns) {
    const last = found.at(-1);
    if (last?.role === turn.role) found[found.length - 1] = { ...last, parts: [...last.parts, ...turn.parts] };
    else found.push(turn);
  }
  return found;
}
