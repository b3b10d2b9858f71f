import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../support/cli.ts";
import { until } from "../support/until.ts";

const usage = { input: 1000, output: 0 };
const look = (n: number) => ({ calls: [{ tool: "glob", input: { pattern: `${n}*` } }], usage });

/** What a million tokens of the model cost, by the person's own file; `null` = it does not say. */
function setPrice(cli: Cli, dollars: number | null): void {
  const models = dollars === null ? {} : { "openai-chat/mock": { price: { input: dollars, output: dollars } } };
  mkdirSync(cli.home, { recursive: true });
  writeFileSync(join(cli.home, "config.json"), JSON.stringify({ models }));
}

async function session(cli: Cli): Promise<{ readonly id: string; readonly events: number }> {
  const [row] = JSON.parse((await cli.run(["sessions", "--json"])).out) as { id: string; events: number }[];
  if (!row) throw new Error("no session");
  return row;
}

test("[SU-2] [BR-4] the JSON of a result has the cost beside the usage where the price is known, and only there", async () => {
  using cli = new Cli([{ text: "ok", usage }]);
  const result = async () =>
    JSON.parse((await cli.run(["run", ...cli.model, "--output", "json", "go"])).out) as Record<string, unknown>;
  expect(Object.keys(await result())).not.toContain("cost_usd");
  setPrice(cli, 1.5);
  const { cost_usd, usage: used } = await result();
  expect([cost_usd, used]).toEqual([0.0015, { input: 1000, output: 0, cachedInput: 0, reasoning: 0 }]);
});

const goOn = "To continue from here: /continue, or coder run --continue.";

test("[BR-4] [SU-2] --max-cost ends a run with exit code 5 and says what was used and allowed, in both languages", async () => {
  using cli = new Cli([look(1), look(2), look(3)]);
  setPrice(cli, 1);
  const ran = await cli.run(["run", ...cli.model, "--max-cost", "0.002", "--output", "json", "go"]);
  const { stop_reason, cost_usd, summary } = JSON.parse(ran.out) as Record<string, unknown>;
  expect([ran.code, stop_reason, cost_usd]).toEqual([5, "BUDGET", 0.002]);
  expect(summary).toMatchObject({ next_steps: ["cost budget used up ($0.002 of $0.002)", goOn] });
  const zh = await cli.run(["run", ...cli.model, "--max-cost", "0.002", "--lang", "zh", "--output", "json", "go"]);
  expect(JSON.parse(zh.out)).toMatchObject({
    summary: { next_steps: ["费用预算已用完（$0.002/$0.002）", expect.any(String)] },
  });
  expect(cli.server.requests.length).toBe(4);
});

test("[PS-4] [BR-4] killed in the middle, a task keeps its budget and what it has cost, whatever prices are now", async () => {
  using cli = new Cli([look(1), { ...look(2), delayMs: 60_000, times: 1 }, look(3)]);
  setPrice(cli, 1);
  const child = cli.start(["run", ...cli.model, "--max-cost", "0.0025", "go"]);
  await until("the second request arrived", () => cli.server.requests.length === 2);
  child.kill("SIGKILL");
  await child.exited;
  const { id, events } = await session(cli);

  setPrice(cli, null);
  const refused = await cli.run(["run", ...cli.model, "--resume", id]);
  expect([refused.code, refused.out]).toEqual([2, ""]);
  expect(refused.err).toContain("A cost budget of $0.0025 is set, but the price of openai-chat/mock is unknown.");
  expect([await session(cli), cli.server.requests.length]).toMatchObject([{ id, events }, 2]);

  setPrice(cli, 2);
  const ran = await cli.run(["run", ...cli.model, "--resume", id, "--output", "json"]);
  expect(JSON.parse(ran.out)).toMatchObject({ stop_reason: "BUDGET", exit_code: 5, cost_usd: 0.003 });
  expect(cli.server.requests.length).toBe(3);
  expect((await cli.run(["replay", id])).code).toBe(0);
}, 120_000);

test("[CLI-3] [PS-5] trace and exports say what each step and the session has cost, where it was known, and nothing else where not", async () => {
  using cli = new Cli([look(1), { text: "ok", usage: { input: 2000, output: 100 } }]);
  setPrice(cli, 1);
  await cli.run(["run", ...cli.model, "go"]);
  const { id } = await session(cli);
  const trace = JSON.parse((await cli.run(["trace", id, "--json"])).out) as {
    readonly tasks: readonly { readonly rows: readonly { readonly kind: string; readonly cost_usd?: number }[] }[];
    readonly totals: { readonly cost_usd?: number };
  };
  const steps = trace.tasks[0]?.rows.filter(({ kind }) => kind === "model").map(({ cost_usd }) => cost_usd);
  expect([steps, trace.totals.cost_usd]).toEqual([[0.001, 0.0021], 0.0031]);
  const text = (await cli.run(["trace", id])).out;
  expect([text.includes("1000 in (0 cached) 0 out, $0.001\n"), text.includes(", $0.0031\n")]).toEqual([true, true]);
  const markdown = (await cli.run(["export", id, "--format", "md"])).out;
  expect(markdown).toContain("Tokens: 3000 in (0 cached), 100 out, \\$0.0031");
  const exported = JSON.parse((await cli.run(["export", id, "--format", "json"])).out) as {
    readonly messages: readonly { readonly role: string; readonly cost_usd?: number }[];
  };
  expect(exported.messages.flatMap(({ role, cost_usd }) => (role === "assistant" ? [cost_usd] : []))).toEqual([
    ...[0.001, 0.0021],
  ] as never);
  setPrice(cli, null);
  await cli.run(["run", ...cli.model, "go"]);
  const free = await session(cli);
  expect((await cli.run(["trace", free.id])).out).not.toContain("$");
});
