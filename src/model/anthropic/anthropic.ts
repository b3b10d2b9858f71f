import type { ModelPort, ModelRequest } from "../../contract/delta.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import type { Origin } from "../fault/fault.ts";
import { anthropicEffort } from "../request/effort.ts";
import { quirksOf } from "../request/quirks.ts";
import { StrictHistory } from "../request/strict-history.ts";
import { authHeaders, endpoint } from "../wire/address.ts";
import type { Patience } from "../wire/exchange.ts";
import { modelPort } from "../wire/model-port.ts";
import { AnthropicEvents } from "./anthropic-events.ts";
import { blocksOf, cacheMark, messagesOf } from "./anthropic-messages.ts";

export async function openAnthropic(choice: ModelChoice, origin: Origin, patience: Patience): Promise<ModelPort> {
  const { provider } = choice;
  const history = new StrictHistory(choice, blocksOf);
  const limits = limitsOf(choice);
  return await modelPort(choice, origin, patience, {
    url: endpoint(provider.baseUrl, "/messages", "v1"),
    headers: { "anthropic-version": "2023-06-01", ...authHeaders(provider) },
    body: (request) => JSON.stringify(bodyOf(choice, limits, request, messagesOf(history.sides(request)))),
    decoder: (reply) => new AnthropicEvents(reply),
  });
}

function bodyOf({ name, provider }: ModelChoice, limits: object, request: ModelRequest, messages: readonly object[]) {
  const { sessionId, system, tools } = request;
  const { metadata, parallelCalls } = quirksOf(provider);
  return {
    model: name,
    ...limits,
    // Must not identify the user; a session's id is random.
    ...(metadata ? { metadata: { user_id: sessionId } } : {}),
    // This mark also covers the tools before it.
    ...(system === "" ? {} : { system: [{ type: "text", text: system, ...cacheMark }] }),
    messages,
    ...(tools.length === 0 ? {} : { tools: toolsOf(tools, system === "") }),
    ...(parallelCalls || tools.length === 0 ? {} : { tool_choice: { type: "auto", disable_parallel_tool_use: true } }),
    stream: true,
  };
}

/** The protocol requires a limit, and the thinking budget counts against it. */
function limitsOf({ name, maxOutput, contextWindow, effort }: ModelChoice): object {
  const room = maxOutput ?? roomFor(contextWindow);
  const { budget, fields } = anthropicEffort(effort, room);
  const isTaken = budget === 0 || takesBudget(name);
  const tokens = withinLongest(name, room + (isTaken ? budget : 0));
  return { max_tokens: tokens, ...(isTaken ? fields : { thinking: { type: "adaptive" } }) };
}

/** Newer models count it against the window, of which compaction leaves a fifth. */
function roomFor(contextWindow: number): number {
  return Math.min(32_000, Math.floor(contextWindow / 5));
}

function toolsOf(tools: ModelRequest["tools"], isMarked: boolean): readonly object[] {
  return tools.map(({ name, description, schema }, at) => {
    const mark = isMarked && at === tools.length - 1 ? cacheMark : {};
    return { name, description, input_schema: schema, ...mark };
  });
}

// Limits of Anthropic's models (its documentation, "Models overview" and "Extended thinking", October 2026).
/** Longest reply, thinking included, by model name; the first match counts. */
const longest: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/claude-(sonnet|opus|haiku)-4-5/, 64_000],
  [/claude-(opus-4-[678]|sonnet-4-6|(sonnet|opus|haiku|fable)-5)/, 128_000],
  [/claude-opus-4(-|@)/, 32_000],
  [/claude-sonnet-4(-|@)/, 64_000],
  [/claude-3-haiku/, 4_096],
];

/** The wanted tokens, up to the model's limit; unknown models have none. */
function withinLongest(model: string, tokens: number): number {
  const most = longest.find(([name]) => name.test(model))?.[1];
  return most === undefined ? tokens : Math.min(most, tokens);
}

/** Some models decide themselves how much to think and take no budget. */
function takesBudget(model: string): boolean {
  return !/claude-((sonnet|opus|haiku)-5-5|fable-5)/.test(model);
}
