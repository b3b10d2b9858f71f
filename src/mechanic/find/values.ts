import { type Area, type Changes, type Clues, each, type Finder, insert, replace, returnedEnd } from "../area.ts";
import type { Value } from "../text/literal.ts";
import { calledName, isBetween, isKeyword, isValue, type Part, partsIn, textOf } from "../text/span.ts";
import { statementsIn } from "../text/statement.ts";
import type { Token } from "../text/token.ts";
import type { Change } from "./kind.ts";

/** Off by one. */
export function* steps(area: Area): Changes {
  const { source } = area;
  const { tokens } = source;
  for (const [at, { kind, text }] of each(area)) {
    const before = tokens[at - 1];
    if (kind === "number" && /^\d+$/.test(text)) {
      const value = Number(text);
      // Dropping the `+ 1` of `x + 1` is a change of its own.
      const isOnlyOne = value === 1 && (before?.text === "+" || before?.text === "-") && isBetween(source, at - 1);
      if (isOnlyOne) yield { ...replace(area, "step", at - 1, at + 1, "", 1.3), start: tokens[at - 2]!.end };
      const isFactor = /^(?:\/|\/\/|%|\*|\*\*)$/.test(before?.text ?? "") || tokens[at + 1]?.text === "*";
      const odds = (value <= 3 ? 1 : 0.6) * (isFactor ? 0.5 : 1);
      const isNegative = before?.text === "-" && !isBetween(source, at - 1);
      if (value > 0) yield replace(area, "step", at, at + 1, String(value - 1), isOnlyOne ? 0.6 : odds);
      yield replace(area, "step", at, at + 1, String(value + 1), isOnlyOne ? 0.6 : odds);
      if (isNegative) yield replace(area, "step", at - 1, at + 1, text, 0.4);
    }
    yield* sizes(area, at);
    if (text === "[" && (isValue(before) || before?.text === "?.")) yield* bounds(area, at, ":");
    if (text === "(" && ["range", "slice", "substring", "substr"].includes(calledName(source, at) ?? "")) {
      yield* bounds(area, at, ",");
    }
  }
}

/** Off by one in a length, or in a factor. */
function sizes(area: Area, at: number): readonly Change[] {
  const { source } = area;
  const { tokens, partner } = source;
  const token = tokens[at]!;
  const isLength =
    token.kind === "name" && (token.text === "length" || token.text === "size") && tokens[at - 1]?.text === ".";
  const isCall = token.text === "len" && tokens[at + 1]?.text === "(" && partner[at + 1]! > at;
  const end = isLength ? at : isCall ? partner[at + 1]! : -1;
  const next = tokens[end + 1]?.text ?? "";
  if (end !== -1 && next !== "-" && next !== "+") return oneOff(area, tokens[end]!, 0.7, 0.3);
  const isFactor =
    token.kind === "name" && !isKeyword(token.text) && (tokens[at + 1]?.text === "*" || tokens[at - 1]?.text === "*");
  if (!isFactor || tokens[at - 1]?.text === "." || ["(", ".", "["].includes(next) || at < (area.routine?.body ?? 0))
    return [];
  return ["-", "+"].map((sign) => replace(area, "step", at, at + 1, `(${token.text} ${sign} 1)`, 0.35));
}

function oneOff(area: Area, last: Token, less: number, more: number): readonly Change[] {
  return [insert(area, "step", last, "after", " - 1", less), insert(area, "step", last, "after", " + 1", more)];
}

const placeLike =
  /^(?:[ijkn]|at|idx|index|pos|position|start|end|from|to|low|high|lo|hi|mid|middle|left|right|row|col|r|c|size|count|len|length|last|first|offset|step)$/i;

/** Off by one in a position: an index, or an end of a slice or range. */
function bounds(area: Area, open: number, between: string): readonly Change[] {
  const { source } = area;
  const parts = partsIn(source, open, between);
  return [
    ...relativeEnd(area, parts),
    ...parts.flatMap(({ from, to }, at, all) => {
      const last = source.tokens[to - 1];
      const text = textOf(source, from, to);
      if (last === undefined || to <= from || /^-?\d+$/.test(text) || /[+-] \d+$/.test(text) || last.kind === "text")
        return [];
      const isEnd = all.length === 1 || at > 0;
      // A key of a table looks like an index, but nobody adds to it.
      const isPlace = all.length > 1 || between === "," || placeLike.test(text) || /[-+*/]|\blen\b|length/.test(text);
      const odds = isPlace ? 1 : 0.15;
      return oneOff(area, last, odds * (isEnd ? 0.8 : 0.5), odds * (isEnd ? 0.7 : 0.6));
    }),
  ];
}

