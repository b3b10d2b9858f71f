// Where the motions and text objects of vim lead in a text. Places are offsets; a line ends before its line feed.
import { getGraphemeSegmenter } from "../../terminal/width.ts";

const segmenter = getGraphemeSegmenter();

export interface Target {
  readonly to: number;
  /** What an operator takes: up to the place, with the character there, or whole lines. */
  readonly span: "up to" | "with" | "lines";
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

export function indented(text: string, at: number): number {
  const start = lineStart(text, at);
  const blanks = /^[ \t]*/.exec(text.slice(start, lineEnd(text, at)))?.[0].length ?? 0;
  return start + blanks;
}

/** One character on, as the reader sees characters. */
export function next(text: string, at: number): number {
  const [first] = segmenter.segment(text.slice(at, at + 64));
  return at + (first?.segment.length ?? 0);
}

export function previous(text: string, at: number): number {
  const from = Math.max(0, at - 64);
  return from + ([...segmenter.segment(text.slice(from, at))].at(-1)?.index ?? at - from);
}

/** The cursor of normal mode stands on a character, not behind the last one of a line. */
export function onCharacter(text: string, at: number): number {
  const [start, end] = [lineStart(text, at), lineEnd(text, at)];
  return at < end || end === start ? at : previous(text, end);
}

type Kind = "blank" | "word" | "sign";

function kindOf(sign: string | undefined, isBig: boolean): Kind {
  if (sign === undefined || /\s/.test(sign)) return "blank";
  return isBig || /[\p{L}\p{N}\p{M}_]/u.test(sign) ? "word" : "sign";
}

function wordOn(text: string, from: number, isBig: boolean): number {
  const kind = kindOf(text[from], isBig);
  let at = from;
  while (at < text.length && kind !== "blank" && kindOf(text[at], isBig) === kind) at++;
  // An empty line is a word.
  while (at < text.length && kindOf(text[at], isBig) === "blank") {
    if (at > from && text[at] === "\n" && text[at - 1] === "\n") break;
    at++;
  }
  return at;
}

function wordBack(text: string, from: number, isBig: boolean): number {
  let at = from - 1;
  while (at > 0 && kindOf(text[at], isBig) === "blank" && !(text[at] === "\n" && text[at - 1] === "\n")) at--;
  const kind = kindOf(text[at], isBig);
  while (at > 0 && kind !== "blank" && kindOf(text[at - 1], isBig) === kind) at--;
  return Math.max(0, at);
}

function wordEnd(text: string, from: number, isBig: boolean): number {
  let at = from + 1;
  while (at < text.length && kindOf(text[at], isBig) === "blank") at++;
  const kind = kindOf(text[at], isBig);
  while (at + 1 < text.length && kindOf(text[at + 1], isBig) === kind) at++;
  return Math.min(at, Math.max(0, text.length - 1));
}

function repeated(count: number, from: number, step: (at: number) => number): number {
  let at = from;
  for (let n = 0; n < count; n++) {
    const to = step(at);
    if (to === at) break;
    at = to;
  }
  return at;
}

/** The same column, so many lines further; `null`: there are not so many. */
export function vertically(text: string, at: number, lines: number, column: number): number | null {
  let start = lineStart(text, at);
  for (let n = 0; n < Math.abs(lines); n++) {
    if (lines < 0 && start === 0) return null;
    const end = lineEnd(text, start);
    if (lines > 0 && end === text.length) return null;
    start = lines < 0 ? lineStart(text, start - 1) : end + 1;
  }
  return Math.min(start + column, lineEnd(text, start));
}

function paragraph(text: string, from: number, direction: 1 | -1): number {
  const isEmpty = (at: number): boolean => lineStart(text, at) === lineEnd(text, at);
  let at = from;
  let isInside = !isEmpty(at);
  for (;;) {
    const to = vertically(text, at, direction, 0);
    if (to === null) return direction === 1 ? text.length : 0;
    at = to;
    if (isInside && isEmpty(at)) return at;
    isInside ||= !isEmpty(at);
  }
}

const brackets = ["()", "[]", "{}", "<>"] as const;

function matching(text: string, from: number): number | null {
  const end = lineEnd(text, from);
  for (let at = from; at < end; at++) {
    const pair = brackets.find((one) => one !== "<>" && one.includes(text[at] ?? "\n"));
    if (pair) return other(text, at, pair);
  }
  return null;
}

function other(text: string, at: number, [open = "", close = ""]: string): number | null {
  const step = text[at] === open ? 1 : -1;
  let depth = 0;
  for (let place = at; place >= 0 && place < text.length; place += step) {
    if (text[place] === open) depth += step;
    if (text[place] === close) depth -= step;
    if (depth === 0) return place;
  }
  return null;
}

const upTo = (to: number): Target => ({ to, span: "up to" });

/** `null`: no motion, or it leads nowhere. */
export function motion(key: string, text: string, at: number, count: number | null): Target | null {
  const times = count ?? 1;
  const isBig = /[WBE]/.test(key);
  switch (key) {
    case "h":
      return upTo(
        Math.max(
          lineStart(text, at),
          repeated(times, at, (one) => previous(text, one)),
        ),
      );
    case "l":
    case " ":
      return upTo(
        Math.min(
          lineEnd(text, at),
          repeated(times, at, (one) => next(text, one)),
        ),
      );
    case "w":
    case "W":
      return upTo(repeated(times, at, (one) => wordOn(text, one, isBig)));
    case "b":
    case "B":
      return upTo(repeated(times, at, (one) => wordBack(text, one, isBig)));
    case "e":
    case "E":
      return { to: repeated(times, at, (one) => wordEnd(text, one, isBig)), span: "with" };
    case "0":
      return upTo(lineStart(text, at));
    case "^":
    case "_":
      return upTo(indented(text, at));
    case "$": {
      const to = lineEnd(text, vertically(text, at, times - 1, 0) ?? at);
      return upTo(to);
    }
    case "{":
    case "}":
      return upTo(repeated(times, at, (one) => paragraph(text, one, key === "}" ? 1 : -1)));
    case "%": {
      const to = matching(text, at);
      return to === null ? null : { to, span: "with" };
    }
    case "gg":
    case "G": {
      const lines = text.split("\n");
      const line = Math.min(count ?? (key === "G" ? lines.length : 1), lines.length) - 1;
      const start = lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
      return { to: indented(text, start), span: "lines" };
    }
    default:
      return null;
  }
}

/** `f`, `F`, `t` and `T`: within the line. */
export function found(kind: string, sign: string, text: string, from: number, count: number): Target | null {
  const isOn = kind === "f" || kind === "t";
  const isBeside = kind === "t" || kind === "T";
  const [start, end] = [lineStart(text, from), lineEnd(text, from)];
  let at = from;
  for (let n = 0; n < count; n++) {
    at = isOn ? text.indexOf(sign, at + 1) : at === 0 ? -1 : text.lastIndexOf(sign, at - 1);
    if (at < start || at >= end) return null;
  }
  const to = isBeside ? at + (isOn ? -1 : 1) : at;
  return { to, span: isOn ? "with" : "up to" };
}

/** `isAround`: with the blanks behind a word, or the signs around it. `null`: none here. */
export function textObject(sign: string, isAround: boolean, text: string, at: number): Span | null {
  if (sign === "w" || sign === "W") return wordAt(text, at, sign === "W", isAround);
  if (sign === "p") return paragraphAt(text, at, isAround);
  if (`"'\``.includes(sign)) return quoted(text, at, sign, isAround);
  const named = sign === "b" ? "()" : sign === "B" ? "{}" : brackets.find((one) => one.includes(sign));
  return named === undefined ? null : bracketed(text, at, named, isAround);
}

function wordAt(text: string, at: number, isBig: boolean, isAround: boolean): Span {
  const [start, end] = [lineStart(text, at), lineEnd(text, at)];
  const run = (place: number): Span => {
    const kind = kindOf(text[place], isBig);
    let [from, to] = [place, place];
    while (from > start && kindOf(text[from - 1], isBig) === kind) from--;
    while (to < end && kindOf(text[to], isBig) === kind) to++;
    return { from, to };
  };
  const word = run(at);
  if (!isAround) return word;
  if (word.to < end && (kindOf(text[word.to], isBig) === "blank") !== (kindOf(text[at], isBig) === "blank"))
    return { from: word.from, to: run(word.to).to };
  const isBlankBefore = word.from > start && kindOf(text[word.from - 1], isBig) === "blank";
  return isBlankBefore ? { from: run(word.from - 1).from, to: word.to } : word;
}

function paragraphAt(text: string, at: number, isAround: boolean): Span {
  const before = paragraph(text, at, -1);
  const from = before === 0 ? 0 : before + 1;
  const after = paragraph(text, at, 1);
  return {
    from,
    to: isAround ? Math.min(text.length, after + 1) : Math.max(from, after - (after < text.length ? 1 : 0)),
  };
}

function quoted(text: string, at: number, sign: string, isAround: boolean): Span | null {
  const [start, end] = [lineStart(text, at), lineEnd(text, at)];
  const places: number[] = [];
  for (let place = start; place < end; place++)
    if (text[place] === sign && text[place - 1] !== "\\") places.push(place);
  for (let n = 0; n + 1 < places.length; n += 2) {
    const [from = 0, to = 0] = places.slice(n, n + 2);
    if (at <= to) return isAround ? { from, to: to + 1 } : { from: from + 1, to };
  }
  return null;
}

function bracketed(text: string, at: number, pair: string, isAround: boolean): Span | null {
  const [open = "", close = ""] = pair;
  let depth = 0;
  for (let from = at; from >= 0; from--) {
    if (text[from] === close && from !== at) depth++;
    if (text[from] !== open) continue;
    if (depth-- > 0) continue;
    const to = other(text, from, pair);
    if (to === null) return null;
    return isAround ? { from, to: to + 1 } : { from: from + 1, to };
  }
  return null;
}
