import type { Provider, Quirks } from "../../contract/settings.ts";

const usual: Quirks = {
  textToolCalls: false,
  callIds: "any",
  roles: "any",
  reasoningBack: "never",
  streamOptions: true,
  parallelCalls: true,
  cacheKey: false,
  metadata: false,
  reasoningSummary: false,
};

/** What is usual for a protocol; a provider's own are in its row of `config/model/providers.ts` or in the user's file. */
const byProtocol: Readonly<Record<Provider["protocol"], Partial<Quirks>>> = {
  // Many servers speak it, several of which refuse fields they do not know.
  "openai-chat": {},
  "openai-responses": { cacheKey: true, metadata: true },
  anthropic: { roles: "alternate", metadata: true },
  google: { roles: "alternate" },
  builtin: {},
};

export function quirksOf({ protocol, quirks }: Provider): Quirks {
  return { ...usual, ...byProtocol[protocol], ...quirks };
}
