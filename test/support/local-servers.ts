// Model servers as they run on people's own machines, as their documentation describes them: what they say about themselves,
// how much context they give, and what they do with a request that is longer. The model behind them calls a tool when the
// last thing it still sees asks for one.
import { renderReply, type Step } from "./scripted-reply.ts";

export interface LocalModel {
  readonly name: string;
  /** What it was trained for. */
  readonly largest: number;
  /** Set for the model itself; else the server's own default. */
  readonly context?: number;
  readonly tools?: boolean;
}

interface ChatBody {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly options?: unknown;
}

interface Message {
  readonly role: string;
  readonly content?: unknown;
}

export interface LocalServerFake extends Disposable {
  /** With `/v1`. */
  readonly url: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  readonly chats: readonly ChatBody[];
  readonly models: readonly LocalModel[];
}

/** About as many as a tokenizer would make of it. */
export function tokensIn(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}

type Answer = Response | null | undefined;
type Handle = (path: string, body: Record<string, unknown>, fake: Fake) => Answer;

class Fake {
  readonly models: LocalModel[];
  /** Name → the context it was loaded with. */
  readonly loaded = new Map<string, number>();
  readonly asked: string[] = [];
  readonly chats: ChatBody[] = [];
  constructor(models: readonly LocalModel[]) {
    this.models = [...models];
  }
}

