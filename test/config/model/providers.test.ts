import { expect, test } from "bun:test";
import { chooseModel, type ModelSources } from "../../../src/config/model/providers.ts";
import { say } from "../../../src/contract/text/catalogue.ts";

const nothing: ModelSources = {
  ...{ env: {}, providers: undefined, models: undefined, baseUrl: null, sharedKey: null },
  ...{ storedKey: () => null, effort: null },
};

function choose(ref: string, sources: Partial<ModelSources> = {}): unknown {
  const choice = chooseModel(ref, { ...nothing, ...sources });
  if (!choice.ok) return `${choice.error.code} ${say("en", choice.error.text)}`;
  const { protocol, baseUrl, apiKey } = choice.value.provider;
  return [protocol, baseUrl, apiKey];
}

const at = (url: string) => ({ baseUrl: { url, where: "--base-url" } });

const vendors: readonly (readonly [name: string, variable: string, protocol: string, host: string])[] = [
  ["openai", "OPENAI_API_KEY", "openai-responses", "api.openai.com"],
  ["openrouter", "OPENROUTER_API_KEY", "openai-chat", "openrouter.ai"],
  ["deepseek", "DEEPSEEK_API_KEY", "openai-chat", "api.deepseek.com"],
  ["moonshot", "MOONSHOT_API_KEY", "openai-chat", "api.moonshot.cn"],
  ["qwen", "DASHSCOPE_API_KEY", "openai-chat", "dashscope.aliyuncs.com"],
  ["dashscope", "DASHSCOPE_API_KEY", "openai-chat", "dashscope.aliyuncs.com"],
  ["zhipu", "ZHIPUAI_API_KEY", "openai-chat", "open.bigmodel.cn"],
  ["mistral", "MISTRAL_API_KEY", "openai-chat", "api.mistral.ai"],
  ["groq", "GROQ_API_KEY", "openai-chat", "api.groq.com"],
  ["xai", "XAI_API_KEY", "openai-chat", "api.x.ai"],
  ["together", "TOGETHER_API_KEY", "openai-chat", "api.together.xyz"],
  ["anthropic", "ANTHROPIC_API_KEY", "anthropic", "api.anthropic.com"],
  ["google", "GEMINI_API_KEY", "google", "generativelanguage.googleapis.com"],
];

test.each(vendors)(
  "[CLI-5] %s takes its key from %s and goes to its own host over https",
  (name, variable, protocol, host) => {
    expect(choose(`${name}/m`, { env: { [variable]: "key" } })).toEqual([
      protocol,
      expect.stringMatching(new RegExp(`^https://${host.replaceAll(".", "\\.")}/.*[^/]$`)),
      "key",
    ]);
  },
);

test.each(vendors)("[CLI-5] %s without a key is refused with the name of its variable", (name, variable) => {
  expect(choose(`${name}/m`, { env: { [variable]: "" } })).toStartWith(
    `E_CONFIG No API key for ${name}; looked in: CODER_API_KEY, ${variable}`,
  );
});

test.each(["ollama", "lmstudio", "llamacpp", "vllm"])(
  "[CLI-6] the local server %s needs no key and is shown none",
  (name) => {
    expect(choose(`${name}/m`, { sharedKey: "shared" })).toEqual([
      "openai-chat",
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/),
      null,
    ]);
  },
);

test("[CLI-6] a bare protocol needs an address and takes the shared key if there is one", () => {
  expect([
    choose("openai-chat/m"),
    choose("openai-responses/m", at("http://h/v1")),
    choose("openai-chat/m", { ...at("http://h/v1"), sharedKey: "shared" }),
    choose("anthropic/m", { ...at("http://h/v1"), env: { ANTHROPIC_API_KEY: "vendor" } }),
    choose("google/m", { ...at("http://h/v1"), sharedKey: "shared" }),
  ]).toEqual([
    "E_CONFIG No address is known for openai-chat.",
    ["openai-responses", "http://h/v1", null],
    ["openai-chat", "http://h/v1", "shared"],
    ["anthropic", "http://h/v1", null],
    ["google", "http://h/v1", "shared"],
  ]);
});

test("[CLI-5] CODER_API_KEY goes before the vendor's variable", () => {
  expect(choose("openai/m", { env: { OPENAI_API_KEY: "vendor" }, sharedKey: "shared" })).toEqual([
    "openai-responses",
    "https://api.openai.com/v1",
    "shared",
  ]);
});

