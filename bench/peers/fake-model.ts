// A model server that answers at once, in the three protocols that the measured agents speak. The reply to give is told by the number of
// tool results in the request, so that a repeated request gets the same answer. A request without tools (a title, a summary) gets "ok".

export interface Call {
  readonly name: string;
  readonly args?: unknown;
  /** Instead of arguments: the text of a free-form call of the Responses API. */
  readonly input?: string;
}

/** One reply: calls (with {{n}} for its number), or a last text. */
export interface Reply {
  readonly calls?: readonly Call[];
  readonly text?: string;
}

interface Asked {
  /** Milliseconds of `performance.now()`: the request was read, the reply was handed over. */
  readonly read: number;
  answered: number;
  /** Of system text and tools. */
  readonly fixedBytes: number;
  readonly results: number;
}

type Json = Record<string, unknown>;
type Dialect = "chat" | "responses" | "anthropic";

export interface FakeModel {
  readonly url: string;
  /** Without the requests that carry no tools. */
  readonly asked: Asked[];
  play(replies: readonly Reply[]): void;
  stop(): void;
}

export function startFakeModel(): FakeModel {
  let replies: readonly Reply[] = [];
  const asked: Asked[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const dialect = dialectOf(new URL(request.url).pathname);
      if (request.method !== "POST" || dialect === null) return Response.json({ data: [] }, { status: 404 });
      const body = await bodyOf(request);
      const read = performance.now();
      const { tools, system, results } = look(dialect, body);
      const isSide = tools.length === 0;
      const reply = isSide ? { text: "ok" } : filled(replies[Math.min(results, replies.length - 1)] ?? {}, results);
      const entry = { read, answered: read, fixedBytes: size(tools) + size(system), results };
      if (!isSide) asked.push(entry);
      if (body.stream !== true) return Response.json(whole(dialect));
      const text = [...events(dialect, reply, results)].join("");
      // After this handler: the clock of the next step starts when the reply is on its way.
      queueMicrotask(() => {
        entry.answered = performance.now();
      });
      return new Response(text, { headers: { "content-type": "text/event-stream" } });
    },
  });
  return {
    url: server.url.origin,
    asked,
    play(next) {
      replies = next;
      asked.length = 0;
    },
    stop: () => void server.stop(true),
  };
}

function dialectOf(path: string): Dialect | null {
  if (path.endsWith("/chat/completions")) return "chat";
  if (path.endsWith("/responses")) return "responses";
  return path.endsWith("/messages") ? "anthropic" : null;
}

async function bodyOf(request: Request): Promise<Json> {
  const raw = new Uint8Array(await request.arrayBuffer());
  const coding = request.headers.get("content-encoding");
  const plain = coding === "zstd" ? Bun.zstdDecompressSync(raw) : coding === "gzip" ? Bun.gunzipSync(raw) : raw;
  return JSON.parse(new TextDecoder().decode(plain)) as Json;
}

const size = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");
const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

function look(dialect: Dialect, body: Json): { tools: Json[]; system: unknown; results: number } {
  if (dialect === "chat") {
    const messages = list(body.messages);
    return {
      tools: list(body.tools),
      system: messages.filter(({ role }) => role === "system" || role === "developer"),
      results: messages.filter(({ role }) => role === "tool").length,
    };
  }
  if (dialect === "responses") {
    const items = list(body.input);
    // Codex hands tools over inside the input too, in groups.
    const isTools = ({ type }: Json): boolean => type === "additional_tools";
    const groups = [...list(body.tools), ...items.filter(isTools).flatMap(({ tools }) => list(tools))];
    const system = items.filter((item) => !isTools(item) && (item.role === "developer" || item.role === "system"));
    return {
      tools: groups.flatMap((tool) => (tool.type === "namespace" ? list(tool.tools) : [tool])),
      system: [body.instructions ?? "", ...system],
      results: items.filter(({ type }) => String(type).endsWith("_output")).length,
    };
  }
  const parts = list(body.messages).flatMap(({ content }) => list(content));
  return {
    tools: list(body.tools),
    system: body.system,
    results: parts.filter(({ type }) => type === "tool_result").length,
  };
}

