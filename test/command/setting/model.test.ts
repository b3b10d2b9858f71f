import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fuzzy } from "../../../src/command/text/fuzzy.ts";
import { Bench, type Seat } from "../../support/engine.ts";

const same = (text: string): string => text;

describe("fuzzy", () => {
  const refs = [
    "anthropic/claude-opus-5-5",
    "anthropic/claude-sonnet-5-5",
    "anthropic/claude-sonnet-5",
    "openai/gpt-5",
    "openai/gpt-5-mini",
    "openai/gpt-6-sol",
    "google/gemini-3.8-flash",
  ];
  test.each([
    ["opus", "anthropic/claude-opus-5-5"],
    ["gpt-5", "openai/gpt-5"],
    ["gpt5m", "openai/gpt-5-mini"],
    ["SONNET-5", "anthropic/claude-sonnet-5"],
    ["g6s", "openai/gpt-6-sol"],
    ["flash", "google/gemini-3.8-flash"],
    ["cs55", "anthropic/claude-sonnet-5-5"],
  ])("[SL-1] %s finds %s first", (given, ref) => {
    expect(fuzzy(given, refs, same)[0]).toBe(ref);
  });

  test("[SL-1] what does not hold all letters in their order is left out, nothing is made up or lost, and what is typed whole comes first", () => {
    const isIn = (given: string, text: string): boolean =>
      new RegExp([...given].map((letter) => letter.replace(/[/-]/, "\\$&")).join(".*")).test(text);
    const words = fc.array(fc.stringMatching(/^[a-c/-]{1,8}$/), { maxLength: 12 });
    fc.assert(
      fc.property(fc.stringMatching(/^[a-c/-]{1,4}$/), words, (given, all) => {
        const found = fuzzy(given, all, same);
        expect(found.toSorted()).toEqual(all.filter((one) => isIn(given, one)).toSorted());
        if (all.includes(given)) expect(found[0]).toBe(given);
      }),
    );
  });
});

const config = {
  providers: {
    lab: { protocol: "openai-chat", base_url: "http://127.0.0.1:9/v1", models: ["big-one", "big-two", "tiny"] },
  },
  models: { "lab/tiny": { reasoning: "effort" } },
};

async function command(seat: Seat, text: string) {
  const admission = await seat.engine.runInput(text);
  if (admission.kind !== "command") throw new Error(admission.kind);
  return admission.result;
}

describe("/model", () => {
  const inLab = { model: "lab/tiny" } as const;

  test("[SL-1] a part of the name is enough where only one model of the provider in use fits", async () => {
    await using bench = new Bench([]);
    const seat = bench.open(inLab, { config });
    expect(await command(seat, "/model two")).toMatchObject({ ok: true, data: { model: "lab/big-two" } });
    expect(seat.engine.state().model).toBe("lab/big-two");
  });

  test("[SL-1] a name without a provider means the provider in use, also where another one has a model of that name", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({}, { config });
    for (const name of ["tiny", "gpt-5", "claude-opus-5-5", "zzz", "llama3:8b"]) {
      expect(await command(seat, `/model ${name}`)).toMatchObject({ ok: true, data: { model: `openai-chat/${name}` } });
      expect(seat.engine.state().model).toBe(`openai-chat/${name}`);
    }
  });

  test("[SL-1] [ER-2] where several fit they are shown and nothing changes; where none fits, that is said with a way out", async () => {
    await using bench = new Bench([]);
    const seat = bench.open(inLab, { config });
    const several = await command(seat, "/model big");
    expect(several).toMatchObject({ ok: false, data: { models: ["lab/big-one", "lab/big-two"] } });
    expect(several.text).toStartWith("big matches several models:\n  lab/big-one  128k\n  lab/big-two  128k\n");
    const begun = await command(seat, "/model lab/big");
    expect(begun).toMatchObject({ ok: false, data: { models: ["lab/big-one", "lab/big-two"] } });
    expect(begun.text).toContain("If you mean lab/big itself: coder --model lab/big");
    expect(seat.engine.state().model).toBe("lab/tiny");
    const offline = bench.open({ model: "builtin/mechanic" }, { config });
    const none = await command(offline, "/model zzz");
    expect([none.ok, none.text]).toEqual([false, expect.stringContaining("coder models PROVIDER --online")]);
    expect(offline.engine.state().model).toBe("builtin/mechanic");
  });

  test("[SL-1] a name that nobody has listed is taken as it is written; an unknown provider is not", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({}, { config });
    expect(await command(seat, "/model lab/new")).toMatchObject({ ok: true, data: { model: "lab/new" } });
    expect(await command(seat, "/model lob/new")).toMatchObject({ ok: false, error: { code: "E_CONFIG" } });
  });

  test("[SL-1] models that lack a key are found only where no other fits", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({ model: "builtin/mechanic" }, { config });
    const refused = await command(seat, "/model claude-opus-5-5");
    expect([refused.ok, refused.text]).toEqual([false, expect.stringContaining("No API key for anthropic")]);
  });

  test("[CLI-6] --effort is sent to a model that takes it, also in the middle of a session, and for one that does not it is said", async () => {
    await using bench = new Bench([{ text: "ok" }]);
    const own = { "openai-chat/mock": { reasoning: "effort" } };
    const seat = bench.open({}, { config: { models: own } });
    await seat.run("one");
    expect(await command(seat, "/model openai-chat/mock --effort high")).toMatchObject({
      ok: true,
      data: { model: "openai-chat/mock", effort: "high", warning: null },
    });
    await seat.run("two");
    await command(seat, "/model --effort=low");
    await seat.run("three");
    expect(bench.server.requests.map(({ body }) => body.reasoning_effort)).toEqual([undefined, "high", "low"]);
    const warned = await command(seat, "/model openai-chat/other --effort max");
    expect(warned.text).toContain("is not known to support a reasoning effort, so none is sent");
    const bad = await command(seat, "/model openai-chat/mock --effort hard");
    expect([bad.ok, bad.text]).toEqual([false, expect.stringContaining("minimal, low, medium, high, xhigh, max")]);
  });
});
