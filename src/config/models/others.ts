import { able, type CatalogueRow, K, M, type Source, textOnly, toHigh, toXhigh } from "./row.ts";

const deepseekPage: Source = ["https://api-docs.deepseek.com/quick_start/pricing", "2026-10-27"];
const flash = { window: M, output: 384 * K, ...able, price: [0.3, 1.2, 0.006], source: deepseekPage } as const;

export const otherRows = (): readonly CatalogueRow[] => [
  // The price at peak hours, twice the usual one, so a budget may be reached early.
  {
    ref: "deepseek/deepseek-v4-pro",
    begins: true,
    window: 1_048_576,
    output: 384 * K,
    ...textOnly,
    price: [1.32, 3.96, 0.044],
    effort: ["high", "max"],
    source: deepseekPage,
  },
  { ref: "deepseek/deepseek-flash", ...flash, effort: ["low", "high", "max"] },
  { ref: "deepseek/deepseek-v4-flash", begins: true, ...flash, effort: ["low", "high", "max"] },
  ...["grok-4.7", "grok-4.5"].map(
    (name): CatalogueRow => ({
      ref: `xai/${name}`,
      window: 500 * K,
      output: 500 * K,
      ...able,
      price: [2, 6, 0.5],
      long: { over: 200 * K, price: [4, 12, 1] },
      effort: name === "grok-4.7" ? toXhigh : toHigh,
      source: [`https://docs.x.ai/developers/models/${name}`, name === "grok-4.7" ? "2026-09-21" : "2026-06-29"],
    }),
  ),
  {
    ref: "moonshot/kimi-k3",
    window: 1_048_576,
    output: 262_144,
    ...able,
    source: ["https://platform.kimi.ai/docs/pricing/chat-k3", "2026-07-17"],
  },
  {
    ref: "zhipu/glm-5.2",
    window: M,
    output: 131_072,
    ...textOnly,
    effort: ["high", "max"],
    source: ["https://docs.bigmodel.cn/cn/guide/capabilities/thinking", "2026-06-25"],
  },
  ...["qwen", "dashscope"].flatMap((provider): readonly CatalogueRow[] => [
    {
      ref: `${provider}/qwen3.8-max`,
      window: M,
      output: 131_072,
      ...able,
      effort: ["low", "medium", "xhigh"],
      source: ["https://help.aliyun.com/zh/model-studio/model-pricing", "2026-08-04"],
    },
    {
      ref: `${provider}/qwen3-coder-plus`,
      window: M,
      output: 65_536,
      ...textOnly,
      source: ["https://help.aliyun.com/zh/model-studio/model-pricing", "2026-08-04"],
    },
  ]),
  // The list price; a preview costs half.
  {
    ref: "mistral/mistral-large-4",
    window: 128 * K,
    ...textOnly,
    price: [1.36, 4.18, 0.14],
    source: ["https://docs.mistral.ai/models/mistral-large-4-0", "2026-10-06"],
  },
  ...[["gpt-oss-120b", [0.15, 0.6, 0.075]] as const, ["gpt-oss-20b", [0.075, 0.3, 0.0375]] as const].map(
    ([name, price]): CatalogueRow => ({
      ref: `groq/openai/${name}`,
      window: 131_072,
      output: 65_536,
      ...textOnly,
      price,
      effort: toHigh,
      source: ["https://console.groq.com/docs/models", "2026-05-27"],
    }),
  ),
];
