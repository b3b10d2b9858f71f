import type {
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ModelRequest } from "../contract/delta.ts";
import type { ImageRef, ModelMessage, ToolSpec } from "../contract/message.ts";
import type { ModelChoice, Quirks } from "../contract/settings.ts";
import { isBlank } from "./request/straight-history.ts";
import { isRecord } from "./wire/json-value.ts";

type AssistantMessage = Extract<ModelMessage, { readonly role: "assistant" }>;
type ToolMessage = Extract<ModelMessage, { readonly role: "tool" }>;
type UserMessage = Extract<ModelMessage, { readonly role: "user" }>;
type UserContent = Extract<LanguageModelV4Message, { role: "user" }>["content"];
type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];
type ResultContent = Extract<LanguageModelV4ToolResultPart["output"], { type: "content" }>["value"];

type Options = { readonly providerOptions?: SharedV4ProviderOptions };

/** How messages are put for one model. */
export interface Phrasing {
  readonly choice: Pick<ModelChoice, "ref" | "takesImages">;
  readonly quirks: Pick<Quirks, "callIds">;
  /** OpenAI chat: a result is only text, so images go behind all results of the step; blank text is no fault. */
  readonly isChat: boolean;
  readonly imageBytes: ModelRequest["imageBytes"];
}

/** Our message in the SDK's form. Half a surrogate pair, as cut tool output may hold it, is refused by some providers. */
export function toPromptMessage(message: ModelMessage, how: Phrasing, withThinking = false): LanguageModelV4Message {
  switch (message.role) {
    case "user":
      return { role: "user", content: userContent(message, how) };
    case "assistant":
      return { role: "assistant", content: assistantContent(message, how, withThinking) };
    case "tool":
      return { role: "tool", content: [resultPart(message, how)] };
  }
}

/** Pictures behind the words that name them, in the same order. */
function userContent(message: UserMessage, how: Phrasing): UserContent {
  const { files, note } = imagesOf(message, how);
  return [{ type: "text", text: [message.text.toWellFormed(), ...note].join("\n") }, ...files];
}

/** Parts in their order; what a provider wants back goes to the very model that sent it, and to no other. */
function assistantContent(message: AssistantMessage, how: Phrasing, withThinking: boolean): AssistantContent {
  if (!message.parts && !message.thinking && !withThinking) return plainContent(message, how);
  const isOwn = message.by === how.choice.ref;
  const isSaid = (text: string): boolean => (how.isChat ? text !== "" : !isBlank(text));
  const content: AssistantContent = [];
  const told = { text: 0, thinking: 0 };
  const called = new Set<number>();
  const thinking = message.thinking ?? "";
  const thought = isOwn ? thinking.toWellFormed() : "";
  // DeepSeek and Kimi refuse a call without the thought behind it, whoever wrote it; Kimi takes an empty one for none.
  if (withThinking && (thought !== "" || message.calls.length > 0))
    content.push({ type: "reasoning", text: thought === "" ? " " : thought });
  for (const part of message.parts ?? []) {
    const options: Options = isOwn && part.meta ? { providerOptions: part.meta as SharedV4ProviderOptions } : {};
    if (part.kind === "call") {
      called.add(part.ordinal);
      content.push(...callPart(message, part.ordinal, how, options));
      continue;
    }
    const from = told[part.kind];
    told[part.kind] += part.length;
    const text = (part.kind === "text" ? message.text : thinking).slice(from, from + part.length).toWellFormed();
    const { google } = options.providerOptions ?? {};
    // Google signs places where nothing is said.
    if (part.kind === "text" && (google !== undefined || isSaid(text)))
      content.push({ type: "text", text, ...options });
    // Reasoning without a signature of its provider is refused or ignored.
    else if (part.kind === "thinking" && "providerOptions" in options && !withThinking)
      content.push({ type: "reasoning", text, ...options });
  }
  const rest = message.text.slice(told.text).toWellFormed();
  if (isSaid(rest)) content.push({ type: "text", text: rest });
  message.calls.forEach((_, at) => {
    if (!called.has(at)) content.push(...callPart(message, at, how, {}));
  });
  return content;
}

