import { fieldsOf, textOf } from "../../contract/json.ts";
import type { Failure } from "../fault/fault.ts";
import type { Finish } from "../reply/finish.ts";
import { maxParts, tooManyParts } from "../reply/limits.ts";
import { metaOf } from "../reply/part-meta.ts";
import { EventDecoder, type WireEvent } from "../wire/event-reader.ts";

const finishes: Readonly<Record<string, Finish>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "refused",
};
const blockTypes = ["text", "thinking", "redacted_thinking", "tool_use"];
/** Pieces of blocks: the field that holds each, and the type of its block. */
const pieces: Readonly<Record<string, { readonly field: string; readonly into: string }>> = {
  text_delta: { field: "text", into: "text" },
  thinking_delta: { field: "thinking", into: "thinking" },
  signature_delta: { field: "signature", into: "thinking" },
  input_json_delta: { field: "partial_json", into: "tool_use" },
};

const nowhere: Failure = { kind: "unreadable", detail: "a block without its index" };

interface AnthropicBlock {
  /** `ending`: stopped, but a late piece may still come; closed when the next thing begins. */
  state: "open" | "ending" | "closed" | "skipped";
  readonly givenId: unknown;
  /** A call's ordinal, and its arguments if they do not come in pieces. */
  readonly call: number | null;
  readonly input: string;
}

export class AnthropicEvents extends EventDecoder {
  readonly #blocks = new Map<unknown, AnthropicBlock>();
  #ending: AnthropicBlock[] = [];
  #messageId: unknown;
  #counts: WireEvent = {};
  #finish: string | null = null;
  #hasStopped = false;

  finish(): Finish | null {
    return this.#finish === null ? null : (finishes[this.#finish] ?? "other");
  }

  read(event: WireEvent): Failure | null {
    if (this.#hasStopped && this.#finish !== null) return null;
    if (this.#blocks.size > maxParts) return tooManyParts;
    switch (event.type) {
      case "message_start":
        return this.#start(fieldsOf(event.message));
      case "content_block_start":
        return typeof event.index === "number" ? this.#open(event.index, fieldsOf(event.content_block)) : nowhere;
      case "content_block_delta":
        return typeof event.index === "number" ? this.#piece(event.index, fieldsOf(event.delta)) : nowhere;
      case "content_block_stop":
        this.#stop(this.#blocks.get(event.index));
        return null;
      case "message_delta": {
        const { stop_reason } = fieldsOf(event.delta);
        if (typeof stop_reason === "string") this.#finish = stop_reason;
        this.#close();
        return this.#count(fieldsOf(event.usage));
      }
      case "message_stop":
        this.#hasStopped = true;
        return null;
      case "error":
        return { kind: "reported", value: event.error ?? event };
      default:
        return null;
    }
  }

  #start({ id, usage }: WireEvent): Failure | null {
    if (this.#messageId !== undefined) {
      return id === this.#messageId ? null : { kind: "unreadable", detail: "a second message began inside the first" };
    }
    this.#messageId = id ?? null;
    const { output_tokens: _, ...read } = fieldsOf(usage);
    return this.#count(read);
  }

  #open(index: number, block: WireEvent): Failure | null {
    const known = this.#blocks.get(index);
    // Ignore a repeated event; some servers, however, use an index again for another block.
    if (known?.state === "open" || (known !== undefined && known.givenId === block.id)) return null;
    this.#close();
    const { type, id, name } = block;
    const isKnown = typeof type === "string" && blockTypes.includes(type);
    const isCall = type === "tool_use";
    if (isCall && typeof name !== "string") return { kind: "unreadable", detail: "a call without a name" };
    const opened: AnthropicBlock = {
      state: isKnown ? "open" : "skipped",
      givenId: id,
      call: isCall ? this.reply.openCall(textOf(name), id) : null,
      input: isCall ? inputIn(block.input) : "",
    };
    this.#blocks.set(index, opened);
    if (type === "text") this.reply.words("text", textOf(block.text), opened);
    if (type === "thinking") this.reply.words("thinking", textOf(block.thinking), opened);
    if (type === "redacted_thinking") {
      this.reply.words("thinking", "", opened, metaOf("anthropic", { redactedData: block.data }));
    }
    return null;
  }

  #piece(index: number, delta: WireEvent): Failure | null {
    const kind = typeof delta.type === "string" ? pieces[delta.type] : undefined;
    if (kind === undefined || this.#blocks.get(index)?.state === "skipped") return null;
    // A text remains usable without its start event; a call does not.
    if (!this.#blocks.has(index) && kind.into !== "tool_use") this.#open(index, { type: kind.into });
    const block = this.#blocks.get(index);
    if (block === undefined || block.state === "closed") {
      return { kind: "unreadable", detail: `a piece of block ${index}, which is not open` };
    }
    const text = delta[kind.field];
    if (typeof text !== "string") return { kind: "unreadable", detail: `a piece of block ${index} is no text` };
    if (kind.into === "tool_use") {
      if (block.call !== null) this.reply.args(block.call, text);
    } else if (kind.field === "signature") {
      this.reply.words("thinking", "", block, metaOf("anthropic", { signature: text }));
    } else this.reply.words(kind.into === "text" ? "text" : "thinking", text, block);
    return null;
  }

  #stop(block: AnthropicBlock | undefined): void {
    if (block?.state !== "open") return;
    block.state = "ending";
    this.#ending.push(block);
  }

  #close(): void {
    for (const block of this.#ending) {
      block.state = "closed";
      if (block.call !== null) this.reply.closeCall(block.call, block.input);
    }
    this.#ending = [];
  }

  /** The first event counts the input, the last the output; some servers correct the first in the last. */
  #count(usage: WireEvent): Failure | null {
    const counts = Object.entries(usage).filter(([, value]) => value !== null);
    this.#counts = { ...this.#counts, ...Object.fromEntries(counts) };
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, ...rest } = this.#counts;
    return this.count({
      input: [input_tokens, cache_creation_input_tokens, cache_read_input_tokens],
      output: [rest.output_tokens],
      cachedInput: cache_read_input_tokens,
      writtenInput: cache_creation_input_tokens,
      reasoning: fieldsOf(rest.output_tokens_details).thinking_tokens,
    });
  }
}

/** Usually empty, because the arguments come in pieces. */
function inputIn(input: unknown): string {
  const fields = fieldsOf(input);
  return Object.keys(fields).length === 0 ? "" : JSON.stringify(fields);
}