test("a provider's own key and headers go to its own address only", () => {
  const providers = {
    corp: { protocol: "openai-chat", base_url: "https://llm.corp/v1", api_key: "own", headers: { A: "b" } },
  } as const;
  const elsewhere = chooseModel("corp/m", { ...nothing, providers, ...at("http://evil/v1"), sharedKey: "shared" });
  expect([
    choose("openai/m", { env: { OPENAI_API_KEY: "vendor" }, ...at("http://evil/v1") }),
    choose("openai/m", { env: { OPENAI_API_KEY: "vendor" }, ...at("https://api.openai.com/v1/") }),
    choose("openai/m", { env: { OPENAI_API_KEY: "vendor" }, ...at("http://evil/v1"), sharedKey: "shared" }),
    choose("corp/m", { providers, ...at("http://evil/v1") }),
    choose("corp/m", { providers }),
    elsewhere.ok && elsewhere.value.provider.headers,
  ]).toEqual([
    "E_CONFIG The openai key is not sent to http://evil/v1, and there is no other key.",
    ["openai-responses", "https://api.openai.com/v1", "vendor"],
    ["openai-responses", "http://evil/v1", "shared"],
    "E_CONFIG The corp key is not sent to http://evil/v1, and there is no other key.",
    ["openai-chat", "https://llm.corp/v1", "own"],
    {},
  ]);
});

test("[CLI-6] the user's entry changes a built-in provider and adds new ones", () => {
  const providers = {
    openai: { base_url: "https://proxy.corp/v1" },
    corp: { protocol: "anthropic", base_url: "https://llm.corp", api_key_env: "CORP_KEY", headers: { "X-Team": "a" } },
    open: { protocol: "openai-chat", base_url: "http://127.0.0.1:1" },
  } as const;
  const env = { OPENAI_API_KEY: "vendor", CORP_KEY: "corp" };
  const corp = chooseModel("corp/m", { ...nothing, providers, env });
  expect([
    choose("openai/m", { providers, env }),
    corp.ok && corp.value.provider,
    choose("corp/m", { providers }),
    choose("open/m", { providers }),
    choose("open/m", { providers, sharedKey: "shared" }),
  ]).toEqual([
    ["openai-responses", "https://proxy.corp/v1", "vendor"],
    {
      ...{ name: "corp", protocol: "anthropic", baseUrl: "https://llm.corp", apiKey: "corp", apiKeyEnv: ["CORP_KEY"] },
      ...{ needsKey: true, headers: { "X-Team": "a" } },
    },
    "E_CONFIG No API key for corp; looked in: CODER_API_KEY, CORP_KEY",
    ["openai-chat", "http://127.0.0.1:1", null],
    ["openai-chat", "http://127.0.0.1:1", "shared"],
  ]);
});

test("[CLI-6] an entry without protocol or address, or with two keys, is refused by name", () => {
  expect([
    choose("corp/m", { providers: { corp: { base_url: "http://h" } } }),
    choose("corp/m", { providers: { corp: { protocol: "google" } } }),
    choose("openai/m", { providers: { openai: { api_key: "a", api_key_env: "B" } } }),
  ]).toEqual([
    "E_CONFIG The config file sets no protocol for the provider corp.",
    "E_CONFIG No address is known for corp.",
    "E_CONFIG The config file sets both api_key and api_key_env for the provider openai; keep one.",
  ]);
});

test("[CLI-6] what is not provider/name, or names no provider, is refused with the nearest names", () => {
  const providers = { corp: { protocol: "openai-chat", base_url: "http://h" } } as const;
  expect([
    choose("gpt-5"),
    choose("/x"),
    choose("opnai/gpt-5"),
    choose("crp/m", { providers }),
    choose("constructor/m"),
    choose("zzzzzzzz/m", { providers }),
  ]).toEqual([
    "E_CONFIG gpt-5: write the model as provider/name, for example openai/gpt-5",
    "E_CONFIG /x: write the model as provider/name, for example openai/gpt-5",
    "E_CONFIG Unknown provider opnai; did you mean openai?",
    "E_CONFIG Unknown provider crp; did you mean corp?",
    expect.stringContaining("Unknown provider constructor; known providers: openai, "),
    expect.stringContaining("Unknown provider zzzzzzzz; known providers: corp, openai, "),
  ]);
});

test("a bad address is refused without repeating what may be a password", () => {
  const said = (url: string) => choose("openai/m", { sharedKey: "k", ...at(url) });
  expect([
    said("ftp://h"),
    said("h:8080"),
    said("https://u:hunter2@h/v1"),
    said("http://h/v1?key=hunter2"),
    said(""),
  ]).toEqual([
    "E_CONFIG --base-url must be a URL that starts with http:// or https://",
    "E_CONFIG --base-url must be a URL that starts with http:// or https://",
    "E_CONFIG --base-url must not contain a user name or password; give the key separately",
    "E_CONFIG --base-url must be an address without ? or #",
    "E_CONFIG --base-url must be a URL that starts with http:// or https://",
  ]);
});

test("a key that would break the header is refused without being shown", () => {
  expect([
    choose("openai/m", { env: { OPENAI_API_KEY: "hunter2\r\nX: y" } }),
    choose("openai/m", { sharedKey: "hunter2 " }),
  ]).toEqual([
    "E_CONFIG CODER_API_KEY / OPENAI_API_KEY: a key may contain only printable characters, no spaces",
    "E_CONFIG CODER_API_KEY / OPENAI_API_KEY: a key may contain only printable characters, no spaces",
  ]);
});

