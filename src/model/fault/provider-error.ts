import { type Fields, fieldsOf, isRecord, listOf, parsedJson, textOf } from "../../contract/json.ts";

export interface ProviderError {
  readonly status: number | null;
  /** The same, or the status that the error's code stands for inside a stream. */
  readonly meaning: number | null;
  readonly code: string;
  readonly message: string;
  readonly retryAfterMs: number | null;
}

const nothing: ProviderError = { status: null, meaning: null, code: "", message: "", retryAfterMs: null };

export function readProviderError(error: unknown): ProviderError {
  const value = typeof error === "string" ? jsonOr(error) : error;
  if (typeof value === "string") return { ...nothing, message: value.trimStart().startsWith("<") ? "" : value };
  // Google wraps the error of a stream in a list.
  const outer = Array.isArray(value) ? fieldsOf(value[0]) : fieldsOf(value);
  const inner = isRecord(outer.error) ? outer.error : outer;
  const codes = [
    inner.code,
    inner.type,
    inner.status,
    ...listOf(inner.details).map((detail) => fieldsOf(detail).reason),
  ];
  const named = codes.filter((code) => typeof code === "string" || typeof code === "number");
  const status = named.map(Number).find((code) => Number.isInteger(code) && code >= 400 && code < 600) ?? null;
  return {
    status,
    meaning: status ?? statusByName.find(([names]) => named.some((code) => names.test(String(code))))?.[1] ?? null,
    code: named.join(" "),
    message: messageIn(inner, outer),
    retryAfterMs: retryDelayIn(inner),
  };
}

/** OpenAI `{error: {message}}`, Ollama `{error: "…"}`, FastAPI `{detail: "…" | [{msg}]}`, gateways `{message}` or `{msg}`. */
function messageIn(inner: Fields, outer: Fields): string {
  const detail = Array.isArray(outer.detail) && isRecord(outer.detail[0]) ? outer.detail[0].msg : outer.detail;
  const found = [inner.message, outer.error, outer.message, outer.msg, detail].find((text) => typeof text === "string");
  return typeof found === "string" ? found : "";
}

function retryDelayIn({ details }: Fields): number | null {
  const delay = listOf(details)
    .map((detail) => fieldsOf(detail).retryDelay)
    .find((text) => typeof text === "string");
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textOf(delay))?.[1];
  return seconds === undefined ? null : Math.round(Number(seconds) * 1000);
}

/** Anthropic's types, Google's statuses, OpenAI's codes: inside a stream there is no HTTP status. */
const statusByName: readonly (readonly [names: RegExp, status: number])[] = [
  [/^(authentication_error|unauthenticated|invalid_api_key|api_key_invalid)$/i, 401],
  [/^(permission_error|permission_denied)$/i, 403],
  [/^(not_found_error|not_found|model_not_found)$/i, 404],
  [/^request_too_large$/i, 413],
  [/^(rate_limit_error|rate_limit_exceeded|resource_exhausted)$/i, 429],
  [/^(overloaded_error|overloaded|unavailable|deadline_exceeded)$/i, 503],
  [/^(api_error|server_error|internal|internal_server_error|timeout_error)$/i, 500],
  [/^(invalid_request_error|invalid_argument|failed_precondition|invalid_prompt|billing_error)$/i, 400],
];

/** What is not JSON is a plain sentence or a proxy's page. */
function jsonOr(text: string): unknown {
  const value = parsedJson(text);
  return value === undefined ? text : value;
}

const overflowWords: readonly RegExp[] = [
  /context[_ ](length|window|size)[_ ](was |has been )?exceeded|exceed_context_size/, // OpenAI, Groq, llama.cpp
  /maximum (context|prompt|model) length/, // OpenAI, vLLM, OpenRouter, DeepSeek, Mistral, xAI
  /exceed(s|ed)? (the |your )?(available |max(imum)? |model'?s? )?(context|model token limit)/, // llama.cpp, Ollama, Kimi
  /(longer|greater|larger|more) than the (maximum )?(model('s context)?|context) (length|size|window)/, // vLLM, LM Studio, SGLang
  /model's context length is only/, // vLLM
  /context (window |length |limit )?(is full|exceeds|overflow)/, // LM Studio, MiniMax
  /(prompt|input|request) (is )?too (long|large) (for|:)|(prompt|input) (is )?too long/, // Anthropic and Bedrock gateways, Ollama
  /input token count.*exceeds|reduce the length of (the|your) (messages|prompt|input)/, // Google, Groq, OpenAI
  /range of input length should be|(prompt|input) exceeds max(imum)? length|prompt 超长/, // DashScope, Zhipu
  /total message size \d+ exceeds/, // Kimi
  /inputs` tokens \+ `max_new_tokens` must be/, // TGI
];

export function isOverflow({ meaning, code, message }: ProviderError): boolean {
  // A limit per minute mentions tokens too, but there waiting helps, not shortening.
  if (meaning === 429) return false;
  if (meaning === 413) return true;
  const text = `${code} ${message}`.slice(0, 4096).toLowerCase();
  return overflowWords.some((words) => words.test(text));
}

const quotaCodes =
  /insufficient_quota|billing_hard_limit|quota_exceeded|exceeded_current_quota|billing_error|arrearage/i;
/** Anthropic and Zhipu give such errors no code of their own. */
const quotaWords = /credit balance is too low|insufficient balance|余额不足/i;

/** The account has no money, so waiting is useless. The words quota and billing alone also appear in Google's limits per minute. */
export function isQuota({ meaning, code, message }: ProviderError): boolean {
  return meaning === 402 || quotaCodes.test(code) || quotaWords.test(message);
}

/** Ollama, vLLM, llama.cpp (with status 500): a model or server without tool support, so waiting is useless. */
const toolWords = /does not support tools|tool choice requires --enable-auto-tool-choice|requires? --jinja/i;

export function isToolRefusal({ message }: ProviderError): boolean {
  return toolWords.test(message);
}

/** Google answers a wrong key with 400. */
export function isKeyRefused({ meaning, code }: ProviderError): boolean {
  return meaning === 401 || meaning === 403 || /API_KEY_INVALID/.test(code);
}

export function retryAfterMs(headers: Headers, now: number): number | null {
  const ms = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return Math.round(ms);
  const after = headers.get("retry-after")?.trim() ?? "";
  if (after === "") return null;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.round(seconds * 1000) : null;
  const until = Date.parse(after);
  if (Number.isNaN(until)) return null;
  // Measured by the server's own clock if it sends one: ours may be wrong.
  const start = Date.parse(headers.get("date") ?? "");
  return Math.max(0, until - (Number.isNaN(start) ? now : start));
}
