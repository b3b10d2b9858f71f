import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { ModelRequest } from "../../contract/delta.ts";
import type { ModelMessage } from "../../contract/message.ts";
import type { ModelChoice, Quirks } from "../../contract/settings.ts";
import { imageMessage, type Phrasing, toPromptMessage } from "../prompt.ts";
import { quirksOf } from "../request/quirks.ts";
import { straightened } from "../request/straight-history.ts";

type ToolMessage = Extract<ModelMessage, { readonly role: "tool" }>;
type UserPrompt = Extract<LanguageModelV4Message, { role: "user" }>;

/** The conversation for OpenAI chat. A message that was put before is the same object again, so that it is written once. */
export class ChatPrompt {
  readonly #choice: ModelChoice;
  readonly #quirks: Quirks;
  readonly #plain = new WeakMap<ModelMessage, LanguageModelV4Message>();
  readonly #withThinking = new WeakMap<ModelMessage, LanguageModelV4Message>();
  readonly #images = new WeakMap<ModelMessage, LanguageModelV4Message>();
  /** What the last request was made of, and became. */
  #messages: readonly ModelMessage[] = [];
  #prompt: LanguageModelV4Message[] = [];

  constructor(choice: ModelChoice) {
    this.#choice = choice;
    this.#quirks = quirksOf(choice.provider);
  }

  of({ messages, imageBytes }: ModelRequest): readonly LanguageModelV4Message[] {
    const how: Phrasing = { choice: this.#choice, quirks: this.#quirks, isChat: true, imageBytes };
    const { roles, reasoningBack } = this.#quirks;
    const isPlain = roles === "any" && reasoningBack === "never";
    const known = isPlain && goesOn(messages, this.#messages) ? this.#messages.length : 0;
    const list = roles === "any" ? messages : straightened(messages);
    // The same list again, longer: whoever wrote its beginning need not look at that once more.
    if (known === 0) this.#prompt = [];
    this.#put(list, known, this.#prompt, how);
    this.#messages = messages;
    return roles === "any" ? this.#prompt : alternating(this.#prompt, roles === "strict");
  }

  #put(messages: readonly ModelMessage[], from: number, prompt: LanguageModelV4Message[], how: Phrasing): void {
    const thinksFrom = this.#thinksFrom(messages);
    let results: ToolMessage[] = [];
    for (let at = from; at < messages.length; at++) {
      const message = messages[at];
      if (message === undefined) continue;
      prompt.push(this.#once(message, how, at >= thinksFrom));
      if (message.role !== "tool") continue;
      results.push(message);
      if (messages[at + 1]?.role === "tool") continue;
      const images = this.#images.get(message) ?? imageMessage(results, how);
      results = [];
      if (images === null) continue;
      this.#images.set(message, images);
      prompt.push(images);
    }
  }

  #once(message: ModelMessage, how: Phrasing, isThinking: boolean): LanguageModelV4Message {
    const cache = isThinking ? this.#withThinking : this.#plain;
    const put = cache.get(message) ?? toPromptMessage(message, how, isThinking);
    cache.set(message, put);
    return put;
  }

  /** From which message on plain reasoning goes back. */
  #thinksFrom(messages: readonly ModelMessage[]): number {
    const { reasoningBack } = this.#quirks;
    if (reasoningBack === "never") return Number.POSITIVE_INFINITY;
    return reasoningBack === "always" ? 0 : messages.findLastIndex(({ role }) => role === "user");
  }
}

/** Whether `list` only adds to `start`. Inside a row of results it is made anew: their images stand behind the row. */
function goesOn(list: readonly ModelMessage[], start: readonly ModelMessage[]): boolean {
  if (start.length > list.length) return false;
  if (start.at(-1)?.role === "tool" && list[start.length]?.role === "tool") return false;
  for (let at = start.length - 1; at >= 0; at--) if (start[at] !== list[at]) return false;
  return true;
}

const understood: LanguageModelV4Message = { role: "assistant", content: [{ type: "text", text: "Understood." }] };

/** Neighbours of the person are joined; where it must be, the assistant says a word between a result and the person. */
function alternating(prompt: readonly LanguageModelV4Message[], isStrict: boolean): readonly LanguageModelV4Message[] {
  const found: LanguageModelV4Message[] = [];
  for (const message of prompt) {
    const last = found.at(-1);
    if (message.role === "user" && last?.role === "user") found[found.length - 1] = joined(last, message);
    else {
      if (isStrict && message.role === "user" && last?.role === "tool") found.push(understood);
      found.push(message);
    }
  }
  return found;
}

/** Two texts become one: plain servers take nothing but a text. */
function joined(one: UserPrompt, other: UserPrompt): UserPrompt {
  const last = one.content.at(-1);
  const [first, ...rest] = other.content;
  if (last?.type !== "text" || first?.type !== "text")
    return { role: "user", content: [...one.content, ...other.content] };
  const text = `${last.text}\n\n${first.text}`;
  return { role: "user", content: [...one.content.slice(0, -1), { type: "text", text }, ...rest] };
}