test("the context window is 128,000 tokens unless the user's file says otherwise for that very model", () => {
  const models = { "ollama/a": { context_window: 4096 } };
  const windows = ["ollama/a", "ollama/b"].map((ref) => {
    const choice = chooseModel(ref, { ...nothing, models });
    return choice.ok && choice.value.contextWindow;
  });
  expect(windows).toEqual([4096, 128_000]);
});

test("a provider's quirks are those of its row, changed by the user's file, and none in another protocol", () => {
  const quirks = (ref: string, providers: ModelSources["providers"] = undefined) => {
    const choice = chooseModel(ref, { ...nothing, sharedKey: "k", providers });
    return choice.ok ? choice.value.provider.quirks : undefined;
  };
  expect([
    quirks("mistral/m"),
    quirks("ollama/m"),
    quirks("groq/m"),
    quirks("ollama/m", { ollama: { quirks: { text_tool_calls: false, roles: "alternate" } } }),
    quirks("mistral/m", { mistral: { protocol: "anthropic", quirks: { parallel_calls: false } } }),
    quirks("deepseek/m")?.reasoningBack,
  ]).toEqual([
    { callIds: "nine", roles: "strict", streamOptions: false },
    { textToolCalls: true },
    undefined,
    { textToolCalls: false, roles: "alternate" },
    { parallelCalls: false },
    "always",
  ]);
});

const seeing = [
  ...[
    "anthropic/claude-sonnet-4-5",
    "openrouter/anthropic/claude-opus-4",
    "google/gemini-2.5-pro",
    "openai/gpt-4o-mini",
  ],
  ...["openai/gpt-4.1", "openai/gpt-5.1-codex", "openai/o3", "openai/o4-mini", "ollama/llava:13b", "ollama/gemma3:27b"],
  ...[
    "ollama/qwen2.5vl:7b",
    "qwen/qwen3-vl-plus",
    "mistral/pixtral-large-latest",
    "ollama/llama3.2-vision",
    "xai/grok-4",
  ],
  ...["zhipu/glm-4.5v", "openrouter/meta-llama/llama-4-scout", "ollama/minicpm-v"],
];
const blind = [
  ...["openai/o3-mini", "openai/gpt-oss-120b", "anthropic/claude-2.1", "deepseek/deepseek-chat", "ollama/gemma3:1b"],
  ...["ollama/qwen3-coder", "ollama/llama3.1", "mistral/mistral-large-latest", "openai-chat/tiny", "zhipu/glm-4.6"],
];

test("a model takes images when its name is known for it, or the user's file says so", () => {
  const takes = (ref: string, models: ModelSources["models"] = undefined) => {
    const choice = chooseModel(ref, { ...nothing, sharedKey: "k", models, ...at("http://h/v1") });
    return choice.ok && choice.value.takesImages;
  };
  expect([seeing.filter((ref) => !takes(ref)), blind.filter((ref) => takes(ref))]).toEqual([[], []]);
  expect([
    takes("ollama/mine", { "ollama/mine": { images: true } }),
    takes("openai/gpt-5", { "openai/gpt-5": { images: false } }),
  ]).toEqual([true, false]);
});

test("the longest reply of a model is told only where the user's file says it", () => {
  const models = { "ollama/a": { max_output: 4096 } };
  const limits = ["ollama/a", "ollama/b"].map((ref) => {
    const choice = chooseModel(ref, { ...nothing, models });
    return choice.ok && choice.value.maxOutput;
  });
  expect(limits).toEqual([4096, undefined]);
});

test("[BR-4] a model's price is kept in whole micro-dollars; what comes from a cache costs the same unless it is said", () => {
  const models = {
    "ollama/a": { price: { input: 0.1, output: 0.4 } },
    "ollama/b": { price: { input: 3, output: 15, cached_input: 0.3 } },
    "ollama/free": { price: { input: 0, output: 0 } },
  };
  const prices = ["ollama/a", "ollama/b", "ollama/free", "ollama/c"].map((ref) => {
    const choice = chooseModel(ref, { ...nothing, models });
    return choice.ok && choice.value.price;
  });
  expect(prices).toEqual([
    { input: 100_000, cachedInput: 100_000, output: 400_000 },
    { input: 3_000_000, cachedInput: 300_000, output: 15_000_000 },
    { input: 0, cachedInput: 0, output: 0 },
    undefined,
  ]);
});

test("the advice for a missing key names the variables to set", () => {
  const choice = chooseModel("zhipu/glm", nothing);
  expect(!choice.ok && choice.error.advice && say("en", choice.error.advice)).toBe(
    "Enter a key with coder setup, set one of CODER_API_KEY, ZHIPUAI_API_KEY, ZHIPU_API_KEY, or set api_key in the provider's entry of the config file. If you entered one before, run coder doctor.",
  );
});
