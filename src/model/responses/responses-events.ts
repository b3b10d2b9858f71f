import { fieldsOf, listOf, textOf } from "../../contract/json.ts";
import type { Failure } from "../fault/fault.ts";
import type { Finish } from "../reply/finish.ts";
import { maxParts, tooManyParts } from "../reply/limits.ts";
import { metaOf } from "../reply/part-meta.ts";
import { EventDecoder, type WireEvent } from "../wire/event-reader.ts";

interface Item {
  readonly type: unknown;
  readonly index: number;
  readonly id: string;
  readonly call: number | null;
  text: string;
  parts: number;
  phase: unknown;
  isOver: boolean;
}

const finishes: Readonly<Record<string, Finish>> = { max_output_tokens: "length", content_filter: "refused" };

/** Decodes OpenAI's responses for one reply. Each item repeats its pieces as a whole at its end, which must match. */
export class ResponsesEvents extends EventDecoder {
  readonly #numbers = new EventNumbers();
  readonly #items = new Map<number, Item>();
  #finish: Finish | null = null;
  #hasRefusal = false;
  finish(): Finish | null {
    return this.#finish === "stop" && this.#hasRefusal && this.reply.callCount === 0 ? "refused" : this.#finish;
  }

  read(event: WireEvent, data: string): Failure | null {
    if (this.#finish !== null) return null;
    if (this.#numbers.isRepeated(event.sequence_number, data)) return null;
    if (this.#items.size > maxParts) return tooManyParts;
    switch (event.type) {
      case "response.output_item.added":
      case "response.output_item.done":
      case "response.output_text.delta":
      case "response.refusal.delta":
      case "response.function_call_arguments.delta":
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        if (typeof event.output_index !== "number") return { kind: "unreadable", detail: "an item without its index" };
        return this.#itemEvent(event.type, event, event.output_index);
      case "response.completed":
      case "response.incomplete":
        return this.#ending(fieldsOf(event.response));
      case "response.failed":
        return { kind: "reported", value: failureIn(fieldsOf(event.response)) };
      case "error":
        return { kind: "reported", value: event.error ?? event };
      default:
        return null;
    }
  }

  #itemEvent(type: string, event: WireEvent, index: number): Failure | null {
    switch (type) {
      case "response.output_item.added":
        this.#added(index, fieldsOf(event.item));
        return null;
      case "response.output_item.done":
        return this.#done(index, fieldsOf(event.item));
      case "response.function_call_arguments.delta":
        return this.#piece(event, index, "function_call", 0);
      case "response.reasoning_summary_text.delta":
        return this.#piece(event, index, "reasoning", event.summary_index);
      // Servers without summaries send the reasoning itself.
      case "response.reasoning_text.delta":
        return this.#piece(event, index, "reasoning", event.content_index);
      default:
        this.#hasRefusal ||= type === "response.refusal.delta";
        return this.#piece(event, index, "message", 0);
    }
  }

  #added(index: number, item: WireEvent): Item {
    const known = this.#items.get(index);
    if (known !== undefined) return known;
    const { type, phase } = item;
    const call = type === "function_call" ? this.reply.openCall(textOf(item.name), item.call_id) : null;
    // Gateways change item ids on the way, but not the index.
    const id = textOf(item.id) || `item ${index}`;
    const added: Item = { type, index, id, call, text: "", parts: 0, phase: undefined, isOver: false };
    this.#items.set(index, added);
    if (type === "message") this.#phase(added, phase);
    if (type === "reasoning") this.#thought(added, 0, "", item.encrypted_content);
    return added;
  }

  #piece({ delta, item_id }: WireEvent, index: number, type: string, part: unknown): Failure | null {
    const known = this.#items.get(index);
    const isOpen = known === undefined ? type !== "function_call" : !known.isOver || type === "reasoning";
    if (!isOpen) return { kind: "unreadable", detail: `a piece of item ${index}, which is not open` };
    const at = part ?? 0;
    if (typeof delta !== "string" || typeof at !== "number") {
      return { kind: "unreadable", detail: `a piece of item ${index} is no text` };
    }
    const item = known ?? this.#added(index, { type, id: item_id });
    if (item.type === type) this.#append(item, delta, at);
    return null;
  }

