import type { ImageRef, ModelMessage } from "../contract/message.ts";
import type { Built } from "./build.ts";
import { estimateTokens, imageTokens } from "./tokens.ts";

/** With more in one request, Anthropic refuses those over 2000 pixels on a side. */
const maxCount = 20;
/** As base64 these are 16 MiB; Google takes 20 MB in a request, all text included. */
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

/** The newest images of a request, as many as providers take: one too many, and every later request is refused as well. */
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

/**
 * Once there are too many, half of what may be shown stays, so that the next ones change nothing that a provider has
 * cached. It follows from the images alone: the same history gives the same bytes.
 */
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
