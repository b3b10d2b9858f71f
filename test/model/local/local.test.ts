import { describe, expect, test } from "bun:test";
import type { LocalServer, ModelChoice } from "../../../src/contract/settings.ts";
import { findServers } from "../../../src/model/local/find-servers.ts";
import { derivedName, giveContext } from "../../../src/model/local/ollama-context.ts";
import { openModel } from "../../../src/model/open.ts";
import { tryOut } from "../../../src/model/try-out.ts";
import {
  type LocalServerFake,
  startLlamaCpp,
  startLmStudio,
  startOllama,
  startVllm,
  tokensIn,
} from "../../support/local-servers.ts";
import { choiceAt, deltasOf, replyOf, requestOf } from "../../support/model-calls.ts";
import { startRawServer } from "../../support/raw-server.ts";

const patience = { idleMs: 5_000 };
const signal = new AbortController().signal;

function choiceOf(server: LocalServer, { url }: Pick<LocalServerFake, "url">, name: string): ModelChoice {
  return { ...choiceAt(url, { name: server }), ref: `${server}/${name}`, name, windowFrom: server };
}

const qwen = { name: "qwen3:8b", largest: 40_960 };

describe("servers on this machine", () => {
  test("[CLI-6] all four are found at once, each with its models, their context and what it could be", async () => {
    using ollama = startOllama([qwen, { name: "gemma3:4b", largest: 8_192, context: 8_192, tools: false }]);
    using lmstudio = startLmStudio([{ name: "qwen/qwen3-8b", largest: 32_768 }]);
    using llamacpp = startLlamaCpp({ name: "m.gguf", largest: 32_768, context: 16_384 });
    using vllm = startVllm({ name: "Qwen/Qwen3-8B", largest: 40_960 });
    const found = await findServers({
      ...{ ollama: ollama.url, lmstudio: lmstudio.url, llamacpp: llamacpp.url, vllm: vllm.url },
    });
    expect(found).toEqual([
      {
        server: "ollama",
        baseUrl: ollama.url,
        models: [
          { name: "qwen3:8b", context: null, largest: 40_960, takesTools: true },
          { name: "gemma3:4b", context: 8_192, largest: 8_192, takesTools: false },
        ],
      },
      {
        server: "lmstudio",
        baseUrl: lmstudio.url,
        models: [{ name: "qwen/qwen3-8b", context: null, largest: 32_768, takesTools: null }],
      },
      {
        server: "llamacpp",
        baseUrl: llamacpp.url,
        models: [{ name: "m.gguf", context: 16_384, largest: null, takesTools: null }],
      },
      {
        server: "vllm",
        baseUrl: vllm.url,
        models: [{ name: "Qwen/Qwen3-8B", context: 40_960, largest: null, takesTools: null }],
      },
    ]);
  });

  test("[CLI-6] other programs at those ports, silence and nobody at all are no model servers, and are not waited for", async () => {
    using website = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("<html>hello</html>") });
    using other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json({ data: [{ id: "x" }] }) });
    await using silent = await startRawServer(() => {});
    using endless = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () =>
        new Response(
          new ReadableStream({ pull: (to) => to.enqueue(new TextEncoder().encode(`[${"1,".repeat(1 << 16)}`)) }),
        ),
    });
    const found = await findServers({
      ollama: `${website.url.href}v1`,
      lmstudio: silent.url,
      llamacpp: `${other.url.href}v1`,
      vllm: "http://127.0.0.1:9/v1",
    });
    expect([...found, ...(await findServers({ ollama: `${endless.url.href}v1` }))]).toEqual([]);
  });
});

describe("one real call", () => {
  const servers: readonly (readonly [LocalServer, (tools: boolean) => LocalServerFake])[] = [
    ["ollama", (tools) => startOllama([{ name: "m", largest: 32_768, tools }])],
    ["lmstudio", () => startLmStudio([{ name: "m", largest: 32_768 }])],
    ["llamacpp", (tools) => startLlamaCpp({ name: "m", largest: 32_768, tools })],
    ["vllm", (tools) => startVllm({ name: "m", largest: 32_768, tools })],
  ];
  test.each(servers)("[MD-6] a model behind %s that can call a tool is told from the reply", async (server, begin) => {
    using fake = begin(true);
    const tried = await tryOut(await openModel(choiceOf(server, fake, "m"), patience), signal);
    expect(tried).toMatchObject({ error: null, isCalled: true, usage: { output: 9 }, text: "" });
    expect(tried.firstMs).toBeLessThanOrEqual(tried.ms);
  });

  test.each(servers.filter(([server]) => server !== "lmstudio"))(
    "[ER-2] %s without tools is an error with the way out in it, and is not tried again",
    async (server, begin) => {
      using fake = begin(false);
      const port = await openModel(choiceOf(server, fake, "m"), patience);
      const tool = { name: "report", description: "", schema: { type: "object", properties: {} } };
      const { failure } = replyOf(await deltasOf(port, requestOf({ tools: [tool] })));
      expect(failure?.fault.kind).toBe("bad_request");
      expect(failure?.error.advice?.key).toBe("advice.model_tools");
    },
  );
});

