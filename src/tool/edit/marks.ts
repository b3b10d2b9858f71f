// Models replace typographic quotes, dashes and spaces. Both forms are one code unit, so an index into the folded text is also an index
// into the file.

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

/** Above this many pairs of lines or words, only the common prefix and suffix are matched. */
const maxPairs = 4_000_000;

/**
 * `fresh` with the file's own characters wherever it equals `old`: first by whole lines, then by words between them, so that a new line
 * does not inherit characters from a similar old one. `twin` is `old` as it stands in the file, unit for unit.
 */
export function withMarks(rawOld: string, twin: string, rawFresh: string): string {
  const [old, fresh] = asPlainAs(rawOld, twin, rawFresh);
  const [from, to] = [piecesOf(old, /[^\n]*\n|[^\n]+$/g), piecesOf(fresh, /[^\n]*\n|[^\n]+$/g)];
  const out: string[] = [];
  let done = { from: 0, to: 0 };
  for (const [at, there] of [...pairs(from, to), [from.length, to.length] as const]) {
    const between = textBetween(from, done.from, at, old);
    out.push(wordsWithMarks(between.text, twin.slice(between.at), textBetween(to, done.to, there, fresh).text));
    const same = from[at];
    if (same !== undefined) out.push(twin.slice(same.at, same.at + same.text.length));
    done = { from: at + 1, to: there + 1 };
  }
  return out.join("");
}

const kinds: readonly (readonly number[])[] = [[0, 1], [2], [3]];

/**
 * If the file has plain characters for every typographic one of a kind in `old`, new text gets plain ones too: curly quotes are not
 * code.
 */
function asPlainAs(old: string, twin: string, fresh: string): readonly [string, string] {
  return kinds.reduce<readonly [string, string]>(
    ([was, now], kind) => {
      const places = kind.flatMap((at) => [...was.matchAll(folds[at]![0])].map(({ index }) => [index, folds[at]![1]]));
      if (places.length === 0 || places.some(([index, plain]) => twin[Number(index)] !== plain)) return [was, now];
      const toPlain = (text: string): string =>
        kind.reduce((one, at) => one.replace(folds[at]![0], folds[at]![1]), text);
      return [toPlain(was), toPlain(now)];
    },
    [old, fresh],
  );
}

function textBetween(pieces: readonly MarkedPiece[], first: number, behind: number, text: string): MarkedPiece {
  const at = pieces[first]?.at ?? text.length;
  return { at, text: text.slice(at, Math.max(at, pieces[behind]?.at ?? text.length)) };
}

function wordsWithMarks(old: string, twin: string, fresh: string): string {
  const [from, to] = [
    piecesOf(old, /[\p{L}\p{N}_]+|[^\p{L}\p{N}_]/gsu),
    piecesOf(fresh, /[\p{L}\p{N}_]+|[^\p{L}\p{N}_]/gsu),
  ];
  const same = new Map(pairs(from, to).map(([at, there]) => [there, from[at]]));
  return to
    .map(({ text }, there) => {
      const piece = same.get(there);
      return piece === undefined ? text : twin.slice(piece.at, piece.at + text.length);
    })
    .join("");
}

interface MarkedPiece {
  readonly text: string;
  readonly at: number;
}

function piecesOf(text: string, form: RegExp): readonly MarkedPiece[] {
  return [...text.matchAll(form)].map((found) => ({ text: found[0], at: found.index }));
}

type Pair = readonly [from: number, to: number];

/** Indices of equal pieces in the same order: common prefix and suffix, and the longest common subsequence between them. */
function pairs(from: readonly MarkedPiece[], to: readonly MarkedPiece[]): readonly Pair[] {
  const least = Math.min(from.length, to.length);
  const head = sameCount(least, (at) => from[at]!.text === to[at]!.text);
  const tail = sameCount(least - head, (at) => from.at(-1 - at)!.text === to.at(-1 - at)!.text);
  const middle = common(from.slice(head, from.length - tail), to.slice(head, to.length - tail));
  return [
    ...Array.from({ length: head }, (_, at): Pair => [at, at]),
    ...middle.map(([at, there]): Pair => [at + head, there + head]),
    ...Array.from({ length: tail }, (_, at): Pair => [from.length - tail + at, to.length - tail + at]),
  ];
}

export function sameCount(limit: number, isSame: (index: number) => boolean): number {
  let count = 0;
  while (count < limit && isSame(count)) count++;
  return count;
}

function common(from: readonly MarkedPiece[], to: readonly MarkedPiece[]): readonly Pair[] {
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
  const found: Pair[] = [];
  for (let a = 0, b = 0; a < from.length && b < to.length; ) {
    const here = longest[a * width + b]!;
    if (from[a]!.text === to[b]!.text && here === longest[(a + 1) * width + b + 1]! + 1) found.push([a++, b++]);
    else if (here === longest[(a + 1) * width + b]) a++;
    else b++;
  }
  return found;
}
