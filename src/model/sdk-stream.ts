import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { DeltaBody, MessageDelta } from "../contract/delta.ts";
import type { AssistantReply, Usage } from "../contract/message.ts";
import { type Exchange, maxReplySize } from "./exchange.ts";
import { type Failure, faultDelta, type Origin, statusOf } from "./fault.ts";

/** What an adapter reads out of its protocol's raw events, where the SDK hides or changes it. */
export interface RawNotes {
  note(raw: unknown): void;
  /** Whether the provider itself sent this call id; the SDK makes one up where it is missing or repeated. */
  isWireId(id: string): boolean;
  /** `null` = harmless: an event of a kind we do not know. */
  failureOf(error: unknown): Failure | null;
  /** What the provider said last about how the reply ended. */
  finish(): LanguageModelV4FinishReason["unified"] | null;
}

/**
 * A whole reply, from `start` to `done` or `error`. Never throws. Each delta is stamped here, not in a generator around
 * this one: every hop costs a turn of the event loop's queue for each of them.
 */
export async function* readReply(
  open: () => PromiseLike<{ stream: ReadableStream<LanguageModelV4StreamPart> }>,
  exchange: Exchange,
  notes: RawNotes,
  origin: Origin,
  stamp: (body: DeltaBody) => MessageDelta,
): AsyncGenerator<MessageDelta> {
  yield stamp({ kind: "start" });
  const ordinals = new Map<string, number>();
  let size = 0;
  try {
    const reader = (await open()).stream.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const part = read.value;
      const cut = exchange.failure;
      if (cut?.kind === "cancelled" || cut?.kind === "too_large") return yield stamp(faultDelta(origin, cut));
      if (part.type === "raw") {
        exchange.eventRead();
        notes.note(part.rawValue);
      } else if (part.type === "error") {
        const failure = cut ?? notes.failureOf(part.error);
        if (failure !== null) return yield stamp(faultDelta(origin, failure));
      } else if (part.type === "finish") {
        const usage = toUsage(part.usage);
        if (usage !== null) yield stamp({ kind: "usage", usage });
        return yield stamp(ending(part.finishReason.unified, notes, ordinals.size, cut, origin));
      } else {
        const body = toDelta(part, ordinals, notes);
        if (body === null) continue;
        exchange.progressed();
        size += sizeOf(body);
        if (size > maxReplySize) exchange.tooLarge();
        else yield stamp(body);
      }
    }
    yield stamp(faultDelta(origin, exchange.failure ?? { kind: "cut_short" }));
  } catch (error) {
    const cut = exchange.failure;
    // An error status says more than that its body broke off.
    const isAnswered = cut?.kind === "broken" && statusOf(error) !== null;
    yield stamp(faultDelta(origin, cut === null || isAnswered ? { kind: "thrown", error } : cut));
  } finally {
    exchange.end();
  }
}

function toDelta(part: LanguageModelV4StreamPart, ordinals: Map<string, number>, notes: RawNotes): DeltaBody | null {
  switch (part.type) {
    case "text-delta":
      return part.delta === "" ? null : { kind: "text", text: part.delta };
    case "reasoning-delta":
      return part.delta === "" ? null : { kind: "thinking", text: part.delta };
    case "tool-input-start": {
      const ordinal = ordinals.size;
      ordinals.set(part.id, ordinal);
      const providerId = notes.isWireId(part.id) ? part.id : null;
      return { kind: "tool_call_start", ordinal, providerId, tool: part.toolName };
    }
    case "tool-input-delta": {
      const ordinal = ordinals.get(part.id);
      return ordinal === undefined || part.delta === "" ? null : { kind: "tool_call_args", ordinal, text: part.delta };
    }
    case "tool-input-end": {
      const ordinal = ordinals.get(part.id);
      return ordinal === undefined ? null : { kind: "tool_call_end", ordinal };
    }
    default:
      return null;
  }
}

function sizeOf(body: DeltaBody): number {
  switch (body.kind) {
    case "text":
    case "thinking":
    case "tool_call_args":
      return body.text.length;
    case "tool_call_start":
      // So that a flood of empty calls ends too.
      return body.tool.length + (body.providerId?.length ?? 0) + 64;
    default:
      return 0;
  }
}

function ending(
  unified: LanguageModelV4FinishReason["unified"],
  notes: RawNotes,
  calls: number,
  cut: Failure | null,
  origin: Origin,
): DeltaBody {
  // The SDK forgets the finish reason when an event it does not know follows it.
  const reason = unified === "error" ? notes.finish() : unified;
  if (reason === null || reason === "error") return faultDelta(origin, cut ?? { kind: "cut_short" });
  return { kind: "done", finish: finishOf(reason, calls) };
}

const finishes: Readonly<Partial<Record<LanguageModelV4FinishReason["unified"], AssistantReply["finish"]>>> = {
  stop: "stop",
  length: "length",
  "content-filter": "refused",
  "tool-calls": "tool_calls",
};

/** Several servers say "stop" after tool calls, or "tool_calls" without any: what was sent counts. */
function finishOf(reason: LanguageModelV4FinishReason["unified"], calls: number): AssistantReply["finish"] {
  const finish = finishes[reason] ?? "other";
  if (calls > 0 && (finish === "stop" || finish === "other")) return "tool_calls";
  return calls === 0 && finish === "tool_calls" ? "other" : finish;
}

function toUsage({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): Usage | null {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null;
  // DeepSeek reports cache hits in a field of its own.
  const hits = (raw as { prompt_cache_hit_tokens?: unknown } | undefined)?.prompt_cache_hit_tokens;
  return {
    input: count(inputTokens.total),
    output: count(outputTokens.total),
    cachedInput: count(inputTokens.cacheRead) || count(hits),
    reasoning: count(outputTokens.reasoning),
  };
}

/** Numbers from outside: budgets are counted with them. */
function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