describe("how much context a server gives", () => {
  test("[CX-5] Ollama's is asked for before the first call, and again after it, when the model is loaded", async () => {
    using fake = startOllama([qwen], 8_192);
    const port = await openModel(choiceOf("ollama", fake, "qwen3:8b"), patience);
    expect(port.window).toBeUndefined();
    await deltasOf(port);
    expect([port.window, port.notice?.key]).toEqual([8_192, "local.window_small"]);
  });

  test("[CX-5] what was set for the model itself is known at once", async () => {
    using fake = startOllama([{ ...qwen, context: 32_768 }]);
    const port = await openModel(choiceOf("ollama", fake, "qwen3:8b"), patience);
    expect([port.window, port.notice]).toEqual([32_768, undefined]);
  });

  test("[CX-5] an Ollama that does not say is taken to give its documented default", async () => {
    using fake = startOllama([qwen]);
    using old = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/api/ps") return Response.json({ models: [{ name: "qwen3:8b" }] });
        return await fetch(`${new URL(fake.url).origin}${pathname}`, { method: request.method, body: request.body });
      },
    });
    const port = await openModel(choiceOf("ollama", { url: `${old.url.href}v1` }, "qwen3:8b"), patience);
    await deltasOf(port);
    expect([port.window, port.notice?.key]).toEqual([4_096, "local.window_unknown"]);
  });

  test("[CX-5] LM Studio's, llama.cpp's and vLLM's are those of a request, not those the model was trained for", async () => {
    using lmstudio = startLmStudio([{ name: "m", largest: 131_072, context: 12_000 }]);
    using llamacpp = startLlamaCpp({ name: "m", largest: 131_072, context: 20_000 });
    using vllm = startVllm({ name: "m", largest: 131_072, context: 30_000 });
    const windows = [];
    for (const [server, fake] of [
      ["lmstudio", lmstudio],
      ["llamacpp", llamacpp],
      ["vllm", vllm],
    ] as const) {
      const port = await openModel(choiceOf(server, fake, "m"), patience);
      await deltasOf(port);
      windows.push(port.window);
    }
    expect(windows).toEqual([12_000, 20_000, 30_000]);
  });

  test("[MD-5] longer than that: llama.cpp, vLLM and LM Studio say so, and it is an overflow; Ollama cuts off in silence", async () => {
    const long = [...Array(40)].map((_, n) => ({ role: "user" as const, text: `${n} ${"word ".repeat(200)}` }));
    const request = requestOf({ messages: long });
    const model = { name: "m", largest: 32_768, context: 4_096 };
    const kinds: (string | undefined)[] = [];
    for (const [server, begin] of [
      ["lmstudio", () => startLmStudio([model])],
      ["llamacpp", () => startLlamaCpp(model)],
      ["vllm", () => startVllm(model)],
    ] as const) {
      using fake = begin();
      const { failure } = replyOf(await deltasOf(await openModel(choiceOf(server, fake, "m"), patience), request));
      kinds.push(failure?.fault.kind);
    }
    expect(kinds).toEqual(["overflow", "overflow", "overflow"]);
    using ollama = startOllama([model]);
    const { failure, usage, text } = replyOf(
      await deltasOf(await openModel(choiceOf("ollama", ollama, "m"), patience), request),
    );
    expect([failure, (usage?.input ?? 0) <= 4_096, tokensIn(ollama.chats[0]?.messages) > 9_000]).toEqual([
      null,
      true,
      true,
    ]);
    expect(text).not.toContain("41 messages");
  });
});

describe("a context that is set explicitly", () => {
  test("[CX-5] Ollama takes none with a request; a model of one's own with it does what it says", async () => {
    using fake = startOllama([qwen]);
    const root = new URL(fake.url).origin;
    expect(await giveContext(root, "qwen3:8b", 32_768)).toEqual({ ok: true, value: "qwen3:8b-32k" });
    const port = await openModel(choiceOf("ollama", fake, "qwen3:8b-32k"), patience);
    await deltasOf(port);
    expect(port.window).toBe(32_768);
    const ps = (await (await fetch(`${root}/api/ps`)).json()) as unknown;
    expect(ps).toMatchObject({ models: [{ name: "qwen3:8b-32k", context_length: 32_768 }] });
    expect(fake.models.map(({ name }) => name)).toEqual(["qwen3:8b", "qwen3:8b-32k"]);
  });

  test("[ER-2] a server that says yes and does nothing is not believed", async () => {
    using liar = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json({ status: "success" }) });
    const made = await giveContext(liar.url.origin, "m", 32_768);
    expect(made).toMatchObject({ ok: false, error: { text: { key: "setup.context_refused" } } });
  });

  test.each([
    ["qwen3:8b", "qwen3:8b-32k"],
    ["llama3.2", "llama3.2:latest-32k"],
    ["hf.co/x/y:Q4_K_M", "hf.co/x/y:Q4_K_M-32k"],
    ["localhost:5000/x/y", "localhost:5000/x/y:latest-32k"],
  ])("[CLI-6] the model made of %s is called %s", (model, name) => {
    expect(derivedName(model, 32_768)).toBe(name);
  });
});
