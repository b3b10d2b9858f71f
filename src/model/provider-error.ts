/** What a provider said went wrong, as far as it can be read out of the many shapes of OpenAI-like servers. */
export interface ProviderError {
  readonly status: number | null;
  /** Their code and type, joined. */
  readonly code: string;
  readonly message: string;
}

/** From a response body, or from the error value found inside a stream. */
export function readProviderError(said: unknown): ProviderError {
  const value = typeof said === "string" ? jsonOr(said) : said;
  if (typeof value === "string")
    return { status: null, code: "", message: value.trimStart().startsWith("<") ? "" : value };
  if (!isRecord(value)) return { status: null, code: "", message: "" };
  const inner = isRecord(value.error) ? value.error : value;
  const codes = [inner.code, inner.type].filter((code) => typeof code === "string" || typeof code === "number");
  return { status: statusIn(codes), code: codes.join(" "), message: messageIn(inner, value) };
}

/** OpenAI `{error: {message}}`, Ollama `{error: "…"}`, FastAPI `{detail: "…" | [{msg}]}`, gateways `{message}`. */
function messageIn(inner: Record<string, unknown>, outer: Record<string, unknown>): string {
  const detail = Array.isArray(outer.detail) && isRecord(outer.detail[0]) ? outer.detail[0].msg : outer.detail;
  const found = [inner.message, outer.error, outer.message, detail].find((text) => typeof text === "string");
  return typeof found === "string" ? found : "";
}

function statusIn(codes: readonly unknown[]): number | null {
  const status = codes.map(Number).find((code) => Number.isInteger(code) && code >= 400 && code < 600);
  return status ?? null;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // Not JSON: a plain sentence or a proxy's page.
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How servers say that a request does not fit into the window. */
const overflowWords: readonly RegExp[] = [
  /context[_ ](length|window|size)[_ ](was |has been )?exceeded|exceed_context_size/, // OpenAI, Groq, llama.cpp
  /maximum (context|prompt|model) length/, // OpenAI, vLLM, OpenRouter, DeepSeek, Mistral, xAI
  /exceed(s|ed)? (the |your )?(available |max(imum)? |model'?s? )?(context|model token limit)/, // llama.cpp, Ollama, Kimi
  /(longer|greater|larger|more) than the (maximum )?(model|context) (length|size|window)/, // vLLM, LM Studio
  /context (window |length |limit )?(is full|exceeds|overflow)/, // LM Studio, MiniMax
  /(prompt|input|request) (is )?too (long|large) (for|:)|(prompt|input) (is )?too long/, // Anthropic and Bedrock gateways, Ollama
  /input token count.*exceeds|reduce the length of (the|your) (messages|prompt|input)/, // Google, Groq, OpenAI
  /inputs` tokens \+ `max_new_tokens` must be/, // TGI
];

export function isOverflow({ status, code, message }: ProviderError): boolean {
  // A limit per minute speaks of tokens too, but waiting helps there, not shortening.
  if (status === 429) return false;
  if (status === 413) return true;
  const said = `${code} ${message}`.slice(0, 4096).toLowerCase();
  return overflowWords.some((words) => words.test(said));
}

/** 429 that no waiting cures. */
export function isQuota({ code }: ProviderError): boolean {
  return /insufficient_quota|billing_hard_limit|quota_exceeded/.test(code);
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterMs(headers: Readonly<Record<string, string | undefined>>, now: number): number | null {
  const ms = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return Math.round(ms);
  const after = headers["retry-after"]?.trim();
  if (after === undefined || after === "") return null;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.round(seconds * 1000) : null;
  const until = Date.parse(after);
  if (Number.isNaN(until)) return null;
  // Measured on the server's own clock where it tells it: ours may be wrong.
  const start = Date.parse(headers.date ?? "");
  return Math.max(0, until - (Number.isNaN(start) ? now : start));
}
