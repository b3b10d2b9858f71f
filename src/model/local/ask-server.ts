// What local servers say about themselves, beside the protocol they share: bounded questions on the person's own machine.
import type { Provider } from "../../contract/settings.ts";
import { fetchUnpacked, routeTo } from "../../platform/network.ts";
import { fieldsOf, listOf, textOf } from "../wire/json-value.ts";

const maxBytes = 4 * 2 ** 20;

/** Where its own interface begins: beside the `/v1` of the shared one. */
export function rootOf({ baseUrl }: Pick<Provider, "baseUrl">): string {
  return baseUrl.replace(/\/v1\/?$/, "").replace(/\/+$/, "");
}

/** The answer as JSON; `null` = there was none, or it was something else. */
export async function askJson(url: string, timeoutMs: number, body?: unknown): Promise<unknown> {
  const route = await routeTo(new URL(url), undefined);
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  try {
    const response = await fetchUnpacked(url, {
      ...(route.ok ? route.value : {}),
      ...sent,
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "error",
    });
    const text = response.ok ? await bounded(response) : null;
    return text === null ? null : JSON.parse(text);
  } catch {
    // Nobody there, too slow, or not the server that is looked for: all the same to whoever asks.
    return null;
  }
}

async function bounded(response: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxBytes) return null;
  }
  return text;
}

/** A size that a server names, as far as it can be one. */
export function sizeIn(value: unknown): number | null {
  const size = typeof value === "string" ? Number(value) : value;
  return typeof size === "number" && Number.isInteger(size) && size >= 256 && size <= 100_000_000 ? size : null;
}

/** Ollama: what was set for the model itself, and what its makers trained it for. */
export async function ollamaModel(root: string, model: string, timeoutMs: number) {
  const shown = fieldsOf(await askJson(`${root}/api/show`, timeoutMs, { model }));
  const info = fieldsOf(shown.model_info);
  const trained = Object.entries(info).find(([key]) => key.endsWith(".context_length"))?.[1];
  const set = /^num_ctx\s+(\d+)/m.exec(textOf(shown.parameters))?.[1];
  const capabilities = listOf(shown.capabilities).map(String);
  return {
    set: sizeIn(set),
    trained: sizeIn(trained),
    /** `null`: an old server, which does not say. */
    takesTools: capabilities.length === 0 ? null : capabilities.includes("tools"),
    isChat: capabilities.length === 0 || capabilities.includes("completion"),
  };
}

/** Ollama: the context of a model that is loaded now. */
export async function ollamaLoaded(root: string, model: string, timeoutMs: number): Promise<number | null> {
  const running = listOf(fieldsOf(await askJson(`${root}/api/ps`, timeoutMs)).models).map(fieldsOf);
  const wanted = model.includes(":") ? model : `${model}:latest`;
  const found = running.find(({ name, model: other }) => name === wanted || other === wanted);
  return sizeIn(found?.context_length);
}

/** LM Studio: what the model was loaded with, and what it could be. */
export async function lmStudioModel(root: string, model: string, timeoutMs: number) {
  const all = listOf(fieldsOf(await askJson(`${root}/api/v0/models`, timeoutMs)).data).map(fieldsOf);
  const found = all.find(({ id }) => id === model) ?? {};
  return { loaded: sizeIn(found.loaded_context_length), trained: sizeIn(found.max_context_length) };
}

/** llama.cpp: of one slot, which is what a request gets. */
export async function llamaContext(root: string, timeoutMs: number): Promise<number | null> {
  const props = fieldsOf(await askJson(`${root}/props`, timeoutMs));
  return sizeIn(fieldsOf(props.default_generation_settings).n_ctx);
}

export async function vllmContext(root: string, model: string, timeoutMs: number): Promise<number | null> {
  const all = listOf(fieldsOf(await askJson(`${root}/v1/models`, timeoutMs)).data).map(fieldsOf);
  return sizeIn(all.find(({ id }) => id === model)?.max_model_len);
}
