import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { say } from "../../../src/contract/text/catalogue.ts";
import { costOf } from "../../../src/engine/model/cost.ts";
import type { Admission } from "../../../src/engine/port.ts";
import { Bench, type Seat } from "../../support/engine.ts";
import type { Step } from "../../support/scripted-reply.ts";

const ref = "openai-chat/mock";
/** Dollars for a million tokens. */
const price = { input: 1, output: 4, cached_input: 0.1 };
const config = { models: { [ref]: { price } } };
const look = (n: number, usage?: Step["usage"]): Step => ({
  calls: [{ tool: "glob", input: { pattern: `${n}*` } }],
  ...(usage ? { usage } : {}),
});
const summaryOf = (seat: Seat) => seat.last("task.summarized").summary;
const costs = (seat: Seat) => seat.all("model.replied").map(({ reply }) => reply.cost);

describe("what a reply costs", () => {
  const micro = { input: 3_000_000, cachedInput: 300_000, output: 15_000_000 };
  const of = (input: number, output: number, cachedInput = 0) =>
    costOf({ input, output, cachedInput, reasoning: output }, micro);

  test("[BR-4] input, cached input and output each at their price; reasoning is part of the output", () => {
    expect(of(1000, 100)).toBe(3000 + 1500);
    expect(of(1000, 100, 900)).toBe(300 + 270 + 1500);
    expect(of(0, 0)).toBe(0);
  });

  test("[BR-4] what is put into a cache costs a quarter more than other input", () => {
    const usage = { input: 1000, output: 100, cachedInput: 200, writtenInput: 400, reasoning: 0 };
    expect(costOf(usage, micro)).toBe(400 * 3 + 400 * 3.75 + 60 + 1500);
    expect(costOf({ ...usage, writtenInput: 9000 }, micro)).toBe(800 * 3.75 + 60 + 1500);
  });

  test("[BR-4] the least bit of a micro-dollar counts as a whole one, so that small replies cannot pass for free", () => {
    const cheap = { input: 1, cachedInput: 1, output: 1 };
    expect(costOf({ input: 1, output: 0, cachedInput: 0, reasoning: 0 }, cheap)).toBe(1);
  });

  test("[BR-4] whatever numbers a provider reports, a cost is a whole number and never less than nothing", () => {
    const count = fc.oneof(fc.nat(), fc.maxSafeNat());
    const prices = fc.record({ input: fc.nat(1e11), cachedInput: fc.nat(1e11), output: fc.nat(1e11) });
    fc.assert(
      fc.property(count, count, count, prices, (input, output, cachedInput, any) => {
        const cost = costOf({ input, output, cachedInput, reasoning: 0 }, any);
        expect(Number.isSafeInteger(cost) && cost >= 0).toBe(true);
      }),
    );
  });
});

describe("a cost budget", () => {
  test("[BR-4] stops before a further model call, with what was used and allowed", async () => {
    const usage = { input: 1000, output: 100, cached: 500, reasoning: 50 };
    await using bench = new Bench([0, 1, 2, 3].map((n) => look(n, usage)));
    const seat = bench.open({ maxCost: "0.0019" }, { config });
    await seat.run("go");
    expect(costs(seat)).toEqual([950, 950]);
    expect(bench.server.requests.length).toBe(2);
    expect(seat.last("task.started").limits.maxCost).toBe(1900);
    expect(summaryOf(seat)).toMatchObject({ stop_reason: "BUDGET", exit_code: 5 });
    expect(summaryOf(seat).next_steps).toEqual([
      "cost budget used up ($0.0019 of $0.0019)",
      "To continue from here: /continue, or coder run --continue.",
    ]);
  });

  test("[BR-4] is each task's own, and the next task begins with all of it", async () => {
    const usage = { input: 500, output: 0 };
    await using bench = new Bench([[look(0, usage), { text: "one", usage }], [{ text: "two", usage }]]);
    const seat = bench.open({ maxCost: "0.001" }, { config });
    await seat.run("first");
    await seat.run("second");
    expect(seat.all("task.summarized").map(({ summary }) => summary.stop_reason)).toEqual(["COMPLETED", "COMPLETED"]);
    expect(seat.engine.state().cost).toBe(1500);
  });

  test("[BR-4] ends also where the provider counts nothing: the tokens are estimated then", async () => {
    await using bench = new Bench(Array.from({ length: 20 }, (_, n) => look(n)));
    const seat = bench.open({ maxCost: "0.01" }, { config });
    await seat.run("go");
    expect(summaryOf(seat)).toMatchObject({ stop_reason: "BUDGET", exit_code: 5 });
    expect(seat.engine.state().usage.input).toBe(0);
  });

  test("[SM-8] [BR-4] that is spent when a check fails allows no repair, and the summary says both", async () => {
    const command = "node --test";
    const usage = { input: 1000, output: 0 };
    const write = { tool: "write", input: { path: "a.test.js", content: "throw new Error('no');\n" } };
    await using bench = new Bench([
      { calls: [write], usage },
      { text: "done", usage },
      { text: "repaired", usage },
    ]);
    const workflow = { verify_commands: [command], verify_allowed: [command] };
    const seat = bench.open({ mode: "auto-edit", maxCost: "0.002" }, { config: { ...config, workflow } });
    await seat.run("add a test");
    expect(bench.server.requests.length).toBe(2);
    expect(seat.all("recovery.decided").map(({ rung, reason }) => [rung, say("en", reason)])).toEqual([
      ["stop", "cost budget used up ($0.002 of $0.002)"],
    ]);
    const { stop_reason, verification, next_steps } = summaryOf(seat);
    expect([stop_reason, verification.status]).toEqual(["BLOCKED", "fail"]);
    expect(next_steps).toContain("cost budget used up ($0.002 of $0.002)");
  });

  test("[SM-8] [BR-4] goes on in the run that repairs: what was spent stays spent", async () => {
    const command = "node --test";
    const usage = { input: 1000, output: 0 };
    const write = (content: string) => ({ calls: [{ tool: "write", input: { path: "a.test.js", content } }], usage });
    const steps = [write("throw new Error('no');\n"), { text: "done", usage }, look(1, usage), look(2, usage)];
    await using bench = new Bench([...steps, { text: "never", usage }]);
    const workflow = { verify_commands: [command], verify_allowed: [command], max_verify_attempts: 2 };
    const seat = bench.open({ mode: "auto-edit", maxCost: "0.0035" }, { config: { ...config, workflow } });
    await seat.run("add a test");
    expect([bench.server.requests.length, seat.engine.state().cost]).toEqual([4, 4000]);
  });
});

