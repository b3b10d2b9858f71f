import type { ModelPort, ModelRequest } from "../../contract/delta.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import type { Origin } from "../fault/fault.ts";
import { responsesEffort } from "../request/effort.ts";
import { GrowingBody } from "../request/growing-body.ts";
import { quirksOf } from "../request/quirks.ts";
import { StrictHistory } from "../request/strict-history.ts";
import { authHeaders, endpoint } from "../wire/address.ts";
import type { Patience } from "../wire/exchange.ts";
import { modelPort } from "../wire/model-port.ts";
import { ResponsesEvents } from "./responses-events.ts";
import { type InputItem, itemsOf } from "./responses-input.ts";

/** Models that reason by default: the o series, and GPT from 5 on except `gpt-N-chat`. Others reject reasoning fields. */
const reasons = /^(o\d+(-|$)|gpt-([5-9]|\d\d+)(?!-chat)(\.|-|$))/;

/** OpenAI's responses. Nothing is stored on the server: reasoning comes encrypted and goes back with the history. */
export async function openResponses(choice: ModelChoice, origin: Origin, patience: Patience): Promise<ModelPort> {
  const history = new StrictHistory(choice, itemsOf);
  const body = new GrowingBody();
  return await modelPort(choice, origin, patience, {
    url: endpoint(choice.provider.baseUrl, "/responses"),
    headers: authHeaders(choice.provider),
    body: (request) => {
      const input = history.sides(request).flatMap(({ pieces }) => pieces);
      return body.of(headOf(choice, request), input, tailOf(choice, request, input));
    },
    decoder: (reply) => new ResponsesEvents(reply),
  });
}

function isReasoning({ name, effort }: ModelChoice): boolean {
  return reasons.test(name) || effort?.by === "level";
}

function headOf(choice: ModelChoice, { system }: ModelRequest): string {
  const role = isReasoning(choice) ? "developer" : "system";
  const first = system === "" ? "" : JSON.stringify({ role, content: system });
  return `{"model":${JSON.stringify(choice.name)},"input":[${first}`;
}

function tailOf(choice: ModelChoice, request: ModelRequest, input: readonly InputItem[]): string {
  const { sessionId, runId, modelCallIndex, tools } = request;
  const { cacheKey, metadata, parallelCalls, reasoningSummary } = quirksOf(choice.provider);
  // If the name does not tell that a model reasons, its first reply does.
  const isAsked = isReasoning(choice) || input.some(({ type }) => type === "reasoning");
  const reasoning = isReasoning(choice)
    ? responsesEffort(choice.effort, reasoningSummary ? "auto" : undefined)
    : undefined;
  const callOf = { session_id: sessionId, run_id: runId, model_call_index: String(modelCallIndex) };
  const fields = {
    ...(choice.maxOutput === undefined ? {} : { max_output_tokens: choice.maxOutput }),
    ...(metadata ? { metadata: callOf } : {}),
    ...(parallelCalls ? {} : { parallel_tool_calls: false }),
    store: false,
    ...(isAsked ? { include: ["reasoning.encrypted_content"] } : {}),
    ...(cacheKey ? { prompt_cache_key: sessionId } : {}),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(tools.length === 0 ? {} : { tools: tools.map(responsesTool) }),
    stream: true,
  };
  return `],${JSON.stringify(fields).slice(1)}`;
}

function responsesTool({ name, description, schema: parameters }: ModelRequest["tools"][number]): object {
  return { type: "function", name, description, parameters, strict: false };
}
