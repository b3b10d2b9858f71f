import { fail, ok, type Result } from "../../contract/error.ts";
import type { Effort, EffortUse, LocalServer, ModelChoice, Price, Provider, Quirks } from "../../contract/settings.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { formProblem } from "../file/forms.ts";
import { nearest } from "../file/nearest.ts";
import type { ConfigValues } from "../file/setting-schema.ts";
import { catalogued, effortFor, priceIn, toPrice } from "../models/lookup.ts";
import type { CatalogueRow } from "../models/row.ts";
import { builtinChoice } from "./builtin.ts";
import { seesImages } from "./images.ts";

interface BuiltIn {
  readonly protocol: Provider["protocol"];
  /** `null` = a bare protocol, whose base URL must be configured. */
  readonly baseUrl: string | null;
  /** Environment variables for the key; empty = needs none. */
  readonly keys: readonly string[];
  readonly quirks?: Partial<Quirks>;
  readonly local?: LocalServer;
}

const chat = (baseUrl: string | null, ...keys: readonly string[]): BuiltIn => ({
  protocol: "openai-chat",
  baseUrl,
  keys,
});

/** A local server: its models are small and often write tool calls as text. */
const local = (server: LocalServer, port: number): BuiltIn => ({
  ...chat(`http://127.0.0.1:${port}/v1`),
  quirks: { textToolCalls: true },
  local: server,
});

// These models require the reasoning of every earlier call, even from earlier tasks, and otherwise reject the request.
const thinking: Partial<Quirks> = { reasoningBack: "always" };

