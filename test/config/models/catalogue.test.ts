import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chooseModel, type ModelSources, providerNames } from "../../../src/config/model/providers.ts";
import { catalogueRows } from "../../../src/config/models/data.ts";
import { catalogued, cataloguedRefs, effortFor, priceIn } from "../../../src/config/models/lookup.ts";
import { efforts, type ModelChoice } from "../../../src/contract/settings.ts";
import { costOf } from "../../../src/engine/model/cost.ts";

const nothing: ModelSources = {
  ...{ env: {}, providers: undefined, models: undefined, baseUrl: null, sharedKey: "k" },
  ...{ storedKey: () => null, effort: null },
};

function choose(ref: string, sources: Partial<ModelSources> = {}): ModelChoice {
  const choice = chooseModel(ref, { ...nothing, ...sources });
  if (!choice.ok) throw new Error(JSON.stringify(choice.error));
  return choice.value;
}

describe("the catalogue", () => {
  test("[CLI-6] every entry is of a built-in provider, says where it comes from and when, and has sizes and prices that can be", () => {
    const wrong = catalogueRows().filter(({ ref, window, output, price, long, effort, source: [page, date] }) => {
      const isKnown = providerNames(undefined).includes(ref.slice(0, ref.indexOf("/")));
      const isDated =
        /^https:\/\//.test(page) && /^202[5-9]-[01]\d-[0-3]\d$/.test(date) && !Number.isNaN(Date.parse(date));
      const isSized = window >= 100_000 && (output === undefined || output <= window);
      const isPriced = [price, long?.price].every(
        (one) => one === undefined || (one[0] > 0 && one[1] >= one[0] && (one[2] ?? 0) <= one[0]),
      );
      const isRising = long === undefined || (price !== undefined && long.price[0] > price[0] && long.over < window);
      return !(isKnown && isDated && isSized && isPriced && isRising && (effort === undefined || effort.length > 0));
    });
    expect(wrong).toEqual([]);
  });

  test("[CLI-6] no reference stands in it twice, and those that are listed are names and not patterns", () => {
    const refs = catalogueRows().map(({ ref }) => ref);
    expect(new Set(refs).size).toBe(refs.length);
    expect(cataloguedRefs().filter((ref) => ref.includes("*"))).toEqual([]);
  });

  test.each([
    ["anthropic/claude-opus-5", "anthropic/claude-opus-5"],
    ["anthropic/claude-opus-5-5-20260922", "anthropic/claude-opus-5-5"],
    ["anthropic/claude-haiku-4-5-20251001", "anthropic/claude-haiku-4-5"],
    ["anthropic/claude-new-9", "anthropic/claude-*"],
    ["openai/gpt-5", "openai/gpt-5"],
    ["openai/gpt-5-2025-08-07", "openai/gpt-5*"],
    ["openai/GPT-5", "openai/gpt-5"],
    ["openrouter/anthropic/claude-opus-4.5", "anthropic/claude-opus-4-5"],
    ["openrouter/google/gemini-2.5-pro:free", "google/gemini-2.5-pro"],
    ["lab/gpt-5", null],
    ["ollama/gpt-5", null],
    ["openai", null],
    ["", null],
  ])("[CLI-6] %s is looked up as %p", (ref, row) => {
    expect(catalogued(ref)?.ref ?? null).toBe(row);
  });

  test("[CLI-6] whatever is asked for, it answers, and the same way again", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...providerNames(undefined), "x"), (name, provider) => {
        const ref = `${provider}/${name}`;
        expect(catalogued(ref)).toBe(catalogued(ref));
      }),
    );
  });
});

