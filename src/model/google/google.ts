import type { ModelPort, ModelRequest } from "../../contract/delta.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import type { Origin } from "../fault/fault.ts";
import { googleEffort } from "../request/effort.ts";
import { StrictHistory } from "../request/strict-history.ts";
import { authHeaders, endpoint } from "../wire/address.ts";
import type { Patience } from "../wire/exchange.ts";
import { modelPort } from "../wire/model-port.ts";
import { isGemma, thinks } from "./gemini-traits.ts";
import { googleParts, type WirePart } from "./google-contents.ts";
import { GoogleEvents } from "./google-events.ts";

export async function openGoogle(choice: ModelChoice, origin: Origin, patience: Patience): Promise<ModelPort> {
  const history = new StrictHistory(choice, googleParts(choice.name));
  return await modelPort(choice, origin, patience, {
    url: address(choice.provider.baseUrl, choice.name),
    headers: authHeaders(choice.provider),
    body: (request) => JSON.stringify(bodyOf(choice, request, history.sides(request))),
    decoder: (reply) => new GoogleEvents(reply),
  });
}

function address(base: string, model: string): string {
  const path = model.includes("/") ? model : `models/${model}`;
  const url = new URL(endpoint(base, `/${path}:streamGenerateContent`, "v1beta"));
  url.searchParams.set("alt", "sse");
  return url.href;
}

type Sides = ReturnType<StrictHistory<WirePart>["sides"]>;

function bodyOf({ name, maxOutput, effort }: ModelChoice, { system, tools }: ModelRequest, sides: Sides) {
  const isAsked = thinks(name) || effort !== undefined;
  const declared = tools.map(({ name: tool, description, schema }) => {
    return { name: tool, description, parametersJsonSchema: schema };
  });
  return {
    generationConfig: {
      ...(maxOutput === undefined ? {} : { maxOutputTokens: maxOutput }),
      ...(isAsked ? { thinkingConfig: { includeThoughts: true, ...googleEffort(effort) } } : {}),
    },
    contents: contentsOf(sides, isGemma(name) ? system : ""),
    ...(system === "" || isGemma(name) ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations: declared }] }),
  };
}

function contentsOf(sides: Sides, first: string): readonly object[] {
  return sides.map(({ isReply, pieces }, at) => ({
    role: isReply ? "model" : "user",
    parts: at === 0 && first !== "" ? [{ text: `${first}\n\n` }, ...pieces] : pieces,
  }));
}
