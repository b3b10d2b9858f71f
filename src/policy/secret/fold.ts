// Colour codes, line continuations, zero-width characters and the zero bytes of UTF-16 can hide a secret from every pattern. They are
// removed before the search, and each finding is mapped back to its place in the original text.
import { once } from "./pattern.ts";

export interface Unfolded {
  readonly text: string;
  /** Maps a span of `text` back to the original text. */
  readonly origin: (span: { readonly from: number; readonly to: number }) => { from: number; to: number };
}

const colour = String.raw`(?:\u001b\[|\u009b)[0-9;:?]{0,32}[A-Za-z]`;
// Terminal titles and links.
const oscSequence = String.raw`\u001b\][^\u0007\u001b\n]{0,512}(?:\u0007|\u001b\\)`;
const zeroWidth = String.raw`[\u00ad\u200b-\u200d\u2060\ufeff]`;
const utf16Zero = String.raw`\0(?=[ -~]\0)|(?<=\0[ -~])\0`;
// Colour codes as escaped in JSON and source code.
const escapedColour = String.raw`\\{1,8}(?:u001[bB]|x1[bB]|033|e)\[[0-9;]{0,32}m`;
// A line number at the start of the next line is not part of the value.
const continuation = String.raw`\\\r?\n[ \t]{0,40}(?:[0-9]{1,7}\t[ \t]{0,40})?`;

const folds = once(
  () => new RegExp([colour, oscSequence, zeroWidth, utf16Zero, escapedColour, continuation].join("|"), "g"),
);

export function unfold(text: string): Unfolded {
  if (!mayFold.test(text)) {
    return { text, origin: (span) => span };
  }
  const parts: string[] = [];
  /** Where each part begins, in the unfolded and in the original text. */
  const starts: number[] = [];
  const origins: number[] = [];
  let length = 0;
  const keep = (from: number, to: number): void => {
    if (from === to) return;
    parts.push(text.slice(from, to));
    starts.push(length);
    origins.push(from);
    length += to - from;
  };
  let done = 0;
  for (const fold of text.matchAll(folds())) {
    keep(done, fold.index);
    done = fold.index + fold[0].length;
  }
  keep(done, text.length);
  const place = (index: number): number => {
    const part = lastAtMost(starts, index);
    return (origins[part] as number) + index - (starts[part] as number);
  };
  // Maps the last character and adds one: the offset `to` itself may lie after a fold.
  return { text: parts.join(""), origin: ({ from, to }) => ({ from: place(from), to: place(to - 1) + 1 }) };
}

const mayFold = /[\0\u001b\u009b\u00ad\u200b-\u200d\u2060\ufeff]|\\(?:\r?\n|(?:u001b|x1b|033|e)\[)/i;

/** The index of the last number not above the limit, in a sorted list (binary search). */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] as number) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
