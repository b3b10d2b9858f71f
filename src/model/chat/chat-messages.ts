import type { ModelRequest } from "../../contract/delta.ts";
import { fieldsOf, textOf } from "../../contract/json.ts";
import type { ModelMessage, PartMeta } from "../../contract/message.ts";
import type { ModelChoice, Quirks } from "../../contract/settings.ts";
import {
  type AssistantMessage,
  dataUrl,
  type Image,
  imagesOf,
  type Phrasing,
  partsOf,
  resultWords,
  type ToolMessage,
  userWords,
  wireId,
} from "../request/phrasing.ts";
import { quirksOf } from "../request/quirks.ts";
import { straightened } from "../request/straight-history.ts";

type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

interface UserChat {
  readonly role: "user";
  readonly content: string | readonly Content[];
}

interface ChatCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: { readonly google: { readonly thought_signature: string } };
}

type ChatMessage =
  | UserChat
  | {
      readonly role: "assistant";
      readonly content: string | null;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly ChatCall[];
    }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

/** The history for OpenAI chat. A repeated message is the same object again, so that it is serialized once. */
export class ChatMessages {
  readonly #choice: ModelChoice;
  readonly #quirks: Quirks;
  readonly #plain = new WeakMap<ModelMessage, ChatMessage>();
  readonly #withThinking = new WeakMap<ModelMessage, ChatMessage>();
  readonly #images = new WeakMap<ModelMessage, ChatMessage>();
  #last: readonly ModelMessage[] = [];
  #phrased: ChatMessage[] = [];

  constructor(choice: ModelChoice) {
    this.#choice = choice;
    this.#quirks = quirksOf(choice.provider);
  }

  of({ messages, imageBytes }: ModelRequest): readonly ChatMessage[] {
    const how: Phrasing = { choice: this.#choice, quirks: this.#quirks, isChat: true, imageBytes };
    const { roles, reasoningBack } = this.#quirks;
    const isPlain = roles === "any" && reasoningBack === "never";
    const known = isPlain && isExtension(messages, this.#last) ? this.#last.length : 0;
    const list = roles === "any" ? messages : straightened(messages);
    // A list that only grew stays the same array, so that the body writer can skip its beginning.
    if (known === 0) this.#phrased = [];
    this.#append(list, known, how);
    this.#last = messages;
    return roles === "any" ? this.#phrased : alternating(this.#phrased, roles === "strict");
  }

  #append(messages: readonly ModelMessage[], from: number, how: Phrasing): void {
    const thinksFrom = this.#thinksFrom(messages);
    let results: ToolMessage[] = [];
    for (let at = from; at < messages.length; at++) {
      const message = messages[at];
      if (message === undefined) continue;
      this.#phrased.push(this.#once(message, how, at >= thinksFrom));
      if (message.role !== "tool") continue;
      results.push(message);
      if (messages[at + 1]?.role === "tool") continue;
      const images = this.#images.get(message) ?? imageMessage(results, how);
      results = [];
      if (images === null) continue;
      this.#images.set(message, images);
      this.#phrased.push(images);
    }
  }

  #once(message: ModelMessage, how: Phrasing, isThinking: boolean): ChatMessage {
    const cache = isThinking ? this.#withThinking : this.#plain;
    const phrased = cache.get(message) ?? chatMessage(message, how, isThinking);
    cache.set(message, phrased);
    return phrased;
  }

  #thinksFrom(messages: readonly ModelMessage[]): number {
    const { reasoningBack } = this.#quirks;
    if (reasoningBack === "never") return Number.POSITIVE_INFINITY;
    return reasoningBack === "always" ? 0 : messages.findLastIndex(({ role }) => role === "user");
  }
}

/** Whether `list` only appends to `start`. Not inside a row of results, because their images follow the whole row. */
function isExtension(list: readonly ModelMessage[], start: readonly ModelMessage[]): boolean {
  if (start.length > list.length) return false;
  if (start.at(-1)?.role === "tool" && list[start.length]?.role === "tool") return false;
  for (let at = start.length - 1; at >= 0; at--) if (start[at] !== list[at]) return false;
  return true;
}

function chatMessage(message: ModelMessage, how: Phrasing, withThinking: boolean): ChatMessage {
  switch (message.role) {
    case "user": {
      const { text, images } = userWords(message, how);
      return { role: "user", content: images.length === 0 ? text : contentOf(text, images) };
    }
    case "assistant":
      return assistantMessage(message, how, withThinking);
    case "tool":
      return { role: "tool", tool_call_id: wireId(message.id, how.quirks), content: resultWords(message, how).text };
  }
}

function assistantMessage(message: AssistantMessage, how: Phrasing, withThinking: boolean): ChatMessage {
  let text = "";
  let reasoning = "";
  const calls: ChatCall[] = [];
  for (const part of partsOf(message, how, withThinking)) {
    if (part.kind === "call") {
      const called = { name: part.tool, arguments: JSON.stringify(part.input) };
      calls.push({ id: part.id, type: "function", function: called, ...signed(part.meta) });
    } else if (part.kind === "text") text += part.text;
    else reasoning += part.text;
  }
  return {
    role: "assistant",
    content: calls.length > 0 && text === "" ? null : text,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** The signature that Google's models behind a chat server want back with a call, even if Google's own protocol delivered it. */
function signed(meta: PartMeta | undefined): Pick<ChatCall, "extra_content"> {
  const signature =
    textOf(fieldsOf(meta?.["openai-compatible"]).thoughtSignature) || textOf(fieldsOf(meta?.google).thoughtSignature);
  return signature === "" ? {} : { extra_content: { google: { thought_signature: signature } } };
}

function imageMessage(results: readonly ToolMessage[], how: Phrasing): ChatMessage | null {
  const images = results.flatMap((result) => imagesOf(result, how).images);
  if (images.length === 0) return null;
  return { role: "user", content: contentOf("[coder] The images of the results above, in order.", images) };
}

function contentOf(text: string, images: readonly Image[]): readonly Content[] {
  const shown = images.map((image): Content => ({ type: "image_url", image_url: { url: dataUrl(image) } }));
  return [{ type: "text", text }, ...shown];
}

const understood: ChatMessage = { role: "assistant", content: "Understood." };

/** Joins neighbouring user messages; if strict, inserts an assistant message between a result and a user message. */
function alternating(messages: readonly ChatMessage[], isStrict: boolean): readonly ChatMessage[] {
  const found: ChatMessage[] = [];
  for (const message of messages) {
    const last = found.at(-1);
    if (message.role === "user" && last?.role === "user") found[found.length - 1] = joined(last, message);
    else {
      if (isStrict && message.role === "user" && last?.role === "tool") found.push(understood);
      found.push(message);
    }
  }
  return found;
}

/** Joins texts into one text, because plain servers take nothing else. */
function joined({ content: one }: UserChat, { content: other }: UserChat): UserChat {
  if (typeof one === "string" && typeof other === "string") return { role: "user", content: `${one}\n\n${other}` };
  const [before, after] = [one, other].map((content) =>
    typeof content === "string" ? [{ type: "text" as const, text: content }] : content,
  ) as [readonly Content[], readonly Content[]];
  const last = before.at(-1);
  const [first, ...rest] = after;
  if (last?.type !== "text" || first?.type !== "text") return { role: "user", content: [...before, ...after] };
  const text: Content = { type: "text", text: `${last.text}\n\n${first.text}` };
  return { role: "user", content: [...before.slice(0, -1), text, ...rest] };
}
