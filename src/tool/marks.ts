// Signs that models write in another form than a file has them: quotes, dashes and spaces. Each is one code unit in
// either form, so that a place in the folded text is the same place in the file.

const folds: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u201b\u2032]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " "],
];
const folded = /[\u2018-\u201b\u2032\u201c-\u201f\u2033\u2010-\u2015\u2212\u00a0\u2002-\u200a\u202f\u205f\u3000]/;

export function hasMarks(text: string): boolean {
  return folded.test(text);
}

export function foldMarks(text: string): string {
  return hasMarks(text) ? folds.reduce((now, [sign, plain]) => now.replace(sign, plain), text) : text;
}

/** More pairs of words than this are not compared: what stands before the first and behind the last change is kept then. */
const maxPairs = 4_000_000;

/**
 * `fresh` with the file's signs wherever it says the same as `old`. `twin` is `old` as the file has it, unit for unit.
 */
export function withMarks(old: string, twin: string, fresh: string): string {
  const [from, to] = [wordsOf(old), wordsOf(fresh)];
  const head = sameCount(Math.min(from.length, to.length), (at) => from[at]!.text === to[at]!.text);
  const rest = Math.min(from.length, to.length) - head;
  const tail = sameCount(rest, (at) => from.at(-1 - at)!.text === to.at(-1 - at)!.text);
  const taken = new Map<number, Word>();
  for (let at = 0; at < head; at++) taken.set(at, from[at]!);
  for (let at = 1; at <= tail; at++) taken.set(to.length - at, from.at(-at)!);
  const middle = common(from.slice(head, from.length - tail), to.slice(head, to.length - tail));
  for (const [word, at] of middle) taken.set(head + at, word);
  return to
    .map((word, at) => {
      const same = taken.get(at);
      return same === undefined ? word.text : twin.slice(same.at, same.at + same.text.length);
    })
    .join("");
}

interface Word {
  readonly text: string;
  readonly at: number;
}

function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]/gsu)].map((found) => ({ text: found[0], at: found.index }));
}

function sameCount(limit: number, isSame: (index: number) => boolean): number {
  let count = 0;
  while (count < limit && isSame(count)) count++;
  return count;
}

/** The longest common sequence: words of the one with their places in the other. */
function common(from: readonly Word[], to: readonly Word[]): readonly (readonly [Word, number])[] {
  if (from.length * to.length > maxPairs || from.length === 0 || to.length === 0) return [];
  const width = to.length + 1;
  const longest = new Uint32Array((from.length + 1) * width);
  for (let a = from.length - 1; a >= 0; a--) {
    for (let b = to.length - 1; b >= 0; b--) {
      const [skipA, skipB] = [longest[(a + 1) * width + b]!, longest[a * width + b + 1]!];
      const both = from[a]!.text === to[b]!.text ? longest[(a + 1) * width + b + 1]! + 1 : 0;
      longest[a * width + b] = Math.max(skipA, skipB, both);
    }
  }
  const found: (readonly [Word, number])[] = [];
  for (let a = 0, b = 0; a < from.length && b < to.length; ) {
    const here = longest[a * width + b]!;
    if (from[a]!.text === to[b]!.text && here === longest[(a + 1) * width + b + 1]! + 1) found.push([from[a++]!, b++]);
    else if (here === longest[(a + 1) * width + b]) a++;
    else b++;
  }
  return found;
}
