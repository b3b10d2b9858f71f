import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";
import { maxParts } from "../calls.ts";
import type { Failure } from "../fault/fault.ts";
import { tooManyParts, unreadableBy } from "../sdk-stream.ts";
import type { EventJudge } from "../wire/event-gate.ts";
import type { WireEvent } from "../wire/event-reader.ts";
import { fieldsOf, isRecord, listOf, textOf } from "../wire/json-value.ts";
import { WireIds } from "../wire-ids.ts";
import { EventNumbers } from "./event-numbers.ts";

/** One item of the output while it streams. */
interface Item {
  readonly type: unknown;
  /** Of a call: as the SDK sees it. */
  readonly callId: string;
  readonly id: string;
  /** Text or arguments so far. */
  said: string;
  isOver: boolean;
}

const finishes: Readonly<Record<string, LanguageModelV4FinishReason["unified"]>> = {
  max_output_tokens: "length",
  content_filter: "content-filter",
};

/** The events of OpenAI's responses, for one reply. Every piece is repeated whole at the end of its item, and compared. */
export class ResponsesEvents implements EventJudge {
  readonly hasBlocks = true;
  readonly failureOf = unreadableBy;
  readonly #ids = new WireIds();
  readonly #numbers = new EventNumbers();
  readonly #items = new Map<unknown, Item>();
  #finish: LanguageModelV4FinishReason["unified"] | null = null;

  providerId(id: string): string | null {
    return this.#ids.given(id);
  }

  finish(): LanguageModelV4FinishReason["unified"] | null {
    return this.#finish;
  }

