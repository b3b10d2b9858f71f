import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../../support/cli.ts";
import { type LocalServerFake, startLlamaCpp, startOllama } from "../../support/local-servers.ts";

interface Check {
  readonly area: string;
  readonly level: string;
  readonly message: string;
  readonly advice: string | null;
}

/** Nobody is at home where the usual servers would be, unless said. */
function configure(cli: Cli, servers: Readonly<Record<string, LocalServerFake>>, more: Record<string, unknown> = {}) {
  const names = ["ollama", "lmstudio", "llamacpp", "vllm"];
  const providers = Object.fromEntries(
    names.map((name) => [name, { base_url: servers[name]?.url ?? "http://127.0.0.1:9/v1" }]),
  );
  mkdirSync(cli.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(cli.home, "config.json"), JSON.stringify({ providers, ...more }), { mode: 0o600 });
}

async function examine(cli: Cli, args: readonly string[] = []) {
  const ran = await cli.run(["doctor", "--json", ...args]);
  const { checks } = JSON.parse(ran.out) as { checks: readonly Check[] };
  return { code: ran.code, of: (area: string) => checks.filter((one) => one.area === area), raw: ran.out };
}

test("[CLI-3] --live makes one small real call with a tool, and tells time, tokens and cost; without it none is made", async () => {
  using ollama = startOllama([{ name: "m", largest: 32_768, context: 32_768 }]);
  using cli = new Cli();
  configure(cli, { ollama }, { model: "ollama/m", models: { "ollama/m": { price: { input: 1, output: 1 } } } });
  expect((await examine(cli)).of("live")).toEqual([]);
  expect(ollama.chats).toEqual([]);
  const { code, of } = await examine(cli, ["--live"]);
  expect(code).toBe(0);
  expect(of("live")).toMatchObject([
    {
      level: "ok",
      message: expect.stringMatching(
        /^ollama\/m called the tool: \d+ ms \(\d+ ms to the first token\), \d+ tokens in, 9 out, \$0\.000\d+$/,
      ),
    },
  ]);
  expect(ollama.chats).toHaveLength(1);
});

test("[CLI-3] [ER-2] a model that only talks, one that takes no tools and one that is not there are problems with a way out", async () => {
  using cli = new Cli([{ text: "I cannot call anything." }]);
  using noTools = startLlamaCpp({ name: "m", largest: 32_768, tools: false });
  configure(cli, { llamacpp: noTools });
  const talks = await examine(cli, [...cli.model, "--live"]);
  expect([talks.code, talks.of("live")]).toMatchObject([
    1,
    [{ level: "problem", message: expect.stringContaining("without calling the tool: I cannot call anything.") }],
  ]);
  const refused = await examine(cli, ["--model", "llamacpp/m", "--live"]);
  expect(refused.of("live")).toMatchObject([{ level: "problem", advice: expect.stringContaining("--jinja") }]);
  const gone = await examine(cli, ["--model", "ollama/m", "--live"]);
  expect(gone.of("live")).toMatchObject([
    {
      level: "problem",
      message: expect.stringContaining("cannot reach"),
      advice: expect.stringContaining("Check the model name"),
    },
  ]);
});

test("[CLI-3] --live without a model is a problem, since no call was made; the built-in one needs none", async () => {
  using cli = new Cli();
  configure(cli, {});
  const none = await examine(cli, ["--live"]);
  expect([none.code, none.of("live")]).toEqual([
    1,
    [
      {
        area: "live",
        level: "problem",
        message: "no call was made: No model is configured.",
        advice: expect.stringContaining("coder setup"),
      },
    ],
  ]);
  const builtin = await examine(cli, ["--model", "builtin/mechanic", "--live"]);
  expect(builtin.of("live")).toMatchObject([{ level: "ok", message: expect.stringContaining("builtin/mechanic") }]);
});

test("[CLI-3] servers on this machine are named, and one whose model has little context with what to do", async () => {
  using ollama = startOllama([{ name: "small", largest: 32_768, context: 2_048 }]);
  using cli = new Cli();
  configure(cli, { ollama });
  const { of } = await examine(cli);
  expect(of("local")).toMatchObject([
    { level: "ok", message: `ollama at ${ollama.url}: small` },
    {
      level: "warning",
      message: "ollama/small has a context of only 2048 tokens",
      advice: expect.stringContaining("coder setup"),
    },
  ]);
  configure(cli, {});
  expect((await examine(cli)).of("local")).toMatchObject([
    { level: "ok", message: expect.stringMatching(/^no Ollama/) },
  ]);
});

test("[CLI-3] every missing thing about a model is told with what to do: none, no price under a budget, no tools, keys that others read", async () => {
  using cli = new Cli();
  configure(cli, {});
  expect((await examine(cli)).of("model")).toMatchObject([
    { level: "warning", message: "No model is configured.", advice: expect.stringContaining("coder setup") },
  ]);
  configure(cli, {}, { model: "llamacpp/m", max_cost: 1, models: { "llamacpp/m": { tools: false } } });
  expect((await examine(cli)).of("model").slice(1)).toMatchObject([
    { level: "problem", message: expect.stringContaining("does not support tools") },
    { level: "problem", message: expect.stringContaining("a budget (max_cost) is set") },
  ] as never);
  const keys = join(cli.home, "keys.json");
  writeFileSync(keys, '{"openai":"hidden-key"}');
  chmodSync(keys, 0o644);
  const open = await examine(cli);
  expect(open.of("keys")).toMatchObject([
    { level: "ok", message: "saved for: openai" },
    { level: "warning", advice: `Restrict it: chmod 600 ${keys}` },
  ]);
  expect(open.raw).not.toContain("hidden-key");
  // Whatever keychain there may be, it has no key of a provider with this name.
  writeFileSync(keys, '{"nobody-here":true}', { mode: 0o600 });
  expect((await examine(cli, [])).of("keys")[1]).toMatchObject({
    level: "problem",
    message: "the system keychain does not return the nobody-here key",
    advice: expect.stringContaining("coder setup"),
  });
  writeFileSync(keys, "[]");
  expect((await examine(cli)).of("keys")).toMatchObject([
    { level: "problem", advice: expect.stringContaining("setup") },
  ]);
});

test("[CLI-3] [CF-2] what the configuration says about proxy and certificates is told, and a file that is not there is a problem", async () => {
  using cli = new Cli();
  configure(cli, {}, { network: { proxy: "http://proxy.invalid:3128", ca_file: "none.pem" } });
  const { of } = await examine(cli);
  expect(of("network").slice(1)).toMatchObject([
    { level: "problem", message: `network.ca_file ${join(cli.home, "none.pem")} cannot be read (ENOENT)` },
  ]);
  configure(cli, {}, { network: { proxy: "http://proxy.invalid:3128" } });
  expect((await examine(cli)).of("network").slice(1)).toMatchObject([
    { level: "ok", message: "model requests go through proxy.invalid:3128" },
  ]);
});
