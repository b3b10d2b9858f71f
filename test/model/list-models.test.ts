import { expect, test } from "bun:test";
import type { Protocol } from "../../src/contract/settings.ts";
import { listModels } from "../../src/model/list-models.ts";
import { choiceAt } from "../support/model-calls.ts";

/** The path that was asked for, and what came of it. */
async function asked(protocol: Protocol, base: string, body: unknown) {
  const seen: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      seen.push(`${pathname}${search}`);
      return Response.json(body);
    },
  });
  try {
    const { provider } = choiceAt(`${server.url.origin}${base}`, { protocol });
    return { seen, listed: await listModels(provider, 5_000) };
  } finally {
    await server.stop(true);
  }
}

const addresses: readonly (readonly [protocol: Protocol, base: string, path: string])[] = [
  ["openai-chat", "/v1", "/v1/models"],
  ["openai-chat", "", "/models"],
  ["openai-responses", "/openai/v1?api-version=1", "/openai/v1/models?api-version=1"],
  ["anthropic", "/v1", "/v1/models?limit=1000"],
  ["anthropic", "", "/v1/models?limit=1000"],
  ["google", "/v1beta", "/v1beta/models?pageSize=1000"],
  ["google", "", "/v1beta/models?pageSize=1000"],
];
test.each(addresses)(
  "[CLI-6] models of %s at %p are asked for where its requests go, all at once: %s",
  async (protocol, base, path) => {
    const { seen, listed } = await asked(protocol, base, { models: [{ name: "models/a" }, { name: "b" }, {}] });
    expect([seen, listed]).toEqual([[path], { ok: true, value: ["a", "b"] }]);
  },
);
