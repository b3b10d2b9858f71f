import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";
import { maxCalls } from "../calls.ts";
import type { Failure } from "../fault/fault.ts";
import { tooManyCalls, unreadableBy } from "../sdk-stream.ts";
import type { EventJudge, WireEvent } from "../wire/event-gate.ts";
import { fieldsOf, isRecord, listOf, textOf } from "../wire/json-value.ts";
import { WireIds } from "../wire-ids.ts";

const finishes: Readonly<Record<string, LanguageModelV4FinishReason["unified"]>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "content-filter",
  RECITATION: "content-filter",
  BLOCKLIST: "content-filter",
  PROHIBITED_CONTENT: "content-filter",
  SPII: "content-filter",
  IMAGE_SAFETY: "content-filter",
  LANGUAGE: "content-filter",
};
/** The model wrote a call that the server itself could not read: nothing was called, and asking again helps. */
const brokenCalls = ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"];

/** The chunks of Google's streamGenerateContent, for one reply. */
export class GoogleEvents implements EventJudge {
  readonly hasBlocks = true;
  readonly failureOf = unreadableBy;
  readonly #ids = new WireIds();
  /** Calls that had an id, to recognise a chunk that came twice. */
  readonly #calls = new Set<string>();
  #finish: LanguageModelV4FinishReason["unified"] | null = null;
  #hasContent = false;
  /** Some servers say with every chunk that it is the last. */
  #isFickle = false;

  providerId(id: string): string | null {
    return this.#ids.given(id);
  }

  finish(): LanguageModelV4FinishReason["unified"] | null {
    return this.#finish;
  }

  isOver(): boolean {
    return this.#finish !== null && this.#hasContent && !this.#isFickle;
  }

  judge(event: WireEvent): readonly WireEvent[] | Failure {
    if (isRecord(event.error)) return { kind: "said", value: event.error };
    const hadFinished = this.#finish !== null;
    const candidate = fieldsOf(listOf(event.candidates)[0]);
    // A reply that may go on in another request ends here: whoever asks pays for one.
    const reason = candidate.finishReason === "CONTINUATION" ? "MAX_TOKENS" : candidate.finishReason;
    if (typeof reason === "string" && brokenCalls.includes(reason)) {
      return { kind: "said", value: { message: `${reason} ${textOf(candidate.finishMessage)}`.trim() } };
    }
    if (typeof reason === "string") this.#finish = finishes[reason] ?? "other";
    const { blockReason } = fieldsOf(event.promptFeedback);
    if (typeof blockReason === "string") this.#finish = "content-filter";
    const said = listOf(fieldsOf(candidate.content).parts).map(fieldsOf);
    if (said.length > maxCalls) return tooManyCalls;
    if (said.some(({ text = "" }) => typeof text !== "string"))
      return { kind: "unreadable", detail: "a text is no text" };
    const parts = said.flatMap((part) => this.#part(part));
    const isContent = parts.some((part) => part.text !== "");
    this.#isFickle ||= hadFinished && isContent;
    this.#hasContent ||= isContent;
    const isAnswer = candidate.content !== undefined || reason !== undefined;
    return [
      {
        ...(isAnswer
          ? { candidates: [{ content: { parts }, ...(typeof reason === "string" && { finishReason: reason }) }] }
          : {}),
        ...(isRecord(event.usageMetadata) ? { usageMetadata: event.usageMetadata } : {}),
        ...(typeof blockReason === "string" ? { promptFeedback: { blockReason } } : {}),
      },
    ];
  }

  #part(part: WireEvent): readonly WireEvent[] {
    const signature = typeof part.thoughtSignature === "string" ? { thoughtSignature: part.thoughtSignature } : {};
    if (isRecord(part.functionCall)) {
      const { id, name, args = {} } = part.functionCall;
      // As a text: the SDK refuses objects with fields such as __proto__.
      const call = { name: textOf(name), args: typeof args === "string" ? args : JSON.stringify(args) };
      const isRepeated = typeof id === "string" && id !== "" && this.#isKnown(JSON.stringify([id, call]));
      return isRepeated ? [] : [{ functionCall: { id: this.#ids.add(id), ...call }, ...signature }];
    }
    const isWords = typeof part.text === "string" || "thoughtSignature" in signature;
    return isWords ? [{ text: textOf(part.text), thought: part.thought === true, ...signature }] : [];
  }

  #isKnown(call: string): boolean {
    const isKnown = this.#calls.has(call);
    this.#calls.add(call);
    return isKnown;
  }
}