function filled(reply: Reply, n: number): Reply {
  return JSON.parse(JSON.stringify(reply).replaceAll("{{n}}", String(n))) as Reply;
}

function* events(dialect: Dialect, { text, calls = [] }: Reply, n: number): Generator<string> {
  const data = (value: Json): string => `data: ${JSON.stringify(value)}\n\n`;
  const event = (value: Json): string => `event: ${value.type}\n${data(value)}`;
  const id = `fake${n}`;
  if (dialect === "chat") {
    const chunk = (delta: Json, finish: string | null = null): string =>
      data({
        id,
        object: "chat.completion.chunk",
        created: 1,
        model: "fake",
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    if (text !== undefined) yield chunk({ role: "assistant", content: text });
    for (const [index, { name, args }] of calls.entries()) {
      const made = { name, arguments: JSON.stringify(args) };
      yield chunk({ tool_calls: [{ index, id: `call_${n}_${index}`, type: "function", function: made }] });
    }
    yield chunk({}, calls.length > 0 ? "tool_calls" : "stop");
    const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
    yield data({ id, object: "chat.completion.chunk", created: 1, model: "fake", choices: [], usage });
    yield "data: [DONE]\n\n";
    return;
  }
  if (dialect === "responses") {
    const response = { id, object: "response", created_at: 1, model: "fake", output: [] as Json[] };
    yield event({ type: "response.created", response: { ...response, status: "in_progress" } });
    const items: Json[] = calls.map(({ name, args, input }, at) => ({
      id: `fc_${n}_${at}`,
      type: input === undefined ? "function_call" : "custom_tool_call",
      call_id: `call_${n}_${at}`,
      name,
      status: "completed",
      ...(input === undefined ? { arguments: JSON.stringify(args) } : { input }),
    }));
    const content = [{ type: "output_text", text, annotations: [] }];
    if (text !== undefined) items.push({ id, type: "message", role: "assistant", status: "completed", content });
    for (const [at, item] of items.entries()) {
      yield event({ type: "response.output_item.added", output_index: at, item: { ...item, status: "in_progress" } });
      yield event({ type: "response.output_item.done", output_index: at, item });
    }
    const usage = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };
    yield event({ type: "response.completed", response: { ...response, status: "completed", output: items, usage } });
    return;
  }
  const message = { id, type: "message", role: "assistant", model: "fake", content: [], stop_reason: null };
  yield event({ type: "message_start", message: { ...message, usage: { input_tokens: 100, output_tokens: 1 } } });
  const blocks = [
    ...(text === undefined ? [] : [{ start: { type: "text", text: "" }, delta: { type: "text_delta", text } }]),
    ...calls.map(({ name, args }, at) => ({
      start: { type: "tool_use", id: `toolu_${n}_${at}`, name, input: {} },
      delta: { type: "input_json_delta", partial_json: JSON.stringify(args) },
    })),
  ];
  for (const [index, { start, delta }] of blocks.entries()) {
    yield event({ type: "content_block_start", index, content_block: start });
    yield event({ type: "content_block_delta", index, delta });
    yield event({ type: "content_block_stop", index });
  }
  const stopped = { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null };
  yield event({ type: "message_delta", delta: stopped, usage: { output_tokens: 20 } });
  yield event({ type: "message_stop" });
}

/** For a request that wants no stream: only side requests do. */
function whole(dialect: Dialect): Json {
  const base = { id: "fake", model: "fake", created: 1 };
  const content = [{ type: "text", text: "ok" }];
  if (dialect === "anthropic")
    return {
      ...base,
      type: "message",
      role: "assistant",
      content,
      stop_reason: "end_turn",
      usage: { input_tokens: 1, output_tokens: 1 },
    };
  if (dialect === "responses") return { ...base, object: "response", status: "completed", output: [] };
  return {
    ...base,
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" }],
  };
}
