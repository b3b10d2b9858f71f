// Measures and cuts text as pi-tui does, with shortcuts for the most frequent text.
import {
  truncateToWidth as piTruncate,
  visibleWidth as piWidth,
  wrapTextWithAnsi as piWrap,
} from "@earendil-works/pi-tui/dist/utils.js";
import { escapes } from "./escapes.ts";

export { getGraphemeSegmenter, sliceByColumn, stripTerminalSequences } from "@earendil-works/pi-tui/dist/utils.js";

/** Characters that never combine: ASCII, lines and dots, and wide Chinese, Japanese and Korean characters. */
const plain =
  /^[\x20-\x7e\xb7\u2013\u2014\u2018-\u201d\u2026\u2500-\u257f\u2800-\u28ff\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;
const wide = /[\u3000-\uffff]/g;
const onlyAscii = /^[\x20-\x7e]*$/;

export function visibleWidth(text: string): number {
  if (onlyAscii.test(text)) return text.length;
  const bare = text.includes("\x1b") ? text.replace(escapes, "") : text;
  if (onlyAscii.test(bare)) return bare.length;
  return plain.test(bare) ? bare.length + (bare.match(wide)?.length ?? 0) : piWidth(bare);
}

export function wrapTextWithAnsi(text: string, width: number): readonly string[] {
  const isOne = !text.includes("\n") && !text.includes("\r") && visibleWidth(text) <= width;
  return isOne ? [text] : piWrap(text, width);
}

export function truncateToWidth(text: string, width: number, end: string): string {
  return width > 0 && visibleWidth(text) <= width ? text : piTruncate(text, width, end);
}