  #append(item: Item, text: string, part: number): void {
    item.text += text;
    if (item.type === "message") this.reply.words("text", text, item);
    else if (item.call !== null) this.reply.args(item.call, text);
    else this.#thought(item, part, text, undefined);
  }

  /** Each part of a summary becomes a part of the reply; its first piece carries the metadata. */
  #thought(item: Item, part: number, text: string, encrypted: unknown): void {
    const isKnown = part < item.parts;
    item.parts = Math.max(item.parts, part + 1);
    const meta =
      isKnown && encrypted === undefined
        ? undefined
        : metaOf("openai", { itemId: item.id, reasoningEncryptedContent: encrypted });
    this.reply.words("thinking", text, `${item.index} ${part}`, meta);
  }

  #phase(item: Item, phase: unknown): void {
    if (phase === item.phase || (phase !== "commentary" && phase !== "final_answer")) return;
    item.phase = phase;
    this.reply.words("text", "", item, metaOf("openai", { phase }));
  }

  #done(index: number, item: WireEvent): Failure | null {
    const known = this.#added(index, item);
    if (known.isOver) return null;
    known.isOver = true;
    const whole = wholeOf(item);
    if (known.text !== "" && whole !== "" && known.type !== "reasoning" && known.text !== whole) {
      return { kind: "unreadable", detail: `the pieces of item ${index} do not add up to it` };
    }
    if (known.call !== null) this.reply.closeCall(known.call, whole === "{}" ? "" : whole);
    else if (known.text === "" && whole !== "" && (known.type === "message" || known.type === "reasoning"))
      this.#append(known, whole, 0);
    if (known.type === "message") {
      this.#phase(known, item.phase);
      this.#hasRefusal ||= listOf(item.content).some((one) => fieldsOf(one).type === "refusal");
    }
    const last = Math.max(0, known.parts - 1);
    if (known.type === "reasoning") this.#thought(known, last, "", textOf(item.encrypted_content));
    return null;
  }

  #ending(response: WireEvent): Failure | null {
    const { reason } = fieldsOf(response.incomplete_details);
    this.#finish = typeof reason === "string" ? (finishes[reason] ?? "other") : "stop";
    const usage = fieldsOf(response.usage);
    const details = fieldsOf(usage.input_tokens_details);
    return this.count({
      input: [usage.input_tokens],
      output: [usage.output_tokens],
      cachedInput: details.cached_tokens,
      writtenInput: details.cache_write_tokens,
      reasoning: fieldsOf(usage.output_tokens_details).reasoning_tokens,
    });
  }
}

function wholeOf(item: WireEvent): string {
  if (item.type === "function_call") return textOf(item.arguments);
  const pieces = listOf(item.type === "reasoning" ? item.summary : item.content).map(fieldsOf);
  return pieces.map((piece) => textOf(piece.text) || textOf(piece.refusal)).join("");
}

function failureIn({ error, incomplete_details }: WireEvent): unknown {
  return error ?? { message: textOf(fieldsOf(incomplete_details).reason) || "response.failed" };
}

const window = 4096;

/** Recognizes repeated events by number. If a server numbers badly, its numbers are ignored. */
class EventNumbers {
  readonly #seen = new Map<number, number | bigint>();
  #isNumbered = true;

  isRepeated(number: unknown, data: string): boolean {
    if (!this.#isNumbered || typeof number !== "number" || !Number.isSafeInteger(number)) return false;
    const print = Bun.hash(data);
    const known = this.#seen.get(number);
    if (known !== undefined && known !== print) this.#isNumbered = false;
    this.#seen.set(number, print);
    const [oldest] = this.#seen.size > window ? this.#seen.keys() : [];
    if (oldest !== undefined) this.#seen.delete(oldest);
    return known === print;
  }
}
