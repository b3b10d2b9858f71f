// The parts of CSS that decide what a reader of a page sees. Each character is visited a bounded number of times.

/** Keyed by lower-case property, resolved within one declaration list. */
export type Declarations = ReadonlyMap<string, { readonly value: string; readonly isImportant: boolean }>;

export interface StyleRule {
  /** As written, with the selectors of enclosing rules inserted. */
  readonly selectors: readonly string[];
  readonly declarations: Declarations;
}

const maxDepth = 20;
const maxSelectors = 500;
const maxRules = 20_000;

/** Properties that can hide an element or show it again. */
const wanted =
  /^(?:--.+|display|visibility|opacity|font|font-size|color|background|background-color|(?:max-)?(?:width|height|inline-size|block-size)|overflow(?:-[xy])?|clip|(?:-webkit-)?clip-path|position|left|right|top|bottom|inset(?:-.+)?|text-indent|margin(?:-left|-top|-inline-start)?|(?:-webkit-)?transform|translate|scale|zoom|(?:-webkit-)?filter|content-visibility|-webkit-text-fill-color|all)$/;

function plain(css: string): string {
  if (!/\/\*|\\/.test(css)) return css;
  return css
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ")
    .replace(/\\([0-9a-f]{1,6})\s?|\\([^\n])/gi, (_, code: string | undefined, one: string | undefined) =>
      code === undefined ? (one ?? "") : letter(Number.parseInt(code, 16)),
    );
}

function letter(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}

/** A cache: pages repeat their style attributes. */
const known = new Map<string, Declarations>();

export function declarationsOf(text: string): Declarations {
  const read = known.get(text);
  if (read) return read;
  const found = new Map<string, { value: string; isImportant: boolean }>();
  for (const { text: piece } of new Pieces(plain(text)).all()) add(found, piece);
  if (known.size > 500) known.clear();
  if (text.length < 1_000) known.set(text, found);
  return found;
}

function add(found: Map<string, { value: string; isImportant: boolean }>, piece: string): void {
  const colon = piece.indexOf(":");
  if (colon === -1) return;
  const property = piece.slice(0, colon).trim().toLowerCase();
  if (!wanted.test(property)) return;
  const declared = piece.slice(colon + 1).trim();
  const isImportant = /!\s*important$/i.test(declared);
  if (found.get(property)?.isImportant === true && !isImportant) return;
  found.set(property, { value: declared.replace(/\s*!\s*important$/i, "").toLowerCase(), isImportant });
}

/** The rules that apply on screen, in order. */
export function rulesOf(css: string): readonly StyleRule[] {
  const rules: StyleRule[] = [];
  read(new Pieces(plain(css.replace(/<!--|-->/g, " "))), null, 0, rules);
  return rules;
}

/** `around`: the selectors of the enclosing rule. */
function read(pieces: Pieces, around: readonly string[] | null, depth: number, rules: StyleRule[]): void {
  const own = new Map<string, { value: string; isImportant: boolean }>();
  if (around) rules.push({ selectors: around, declarations: own });
  for (const { text, block } of pieces.all()) {
    if (block === null) add(own, text);
    else if (depth < maxDepth && rules.length < maxRules) readBlock(text.trim(), block, around, depth, rules);
  }
}

function readBlock(
  head: string,
  block: Pieces,
  around: readonly string[] | null,
  depth: number,
  rules: StyleRule[],
): void {
  if (!head.startsWith("@")) {
    read(block, joined(around, splitAt(head, ",")), depth + 1, rules);
    return;
  }
  const [, name = "", rest = ""] = /^@([\w-]+)\s*([\s\S]*)$/.exec(head) ?? [];
  const holds = name === "media" ? holdsOnScreen(rest) : /^(?:supports|layer|container|scope)$/i.test(name);
  if (holds) read(block, around, depth + 1, rules);
}

function joined(around: readonly string[] | null, own: readonly string[]): readonly string[] {
  if (around === null) return own.slice(0, maxSelectors);
  const all = around.flatMap((outer) =>
    own.map((inner) => (inner.includes("&") ? inner.replaceAll("&", outer) : `${outer} ${inner}`)),
  );
  return all.filter(({ length }) => length < 1_000).slice(0, maxSelectors);
}

interface CssPiece {
  readonly text: string;
  readonly block: Pieces | null;
}

class Pieces {
  private readonly css: string;
  private readonly to: number;
  private at: number;

  constructor(css: string, at = 0, to = css.length) {
    this.css = css;
    this.at = at;
    this.to = to;
  }

  *all(): Generator<CssPiece> {
    while (this.at < this.to) {
      const start = this.at;
      const end = passed(this.css, start, this.to, ";{}");
      const text = this.css.slice(start, end);
      if (this.css[end] !== "{" || end >= this.to) {
        this.at = end + 1;
        if (text.trim() !== "") yield { text, block: null };
        continue;
      }
      const close = blockEnd(this.css, end + 1, this.to);
      this.at = close + 1;
      yield { text, block: new Pieces(this.css, end + 1, close) };
    }
  }
}

function blockEnd(css: string, from: number, to: number): number {
  let depth = 1;
  for (let at = from; at < to; at++) {
    at = passed(css, at, to, "{}");
    if (at >= to) return to;
    depth += css[at] === "{" ? 1 : -1;
    if (depth === 0) return at;
  }
  return to;
}

/** The index of the next top-level sign; `to` if there is none. */
function passed(css: string, from: number, to: number, signs: string): number {
  let nested = 0;
  for (let at = from; at < to; at++) {
    const sign = css[at] ?? "";
    if (sign === '"' || sign === "'") {
      const end = css.indexOf(sign, at + 1);
      at = end === -1 || end > to ? to : end;
    } else if (sign === "(" || sign === "[") nested++;
    else if (sign === ")" || sign === "]") nested = Math.max(0, nested - 1);
    // A brace closes any open bracket.
    else if (signs.includes(sign) && (nested === 0 || sign === "{" || sign === "}")) return at;
  }
  return to;
}

export function splitAt(text: string, sign: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = passed(text, at, text.length, sign);
    found.push(text.slice(at, end).trim());
    at = end + 1;
  }
  return found.filter((one) => one !== "");
}

const screenWidth = 1280;

/** Whether a media query matches an ordinary screen. Unknown conditions count as met: then less is read, not more. */
export function holdsOnScreen(query: string): boolean {
  const all = splitAt(query.toLowerCase(), ",");
  return all.length === 0 || all.some(queryHolds);
}

function queryHolds(query: string): boolean {
  const isNot = /^not\s/.test(query);
  const holds = query.split(/\sand\s/).every((part) => {
    const [, edge, feature, amount = "", unit = ""] =
      /(min|max)-(width|device-width)\s*:\s*([\d.]+)(px|r?em)?/.exec(part) ?? [];
    if (feature !== undefined) {
      const width = Number(amount) * (unit.endsWith("em") ? 16 : 1);
      return edge === "min" ? width <= screenWidth : width >= screenWidth;
    }
    return !/\b(?:print|speech|aural|tty)\b|prefers-color-scheme\s*:\s*dark|prefers-contrast|forced-colors\s*:\s*active/.test(
      part,
    );
  });
  return holds !== isNot;
}