describe("a model without a known price", () => {
  const errorOf = (admission: Admission) => (admission.kind === "refused" ? admission.error : null);

  test("[BR-4] [ER-2] is refused before anything is recorded, with the line of the config that is missing", async () => {
    await using bench = new Bench([{ text: "never" }]);
    const seat = bench.open({ maxCost: "0.5" });
    const error = errorOf(await seat.run("go"));
    expect([error?.code, error && say("en", error.text), error?.advice && say("en", error.advice)]).toEqual([
      "E_CONFIG",
      `A cost budget of $0.50 is set, but the price of ${ref} is unknown.`,
      expect.stringContaining(`"models": { "${ref}": { "price": { "input": 3, "output": 15 } } }`),
    ]);
    expect(error?.advice && say("zh", error.advice)).toContain(`"models": { "${ref}": { "price":`);
    expect([seat.events, seat.engine.sessions(10), bench.server.requests]).toEqual([[], [], []]);
  });

  test("[BR-4] works as ever where no budget is set, and what needs no model works with one", async () => {
    await using bench = new Bench([{ text: "ok", usage: { input: 5, output: 5 } }]);
    const free = bench.open();
    await free.run("go");
    expect([costs(free), free.engine.state().cost, "maxCost" in free.last("task.started").limits]).toEqual([
      [undefined],
      null,
      false,
    ]);
    await free.close();
    const seat = bench.open({ maxCost: "1", mode: "yolo" });
    await seat.run("!true");
    expect(summaryOf(seat).stop_reason).toBe("COMPLETED");
  });

  test("[BR-4] is not switched to while a budget is set; one with a price is, and its replies count at its own", async () => {
    const usage = { input: 1000, output: 0 };
    await using bench = new Bench([[{ text: "one", usage }], [{ text: "two", usage }]]);
    const dear = "openai-chat/dear";
    const models = { ...config.models, [dear]: { price: { input: 7, output: 7 } } };
    const seat = bench.open({ maxCost: "1" }, { config: { models } });
    await seat.run("first");
    const refused = await seat.engine.runInput("/model openai-chat/other");
    expect(refused).toMatchObject({ kind: "command", result: { ok: false, error: { code: "E_CONFIG" } } });
    expect(seat.engine.state().model).toBe(ref);
    expect(await seat.engine.runInput(`/model ${dear}`)).toMatchObject({ result: { ok: true } });
    await seat.run("second");
    expect([costs(seat), seat.engine.state().cost]).toEqual([[1000, 7000], 8000]);
  });
});

test("[BR-4] [SM-6] /status shows what was spent and what may be", async () => {
  await using bench = new Bench([{ text: "ok", usage: { input: 300, output: 0 } }]);
  const seat = bench.open({ maxCost: "0.25", maxTime: "90" }, { config });
  const status = async () => {
    const admission = await seat.engine.runInput("/status");
    if (admission.kind !== "command") throw new Error(admission.kind);
    return admission.result;
  };
  expect((await status()).data).toMatchObject({ cost_usd: 0, breakers: { cost: { used_usd: 0, max_usd: 0.25 } } });
  await seat.run("go");
  const { data, text } = await status();
  expect(text).toMatch(/^budget +300 tokens, \$0\.0003 \/ \$0\.25, 90 s$/m);
  expect(data).toMatchObject({ cost_usd: 0.0003, breakers: { cost: { used_usd: 0.0003, max_usd: 0.25 } } });
});
