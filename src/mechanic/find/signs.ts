import { type Area, type Changes, each, insert, replace } from "../area.ts";
import { isBetween, textOf } from "../text/span.ts";
import type { Change, Kind } from "./kind.ts";

type SignRow = readonly [kind: Kind, to: string, odds: number];

/** Each row: an operator, and the operators that it may stand for, with the kind of the fault and its odds. */
const common = signTable(`
  <   boundary <=, direction >, direction >= 0.6
  <=  boundary <, direction >=, direction > 0.6, equality == 0.3
  >   boundary >=, direction <, direction <= 0.6
  >=  boundary >, direction <=, direction < 0.6, equality == 0.3
  ==  equality !=, boundary <= 0.3, boundary >= 0.3
  !=  equality ==, direction > 0.3, direction < 0.3
  +   arithmetic -, arithmetic * 0.5
  -   arithmetic +, arithmetic / 0.15
  *   arithmetic / 0.7, arithmetic + 0.5, arithmetic ** 0.2
  /   arithmetic * 0.8, arithmetic % 0.3
  %   arithmetic / 0.5
  **  arithmetic * 0.6
  +=  arithmetic -=, assign = 0.6, arithmetic *= 0.4
  -=  arithmetic +=, assign = 0.4
  *=  arithmetic += 0.7, arithmetic /= 0.4, assign = 0.3
  /=  arithmetic *= 0.6
  &   logic | 0.5, logic ^ 0.4
  |   logic & 0.5, logic ^ 0.4
  ^   logic & 0.6, logic | 0.6
  <<  arithmetic >> 0.5
  >>  arithmetic << 0.5
  &=  logic |= 0.6, logic ^= 0.5
  |=  logic &= 0.6, logic ^= 0.5
  ^=  logic &= 0.8, logic |= 0.6
  <<= arithmetic >>= 0.6
  >>= arithmetic <<= 0.6`);
const ofPython = signTable(`
  /   arithmetic //, arithmetic * 0.7
  //  arithmetic /, arithmetic % 0.6
  %   arithmetic // 0.7
  and logic or
  or  logic and`);
const ofScript = signTable(`
  === equality !==, boundary <= 0.3, boundary >= 0.3
  !== equality ===, direction > 0.3, direction < 0.3
  &&  logic ||
  ||  logic &&, logic ?? 0.4
  ??  logic || 0.6
  >>  arithmetic << 0.5, arithmetic >>> 0.3
  >>> arithmetic >> 0.4
  ++  arithmetic -- 0.6
  --  arithmetic ++ 0.6`);

function signTable(rows: string): ReadonlyMap<string, readonly SignRow[]> {
  return new Map(
    rows
      .trim()
      .split("\n")
      .map((row) => {
        const [, sign = "", changes = ""] = /^\s*(\S+)\s+(.*)$/.exec(row) ?? [];
        return [
          sign,
          changes.split(", ").map((change) => {
            const [kind, to = "", odds = "1"] = change.split(" ");
            return [kind as Kind, to, Number(odds)];
          }),
        ];
      }),
  );
}

export function* signChanges(area: Area): Changes {
  const { source } = area;
  const own = source.language === "python" ? ofPython : ofScript;
  for (const [at, { text, kind }] of each(area)) {
    if (kind === "text" || kind === "number") continue;
    const rows = own.get(text) ?? common.get(text);
    if (rows === undefined || !isOperator(area, at)) continue;
    for (const [change, to, odds] of rows) {
      // No other operator works on strings.
      if (change === "arithmetic" && isTextual(area, at)) continue;
      yield replace(area, change, at, at + 1, to, odds);
    }
  }
}

function isTextual({ source: { tokens } }: Area, at: number): boolean {
  return tokens[at]?.text === "+" && (tokens[at - 1]?.kind === "text" || tokens[at + 1]?.kind === "text");
}

/** Excludes generic types, stars before arguments and signs before a value. */
function isOperator({ source }: Area, at: number): boolean {
  const { tokens, text, language } = source;
  const token = tokens[at]!;
  if (["++", "--"].includes(token.text)) return true;
  if (!isBetween(source, at)) return false;
  const isAngle = language === "script" && /^[<>]/.test(token.text);
  return !isAngle || (text[token.start - 1] === " " && text[token.end] === " ");
}

const inverse = new Map([
  ["in", "not in"],
  ["is", "is not"],
]);

