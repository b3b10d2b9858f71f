import type { ModelPort } from "../contract/delta.ts";
import { CoderError, fail } from "../contract/error.ts";
import type { ModelChoice, Network, Protocol, Provider } from "../contract/settings.ts";
import { type Phrase, type PhraseArgs, phrase, type TextKey } from "../contract/text/catalogue.ts";
import { routeTo } from "../platform/network.ts";
import type { Origin } from "./fault/fault.ts";
import type { Patience } from "./wire/exchange.ts";

/** Checks whatever can be wrong before a request is made, and throws E_CONFIG. */
export async function openModel(choice: ModelChoice, patience: Patience, network?: Network): Promise<ModelPort> {
  const { provider } = choice;
  if (provider.protocol === "builtin") return (await import("./builtin.ts")).openBuiltin();
  const url = URL.parse(provider.baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) throw wrong("model.bad_url", provider);
  if (provider.apiKey === null && provider.needsKey) {
    throw wrong("model.no_key", provider, {}, ["advice.model_key", { names: keyNames(provider).join(" / ") }]);
  }
  checkHeaders(provider);
  const route = await routeTo(url, network);
  if (!route.ok) throw new CoderError(route.error);
  const port = await opener[provider.protocol](choice, originOf(choice, url), { ...patience, route: route.value });
  if (choice.windowFrom === undefined) return port;
  const { withWindow } = await import("./local/server-window.ts");
  return await withWindow(port, choice, choice.windowFrom);
}

type Open = (choice: ModelChoice, origin: Origin, patience: Patience) => Promise<ModelPort>;

const opener: Readonly<Record<Protocol, Open>> = {
  "openai-chat": async (...args) => (await import("./chat/chat-completions.ts")).openChat(...args),
  "openai-responses": async (...args) => (await import("./responses/responses.ts")).openResponses(...args),
  anthropic: async (...args) => (await import("./anthropic/anthropic.ts")).openAnthropic(...args),
  google: async (...args) => (await import("./google/google.ts")).openGoogle(...args),
};

function originOf({ name, provider }: ModelChoice, url: URL): Origin {
  const inUrl = [url.password, ...url.searchParams.values()];
  const secrets = [provider.apiKey ?? "", ...Object.values(provider.headers), ...inUrl].filter((text) => text !== "");
  return { provider: provider.name, host: url.host, model: name, secrets, keyNames: keyNames(provider) };
}

function keyNames({ apiKeyEnv }: Provider): readonly string[] {
  return [...new Set([...apiKeyEnv, "CODER_API_KEY"])];
}

/** A key pasted with a line break or a look-alike letter would otherwise fail deep inside, at every attempt. */
function checkHeaders(provider: Provider): void {
  const all = { ...provider.headers, authorization: `Bearer ${provider.apiKey ?? ""}` };
  for (const [header, value] of Object.entries(all)) {
    try {
      new Headers([[header, value]]);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw wrong("model.bad_header", provider, { header });
    }
  }
}

function wrong(key: TextKey, { name }: Provider, args: PhraseArgs = {}, advice?: [TextKey, PhraseArgs]): CoderError {
  const extra: { advice?: Phrase } = advice === undefined ? {} : { advice: phrase(...advice) };
  return new CoderError(fail("E_CONFIG", phrase(key, { provider: name, ...args }), extra).error);
}
