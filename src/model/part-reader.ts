import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { DeltaBody } from "../contract/delta.ts";
import type { PartMeta } from "../contract/message.ts";
import { Calls } from "./calls.ts";
import { keptMeta, metaSize, saysSomething } from "./reply/part-meta.ts";
import type { TextCalls } from "./reply/text-calls.ts";
import type { WireNotes } from "./sdk-stream.ts";

type PartOf<T extends LanguageModelV4StreamPart["type"]> = Extract<LanguageModelV4StreamPart, { type: T }>;

/** Not blank: blanks and characters that nobody sees can be sent for ever without saying anything. */
const words = /[^\s\p{C}]/u;

/** Turns the SDK's parts of one reply into deltas. */
export class PartReader {
  readonly calls = new Calls();
  /** Of everything that was read, in characters. */
  size = 0;
  /** Counts the parts that said something, also where it is held back. */
  progress = 0;
  readonly #notes: WireNotes;
  readonly #textCalls: TextCalls | null;
  readonly #blocks = new Map<string, number>();

  constructor(notes: WireNotes, textCalls: TextCalls | null) {
    this.#notes = notes;
    this.#textCalls = textCalls;
  }

  read(part: LanguageModelV4StreamPart): readonly DeltaBody[] {
    switch (part.type) {
      case "text-start":
      case "text-end":
        return this.#words("text", part.id, "", part.providerMetadata);
      case "text-delta":
        return this.#words("text", part.id, part.delta, part.providerMetadata);
      case "reasoning-start":
      case "reasoning-end":
        return this.#words("thinking", part.id, "", part.providerMetadata);
      case "reasoning-delta":
        return this.#words("thinking", part.id, part.delta, part.providerMetadata);
      case "tool-input-start":
        return this.#start(part.id, part.toolName);
      case "tool-input-delta":
        return this.#args(part.id, part.delta);
      case "tool-call":
        return this.#whole(part);
      default:
        return [];
    }
  }

  /** What was held back, and the ends of calls that nobody closed. */
  rest(): readonly DeltaBody[] {
    const held = this.#textCalls?.end(this.calls) ?? [];
    return [...held, ...this.calls.left().map((ordinal) => this.#end(ordinal, undefined))];
  }

  #words(
    kind: "text" | "thinking",
    id: string,
    text: string,
    said: SharedV4ProviderMetadata | undefined,
  ): readonly DeltaBody[] {
    const meta = keptMeta(kind, said);
    if (text === "" && meta === undefined) return [];
    this.size += text.length + metaSize(meta);
    if (words.test(text) || saysSomething(meta)) this.progress++;
    if (kind === "text" && this.#textCalls !== null) return this.#textCalls.push(text, this.calls);
    if (!this.#notes.hasBlocks) return [{ kind, text }];
    return [{ kind, text, block: this.#block(`${kind} ${id}`), ...(meta === undefined ? {} : { meta }) }];
  }

  #block(id: string): number {
    const known = this.#blocks.get(id);
    if (known !== undefined) return known;
    this.#blocks.set(id, this.#blocks.size);
    return this.#blocks.size - 1;
  }

  #start(id: string, tool: string): readonly DeltaBody[] {
    const providerId = this.#notes.providerId(id);
    // So that a flood of empty calls ends too.
    this.size += tool.length + (providerId?.length ?? 0) + 64;
    this.progress++;
    return [{ kind: "tool_call_start", ordinal: this.calls.open(id), providerId, tool }];
  }

  #args(id: string, text: string): readonly DeltaBody[] {
    const ordinal = this.calls.find(id);
    if (ordinal === null || text === "") return [];
    this.size += text.length;
    if (words.test(text)) this.progress++;
    this.calls.grow(ordinal, text.length);
    return [{ kind: "tool_call_args", ordinal, text }];
  }

  /** The SDK repeats every call as a whole at its end: some servers send the arguments only there. */
  #whole(part: PartOf<"tool-call">): readonly DeltaBody[] {
    if (part.providerExecuted === true) return [];
    const started = this.calls.isKnown(part.toolCallId) ? [] : this.#start(part.toolCallId, part.toolName);
    const ordinal = this.calls.find(part.toolCallId);
    if (ordinal === null) return started;
    const args = this.calls.isEmpty(ordinal) && part.input !== "{}" ? this.#args(part.toolCallId, part.input) : [];
    return [...started, ...args, this.#end(ordinal, keptMeta("call", part.providerMetadata))];
  }

  #end(ordinal: number, meta: PartMeta | undefined): DeltaBody {
    this.calls.close(ordinal);
    return { kind: "tool_call_end", ordinal, ...(meta === undefined ? {} : { meta }) };
  }
}