/** Makes a relative end absolute, or the reverse. */
function relativeEnd(area: Area, parts: readonly Part[]): readonly Change[] {
  const { source } = area;
  const [start, end] = parts;
  if (start === undefined || end === undefined || parts.length !== 2 || end.to <= end.from || start.to <= start.from)
    return [];
  const [from, to] = [textOf(source, start.from, start.to), textOf(source, end.from, end.to)];
  if (/^-?\d+$/.test(from) || /^-/.test(to) || calledName(source, start.from - 1) === "range") return [];
  if (to.startsWith(`${from} + `)) return [replace(area, "step", end.from, end.to, to.slice(from.length + 3), 0.4)];
  return [replace(area, "step", end.from, end.to, `${from} + ${to}`, 0.8)];
}

/** Off by one in an assigned or added value. */
export const assignedSteps: Finder = (area) => {
  const { source } = area;
  const { tokens } = source;
  return statementsIn(area).flatMap(({ from, to }) => {
    const sign = tokens.slice(from, Math.min(to, from + 3)).findIndex(({ text }) => ["=", "+=", "-="].includes(text));
    const last = tokens[to - 1]!;
    const value = textOf(source, from + sign + 1, to);
    if (sign === -1 || last.text !== ")" || /[+-] \d+$|^[[{"'(]|^\w+\(\)$/.test(value)) return [];
    return oneOff(area, last, 0.4, 0.4);
  });
};

/** Off by one in a returned value, if all failures are off by the same one. */
export function* returnedSteps(area: Area, { evidence }: Clues): Changes {
  const { source } = area;
  const { tokens } = source;
  const gaps = new Set(evidence.flatMap(({ pair }) => gapOf(pair?.got, pair?.expected)));
  const [gap] = gaps;
  if (gap === undefined || gaps.size > 1 || (gap !== 1 && gap !== -1)) return;
  for (const [at, { text, kind }] of each(area)) {
    if (text !== "return" || kind !== "name") continue;
    const end = returnedEnd(area, at + 1);
    const last = tokens[end - 1];
    if (end > at + 1 && last !== undefined) yield insert(area, "step", last, "after", gap > 0 ? " + 1" : " - 1", 0.6);
  }
}

function gapOf(got: Value | undefined, expected: Value | undefined): readonly number[] {
  return typeof got === "number" && typeof expected === "number" ? [expected - got] : [];
}

const maxDigits = 12;

/** Whether people write such a number, rather than only this test requiring it. */
function isRound(value: number, old: number): boolean {
  const digits = (one: number) =>
    String(one)
      .replace(".", "")
      .replace(/^0+|0+$/g, "").length;
  return Math.abs(value) < 100 ? digits(value) <= 3 : digits(value) <= Math.max(2, digits(old));
}

const mostOthers = 12;

/** Numbers that follow from the expected and the actual value: by difference, and by ratio. */
export function* constants(area: Area, { evidence }: Clues): Changes {
  const pairs = evidence.flatMap(({ pair }) =>
    typeof pair?.got === "number" && typeof pair.expected === "number" ? [[pair.got, pair.expected] as const] : [],
  );
  const numbers = [...each(area)].flatMap(([, { kind, text }]) =>
    kind === "number" ? [Number(text.replaceAll("_", ""))] : [],
  );
  const others = [...new Set(numbers)].slice(0, mostOthers);
  for (const [at, { kind, text }] of each(area)) {
    const value = Number(text.replaceAll("_", ""));
    if (kind !== "number" || Number.isNaN(value)) continue;
    const wanted = new Map<string, number>();
    const want = (one: number, odds: number): void => {
      const number = Number(one.toPrecision(maxDigits));
      const text = String(number);
      const isReadable = Number.isFinite(one) && !text.includes("e") && text.length <= 8 && one >= 0;
      if (!isReadable || number === value || !isRound(number, value)) return;
      if (Number.isInteger(value) && !Number.isInteger(number)) return;
      wanted.set(text, Math.max(odds, wanted.get(text) ?? 0));
    };
    for (const [got, expected] of pairs) {
      want(value + expected - got, 0.8);
      if (got !== 0 && expected !== 0) {
        want((value * expected) / got, 1);
        want((value * got) / expected, 0.8);
      }
    }
    if (/^(?:0\.\d+|1\.0\d*)$/.test(text)) want(1 - value, 0.3);
    for (const other of others) want(other, 0.35);
    for (const [text, odds] of wanted) yield replace(area, "constant", at, at + 1, text, odds);
  }
}

type Difference = ReturnType<typeof differenceOf>;

/** The differing part of two strings, between their common start and end. */
function differenceOf(got: string, expected: string) {
  let head = 0;
  while (head < got.length && head < expected.length && got[head] === expected[head]) head++;
  let tail = 0;
  const most = Math.min(got.length, expected.length) - head;
  while (tail < most && got.at(-1 - tail) === expected.at(-1 - tail)) tail++;
  const cut = (text: string) => text.slice(head, text.length - tail);
  return { before: got.slice(0, head), got: cut(got), expected: cut(expected), behind: got.slice(got.length - tail) };
}

/** The first of several differing parts, up to where both strings agree again. */
function firstDifference(got: string, expected: string): readonly Difference[] {
  const { before } = differenceOf(got, expected);
  const [left, right] = [got.slice(before.length), expected.slice(before.length)];
  for (let length = 1; length <= 12; length++) {
    for (let cut = 0; cut <= length; cut++) {
      const [a, b] = [left.slice(0, cut), right.slice(0, length - cut)];
      const [rest, other] = [left.slice(cut), right.slice(length - cut)];
      if (rest !== "" && rest.slice(0, 3) === other.slice(0, 3)) return [{ before, got: a, expected: b, behind: rest }];
    }
  }
  return [];
}

/** Different strings at the same place inside two values. */
function stringPairs(got: Value, expected: Value): readonly (readonly [string, string])[] {
  if (typeof got === "string" && typeof expected === "string") return got === expected ? [] : [[got, expected]];
  if (Array.isArray(got) && Array.isArray(expected)) {
    return got.flatMap((one, at) => (expected[at] === undefined ? [] : stringPairs(one, expected[at])));
  }
  if (!(got instanceof Map && expected instanceof Map)) return [];
  return [...got].flatMap(([key, one]) => {
    const other = expected.get(key);
    return other === undefined ? [] : stringPairs(one, other);
  });
}

/** Strings of the program, changed towards what the tests expected. */
export function* texts(area: Area, { evidence }: Clues): Changes {
  yield* typeNames(area);
  const pairs = evidence.flatMap(({ pair }) =>
    pair?.got === undefined || pair.expected === undefined ? [] : stringPairs(pair.got, pair.expected),
  );
  const differences = pairs
    .slice(0, 6)
    .flatMap(([got, expected]) => [differenceOf(got, expected), ...firstDifference(got, expected)]);
  for (const [at, { kind, text }] of each(area)) {
    if (kind !== "text" || text.startsWith("/") || isDocumentation(area, at)) continue;
    for (const wanted of new Set(differences.flatMap((one) => rewritten(text, one)))) {
      if (wanted !== text) yield replace(area, "text", at, at + 1, wanted);
    }
  }
}

const types = ["undefined", "object", "boolean", "number", "bigint", "string", "symbol", "function"];

/** What `typeof` is compared with must be the name of a type. */
function* typeNames({ source, ...area }: Area): Changes {
  for (const [at, { kind, text }] of each({ source, ...area })) {
    if (kind !== "name" || text !== "typeof") continue;
    let sign = at + 1;
    while (sign < at + 12 && !/^[=!]==?$/.test(source.tokens[sign]?.text ?? "")) sign++;
    const name = source.tokens[sign + 1];
    if (name?.kind !== "text") continue;
    const [quote, own] = [name.text[0] ?? '"', name.text.slice(1, -1)];
    const odds = types.includes(own) ? 0.15 : 3;
    for (const one of types)
      if (one !== own) yield replace({ source, ...area }, "text", sign + 1, sign + 2, quote + one + quote, odds);
  }
}

function isDocumentation({ source: { tokens } }: Area, at: number): boolean {
  return tokens[at]!.text.startsWith('"""') && tokens[at - 1]?.kind === "end";
}

/** The ways to add the missing piece to a literal, or to remove the extra one. Quotes stay as they are. */
function rewritten(literal: string, { before, got, expected, behind }: Difference): readonly string[] {
  if (/[\\\n]/.test(got + expected)) return [];
  const safe = (text: string) => text.replace(/[\\'"`$]/g, "\\$&");
  if (got !== "" && literal.includes(got)) return [literal.replace(got, () => safe(expected)), ...shifted()];
  return shifted();

  /** A piece is missing or extra at the start or end of this literal. */
  function shifted(): readonly string[] {
    const [open, inner, close] = quotesOf(literal);
    if (inner === "") return got === "" && (before !== "" || behind !== "") ? [open + safe(expected) + close] : [];
    const ways: string[] = [];
    if (got === "" && before.endsWith(inner)) ways.push(open + inner + safe(expected) + close);
    if (got === "" && behind.startsWith(inner)) ways.push(open + safe(expected) + inner + close);
    return ways;
  }
}

function quotesOf(literal: string): readonly [open: string, inner: string, close: string] {
  const open = /^(?:[a-zA-Z]{0,2}(?:'''|"""|['"`])|[}:!][^'"`]*)?/.exec(literal)?.[0] ?? "";
  const close = /(?:'''|"""|['"`{]|\$\{)?$/.exec(literal.slice(open.length))?.[0] ?? "";
  return [open, literal.slice(open.length, literal.length - close.length), close];
}

export function* beginnings(area: Area, { evidence }: Clues): Changes {
  const kinds = new Set(evidence.map(({ pair }) => typeof (Array.isArray(pair?.expected) ? [] : pair?.expected)));
  const isMixed = evidence.some(({ pair }) => typeof pair?.got !== typeof pair?.expected);
  if (!isMixed) return;
  for (const [at, { kind, text }] of each(area)) {
    if (kind === "text" && /^(?:""|'')$/.test(text) && kinds.has("number"))
      yield replace(area, "constant", at, at + 1, "0");
    if (kind === "number" && text === "0" && kinds.has("string")) yield replace(area, "constant", at, at + 1, '""');
  }
}
