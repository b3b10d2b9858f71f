// Messages in the form common to all protocols. Some providers reject lone surrogates, which cut tool output may contain.

import type { ModelRequest } from "../../contract/delta.ts";
import { isRecord } from "../../contract/json.ts";
import type { ImageRef, ModelMessage, PartMeta } from "../../contract/message.ts";
import type { ModelChoice, Quirks } from "../../contract/settings.ts";
import { isBlank } from "./straight-history.ts";

export type UserMessage = Extract<ModelMessage, { readonly role: "user" }>;
export type AssistantMessage = Extract<ModelMessage, { readonly role: "assistant" }>;
export type ToolMessage = Extract<ModelMessage, { readonly role: "tool" }>;

export interface Phrasing {
  readonly choice: Pick<ModelChoice, "ref" | "takesImages">;
  readonly quirks: Pick<Quirks, "callIds">;
  /** OpenAI chat: a result is only text, so images follow all results of the step; blank text is allowed. */
  readonly isChat: boolean;
  readonly imageBytes: ModelRequest["imageBytes"];
}

export interface Image {
  readonly mediaType: ImageRef["mediaType"];
  readonly base64: string;
}

/** `meta`: the provider's data for this part, only for the very model that sent it. */
export type PhrasedPart = { readonly meta: PartMeta | undefined } & (
  | { readonly kind: "text" | "thinking"; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
);

interface PhrasedWords {
  readonly text: string;
  readonly images: readonly Image[];
}

export function userWords(message: UserMessage, how: Phrasing): PhrasedWords {
  const { images, note } = imagesOf(message, how);
  return { text: [message.text.toWellFormed(), ...note].join("\n"), images };
}

export function resultWords(message: ToolMessage, how: Phrasing): PhrasedWords {
  const { images, note } = imagesOf(message, how);
  const text = [message.text.toWellFormed(), ...note].filter((line) => line !== "").join("\n");
  return { text: isBlank(text) && !how.isChat ? "(no output)" : text, images };
}

/** The parts in order. A provider's data goes back only to the very model that sent it. */
export function partsOf(message: AssistantMessage, how: Phrasing, withThinking = false): readonly PhrasedPart[] {
  const hasText = (text: string): boolean => (how.isChat ? text !== "" : !isBlank(text));
  const isOwn = message.by === how.choice.ref;
  const found: PhrasedPart[] = [];
  const used = { text: 0, thinking: 0 };
  const called = new Set<number>();
  const thinking = message.thinking ?? "";
  const thought = isOwn ? thinking.toWellFormed() : "";
  // DeepSeek and Kimi reject a call without the thought before it, from any model; Kimi treats an empty thought as missing.
  if (withThinking && (thought !== "" || message.calls.length > 0))
    found.push({ kind: "thinking", text: thought === "" ? " " : thought, meta: undefined });
  for (const part of message.parts ?? []) {
    const meta = isOwn ? part.meta : undefined;
    if (part.kind === "call") {
      called.add(part.ordinal);
      found.push(...callPart(message, part.ordinal, how, meta));
      continue;
    }
    const from = used[part.kind];
    used[part.kind] += part.length;
    const text = (part.kind === "text" ? message.text : thinking).slice(from, from + part.length).toWellFormed();
    // Google signs empty texts. Reasoning without its provider's signature is rejected or ignored.
    const isKept =
      part.kind === "text" ? meta?.google !== undefined || hasText(text) : meta !== undefined && !withThinking;
    if (isKept) found.push({ kind: part.kind, text, meta });
  }
  const rest = message.text.slice(used.text).toWellFormed();
  if (hasText(rest)) found.push({ kind: "text", text: rest, meta: undefined });
  message.calls.forEach((_, at) => {
    if (!called.has(at)) found.push(...callPart(message, at, how, undefined));
  });
  return found;
}

function callPart(
  { calls }: AssistantMessage,
  at: number,
  { quirks }: Phrasing,
  meta: PartMeta | undefined,
): readonly PhrasedPart[] {
  const call = calls[at];
  if (call === undefined) return [];
  // Arguments must be an object, or the provider rejects every later request.
  const input = isRecord(call.input) ? call.input : { raw: call.input };
  return [{ kind: "call", id: wireId(call.id, quirks), tool: wireName(call.tool), input, meta }];
}

export function imagesOf(
  { images = [] }: ToolMessage | UserMessage,
  { choice, imageBytes }: Phrasing,
): { readonly images: readonly Image[]; readonly note: readonly string[] } {
  if (images.length === 0) return { images: [], note: [] };
  if (!choice.takesImages) return { images: [], note: ["[coder] This model takes no images: they are left out."] };
  const found = images.flatMap(({ hash, mediaType }): readonly Image[] => {
    const bytes = imageBytes(hash);
    return bytes === null ? [] : [{ mediaType, base64: Buffer.from(bytes).toString("base64") }];
  });
  return { images: found, note: found.length < images.length ? ["[coder] An image is no longer there."] : [] };
}

export function dataUrl({ mediaType, base64 }: Image): string {
  return `data:${mediaType};base64,${base64}`;
}

/** Our ids are unique but may not fit: OpenAI takes 64 characters, Anthropic letters, digits, `_` and `-`. */
export function wireId(id: string, { callIds }: Pick<Quirks, "callIds">): string {
  if (callIds === "nine") return hashed(id).slice(-9);
  return /^[\w-]{1,64}$/.test(id) ? id : `call_${hashed(id)}`;
}

/** A model may invent an impossible tool name. Google requires a letter or `_` first. */
export function wireName(tool: string): string {
  const name = tool.replace(/[^\w-]+/g, "_").slice(0, 63);
  return /^[a-z_]/i.test(name) ? name : `_${name}`;
}

function hashed(id: string): string {
  return Bun.hash(id).toString(36).padStart(13, "0");
}
