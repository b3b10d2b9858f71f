import { fieldsOf, isRecord, listOf, textOf } from "../../contract/json.ts";
import type { PartMeta } from "../../contract/message.ts";
import type { Failure } from "../fault/fault.ts";
import type { Finish } from "../reply/finish.ts";
import { maxCalls, tooManyCalls } from "../reply/limits.ts";
import { metaOf } from "../reply/part-meta.ts";
import { EventDecoder, type WireEvent } from "../wire/event-reader.ts";

const finishes: Readonly<Record<string, Finish>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  // Another request could continue such a reply, but the user would pay for it; it ends here.
  CONTINUATION: "length",
  SAFETY: "refused",
  RECITATION: "refused",
  BLOCKLIST: "refused",
  PROHIBITED_CONTENT: "refused",
  SPII: "refused",
  IMAGE_SAFETY: "refused",
};
/** The model wrote a call that the server could not parse: nothing was called, and a retry helps. */
const brokenCalls = ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"];

interface OpenPart {
  readonly kind: "text" | "thinking";
}

export class GoogleEvents extends EventDecoder {
  /** Calls with an id, to recognize a repeated chunk. */
  readonly #calls = new Set<string>();
  /** The part that grows; a call or a part of the other kind ends it. */
  #growing: OpenPart | null = null;
  #finish: Finish | null = null;
  /** The prompt was blocked, so later finish reasons do not count. */
  #isBlocked = false;
  #hasContent = false;
  /** Some servers mark every chunk as the last. */
  #isFickle = false;

  finish(): Finish | null {
    return this.#finish;
  }

  override isOver(): boolean {
    return this.#finish !== null && this.#hasContent && !this.#isFickle;
  }

  read(event: WireEvent): Failure | null {
    if (isRecord(event.error)) return { kind: "reported", value: event.error };
    const hadFinished = this.#finish !== null;
    const candidate = fieldsOf(listOf(event.candidates)[0]);
    const { finishReason: reason } = candidate;
    if (typeof reason === "string" && brokenCalls.includes(reason)) {
      return { kind: "reported", value: { message: `${reason} ${textOf(candidate.finishMessage)}`.trim() } };
    }
    const { blockReason } = fieldsOf(event.promptFeedback);
    if (typeof reason === "string" && !this.#isBlocked) this.#finish = finishes[reason] ?? "other";
    if (typeof blockReason === "string") {
      this.#isBlocked = true;
      this.#finish = "refused";
    }
    const parts = listOf(fieldsOf(candidate.content).parts).map(fieldsOf);
    if (parts.length > maxCalls) return tooManyCalls;
    if (parts.some(({ text = "" }) => typeof text !== "string")) {
      return { kind: "unreadable", detail: "a text is no text" };
    }
    let isContent = false;
    for (const part of parts) isContent = this.#part(part) || isContent;
    this.#isFickle ||= hadFinished && isContent;
    this.#hasContent ||= isContent;
    return isRecord(event.usageMetadata) ? this.#count(event.usageMetadata) : null;
  }

  #part({ text, thought, thoughtSignature, functionCall }: WireEvent): boolean {
    const meta = metaOf("google", { thoughtSignature });
    if (isRecord(functionCall)) return this.#call(functionCall, meta);
    this.#words(textOf(text), thought === true ? "thinking" : "text", meta);
    return textOf(text) !== "";
  }

  #call({ id, name, args = {} }: WireEvent, meta: PartMeta | undefined): boolean {
    const tool = textOf(name);
    const text = typeof args === "string" ? args : JSON.stringify(args);
    const isRepeated = typeof id === "string" && id !== "" && this.#isKnown(JSON.stringify([id, tool, text]));
    if (isRepeated) return false;
    this.#growing = null;
    this.reply.closeCall(this.reply.openCall(tool, id), text, meta);
    return true;
  }

  #words(text: string, kind: OpenPart["kind"], meta: PartMeta | undefined): void {
    if (text === "" && meta === undefined) return;
    // A signature without text is a part of its own.
    const isAlone = text === "" && this.#growing?.kind !== "text";
    const isNew = isAlone || (text !== "" && this.#growing?.kind !== kind);
    const part: OpenPart = isNew || this.#growing === null ? { kind } : this.#growing;
    this.reply.words(part.kind, text, part, meta);
    this.#growing = isAlone ? null : part;
  }

  #isKnown(call: string): boolean {
    const isKnown = this.#calls.has(call);
    this.#calls.add(call);
    return isKnown;
  }

  #count(usage: WireEvent): Failure | null {
    return this.count({
      input: [usage.promptTokenCount, usage.toolUsePromptTokenCount],
      output: [usage.candidatesTokenCount, usage.thoughtsTokenCount],
      cachedInput: usage.cachedContentTokenCount,
      reasoning: usage.thoughtsTokenCount,
    });
  }
}
