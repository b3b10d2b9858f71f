import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";
import { maxParts } from "../calls.ts";
import type { Failure } from "../fault/fault.ts";
import { tooManyParts, unreadableBy } from "../sdk-stream.ts";
import type { EventJudge } from "../wire/event-gate.ts";
import type { WireEvent } from "../wire/event-reader.ts";
import { fieldsOf, textOf } from "../wire/json-value.ts";
import { WireIds } from "../wire-ids.ts";

const finishes: Readonly<Record<string, LanguageModelV4FinishReason["unified"]>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool-calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "content-filter",
};
const blockTypes = ["text", "thinking", "redacted_thinking", "tool_use"];
/** And the blocks into which they go. */
const deltaTypes: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  signature_delta: "thinking",
  input_json_delta: "tool_use",
};
const stop: WireEvent = { type: "message_stop" };

interface Block {
  state: "open" | "closed" | "skipped";
  /** Set for calls. */
  readonly givenId: unknown;
}

/** The events of Anthropic's messages, for one reply. */
export class AnthropicEvents implements EventJudge {
  readonly hasBlocks = true;
  readonly failureOf = unreadableBy;
  readonly #ids = new WireIds();
  readonly #blocks = new Map<unknown, Block>();
  #messageId: unknown;
  /** Ends of blocks, told when the next thing begins: a piece may come late. */
  #ends: WireEvent[] = [];
  #finish: string | null = null;
  #hasStopped = false;

  providerId(id: string): string | null {
    return this.#ids.given(id);
  }

  finish(): LanguageModelV4FinishReason["unified"] | null {
    return this.#finish === null ? null : (finishes[this.#finish] ?? "other");
  }

  judge(event: WireEvent): readonly WireEvent[] | Failure {
    if (this.#hasStopped && this.#finish !== null) return [];
    if (this.#blocks.size > maxParts) return tooManyParts;
    switch (event.type) {
      case "message_start":
        return this.#start(fieldsOf(event.message));
      case "content_block_start":
        return this.#open(event.index, fieldsOf(event.content_block));
      case "content_block_delta":
        return this.#delta(event, fieldsOf(event.delta));
      case "content_block_stop":
        if (this.#blocks.get(event.index)?.state === "open") this.#ends.push(event);
        return [];
      case "message_delta":
        return this.#ending(fieldsOf(event.delta).stop_reason, event.usage);
      case "message_stop":
        this.#hasStopped = true;
        return this.#finish === null ? [] : [stop];
      case "error":
        return { kind: "said", value: event.error ?? event };
      default:
        return [];
    }
  }

  /** Everything is said once the reason of the end is. */
  end(): readonly WireEvent[] {
    return this.#finish === null || this.#hasStopped ? [] : [stop];
  }

  #start({ id, model, usage }: WireEvent): readonly WireEvent[] | Failure {
    if (this.#messageId !== undefined) {
      return id === this.#messageId ? [] : { kind: "unreadable", detail: "a second message began inside the first" };
    }
    this.#messageId = id ?? null;
    const message = { id: textOf(id), model: textOf(model), usage: { input_tokens: 0, ...fieldsOf(usage) } };
    return [{ type: "message_start", message }];
  }

  #open(index: unknown, block: WireEvent): readonly WireEvent[] {
    const known = this.#blocks.get(index);
    // A repeated event opens nothing; some servers, though, use an index again.
    if (known?.state === "open" && !this.#isEnding(index)) return [];
    if (known !== undefined && known.givenId === block.id) return [];
    const isKnown = typeof block.type === "string" && blockTypes.includes(block.type);
    const before = this.#close();
    this.#blocks.set(index, { state: isKnown ? "open" : "skipped", givenId: block.id });
    return isKnown ? [...before, ...this.#opened(index, block)] : before;
  }

  #opened(index: unknown, block: WireEvent): readonly WireEvent[] {
    const start = (content_block: WireEvent): WireEvent => ({ type: "content_block_start", index, content_block });
    const first = (delta: WireEvent): WireEvent => ({ type: "content_block_delta", index, delta });
    const text = textOf(block.text);
    const thinking = textOf(block.thinking);
    switch (block.type) {
      case "tool_use":
        return [start({ ...block, id: this.#ids.add(block.id), input: fieldsOf(block.input) })];
      case "text":
        return [start({ type: "text", text: "" }), ...(text === "" ? [] : [first({ type: "text_delta", text })])];
      case "thinking": {
        const said = thinking === "" ? [] : [first({ type: "thinking_delta", thinking })];
        return [start({ type: "thinking", thinking: "" }), ...said];
      }
      default:
        return [start(block)];
    }
  }

  #delta(event: WireEvent, { type }: WireEvent): readonly WireEvent[] | Failure {
    const state = this.#blocks.get(event.index)?.state;
    const into = typeof type === "string" ? deltaTypes[type] : undefined;
    if (state === "skipped" || into === undefined) return [];
    if (state === "open") return [event];
    // A text whose beginning was lost is whole all the same; a call is not.
    if (state === undefined && into !== "tool_use") return [...this.#open(event.index, { type: into }), event];
    return { kind: "unreadable", detail: `a piece of block ${event.index}, which is not open` };
  }

  #isEnding(index: unknown): boolean {
    return this.#ends.some((end) => end.index === index);
  }

  #close(): readonly WireEvent[] {
    const ends = this.#ends;
    this.#ends = [];
    for (const { index } of ends) {
      const block = this.#blocks.get(index);
      if (block) block.state = "closed";
    }
    return ends;
  }

  #ending(reason: unknown, usage: unknown): readonly WireEvent[] {
    if (typeof reason === "string") this.#finish = reason;
    const delta = { stop_reason: this.#finish, stop_sequence: null };
    const told = { type: "message_delta", delta, usage: { output_tokens: 0, ...fieldsOf(usage) } };
    const isLate = this.#hasStopped && this.#finish !== null;
    return [...this.#close(), told, ...(isLate ? [stop] : [])];
  }
}