/** Inverts conditions with `not`, `!`, `in` and `is`. */
export function* negations(area: Area): Changes {
  const { source } = area;
  const { tokens } = source;
  for (const [at, { text, kind }] of each(area)) {
    const next = tokens[at + 1];
    if (text === "not" && kind === "name") {
      if (next?.text === "in") yield replace(area, "equality", at, at + 2, "in");
      else if (tokens[at - 1]?.text === "is") yield replace(area, "equality", at - 1, at + 1, "is");
      else if (next !== undefined) yield removal(area, at);
    } else if (text === "!" && kind === "sign" && next !== undefined) yield removal(area, at);
    else if (inverse.has(text) && kind === "name" && next?.text !== "not" && tokens[at - 1]?.text !== "not") {
      const isChecked = source.language === "python" && !isLoop(area, at);
      if (isChecked) yield replace(area, "equality", at, at + 1, inverse.get(text) ?? "");
    } else if (["if", "elif", "while"].includes(text) && kind === "name") yield* turned(area, at);
  }
}

function removal(area: Area, at: number): Change {
  const { start } = area.source.tokens[at + 1]!;
  return { ...replace(area, "negation", at, at + 1, "", 1.4), end: start };
}

/** `for x in xs`, also in a comprehension. */
function isLoop({ source: { tokens } }: Area, at: number): boolean {
  for (let i = at - 1; i >= 0 && at - i < 12; i--) {
    const { kind, text } = tokens[i]!;
    if (text === "for") return true;
    if (kind === "end" || text === "if" || text === "and" || text === "or") return false;
  }
  return false;
}

const comparing = new Set(["<", ">", "<=", ">=", "==", "!=", "===", "!=="]);

/** Negates a condition that is more than one comparison. */
function turned(area: Area, at: number): readonly Change[] {
  const { source } = area;
  const { tokens, partner, language } = source;
  const odds = tokens[at]?.text === "while" ? 0.2 : 1;
  if (language === "script") {
    const close = tokens[at + 1]?.text === "(" ? (partner[at + 1] ?? -1) : -1;
    const inside = tokens.slice(at + 2, close);
    if (close === -1 || isPlainComparison(inside) || inside[0]?.text === "!") return [];
    const isOne = inside.every(({ kind, text }) => kind === "name" || text === ".");
    const text = textOf(source, at + 2, close);
    return [replace(area, "negation", at + 2, close, isOne ? `!${text}` : `!(${text})`, odds)];
  }
  let end = at + 1;
  while (
    end < tokens.length &&
    tokens[end]?.text !== ":" &&
    tokens[end]?.kind !== "end" &&
    tokens[end]?.text !== "else"
  ) {
    end = partner[end]! > end ? partner[end]! + 1 : end + 1;
  }
  // Inside a comprehension the condition ends with its bracket.
  while (end > at + 1 && [")", "]", "}"].includes(tokens[end - 1]?.text ?? "") && partner[end - 1]! < at) end--;
  const inside = tokens.slice(at + 1, end);
  if (inside.length === 0 || isPlainComparison(inside) || inside[0]?.text === "not") return [];
  const isOne = inside.every(({ text }) => !["and", "or"].includes(text));
  const text = textOf(source, at + 1, end);
  return [replace(area, "negation", at + 1, end, isOne ? `not ${text}` : `not (${text})`, odds)];
}

function isPlainComparison(tokens: readonly { readonly text: string }[]): boolean {
  const signs = tokens.filter(({ text }) => comparing.has(text) || text === "in" || text === "is");
  return signs.length === 1 && !tokens.some(({ text }) => ["and", "or", "&&", "||"].includes(text));
}

/** `-x` for `x`, for an initial smallest or largest value. */
export function* signOfLimits(area: Area): Changes {
  const { tokens } = area.source;
  for (const [at, token] of each(area)) {
    const isLimit = token.text === "Infinity" || (token.text === "float" && /inf/.test(tokens[at + 2]?.text ?? ""));
    const before = tokens[at - 1];
    if (isLimit && before?.text !== "-") yield insert(area, "step", token, "before", "-");
    if (isLimit && before?.text === "-") yield { ...replace(area, "step", at - 1, at, ""), end: token.start };
  }
}

const opposite: Readonly<Record<string, string>> = { True: "False", False: "True", true: "false", false: "true" };

export function* truths(area: Area): Changes {
  for (const [at, { kind, text }] of each(area)) {
    const other = kind === "name" && Object.hasOwn(opposite, text) ? opposite[text] : undefined;
    if (other !== undefined) yield replace(area, "truth", at, at + 1, other);
  }
}