const builtIn: Readonly<Record<string, BuiltIn>> = {
  // OpenAI's current API, and the only one in which reasoning persists between steps.
  openai: {
    protocol: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    keys: ["OPENAI_API_KEY"],
    quirks: { reasoningSummary: true },
  },
  openrouter: chat("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
  deepseek: { ...chat("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"), quirks: thinking },
  moonshot: { ...chat("https://api.moonshot.cn/v1", "MOONSHOT_API_KEY"), quirks: { ...thinking, cacheKey: true } },
  qwen: chat("https://dashscope.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY"),
  dashscope: chat("https://dashscope.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY"),
  zhipu: chat("https://open.bigmodel.cn/api/paas/v4", "ZHIPUAI_API_KEY", "ZHIPU_API_KEY"),
  // Rejects other call ids, and a user message right after a tool result.
  mistral: {
    ...chat("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    quirks: { callIds: "nine", roles: "strict", streamOptions: false },
  },
  groq: chat("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
  xai: chat("https://api.x.ai/v1", "XAI_API_KEY"),
  together: chat("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
  ollama: local("ollama", 11434),
  lmstudio: local("lmstudio", 1234),
  llamacpp: local("llamacpp", 8080),
  vllm: local("vllm", 8000),
  anthropic: { protocol: "anthropic", baseUrl: "https://api.anthropic.com/v1", keys: ["ANTHROPIC_API_KEY"] },
  google: {
    protocol: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
  },
  "openai-chat": chat(null),
  "openai-responses": { protocol: "openai-responses", baseUrl: null, keys: [] },
  builtin: { protocol: "builtin", baseUrl: "builtin:", keys: [] },
};

// Smaller than most current windows: a low guess compacts early, a high one fails.
const defaultWindow = 128_000;

export interface ModelSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly providers: ConfigValues["providers"];
  readonly models: ConfigValues["models"];
  /** A base URL for this model from a flag or variable, and its name. */
  readonly baseUrl: { readonly url: string; readonly where: string } | null;
  readonly sharedKey: string | null;
  /** Reads a key stored with `coder setup`; called only if no other key exists. */
  readonly storedKey: (provider: string) => string | null;
  readonly effort: Effort | null;
}

type OwnProvider = NonNullable<ConfigValues["providers"]>[string];
type OwnModel = NonNullable<ConfigValues["models"]>[string];
type OwnPrice = NonNullable<OwnModel["price"]>;

/** A provider from the table and the user's config, before base URL and key are resolved. */
interface Described {
  readonly name: string;
  readonly protocol: Provider["protocol"];
  readonly baseUrl: string | null;
  readonly keys: readonly string[];
  readonly needsKey: boolean;
  /** Built in, on this machine and without a key. */
  readonly isLocal: boolean;
  readonly own: OwnProvider;
  readonly quirks: Partial<Quirks>;
}

export function chooseModel(ref: string, sources: ModelSources): Result<ModelChoice> {
  if (formProblem("model", ref) !== null) return fail("E_CONFIG", phrase("config.bad_model", { where: ref }));
  const slash = ref.indexOf("/");
  const described = describe(ref.slice(0, slash), sources);
  if (!described.ok) return described;
  if (described.value.protocol === "builtin") return builtinChoice(ref, ref.slice(slash + 1));
  const provider = settle(described.value, sources);
  if (!provider.ok) return provider;
  const name = ref.slice(slash + 1);
  const own = valueAt(sources.models, ref) ?? {};
  const row = valueAt(builtIn, provider.value.name);
  return ok({
    ref,
    name,
    provider: provider.value,
    // Getters, because the catalogue behind them is slow to build and often not needed.
    get contextWindow() {
      return own.context_window ?? catalogued(ref)?.window ?? defaultWindow;
    },
    get takesImages() {
      return own.images ?? knownRow(ref)?.images ?? seesImages(name);
    },
    get takesTools() {
      return own.tools ?? catalogued(ref)?.tools;
    },
    get price() {
      return own.price === undefined ? listPrice(ref, provider.value) : ownPrice(own.price);
    },
    get effort() {
      return effortOf(ref, own, sources.effort);
    },
    ...(own.max_output === undefined ? {} : { maxOutput: own.max_output }),
    ...(own.context_window === undefined && row?.local ? { windowFrom: row.local } : {}),
  });
}

/** Without family rows (`*`): those know the window, but the name tells more about abilities. */
function knownRow(ref: string): CatalogueRow | null {
  const row = catalogued(ref);
  return row?.ref.endsWith("*") ? null : row;
}

/** The list price holds only at the vendor's own address. */
function listPrice(ref: string, { name, baseUrl }: Provider): Price | undefined {
  const row = catalogued(ref);
  const usual = valueAt(builtIn, name)?.baseUrl ?? null;
  return row === null || usual === null || tidy(usual) !== baseUrl ? undefined : priceIn(row);
}

/** Only for models known or configured to accept it: others reject the request. */
function effortOf(ref: string, { reasoning }: OwnModel, wanted: Effort | null): EffortUse | undefined {
  if (wanted === null || reasoning === "none") return undefined;
  if (reasoning === "budget") return { level: wanted, by: "budget" };
  const takes = catalogued(ref)?.effort;
  if (reasoning === "effort")
    return takes && takes !== "budget" ? effortFor(wanted, takes) : { level: wanted, by: "level" };
  return takes === undefined ? undefined : effortFor(wanted, takes);
}

function ownPrice({ input = 0, output = 0, cached_input: cached = input }: OwnPrice): Price {
  return toPrice([input, output, cached]);
}

export function providerNames(own: ConfigValues["providers"]): readonly string[] {
  return [...new Set([...Object.keys(own ?? {}), ...Object.keys(builtIn)])];
}

export function keyVariables(own: ConfigValues["providers"]): readonly string[] {
  const named = Object.values(own ?? {}).flatMap(({ api_key_env: name }) => (name === undefined ? [] : [name]));
  return [...new Set(["CODER_API_KEY", ...Object.values(builtIn).flatMap(({ keys }) => keys), ...named])];
}

function describe(name: string, sources: ModelSources): Result<Described> {
  const row = valueAt(builtIn, name);
  const own = valueAt(sources.providers, name);
  if (!row && !own) {
    const known = [...Object.keys(sources.providers ?? {}), ...Object.keys(builtIn)];
    return fail("E_CONFIG", unknownProvider(name, known));
  }
  const protocol = own?.protocol ?? row?.protocol;
  if (protocol === undefined) return fail("E_CONFIG", phrase("config.no_protocol", { provider: name }));
  if (own?.api_key !== undefined && own.api_key_env !== undefined) {
    return fail("E_CONFIG", phrase("config.two_keys", { provider: name }));
  }
  const ownKey = own?.api_key_env ?? own?.api_key;
  return ok({
    name,
    protocol,
    baseUrl: own?.base_url ?? row?.baseUrl ?? null,
    keys: own?.api_key_env === undefined ? (row?.keys ?? []) : [own.api_key_env],
    needsKey: ownKey !== undefined || (row?.keys ?? []).length > 0,
    isLocal: row !== undefined && row.baseUrl !== null && row.keys.length === 0,
    own: own ?? {},
    // Built-in quirks belong to the vendor's server and do not apply to another protocol.
    quirks: { ...(protocol === row?.protocol ? row.quirks : {}), ...ownQuirks(own?.quirks) },
  });
}

/** Says that there is no such provider, and names the nearest one or all. */
export function unknownProvider(provider: string, known: readonly string[]): Phrase {
  const near = nearest(provider, known);
  return near === null
    ? phrase("config.unknown_provider", { provider, known: known.join(", ") })
    : phrase("config.unknown_provider_near", { provider, near });
}

function settle(described: Described, { baseUrl: given, sharedKey, storedKey, env }: ModelSources): Result<Provider> {
  const { name, protocol, keys, own, quirks } = described;
  const problem = given && formProblem("url", given.url);
  if (given && problem) return fail("E_CONFIG", phrase(problem, { where: given.where }));
  const baseUrl = given?.url ?? described.baseUrl;
  if (baseUrl === null) {
    return fail("E_CONFIG", phrase("config.no_base_url", { provider: name }), {
      advice: phrase("config.advice.base_url"),
    });
  }
  // A provider's own key goes only to its own address, and a server without a key is not shown one meant for others.
  const isElsewhere = described.baseUrl !== null && tidy(baseUrl) !== tidy(described.baseUrl);
  const ownKey = isElsewhere ? null : (own.api_key ?? firstSet(keys, env));
  const takesShared = described.needsKey || isElsewhere || !described.isLocal;
  const stored = isElsewhere || !described.needsKey ? null : storedKey;
  const apiKey = (takesShared ? sharedKey : null) ?? ownKey ?? stored?.(name) ?? null;
  // `anthropic` and `google` name protocols too, and another server with that protocol may need no key.
  const needsKey = described.needsKey && !(isElsewhere && name === protocol);
  if (apiKey === null && needsKey) return noKey(described, isElsewhere ? tidy(baseUrl) : null);
  if (apiKey !== null && formProblem("secret", apiKey)) {
    return fail("E_CONFIG", phrase("config.bad_secret", { where: ["CODER_API_KEY", ...keys].join(" / ") }));
  }
  const headers = isElsewhere ? {} : (own.headers ?? {});
  const settled = { name, protocol, baseUrl: tidy(baseUrl), apiKey, apiKeyEnv: keys, needsKey, headers };
  return ok(Object.keys(quirks).length === 0 ? settled : { ...settled, quirks });
}

function noKey({ name, keys }: Described, elsewhere: string | null): Result<never> {
  const vars = ["CODER_API_KEY", ...keys].join(", ");
  return elsewhere === null
    ? fail("E_CONFIG", phrase("config.no_key", { provider: name, vars }), {
        advice: phrase("config.advice.key", { vars }),
      })
    : fail("E_CONFIG", phrase("config.key_elsewhere", { provider: name, url: elsewhere }), {
        advice: phrase("config.advice.key_elsewhere"),
      });
}

type OwnQuirks = NonNullable<OwnProvider["quirks"]>;

const quirkNames = {
  text_tool_calls: "textToolCalls",
  call_ids: "callIds",
  roles: "roles",
  reasoning_back: "reasoningBack",
  stream_options: "streamOptions",
  parallel_calls: "parallelCalls",
  cache_key: "cacheKey",
  metadata: "metadata",
  reasoning_summary: "reasoningSummary",
} as const satisfies Record<keyof OwnQuirks, keyof Quirks>;

function ownQuirks(own: OwnQuirks = {}): Partial<Quirks> {
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [quirkNames[name as keyof OwnQuirks], value]));
}

function tidy(url: string): string {
  return new URL(url).href.replace(/\/+$/, "");
}

function firstSet(names: readonly string[], env: ModelSources["env"]): string | null {
  return names.map((name) => env[name]).find((value) => value !== undefined && value !== "") ?? null;
}

function valueAt<T>(table: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}
