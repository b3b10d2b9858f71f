// Our messages as every protocol takes them. Half a surrogate pair, as cut tool output may hold it, is refused by some providers.
import type { ModelRequest } from "../../contract/delta.ts";
import type { ImageRef, ModelMessage, PartMeta } from "../../contract/message.ts";
import type { ModelChoice, Quirks } from "../../contract/settings.ts";
import { isRecord } from "../wire/json-value.ts";
import { isBlank } from "./straight-history.ts";

export type UserMessage = Extract<ModelMessage, { readonly role: "user" }>;
export type AssistantMessage = Extract<ModelMessage, { readonly role: "assistant" }>;
export type ToolMessage = Extract<ModelMessage, { readonly role: "tool" }>;

/** How messages are put for one model. */
export interface Phrasing {
  readonly choice: Pick<ModelChoice, "ref" | "takesImages">;
  readonly quirks: Pick<Quirks, "callIds">;
  /** OpenAI chat: a result is only text, so images go behind all results of the step; blank text is no fault. */
  readonly isChat: boolean;
  readonly imageBytes: ModelRequest["imageBytes"];
}

export interface Image {
  readonly mediaType: ImageRef["mediaType"];
  readonly base64: string;
}

/** `meta`: what its provider wants back with it; only there where it goes to the very model that sent it. */
export type PhrasedPart =
  | { readonly kind: "text" | "thinking"; readonly text: string; readonly meta: PartMeta | undefined }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly meta: PartMeta | undefined;
    };

/** Pictures behind the words that name them, in the same order. */
export function userWords(
  message: UserMessage,
  how: Phrasing,
): { readonly text: string; readonly images: readonly Image[] } {
  const { images, note } = imagesOf(message, how);
  return { text: [message.text.toWellFormed(), ...note].join("\n"), images };
}

export function resultWords(
  message: ToolMessage,
  how: Phrasing,
): { readonly text: string; readonly images: readonly Image[] } {
  const { images, note } = imagesOf(message, how);
  const said = [message.text.toWellFormed(), ...note].filter((line) => line !== "").join("\n");
  return { text: isBlank(said) && !how.isChat ? "(no output)" : said, images };
}

/** Parts in their order; what a provider wants back goes to the very model that sent it, and to no other. */
export function partsOf(message: AssistantMessage, how: Phrasing, withThinking = false): readonly PhrasedPart[] {
  const isSaid = (text: string): boolean => (how.isChat ? text !== "" : !isBlank(text));
  const isOwn = message.by === how.choice.ref;
  const found: PhrasedPart[] = [];
  const told = { text: 0, thinking: 0 };
  const called = new Set<number>();
  const thinking = message.thinking ?? "";
  const thought = isOwn ? thinking.toWellFormed() : "";
  // DeepSeek and Kimi refuse a call without the thought behind it, whoever wrote it; Kimi takes an empty one for none.
  if (withThinking && (thought !== "" || message.calls.length > 0))
    found.push({ kind: "thinking", text: thought === "" ? " " : thought, meta: undefined });
  for (const part of message.parts ?? []) {
    const meta = isOwn ? part.meta : undefined;
    if (part.kind === "call") {
      called.add(part.ordinal);
      found.push(...callPart(message, part.ordinal, how, meta));
      continue;
    }
    const from = told[part.kind];
    told[part.kind] += part.length;
    const text = (part.kind === "text" ? message.text : thinking).slice(from, from + part.length).toWellFormed();
    // Google signs places where nothing is said. Reasoning without a signature of its provider is refused or ignored.
    const isKept =
      part.kind === "text" ? meta?.google !== undefined || isSaid(text) : meta !== undefined && !withThinking;
    if (isKept) found.push({ kind: part.kind, text, meta });
  }
  const rest = message.text.slice(told.text).toWellFormed();
  if (isSaid(rest)) found.push({ kind: "text", text: rest, meta: undefined });
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
  // A list or a bare text is no object of arguments, and would be refused in every later request.
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

/** Ours are unique; only their form may not suit. OpenAI takes 64 characters, Anthropic letters, digits, `_` and `-`. */
export function wireId(id: string, { callIds }: Pick<Quirks, "callIds">): string {
  if (callIds === "nine") return hashed(id).slice(-9);
  return /^[\w-]{1,64}$/.test(id) ? id : `call_${hashed(id)}`;
}

/** A model may make up a name that no tool can have. Google wants a letter or `_` in front. */
export function wireName(tool: string): string {
  const name = tool.replace(/[^\w-]+/g, "_").slice(0, 63);
  return /^[a-z_]/i.test(name) ? name : `_${name}`;
}

function hashed(id: string): string {
  return Bun.hash(id).toString(36).padStart(13, "0");
}
