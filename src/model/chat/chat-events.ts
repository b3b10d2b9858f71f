import { fieldsOf, isRecord, listOf, textOf } from "../../contract/json.ts";
import type { Failure } from "../fault/fault.ts";
import type { Finish } from "../reply/finish.ts";
import { EventDecoder, type WireEvent } from "../wire/event-reader.ts";
import { ChatCalls } from "./chat-calls.ts";
import { type ChatDelta, isChunk } from "./chat-chunk.ts";

const finishes: Readonly<Record<string, Finish>> = {
  stop: "stop",
  length: "length",
  content_filter: "refused",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
};

export class ChatEvents extends EventDecoder {
  readonly #calls = new ChatCalls(this.reply);
  #finish: string | null = null;
  #hasRefusal = false;

  read(event: WireEvent): Failure | null {
    if (event.error !== undefined && event.error !== null) return { kind: "reported", value: event.error };
    if (event.choices === undefined) return null;
    if (!isChunk(event)) return { kind: "unreadable", detail: "not a chunk of a chat completion" };
    const [choice] = event.choices;
    this.#finish = choice?.finish_reason ?? this.#finish;
    if (choice?.delta) this.#delta(choice.delta);
    return isRecord(event.usage) ? this.#count(event.usage) : null;
  }

  /** Usage may follow the end. `[DONE]` ends the reply for certain, which the event reader handles. */
  override isOver(): boolean {
    return false;
  }

  finish(): Finish | null {
    if (this.#finish === null) return null;
    return this.#finish === "stop" && this.#hasRefusal ? "refused" : (finishes[this.#finish] ?? "other");
  }

  override end(): Failure | null {
    return this.#calls.end();
  }

  #delta({ reasoning_content, reasoning, content, refusal, tool_calls }: ChatDelta): void {
    const { reply } = this;
    reply.words("thinking", reasoning_content ?? reasoning ?? "");
    if (typeof content === "string") reply.words("text", content);
    else for (const part of content ?? []) this.#part(part);
    // Several servers send a refusal that is not text.
    const refused = textOf(refusal);
    this.#hasRefusal ||= refused !== "";
    reply.words("text", refused);
    for (const call of tool_calls ?? []) this.#calls.add(call);
  }

  /** Mistral sends content in parts, thinking among them. */
  #part({ type, text, thinking }: WireEvent): void {
    if (type === "text") this.reply.words("text", textOf(text));
    if (type !== "thinking") return;
    for (const part of listOf(thinking).map(fieldsOf)) {
      if (part.type === "text") this.reply.words("thinking", textOf(part.text));
    }
  }

  #count(usage: WireEvent): Failure | null {
    const counts = {
      input: [usage.prompt_tokens],
      output: [usage.completion_tokens],
      // DeepSeek reports cache hits in a field of its own.
      cachedInput: fieldsOf(usage.prompt_tokens_details).cached_tokens || usage.prompt_cache_hit_tokens,
      reasoning: fieldsOf(usage.completion_tokens_details).reasoning_tokens,
    };
    return this.count(counts, { keepsLast: true });
  }
}
