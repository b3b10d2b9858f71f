import type { Source } from "./outline.ts";
import type { Token } from "./token.ts";

const keywords = new Set(
  `and or not in is if else elif for while return yield lambda def class import from as with try except finally raise pass
  break continue global nonlocal del assert await async None True False const let var function new typeof instanceof of
  switch case default throw catch do delete void null undefined true false this self super extends export static get set
  interface type enum public private protected readonly implements`.split(/\s+/),
);
const values = new Set(["None", "True", "False", "null", "undefined", "true", "false", "this", "self", "super"]);

export function isKeyword(text: string): boolean {
  return keywords.has(text);
}

export function isValue(token: Token | undefined): boolean {
  if (token === undefined || token.kind === "end") return false;
  if (token.kind === "sign") return token.text === ")" || token.text === "]" || token.text === "}";
  return token.kind !== "name" || !keywords.has(token.text) || values.has(token.text);
}

/** Whether a sign is a binary operator. */
export function isBetween({ tokens }: Source, at: number): boolean {
  return isValue(tokens[at - 1]) && tokens[at + 1] !== undefined && tokens[at + 1]?.kind !== "end";
}

const weak = new Set(
  (
    "= += -= *= /= %= //= **= && || ?? and or not if else ? : , ; return in is of => for while yield lambda " +
    "( [ { ) ] } ! await ... := const let var case throw raise assert elif &&= ||= ??="
  ).split(" "),
);
const comparing = new Set(["<", ">", "<=", ">=", "==", "!=", "===", "!==", "instanceof"]);
const adding = new Set(["+", "-"]);
const multiplying = new Set(["*", "/", "//", "%", "**"]);

/** The signs that end an operand of this sign: those of equal or weaker binding. */
function stopsFor(sign: string): ReadonlySet<string> {
  if (comparing.has(sign)) return new Set([...weak, ...comparing]);
  return adding.has(sign)
    ? new Set([...weak, ...comparing, ...adding])
    : new Set([...weak, ...comparing, ...adding, ...multiplying]);
}

/** Index of the first token of the operand that ends before `at`. */
export function leftOperand({ tokens, partner }: Source, at: number): number {
  const stops = stopsFor(tokens[at]?.text ?? "");
  let first = at;
  for (let i = at - 1; i >= 0; i--) {
    const token = tokens[i]!;
    if (partner[i]! >= 0 && partner[i]! < i) i = partner[i]!;
    else if (token.kind === "end" || (token.kind !== "text" && stops.has(token.text)) || partner[i]! > i) break;
    first = i;
  }
  return first;
}

/** Index after the last token of the operand that begins after `at`. */
export function rightOperand({ tokens, partner }: Source, at: number): number {
  const stops = stopsFor(tokens[at]?.text ?? "");
  let last = at + 1;
  for (let i = at + 1; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (partner[i]! > i) i = partner[i]!;
    else if (token.kind === "end" || (i > at + 1 && token.kind !== "text" && stops.has(token.text))) break;
    else if (partner[i]! >= 0 && partner[i]! < i) break;
    last = i + 1;
  }
  return last;
}

export interface Part {
  readonly from: number;
  readonly to: number;
}

export function partsIn({ tokens, partner }: Source, open: number, between = ","): readonly Part[] {
  const close = partner[open] ?? -1;
  const parts: Part[] = [];
  let from = open + 1;
  for (let at = open + 1; at <= close; at++) {
    if (partner[at]! > at) at = partner[at]!;
    else if (at === close || tokens[at]?.text === between) {
      parts.push({ from, to: at });
      from = at + 1;
    }
  }
  return parts.length === 1 && parts[0]!.from === parts[0]!.to ? [] : parts;
}

export function textOf({ text, tokens }: Source, from: number, to: number): string {
  const [first, last] = [tokens[from], tokens[to - 1]];
  return first === undefined || last === undefined || to <= from ? "" : text.slice(first.start, last.end);
}

/** The name before the bracket of a call or an index. */
export function calledName({ tokens }: Source, open: number): string | null {
  const before = tokens[open - 1];
  return before?.kind === "name" && !keywords.has(before.text) ? before.text : null;
}
