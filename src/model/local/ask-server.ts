// Data that local servers offer beside the shared protocol: bounded requests on the user's own machine.
import { fieldsOf, listOf, textOf } from "../../contract/json.ts";
import type { Provider } from "../../contract/settings.ts";
import { fetchUnpacked, routeTo } from "../../platform/network.ts";

const maxBytes = 4 * 2 ** 20;

/** The root of the server's own API, beside the shared `/v1`. */
export function rootOf({ baseUrl }: Pick<Provider, "baseUrl">): string {
  return baseUrl.replace(/\/v1\/?$/, "").replace(/\/+$/, "");
}

/** The answer as JSON; `null` if there is none or it is something else. */
export async function askJson(
  url: string,
  timeoutMs: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const route = await routeTo(new URL(url), undefined);
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  try {
    const response = await fetchUnpacked(url, {
      ...(route.ok ? route.value : {}),
      ...sent,
      headers,
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "error",
    });
    const text = response.ok ? await boundedText(response) : null;
    return text === null ? null : JSON.parse(text);
  } catch {
    // No server, too slow, or another server: the caller need not tell them apart.
    return null;
  }
}

export async function boundedText(response: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxBytes) return null;
  }
  return text;
}

/** A size that a server reports, if it is plausible. */
export function sizeIn(value: unknown): number | null {
  const size = typeof value === "string" ? Number(value) : value;
  return typeof size === "number" && Number.isInteger(size) && size >= 256 && size <= 100_000_000 ? size : null;
}

/** Ollama: the context set for the model, and the largest that it was trained for. */
export async function ollamaModel(root: string, model: string, timeoutMs: number) {
  const shown = fieldsOf(await askJson(`${root}/api/show`, timeoutMs, { model }));
  const info = fieldsOf(shown.model_info);
  const trained = Object.entries(info).find(([key]) => key.endsWith(".context_length"))?.[1];
  const set = /^num_ctx\s+(\d+)/m.exec(textOf(shown.parameters))?.[1];
  const capabilities = listOf(shown.capabilities).map(String);
  return {
    set: sizeIn(set),
    trained: sizeIn(trained),
    /** `null`: an old server that does not tell. */
    takesTools: capabilities.length === 0 ? null : capabilities.includes("tools"),
    isChat: capabilities.length === 0 || capabilities.includes("completion"),
  };
}

/** Ollama: the context of a currently loaded model. */
export async function ollamaLoaded(root: string, model: string, timeoutMs: number): Promise<number | null> {
  const running = listOf(fieldsOf(await askJson(`${root}/api/ps`, timeoutMs)).models).map(fieldsOf);
  const wanted = model.includes(":") ? model : `${model}:latest`;
  const found = running.find(({ name, model: other }) => name === wanted || other === wanted);
  return sizeIn(found?.context_length);
}

/** LM Studio: the context of the loaded model, and its largest. */
export async function lmStudioModel(root: string, model: string, timeoutMs: number) {
  const all = listOf(fieldsOf(await askJson(`${root}/api/v0/models`, timeoutMs)).data).map(fieldsOf);
  const found = all.find(({ id }) => id === model) ?? {};
  return { loaded: sizeIn(found.loaded_context_length), trained: sizeIn(found.max_context_length) };
}

/** llama.cpp: the context of one slot, which serves one request. */
export async function llamaContext(root: string, timeoutMs: number): Promise<number | null> {
  const props = fieldsOf(await askJson(`${root}/props`, timeoutMs));
  return sizeIn(fieldsOf(props.default_generation_settings).n_ctx);
}

export async function vllmContext(root: string, model: string, timeoutMs: number): Promise<number | null> {
  const all = listOf(fieldsOf(await askJson(`${root}/v1/models`, timeoutMs)).data).map(fieldsOf);
  return sizeIn(all.find(({ id }) => id === model)?.max_model_len);
}
