import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../../support/cli.ts";

interface Row {
  readonly provider: string;
  readonly has_key: boolean;
  readonly key_from: string | null;
  readonly models: readonly unknown[];
}

function withConfig(config: unknown): Cli {
  const cli = new Cli();
  mkdirSync(cli.home);
  writeFileSync(join(cli.home, "config.json"), JSON.stringify(config));
  return cli;
}

const unknown = { max_output: null, images: false, tools: null, effort: false, price: null, source: null };

describe("models", () => {
  test("[CLI-6] every provider is listed with its address, whether it has a key and where from, and the models named for it", async () => {
    const own = { protocol: "anthropic", base_url: "http://127.0.0.1:9/v1", api_key: "hidden-key", models: ["m-1"] };
    using cli = withConfig({ providers: { own }, models: { "own/m-2": { context_window: 5000 } } });
    const env = { DEEPSEEK_API_KEY: "hidden-key", MISTRAL_API_KEY: "" };
    const ran = await cli.run(["models", "--json"], { env });
    const rows = JSON.parse(ran.out) as readonly Row[];
    const of = (name: string) => rows.find((row) => row.provider === name);
    expect(of("own")).toEqual({
      provider: "own",
      protocol: "anthropic",
      base_url: "http://127.0.0.1:9/v1",
      needs_key: true,
      has_key: true,
      key_from: "config.json",
      key_variables: [],
      models: [
        { ...unknown, model: "own/m-1", context_window: 128000 },
        { ...unknown, model: "own/m-2", context_window: 5000 },
      ],
    } as never);
    expect(of("deepseek")).toMatchObject({ has_key: true, key_from: "DEEPSEEK_API_KEY" });
    expect(of("mistral")).toMatchObject({ has_key: false, key_from: null, key_variables: ["MISTRAL_API_KEY"] });
    expect(of("ollama")).toMatchObject({ needs_key: false, base_url: "http://127.0.0.1:11434/v1" });
    expect(of("openai-chat")).toMatchObject({ base_url: null });
    expect(ran.out).not.toContain("hidden-key");
    const text = await cli.run(["models", "own"], { env });
    expect(text.out).toStartWith("own               http://127.0.0.1:9/v1");
    expect(text.out).toContain("\n  own/m-2  context 5000 tokens");
    expect(text.out).not.toContain("hidden-key");
  });

  test("[CLI-6] an address and a key that are given belong to the provider that is named, and to no other", async () => {
    const seen: (string | null)[] = [];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => {
        seen.push(request.headers.get("authorization"));
        return Response.json({ data: [{ id: "a" }] });
      },
    });
    const url = `${server.url.href}v1`;
    const own = { protocol: "openai-chat", base_url: `${url}/own`, api_key_env: "OWN_KEY" };
    using cli = withConfig({ model: "openai-chat/a", providers: { own } });
    const env = { CODER_API_KEY: "given", CODER_BASE_URL: url };
    try {
      const shown = { code: 0, out: "openai-chat/a\n", err: "" };
      expect(await cli.run(["models", "openai-chat", "--online"], { env })).toEqual(shown);
      expect(await cli.run(["models", "openai-chat", "--online", "--base-url", url])).toEqual(shown);
      expect(seen).toEqual(["Bearer given", null]);
      const rows = await cli.run(["models", "--json"], { env });
      const listed = (JSON.parse(rows.out) as readonly (Row & { base_url: string })[]).filter((row) =>
        ["own", "openai", "openai-chat"].includes(row.provider),
      );
      expect(listed.map(({ provider, base_url, key_from }) => [provider, base_url, key_from])).toEqual([
        ["own", `${url}/own`, null],
        ["openai", "https://api.openai.com/v1", null],
        ["openai-chat", url, "CODER_API_KEY"],
      ]);
    } finally {
      server.stop(true);
    }
  });

  test("[CLI-6] models of the catalogue are listed with window, price, abilities, and where that comes from; one's own price wins", async () => {
    using cli = withConfig({ models: { "anthropic/claude-opus-5": { price: { input: 1, output: 2 } } } });
    const ran = await cli.run(["models", "anthropic", "--json"], { env: { ANTHROPIC_API_KEY: "" } });
    const [row] = JSON.parse(ran.out) as readonly Row[];
    const of = (name: string) => row?.models.find((one) => (one as { model: string }).model === `anthropic/${name}`);
    expect(of("claude-opus-5-5")).toEqual({
      ...{ model: "anthropic/claude-opus-5-5", context_window: 1000000, max_output: 128000 },
      ...{ images: true, tools: true, effort: true, price: { input: 4, output: 20, cached_input: 0.2 } },
      source: { page: expect.stringMatching(/^https:/), date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    } as never);
    expect(of("claude-opus-5")).toMatchObject({ price: { input: 1, output: 2, cached_input: 1 } });
    const text = await cli.run(["models", "openai"], { env: { OPENAI_API_KEY: "" } });
    expect(text.out).toMatch(
      /openai\/gpt-6-sol +context 1050000 tokens, \$2\.00 in \/ \$10\.00 out per million \(\$0\.20 cached\), more beyond 272000 tokens, images, effort\n/,
    );
    expect(text.out).toContain("no key: set OPENAI_API_KEY");
    const chinese = await cli.run(["models", "openai", "--lang", "zh"]);
    expect(chinese.out).toContain("每百万输入 $2.00 / 输出 $10.00");
  });

  test("[CLI-6] an unknown provider is refused with the nearest one", async () => {
    using cli = new Cli();
    const ran = await cli.run(["models", "deepsek"]);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("did you mean deepseek?")]);
  });

  const replies: readonly (readonly [protocol: string, header: string, body: unknown])[] = [
    ["openai-chat", "authorization", { data: [{ id: "b" }, { id: "a" }] }],
    ["anthropic", "x-api-key", { data: [{ id: "b", type: "model" }, { id: "a" }] }],
    ["google", "x-goog-api-key", { models: [{ name: "models/b" }, { name: "models/a" }] }],
  ];
  for (const [protocol, header, body] of replies) {
    test(`[CLI-6] --online lists what a server of ${protocol} says it has, with the key shown to it alone`, async () => {
      const seen: (string | null)[] = [];
      const server = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: (request) => {
          seen.push(request.headers.get(header), new URL(request.url).pathname);
          return Response.json(body);
        },
      });
      using cli = withConfig({ providers: { own: { protocol, base_url: `${server.url.href}v1`, api_key: "k" } } });
      try {
        expect(await cli.run(["models", "own", "--online"])).toEqual({ code: 0, out: "own/a\nown/b\n", err: "" });
        expect(seen).toEqual([header === "authorization" ? "Bearer k" : "k", "/v1/models"]);
      } finally {
        server.stop(true);
      }
    });
  }

  test("[CLI-6] [ER-2] a refusal, a redirect, nonsense and an endless answer are errors without the key in them", async () => {
    const answers: Readonly<Record<string, () => Response>> = {
      "/refused/models": () => new Response("key k-secret is wrong", { status: 401 }),
      "/moved/models": () => Response.redirect("http://127.0.0.1:9/elsewhere"),
      "/nonsense/models": () => new Response("<html>"),
      "/endless/models": () =>
        new Response(
          new ReadableStream({
            pull: (controller) => controller.enqueue(new TextEncoder().encode("x".repeat(1 << 20))),
          }),
        ),
    };
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => answers[new URL(request.url).pathname]?.() ?? new Response("", { status: 404 }),
    });
    try {
      for (const name of Object.keys(answers)) {
        const base_url = `${server.url.href}${name.split("/")[1]}`;
        using cli = withConfig({ providers: { own: { protocol: "openai-chat", base_url, api_key: "k-secret" } } });
        const ran = await cli.run(["models", "own", "--online"]);
        expect([name, ran.code, ran.out, ran.err.includes("k-secret")]).toEqual([name, 7, "", false]);
        expect(ran.err).toContain("\nCheck the address, the key and the network;");
      }
    } finally {
      server.stop(true);
    }
  }, 120_000);
});

test("[CLI-3] lists the model that comes with coder, without key, address and price", async () => {
  using cli = new Cli();
  const { code, out } = await cli.run(["models", "builtin"]);
  expect({
    code,
    lines: out
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/ +/g, " ")),
  }).toEqual({
    code: 0,
    lines: [
      "builtin builtin: needs no key",
      " builtin/mechanic built in: fixed rules, no AI, no network (docs/guide/mechanic.md)",
    ],
  });
});
