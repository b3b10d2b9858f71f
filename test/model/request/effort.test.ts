import { expect, test } from "bun:test";
import type { EffortUse, ModelChoice, Protocol } from "../../../src/contract/settings.ts";
import { openModel } from "../../../src/model/open.ts";
import { choiceAt, deltasOf } from "../../support/model-calls.ts";

/** The body of one request, as it arrives. */
async function sent(protocol: Protocol, name: string, effort?: EffortUse): Promise<Record<string, unknown>> {
  const bodies: Record<string, unknown>[] = [];
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      bodies.push((await request.json()) as Record<string, unknown>);
      return new Response("no", { status: 400 });
    },
  });
  const base: ModelChoice = { ...choiceAt(`${server.url.href}v1`, { protocol }), name };
  await deltasOf(await openModel(effort ? { ...base, effort } : base, { idleMs: 5_000 }));
  return bodies[0] ?? {};
}

const level = (word: EffortUse["level"]): EffortUse => ({ level: word, by: "level" });
const budget = (word: EffortUse["level"]): EffortUse => ({ level: word, by: "budget" });

test("[CLI-6] chat completions: reasoning_effort", async () => {
  expect(await sent("openai-chat", "m", level("high"))).toMatchObject({ reasoning_effort: "high" });
  for (const body of [await sent("openai-chat", "m"), await sent("openai-chat", "m", budget("high"))])
    expect(Object.keys(body)).not.toContain("reasoning_effort");
});

test("[CLI-6] responses: reasoning.effort, also of a model whose name tells nothing", async () => {
  expect(await sent("openai-responses", "gpt-5", level("low"))).toMatchObject({ reasoning: { effort: "low" } });
  expect(await sent("openai-responses", "mine", level("max"))).toMatchObject({ reasoning: { effort: "max" } });
  expect((await sent("openai-responses", "mine")).reasoning).toBeUndefined();
});

test("[CLI-6] Anthropic: a word and adaptive thinking for newer models, a budget within the reply for older ones", async () => {
  expect(await sent("anthropic", "claude-opus-5-5", level("xhigh"))).toMatchObject({
    thinking: { type: "adaptive" },
    output_config: { effort: "xhigh" },
  });
  expect(await sent("anthropic", "claude-haiku-4-5", budget("low"))).toMatchObject({
    thinking: { type: "enabled", budget_tokens: 3_200 },
    max_tokens: 6_400 + 3_200,
  });
  expect(await sent("anthropic", "claude-haiku-4-5", budget("minimal"))).toMatchObject({
    thinking: { budget_tokens: 1_024 },
  });
  expect((await sent("anthropic", "claude-opus-5-5")).thinking).toBeUndefined();
});

test("[CLI-6] Google: a level, which ends at high, or a budget", async () => {
  const thinking = async (effort?: EffortUse) =>
    ((await sent("google", "gemini-3.8-flash", effort)).generationConfig as Record<string, unknown>).thinkingConfig;
  expect(await thinking(level("max"))).toEqual({ includeThoughts: true, thinkingLevel: "high" });
  expect(await thinking(level("minimal"))).toEqual({ includeThoughts: true, thinkingLevel: "minimal" });
  expect(await thinking(budget("max"))).toEqual({ includeThoughts: true, thinkingBudget: 24_576 });
  expect(await thinking()).toEqual({ includeThoughts: true });
});