function start(models: readonly LocalModel[], handle: Handle): LocalServerFake {
  const fake = new Fake(models);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      fake.asked.push(`${request.method} ${pathname}`);
      const body = request.method === "POST" ? ((await request.json()) as Record<string, unknown>) : {};
      if (pathname === "/v1/chat/completions") fake.chats.push(body as unknown as ChatBody);
      return handle(`${request.method} ${pathname}`, body, fake) ?? new Response("404 page not found", { status: 404 });
    },
  });
  return {
    url: `${server.url.href}v1`,
    asked: fake.asked,
    chats: fake.chats,
    models: fake.models,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** What the model says to what is left of the conversation. */
function reply({ model, tools = [] }: ChatBody, seen: readonly Message[], prompt: number): Response {
  const last = JSON.stringify(seen.at(-1)?.content ?? "");
  const asked = /Call the tool (\w+)/.exec(last)?.[1];
  const tool = tools.find((one) => one.function.name === asked)?.function.name;
  const usage = { input: prompt, output: 9 };
  const step: Step = tool
    ? { calls: [{ tool, input: { state: "ready" } }], usage }
    : { text: `I see ${seen.length} messages.`, usage };
  return new Response(renderReply(step, model, crypto.randomUUID()).join(""), {
    headers: { "content-type": "text/event-stream" },
  });
}

function refused(status: number, error: unknown): Response {
  return Response.json({ error }, { status });
}

/**
 * Ollama: no field of the compatible interface sets the context, and `options` is passed over. Of a request that is longer,
 * the oldest messages are left out without a word; the system text and the last message stay.
 */
export function startOllama(models: readonly LocalModel[], defaultContext = 4_096): LocalServerFake {
  const contextOf = (model: LocalModel): number => Math.min(model.context ?? defaultContext, model.largest);
  return start(models, (path, body, fake) => {
    const named = (name: unknown) => fake.models.find((one) => one.name === name || `${one.name}:latest` === name);
    switch (path) {
      case "GET /api/tags":
        return Response.json({ models: fake.models.map(({ name }) => ({ name, model: name, size: 1, digest: "d" })) });
      case "POST /api/show": {
        const model = named(body.model);
        if (!model) return refused(404, `model '${String(body.model)}' not found`);
        return Response.json({
          parameters:
            model.context === undefined
              ? 'stop "<|end|>"'
              : `num_ctx                        ${model.context}\nstop "<|end|>"`,
          model_info: { "general.architecture": "qwen3", "qwen3.context_length": model.largest },
          capabilities: model.tools === false ? ["completion"] : ["completion", "tools"],
        });
      }
      case "POST /api/create": {
        const from = named(body.from);
        const { num_ctx } = body.parameters as { readonly num_ctx: number };
        if (!from) return refused(404, `model '${String(body.from)}' not found`);
        fake.models.push({ ...from, name: String(body.model), context: num_ctx });
        return Response.json({ status: "success" });
      }
      case "GET /api/ps": {
        const loaded = [...fake.loaded].map(([name, context_length]) => ({ name, model: name, context_length }));
        return Response.json({ models: loaded });
      }
      case "POST /v1/chat/completions": {
        const chat = body as unknown as ChatBody;
        const model = named(chat.model);
        if (!model) return refused(404, { message: `model "${chat.model}" not found, try pulling it first` });
        if (model.tools === false && chat.tools?.length) {
          const message = `registry.ollama.ai/library/${model.name} does not support tools`;
          return refused(400, { message, type: "api_error", param: null, code: null });
        }
        const context = contextOf(model);
        fake.loaded.set(model.name.includes(":") ? model.name : `${model.name}:latest`, context);
        const seen = [...chat.messages];
        const size = (): number => tokensIn(seen) + tokensIn(chat.tools ?? []);
        while (size() > context && seen.length > 2) seen.splice(1, 1);
        return reply(chat, seen, Math.min(size(), context));
      }
      default:
        return null;
    }
  });
}

/** LM Studio: a model is loaded when it is first asked, with the context that is set in the program. */
export function startLmStudio(models: readonly LocalModel[], defaultContext = 4_096): LocalServerFake {
  return start(models, (path, body, fake) => {
    const describe = ({ name, largest }: LocalModel) => ({
      id: name,
      object: "model",
      type: "llm",
      state: fake.loaded.has(name) ? "loaded" : "not-loaded",
      max_context_length: largest,
      ...(fake.loaded.has(name) ? { loaded_context_length: fake.loaded.get(name) } : {}),
    });
    if (path === "GET /api/v0/models") {
      const embedding = { id: "embed-1", object: "model", type: "embeddings", state: "not-loaded" };
      return Response.json({ object: "list", data: [...fake.models.map(describe), embedding] });
    }
    if (path === "GET /v1/models") return Response.json({ data: fake.models.map(({ name }) => ({ id: name })) });
    if (path !== "POST /v1/chat/completions") return null;
    const chat = body as unknown as ChatBody;
    const context = fake.models.find(({ name }) => name === chat.model)?.context ?? defaultContext;
    fake.loaded.set(chat.model, context);
    const size = tokensIn([chat.messages, chat.tools]);
    return size > context
      ? refused(
          400,
          `Trying to keep the first ${size} tokens when context the overflows. The model's context length is only ${context} tokens.`,
        )
      : reply(chat, chat.messages, size);
  });
}

/** llama.cpp: one model, one size, said by /props; tools only with `--jinja`. */
export function startLlamaCpp(model: LocalModel): LocalServerFake {
  const context = model.context ?? model.largest;
  return start([model], (path, body) => {
    if (path === "GET /props")
      return Response.json({ default_generation_settings: { n_ctx: context }, total_slots: 1 });
    if (path === "GET /v1/models") {
      return Response.json({ data: [{ id: model.name, owned_by: "llamacpp", meta: { n_ctx_train: model.largest } }] });
    }
    if (path !== "POST /v1/chat/completions") return null;
    const chat = body as unknown as ChatBody;
    if (model.tools === false && chat.tools?.length) {
      return refused(500, { code: 500, message: "tools param requires --jinja flag", type: "server_error" });
    }
    const size = tokensIn([chat.messages, chat.tools]);
    const message = `request (${size} tokens) exceeds the available context size (${context} tokens), try increasing it`;
    return size > context
      ? refused(400, { code: 400, message, type: "exceed_context_size_error", n_prompt_tokens: size, n_ctx: context })
      : reply(chat, chat.messages, size);
  });
}

/** vLLM: the size is in the list of models; tools only where the server was started for them. */
export function startVllm(model: LocalModel): LocalServerFake {
  const context = model.context ?? model.largest;
  return start([model], (path, body) => {
    if (path === "GET /v1/models") {
      return Response.json({ object: "list", data: [{ id: model.name, owned_by: "vllm", max_model_len: context }] });
    }
    if (path !== "POST /v1/chat/completions") return null;
    const chat = body as unknown as ChatBody;
    if (model.tools === false && chat.tools?.length) {
      const message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
      return refused(400, { message, type: "BadRequestError", param: null, code: 400 });
    }
    const size = tokensIn([chat.messages, chat.tools]);
    const message = `This model's maximum context length is ${context} tokens. However, your request has ${size} input tokens.`;
    return size > context
      ? refused(400, { message, type: "BadRequestError", param: "input_tokens", code: 400 })
      : reply(chat, chat.messages, size);
  });
}
