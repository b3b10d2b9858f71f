import type { ImageRef } from "../contract/message.ts";

/** CX-5: about 4 Latin or 1.5 CJK characters per token; reported usage corrects the estimate. */
export function estimateTokens(text: string): number {
  return Math.ceil(partialTokens(text));
}

/** Not rounded, so that the pieces of a stream can be added up. */
export function partialTokens(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x2e80) wide++;
  return (text.length - wide) / 4 + wide / 1.5;
}

/** Anthropic's documented rule: scaled down to 1568 pixels on the longer side, 750 pixels per token. */
export function imageTokens({ width, height }: ImageRef): number {
  const scale = Math.min(1, 1568 / Math.max(width, height));
  return Math.ceil((width * height * scale * scale) / 750);
}
