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

const byProtocol: Readonly<Record<Provider["protocol"], Partial<Quirks>>> = {
  // Many servers speak this protocol, and several reject unknown fields.
  "openai-chat": {},
  "openai-responses": { cacheKey: true, metadata: true },
  anthropic: { roles: "alternate", metadata: true },
  google: { roles: "alternate" },
  builtin: {},
};

export function quirksOf({ protocol, quirks }: Provider): Quirks {
  return { ...usual, ...byProtocol[protocol], ...quirks };
}
