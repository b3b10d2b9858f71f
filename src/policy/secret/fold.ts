// Colours between a name and its value, a value that goes on in the next line, characters without width and the zeros of UTF-16
// hide a secret from every pattern.
// They are taken out before looking, and what is found is put back to where it stands in the text itself.
import { once } from "./pattern.ts";

export interface Unfolded {
  readonly text: string;
  /** Where a span of `text` stands in the text that was unfolded. */
  readonly origin: (span: { readonly from: number; readonly to: number }) => { from: number; to: number };
}

const colour = String.raw`(?:\u001b\[|\u009b)[0-9;:?]{0,32}[A-Za-z]`;
// Titles and links.
const said = String.raw`\u001b\][^\u0007\u001b\n]{0,512}(?:\u0007|\u001b\\)`;
const unseen = String.raw`[\u00ad\u200b-\u200d\u2060\ufeff]`;
const everySecond = String.raw`\0(?=[ -~]\0)|(?<=\0[ -~])\0`;
// The same inside JSON and source code.
const writtenColour = String.raw`\\{1,8}(?:u001[bB]|x1[bB]|033|e)\[[0-9;]{0,32}m`;
// The number of the next line is not part of the value.
const continuation = String.raw`\\\r?\n[ \t]{0,40}(?:[0-9]{1,7}\t[ \t]{0,40})?`;

const folds = once(() => new RegExp([colour, said, unseen, everySecond, writtenColour, continuation].join("|"), "g"));

export function unfold(text: string): Unfolded {
  if (!mayFold.test(text)) {
    return { text, origin: (span) => span };
  }
  const parts: string[] = [];
  /** Begin of each part in the unfolded text and in the original. */
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
  // The last character is looked up, not the place behind it, which may stand after a fold.
  return { text: parts.join(""), origin: ({ from, to }) => ({ from: place(from), to: place(to - 1) + 1 }) };
}

const mayFold = /[\0\u001b\u009b\u00ad\u200b-\u200d\u2060\ufeff]|\\(?:\r?\n|(?:u001b|x1b|033|e)\[)/i;

/** The index of the last number that is not above the limit, of numbers in order. */
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