/** Text and calls, and nothing that belongs to one model only. */
function plainContent(message: AssistantMessage, how: Phrasing): AssistantContent {
  const content: AssistantContent = [];
  const text = message.text.toWellFormed();
  if (how.isChat ? text !== "" : !isBlank(text)) content.push({ type: "text", text });
  for (let at = 0; at < message.calls.length; at++) content.push(...callPart(message, at, how, {}));
  return content;
}

function callPart({ calls }: AssistantMessage, at: number, { quirks }: Phrasing, options: Options): AssistantContent {
  const call = calls[at];
  if (call === undefined) return [];
  // A list or a bare text is no object of arguments, and would be refused in every later request.
  const input = isRecord(call.input) ? call.input : { raw: call.input };
  return [{ type: "tool-call", toolCallId: wireId(call.id, quirks), toolName: wireName(call.tool), input, ...options }];
}

function resultPart(message: ToolMessage, how: Phrasing): LanguageModelV4ToolResultPart {
  const { files, note } = imagesOf(message, how);
  const said = [message.text.toWellFormed(), ...note].filter((line) => line !== "").join("\n");
  const text = isBlank(said) && !how.isChat ? "(no output)" : said;
  const content: ResultContent = [{ type: "text", text }, ...files];
  const isPlain = how.isChat || files.length === 0;
  return {
    type: "tool-result",
    toolCallId: wireId(message.id, how.quirks),
    toolName: wireName(message.tool),
    output: isPlain ? { type: "text", value: text } : { type: "content", value: content },
  };
}

function imagesOf(
  { images = [] }: ToolMessage | UserMessage,
  { choice, imageBytes }: Phrasing,
): { readonly files: LanguageModelV4FilePart[]; readonly note: readonly string[] } {
  if (images.length === 0) return { files: [], note: [] };
  if (!choice.takesImages) return { files: [], note: ["[coder] This model takes no images: they are left out."] };
  const files = images.flatMap((image) => filePart(image, imageBytes(image.hash)));
  return { files, note: files.length < images.length ? ["[coder] An image is no longer there."] : [] };
}

function filePart({ mediaType }: ImageRef, bytes: Uint8Array | null): LanguageModelV4FilePart[] {
  if (bytes === null) return [];
  return [{ type: "file", mediaType, data: { type: "data", data: Buffer.from(bytes).toString("base64") } }];
}

/** The images of a step's results, as a message of the person; `null` when there are none to show. */
export function imageMessage(results: readonly ToolMessage[], how: Phrasing): LanguageModelV4Message | null {
  const files = results.flatMap((result) => imagesOf(result, how).files);
  if (files.length === 0) return null;
  return {
    role: "user",
    content: [{ type: "text", text: "[coder] The images of the results above, in order." }, ...files],
  };
}

/** Ours are unique; only their form may not suit. OpenAI takes 64 characters, Anthropic letters, digits, `_` and `-`. */
function wireId(id: string, { callIds }: Pick<Quirks, "callIds">): string {
  if (callIds === "nine") return hashed(id).slice(-9);
  return /^[\w-]{1,64}$/.test(id) ? id : `call_${hashed(id)}`;
}

/** A model may make up a name that no tool can have. Google wants a letter or `_` in front. */
function wireName(tool: string): string {
  // Nearly all of them are names of our own tools.
  if (/^[a-z]{1,12}$/.test(tool) && !(tool in {})) return tool;
  const name = tool.replace(/[^\w-]+/g, "_").slice(0, 63);
  // The SDK looks names up in plain objects, where `constructor` is one.
  return /^[a-z_]/i.test(name) && !(name in {}) ? name : `_${name}`;
}

function hashed(id: string): string {
  return Bun.hash(id).toString(36).padStart(13, "0");
}

export function toFunctionTool({ name, description, schema }: ToolSpec): LanguageModelV4FunctionTool {
  return { type: "function", name, description, inputSchema: schema };
}
