import type { ImageRef, ModelMessage } from "../contract/message.ts";
import type { Built } from "./build.ts";
import { estimateTokens, imageTokens } from "./tokens.ts";

/** With more images in one request, Anthropic refuses those over 2000 pixels on a side. */
const maxCount = 20;
/** 16 MiB as base64; Google accepts 20 MB per request, including all text. */
const maxBytes = 12 * 2 ** 20;

const note = "[image left out; read it again if it is needed]";

const none: readonly ImageRef[] = [];

export function imagesOf(message: ModelMessage): readonly ImageRef[] {
  return (message.role !== "assistant" && message.images) || none;
}

export function withoutImages(message: ModelMessage & { readonly role: "tool" | "user" }): ModelMessage {
  const { images: _, ...rest } = message;
  return { ...rest, text: `${message.text}\n${note}` };
}

/** Keeps the newest images, as many as providers accept: one too many would fail every later request as well. */
export function boundImages(built: Built): Built {
  const all: ImageRef[] = [];
  for (const message of built.messages) all.push(...imagesOf(message));
  const first = firstShown(all);
  if (first === 0) return built;
  let { tokens } = built;
  let seen = 0;
  const messages = built.messages.map((message) => {
    const images = imagesOf(message);
    const kept = images.slice(Math.max(0, first - seen));
    seen += images.length;
    if (message.role === "assistant" || kept.length === images.length) return message;
    const dropped = images.slice(0, images.length - kept.length);
    tokens += estimateTokens(note) - dropped.reduce((sum, image) => sum + imageTokens(image), 0);
    return { ...withoutImages(message), ...(kept.length > 0 ? { images: kept } : {}) };
  });
  return { messages, tokens };
}

/** Drops down to half the limit at once, so that the next images leave the cached prefix alone. Depends on the images only. */
function firstShown(images: readonly ImageRef[]): number {
  let first = 0;
  let bytes = 0;
  for (const [at, image] of images.entries()) {
    bytes += image.bytes;
    const isOver = (share: number): boolean => at - first + 1 > maxCount * share || bytes > maxBytes * share;
    if (isOver(1)) for (; first < at && isOver(0.5); first++) bytes -= images[first]?.bytes ?? 0;
  }
  return first;
}