describe("what is known of a model", () => {
  test("[CLI-6] [CF-1] window, price and abilities come from the catalogue, and what the person says wins", () => {
    const ref = "anthropic/claude-opus-5-5";
    const { contextWindow, takesImages, takesTools, price } = choose(ref);
    expect({ contextWindow, takesImages, takesTools, price }).toEqual({
      contextWindow: 1_000_000,
      takesImages: true,
      takesTools: true,
      price: { input: 4_000_000, output: 20_000_000, cachedInput: 200_000 },
    });
    const own = { context_window: 9_000, images: false, tools: false, price: { input: 1, output: 2 } };
    const mine = choose(ref, { models: { [ref]: own } });
    expect([mine.contextWindow, mine.takesImages, mine.takesTools, mine.price]).toEqual([
      9_000,
      false,
      false,
      { input: 1_000_000, output: 2_000_000, cachedInput: 1_000_000 },
    ]);
  });

  test("[BR-4] a vendor's price is that of the vendor's own address, and no gateway's", () => {
    const elsewhere = { baseUrl: { url: "http://127.0.0.1:9/v1", where: "--base-url" } };
    expect(choose("anthropic/claude-opus-5", elsewhere).price).toBeUndefined();
    expect(choose("openrouter/anthropic/claude-opus-5").price).toBeUndefined();
    expect(choose("openai-chat/gpt-5", elsewhere).price).toBeUndefined();
  });

  test("[BR-4] a long request costs what long requests cost, as a whole", () => {
    const price = choose("openai/gpt-6-sol").price;
    if (!price) throw new Error("no price");
    const usage = { output: 1_000, cachedInput: 0, reasoning: 0 };
    expect(costOf({ ...usage, input: 272_000 }, price)).toBe(272_000 * 2 + 1_000 * 10);
    expect(costOf({ ...usage, input: 272_001 }, price)).toBe(272_001 * 4 + 1_000 * 15);
  });

  test("[BR-4] a price without one for the cache counts cached input like any other", () => {
    expect(priceIn({ price: [3, 15] })).toEqual({ input: 3_000_000, cachedInput: 3_000_000, output: 15_000_000 });
  });

  test("[CX-5] only a server of one's own is asked for its window, and only where nobody has said it", () => {
    expect(choose("ollama/qwen3:8b").windowFrom).toBe("ollama");
    expect(choose("ollama/qwen3:8b", { models: { "ollama/qwen3:8b": { context_window: 5_000 } } }).windowFrom).toBe(
      undefined,
    );
    expect(choose("openai/gpt-5").windowFrom).toBeUndefined();
  });
});

describe("reasoning effort", () => {
  test("[CLI-6] is wanted of models that are known to take it, and of no others", () => {
    const high = { effort: "high" as const };
    expect(choose("openai/gpt-6-sol", high).effort).toEqual({ level: "high", by: "level" });
    expect(choose("anthropic/claude-haiku-4-5", high).effort).toEqual({ level: "high", by: "budget" });
    expect(choose("qwen/qwen3-coder-plus", high).effort).toBeUndefined();
    expect(choose("ollama/x", high).effort).toBeUndefined();
    expect(choose("openai/gpt-6-sol").effort).toBeUndefined();
  });

  test("[CF-1] the person may say that a model takes it, how, or that it does not", () => {
    const effort = "xhigh" as const;
    const of = (ref: string, reasoning: "none" | "effort" | "budget") =>
      choose(ref, { effort, models: { [ref]: { reasoning } } }).effort;
    expect(of("ollama/x", "effort")).toEqual({ level: "xhigh", by: "level" });
    expect(of("ollama/x", "budget")).toEqual({ level: "xhigh", by: "budget" });
    expect(of("openai/o3", "effort")).toEqual({ level: "high", by: "level" });
    expect(of("openai/o3", "none")).toBeUndefined();
  });

  test("[CLI-6] a level that a model does not take becomes the nearest that it does", () => {
    expect(efforts.map((wanted) => effortFor(wanted, ["low", "high", "max"]).level)).toEqual([
      ...["low", "low", "low", "high", "high", "max"],
    ] as never);
    fc.assert(
      fc.property(
        fc.constantFrom(...efforts),
        fc.uniqueArray(fc.constantFrom(...efforts), { minLength: 1 }),
        (wanted, takes) => {
          const { level } = effortFor(wanted, takes);
          expect(takes).toContain(level);
          if (takes.includes(wanted)) expect(level).toBe(wanted);
        },
      ),
    );
  });
});