  judge(event: WireEvent, data: string): readonly WireEvent[] | Failure {
    if (this.#finish !== null) return [];
    if (this.#numbers.isRepeated(event.sequence_number, data)) return [];
    if (this.#items.size > maxParts) return tooManyParts;
    switch (event.type) {
      case "response.output_item.added":
        return this.#added(event.output_index, fieldsOf(event.item));
      case "response.output_item.done":
        return this.#done(event.output_index, fieldsOf(event.item));
      case "response.output_text.delta":
      case "response.refusal.delta":
      case "response.function_call_arguments.delta":
        return this.#piece(event);
      case "response.reasoning_summary_text.delta":
        return this.#thought(event, event.summary_index);
      case "response.reasoning_text.delta":
        return this.#thought(event, event.content_index);
      case "response.reasoning_summary_part.added":
      case "response.reasoning_summary_part.done":
        return [{ ...this.#placed(event), summary_index: Number(event.summary_index ?? 0) }];
      case "response.completed":
      case "response.incomplete":
        return this.#ending(event.type, fieldsOf(event.response));
      case "response.failed":
        return { kind: "said", value: failureIn(fieldsOf(event.response)) };
      case "error":
        return { kind: "said", value: event.error ?? event };
      default:
        return [];
    }
  }

  #added(index: unknown, item: WireEvent): readonly WireEvent[] {
    if (this.#items.has(index)) return [];
    const { type } = item;
    const callId = type === "function_call" ? this.#ids.add(item.call_id) : "";
    const known: Item = { type, callId, id: textOf(item.id) || `item ${index}`, said: "", isOver: false };
    this.#items.set(index, known);
    return isWanted(type)
      ? [{ type: "response.output_item.added", output_index: index, item: shown(item, known) }]
      : [];
  }

  #piece(event: WireEvent): readonly WireEvent[] | Failure {
    const isCall = event.type === "response.function_call_arguments.delta";
    const isKnown = this.#items.has(event.output_index);
    if ((isCall && !isKnown) || this.#items.get(event.output_index)?.isOver === true) {
      return { kind: "unreadable", detail: `a piece of item ${event.output_index}, which is not open` };
    }
    return this.#said(event, isCall ? "function_call" : "message", { delta: event.delta });
  }

  /** Servers without summaries send the reasoning itself. */
  #thought(event: WireEvent, part: unknown): readonly WireEvent[] {
    const type = "response.reasoning_summary_text.delta";
    return this.#said({ ...event, type }, "reasoning", { summary_index: Number(part ?? 0), delta: event.delta });
  }

  /** A piece whose item was never announced announces it. */
  #said(event: WireEvent, type: string, rest: WireEvent): readonly WireEvent[] {
    const before = this.#added(event.output_index, { type, id: event.item_id });
    const item = this.#items.get(event.output_index);
    if (item === undefined || item.type !== type) return [];
    item.said += textOf(event.delta);
    return [...before, { ...this.#placed(event), ...rest }];
  }

  /** Gateways change the ids of items on the way; their index stays. */
  #placed({ type, item_id, output_index }: WireEvent): WireEvent {
    const id = this.#items.get(output_index)?.id ?? textOf(item_id);
    return { type, item_id: id === "" ? `item ${output_index}` : id, output_index };
  }

  #done(index: unknown, item: WireEvent): readonly WireEvent[] | Failure {
    const before = this.#items.has(index) ? [] : this.#added(index, item);
    const known = this.#items.get(index);
    if (known === undefined || known.isOver || !isWanted(known.type)) return before;
    known.isOver = true;
    const whole = wholeOf(item);
    if (known.said !== "" && whole !== "" && known.type !== "reasoning" && known.said !== whole) {
      return { kind: "unreadable", detail: `the pieces of item ${index} do not add up to it` };
    }
    const done = { type: "response.output_item.done", output_index: index, item: shown(item, known) };
    const missing = known.said === "" && whole !== "" ? [wholePiece(index, known, item, whole)] : [];
    return [...before, ...(known.type === "function_call" ? [] : missing), done];
  }

  #ending(type: string, response: WireEvent): readonly WireEvent[] {
    const { reason } = fieldsOf(response.incomplete_details);
    this.#finish = typeof reason === "string" ? (finishes[reason] ?? "other") : "stop";
    const usage = isRecord(response.usage) ? { input_tokens: 0, output_tokens: 0, ...response.usage } : null;
    return [{ type, response: { usage, ...(typeof reason === "string" ? { incomplete_details: { reason } } : {}) } }];
  }
}

function isWanted(type: unknown): boolean {
  return type === "message" || type === "reasoning" || type === "function_call";
}

/** The item as the SDK wants it, under the ids by which we know it. */
function shown(item: WireEvent, { id, callId, type }: Item): WireEvent {
  if (type === "message") {
    const { phase } = item;
    return { type, id, ...(phase === "commentary" || phase === "final_answer" ? { phase } : {}) };
  }
  if (type === "reasoning") {
    return { type, id, encrypted_content: textOf(item.encrypted_content) || null };
  }
  const args = textOf(item.arguments);
  return { type, id, call_id: callId, name: textOf(item.name), arguments: args, status: "completed" };
}

function wholeOf(item: WireEvent): string {
  if (item.type === "function_call") return textOf(item.arguments);
  const pieces = listOf(item.type === "reasoning" ? item.summary : item.content).map(fieldsOf);
  return pieces.map((piece) => textOf(piece.text) || textOf(piece.refusal)).join("");
}

/** What a server that sends no pieces said. */
function wholePiece(output_index: unknown, { id, type }: Item, { content }: WireEvent, delta: string): WireEvent {
  const place = { item_id: id, output_index, delta };
  if (type === "reasoning") return { ...place, type: "response.reasoning_summary_text.delta", summary_index: 0 };
  const isRefusal = listOf(content).some((piece) => fieldsOf(piece).type === "refusal");
  return { ...place, type: isRefusal ? "response.refusal.delta" : "response.output_text.delta" };
}

function failureIn({ error, incomplete_details }: WireEvent): unknown {
  return error ?? { message: textOf(fieldsOf(incomplete_details).reason) || "response.failed" };
}
