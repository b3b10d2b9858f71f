// A scripted step as the chunks of a chat-completions stream.

/** One reply of the scripted model. Everything is optional; `{}` is an empty reply that ends with "stop". */
export interface Step {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: unknown; readonly id?: string | null }[];
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cached?: number;
    readonly reasoning?: number;
  };
  /** Instead of "stop" or "tool_calls"; `null` leaves it out. */
  readonly finish?: string | null;
  /** Characters of text, thinking or arguments in one event; all in one when absent. */
  readonly chunkChars?: number;
  /** The stream is written in pieces of this many bytes (several: in turn), one write each, whatever they cut through. */
  readonly chunkBytes?: number | readonly number[];
  /** Before anything is answered, headers included. */
  readonly delayMs?: number;
  /** Before every chunk but the first. */
  readonly chunkDelayMs?: number;
  /** Falls silent after this many chunks and keeps the connection open; 0 = headers only. */
  readonly stallAfter?: number;
  /** Breaks the connection after this many chunks. */
  readonly closeAfter?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is instead of a rendered reply. */
  readonly body?: string;
  /** delayMs, stallAfter, closeAfter, status, headers and body hold only for this many requests of the step. */
  readonly times?: number;
  /** This step stands for so many in a row. */
  readonly repeat?: number;
}

const faults = ["delayMs", "stallAfter", "closeAfter", "status", "headers", "body"] as const;

export function withoutFaults(step: Step): Step {
  const kept = { ...step };
  for (const fault of faults) delete kept[fault];
  return kept;
}

/** The events of the reply, in order, as SSE text. `unique` makes call ids differ between replies. */
export function renderReply(step: Step, model: string, unique: string): readonly string[] {
  const event = (delta: unknown, finish: string | null = null): string =>
    sse({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
  const head = { id: `reply-${unique}`, object: "chat.completion.chunk", created: 1, model };
  const pieces = (text: string): readonly string[] => split(text, step.chunkChars ?? Number.POSITIVE_INFINITY);
  const events = pieces(step.thinking ?? "").map((piece) => event({ reasoning_content: piece }));
  events.push(...pieces(step.text ?? "").map((piece) => event({ content: piece })));
  for (const [index, call] of (step.calls ?? []).entries()) {
    const id = call.id === null ? {} : { id: call.id ?? `call_${unique}_${index}` };
    const opened = { index, ...id, type: "function", function: { name: call.tool, arguments: "" } };
    events.push(event({ tool_calls: [opened] }));
    const args = typeof call.input === "string" ? call.input : JSON.stringify(call.input);
    events.push(...pieces(args).map((piece) => event({ tool_calls: [{ index, function: { arguments: piece } }] })));
  }
  const finish = step.finish === undefined ? (step.calls?.length ? "tool_calls" : "stop") : step.finish;
  if (finish !== null) events.push(event({}, finish));
  if (step.usage) events.push(sse({ ...head, choices: [], usage: wireUsage(step.usage) }));
  return [...events, "data: [DONE]\n\n"];
}

function sse(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function wireUsage(usage: NonNullable<Step["usage"]>): unknown {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    ...(usage.cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: usage.cached } }),
    ...(usage.reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: usage.reasoning } }),
  };
}

function split(text: string, size: number): readonly string[] {
  if (text === "") return [];
  if (text.length <= size) return [text];
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}

/** The same stream cut into writes of these sizes, taken in turn. */
export function splitBytes(chunks: readonly string[], sizes: number | readonly number[]): readonly Uint8Array[] {
  const turns = typeof sizes === "number" ? [sizes] : sizes;
  const bytes = new TextEncoder().encode(chunks.join(""));
  const pieces: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = at + Math.max(1, turns[pieces.length % turns.length] ?? bytes.length);
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}
