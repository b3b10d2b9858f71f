import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";
import { joinedChunks } from "../chat-join.ts";
import type { Failure } from "../fault/fault.ts";
import { unreadableBy } from "../sdk-stream.ts";
import type { EventJudge, Verdict } from "../wire/event-gate.ts";
import type { WireEvent } from "../wire/event-reader.ts";
import { type ChatChunk, checkedChunk, type RawCall } from "./chat-chunk.ts";

const unified: Readonly<Record<string, LanguageModelV4FinishReason["unified"]>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  error: "error",
};

/** The chunks of a chat completion, for one reply. */
export class ChatEvents implements EventJudge {
  readonly hasBlocks = false;
  readonly #ids = new Set<unknown>();
  readonly #opened = new Set<unknown>();
  readonly #unopened = new Set<number>();
  #finish: string | null = null;

  judge(event: WireEvent): Verdict {
    if (event.error !== undefined && event.error !== null) return { kind: "said", value: event.error };
    // An event of a kind we do not know.
    if (event.choices === undefined) return [];
    const chunk = checkedChunk(event);
    if (chunk === null) return { kind: "unreadable", detail: "not a chunk of a chat completion" };
    const choice = chunk.choices[0];
    if (typeof choice?.finish_reason === "string") this.#finish = choice.finish_reason;
    for (const call of choice?.delta?.tool_calls ?? []) this.#note(call);
    return [chunk];
  }

  join(events: readonly WireEvent[]): readonly WireEvent[] {
    // Only what `judge` let through comes here.
    return joinedChunks(events as readonly ChatChunk[]);
  }

  /** Usage may follow the end; nothing follows `[DONE]`, which the gate itself knows. */
  isOver(): boolean {
    return false;
  }

  providerId(id: string): string | null {
    return this.#ids.has(id) ? id : null;
  }

  failureOf(error: unknown): Failure {
    // The SDK's word for a stream that ended without a finish reason.
    if (error instanceof Error && error.name === "AI_InvalidResponseDataError") return { kind: "cut_short" };
    return unreadableBy(error);
  }

  /** The SDK gives the arguments of a call that never began to another. */
  problem(): Failure | null {
    const lost = [...this.#unopened].find((index) => !this.#opened.has(index));
    return lost === undefined ? null : { kind: "unreadable", detail: `arguments of call ${lost}, which never began` };
  }

  finish(): LanguageModelV4FinishReason["unified"] | null {
    return this.#finish === null ? null : (unified[this.#finish] ?? "other");
  }

  #note({ id, index, function: { name } }: RawCall): void {
    this.#ids.add(id);
    if (typeof name === "string") this.#opened.add(index);
    else if (typeof index === "number" && !this.#opened.has(index)) this.#unopened.add(index);
  }
}
