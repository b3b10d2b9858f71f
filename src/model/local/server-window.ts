import type { ModelPort } from "../../contract/delta.ts";
import type { LocalServer, ModelChoice } from "../../contract/settings.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { llamaContext, lmStudioModel, ollamaLoaded, ollamaModel, rootOf, vllmContext } from "./ask-server.ts";

const askMs = 2_000;
/** Ollama's default on a machine with little video memory (its documentation, "Context length"). */
const ollamaDefault = 4_096;
/** Below this, a task of a few steps does not fit. */
const little = 16_000;

/** The context of a request to this model; `null` if the server does not tell, or not before the model is loaded. */
export async function contextOf(server: LocalServer, root: string, model: string): Promise<number | null> {
  switch (server) {
    case "ollama":
      return (await ollamaModel(root, model, askMs)).set ?? (await ollamaLoaded(root, model, askMs));
    case "lmstudio":
      return (await lmStudioModel(root, model, askMs)).loaded;
    case "llamacpp":
      return await llamaContext(root, askMs);
    case "vllm":
      return await vllmContext(root, model, askMs);
  }
}

/** Asks for the window before and after the first request, which loads the model: Ollama silently truncates longer requests. */
export async function withWindow(port: ModelPort, choice: ModelChoice, server: LocalServer): Promise<ModelPort> {
  const root = rootOf(choice.provider);
  const ask = () => contextOf(server, root, choice.name);
  const { host } = new URL(choice.provider.baseUrl);
  let window = await ask();
  let isAssumed = false;
  return {
    get window() {
      return window ?? undefined;
    },
    get notice(): Phrase | undefined {
      const about = { host, model: choice.ref, window: window ?? 0 };
      if (isAssumed) return phrase("local.window_unknown", about);
      return server === "ollama" && window !== null && window < little
        ? phrase("local.window_small", about)
        : undefined;
    },
    async *stream(request, signal) {
      yield* port.stream(request, signal);
      if (window !== null || signal.aborted) return;
      window = await ask();
      if (window !== null || server !== "ollama") return;
      window = ollamaDefault;
      isAssumed = true;
    },
  };
}
