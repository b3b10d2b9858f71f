import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { DeltaBody, MessageDelta } from "../contract/delta.ts";
import type { AssistantReply, Usage } from "../contract/message.ts";
import { maxCalls, maxParts } from "./calls.ts";
import { type Failure, faultDelta, type Origin, statusOf } from "./fault/fault.ts";
import type { PartReader } from "./part-reader.ts";
import { maxReplySize } from "./reply/limits.ts";
import type { Exchange } from "./wire/exchange.ts";

/** What an adapter knows of its protocol's own events, where the SDK hides or changes it. */
export interface WireNotes {
  /** The id that the provider itself sent; the SDK, or we before it, make one up where it is missing or repeated. */
  providerId(id: string): string | null;
  failureOf(error: unknown): Failure;
  /** What the provider said last about how the reply ended. */
  finish(): LanguageModelV4FinishReason["unified"] | null;
  /** What is wrong with the reply as a whole, once it has ended. */
  problem?(): Failure | null;
  /** Whether the provider tells the parts of a reply apart. */
  readonly hasBlocks: boolean;
}

const tooManyCalls: Failure = { kind: "unreadable", detail: `more than ${maxCalls} calls` };
export const tooManyParts: Failure = { kind: "unreadable", detail: `more than ${maxParts} parts` };

/** The SDK refused an event. Its own text repeats the whole of it; the first line says what is wrong. */
export function unreadableBy(error: unknown): Failure {
  return { kind: "unreadable", detail: error instanceof Error ? (error.message.split("\n")[0] ?? "") : "" };
}

/**
 * A whole reply, from `start` to `done` or `error`. Never throws. Each delta is stamped here, not in a generator around
 * this one: every hop costs a turn of the event loop's queue for each of them.
 */
export async function* readReply(
  open: () => PromiseLike<{ stream: ReadableStream<LanguageModelV4StreamPart> }>,
  exchange: Exchange,
  reader: PartReader,
  notes: WireNotes,
  origin: Origin,
  stamp: (body: DeltaBody) => MessageDelta,
): AsyncGenerator<MessageDelta> {
  yield stamp({ kind: "start" });
  try {
    const parts = (await open()).stream.getReader();
    for (let read = await parts.read(); !read.done; read = await parts.read()) {
      const part = read.value;
      const cut = exchange.failure;
      if (cut?.kind === "cancelled" || cut?.kind === "too_large") return yield stamp(faultDelta(origin, cut));
      if (part.type === "error") {
        return yield stamp(faultDelta(origin, cut ?? notes.failureOf(part.error)));
      } else if (part.type === "finish") {
        const rest = reader.rest();
        if (reader.calls.count > maxCalls) return yield stamp(faultDelta(origin, tooManyCalls));
        for (const body of rest) yield stamp(body);
        const usage = toUsage(part.usage);
        if (usage !== null) yield stamp({ kind: "usage", usage });
        return yield stamp(ending(part.finishReason, notes, reader.calls.count, cut, origin));
      } else {
        const before = reader.progress;
        const bodies = reader.read(part);
        if (reader.progress > before) exchange.progressed();
        for (const body of bodies) {
          if (reader.calls.count > maxCalls) return yield stamp(faultDelta(origin, tooManyCalls));
          if (reader.size > maxReplySize) {
            exchange.tooLarge();
            continue;
          }
          exchange.pause();
          yield stamp(body);
          exchange.resume();
        }
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

function ending(
  { unified, raw }: LanguageModelV4FinishReason,
  notes: WireNotes,
  calls: number,
  cut: Failure | null,
  origin: Origin,
): DeltaBody {
  // What the provider itself reported counts, whatever else it said.
  const isSaid = cut !== null && ["said", "unreadable", "no_stream"].includes(cut.kind);
  const problem = isSaid ? cut : (notes.problem?.() ?? null);
  if (problem !== null) return faultDelta(origin, problem);
  // The SDK forgets the finish reason when an event it does not know follows it, and takes a lost last event for a break.
  const reason = unified === "error" || unified === "interrupted" ? notes.finish() : unified;
  if (reason === null || reason === "error") return faultDelta(origin, cut ?? { kind: "cut_short" });
  // Anthropic's word for a turn that it wants to go on with later; the SDK calls it finished.
  return { kind: "done", finish: raw === "pause_turn" ? finishOf("other", calls) : finishOf(reason, calls) };
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
  // Some protocols cannot leave it out: nothing read and nothing written was not counted.
  if (!inputTokens.total && !outputTokens.total) return null;
  // DeepSeek reports cache hits in a field of its own.
  const hits = (raw as { prompt_cache_hit_tokens?: unknown } | undefined)?.prompt_cache_hit_tokens;
  const written = count(inputTokens.cacheWrite);
  return {
    input: count(inputTokens.total),
    output: count(outputTokens.total),
    cachedInput: count(inputTokens.cacheRead) || count(hits),
    ...(written > 0 ? { writtenInput: written } : {}),
    reasoning: count(outputTokens.reasoning),
  };
}

/** Numbers from outside: budgets are counted with them. */
function count(value: unknown): number {
  return typeof value === "number" && value > 0 && value <= Number.MAX_SAFE_INTEGER ? Math.round(value) : 0;
}
