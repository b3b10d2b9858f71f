import { type Language, languageOf, type Token, tokenize } from "./token.ts";

/** A named function. `from`, `body` and `to` are token indexes in its source; `to` is exclusive. */
export interface Routine {
  readonly name: string;
  readonly owner: string | null;
  readonly params: readonly string[];
  readonly isAsync: boolean;
  readonly from: number;
  readonly body: number;
  readonly to: number;
}

export interface Source {
  readonly path: string;
  readonly language: Language;
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly partner: readonly number[];
  readonly routines: readonly Routine[];
}

interface Block {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** `null` for an unsupported language. */
export function sourceOf(path: string, text: string): Source | null {
  const language = languageOf(path);
  if (language === null) return null;
  const tokens = tokenize(text, language);
  const partner = partnersOf(tokens);
  const bare = { path, language, text, tokens, partner, routines: [] };
  const found = language === "python" ? pythonBlocks(bare) : scriptBlocks(bare);
  return { ...bare, routines: found.routines.map((one) => ({ ...one, owner: ownerOf(one, found.classes) })) };
}

function partnersOf(tokens: readonly Token[]): readonly number[] {
  const partner = new Array<number>(tokens.length).fill(-1);
  const open: number[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== "sign") continue;
    if ("([{".includes(text)) open.push(at);
    else if (")]}".includes(text)) {
      const other = open.pop();
      if (other === undefined) continue;
      partner[at] = other;
      partner[other] = at;
    }
  }
  return partner;
}

type Draft = Omit<Routine, "owner">;
interface Blocks {
  readonly routines: readonly Draft[];
  readonly classes: readonly Block[];
}

function ownerOf({ from }: Draft, classes: readonly Block[]): string | null {
  return classes.findLast((one) => one.from < from && from < one.to)?.name ?? null;
}

export function columnOf({ text }: Pick<Source, "text">, { start }: Token): number {
  return start - (text.lastIndexOf("\n", start - 1) + 1);
}

function pythonBlocks(source: Source): Blocks {
  const { tokens, partner } = source;
  const routines: Draft[] = [];
  const classes: Block[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    const name = tokens[at + 1];
    if (kind !== "name" || name?.kind !== "name") continue;
    if (text === "class") classes.push({ name: name.text, from: at, to: blockEnd(source, at) });
    const close = text === "def" ? (partner[at + 2] ?? -1) : -1;
    if (close === -1) continue;
    const isAsync = tokens[at - 1]?.text === "async";
    const colon = signBehind(tokens, close, ":");
    const params = paramsIn(source, at + 2, close);
    routines.push({ name: name.text, params, isAsync, from: at, body: colon + 1, to: blockEnd(source, at) });
  }
  return { routines, classes };
}

function signBehind(tokens: readonly Token[], from: number, sign: string): number {
  for (let at = from + 1; at < tokens.length; at++) if (tokens[at]?.text === sign) return at;
  return -1;
}

function blockEnd(source: Source, from: number): number {
  const { tokens } = source;
  let first = from;
  while (first > 0 && tokens[first - 1]?.kind !== "end") first--;
  const indent = columnOf(source, tokens[first]!);
  let at = from;
  for (;;) {
    while (at < tokens.length && tokens[at]?.kind !== "end") at++;
    const next = tokens[at + 1];
    if (next === undefined || columnOf(source, next) <= indent) return Math.min(at + 1, tokens.length);
    at++;
  }
}

/** Parameter names, without types, defaults and stars. */
function paramsIn({ tokens, partner }: Source, open: number, close: number): readonly string[] {
  const names: string[] = [];
  let isStart = true;
  for (let at = open + 1; at < close; at++) {
    const { kind, text } = tokens[at]!;
    if (kind === "name" && isStart) {
      names.push(text);
      isStart = false;
    } else if (text === ",") isStart = true;
    else if (partner[at]! > at && !isStart) at = partner[at]!;
  }
  return names;
}

const notMethods = new Set(["if", "for", "while", "switch", "catch", "function", "return", "with", "super", "await"]);

function scriptBlocks(source: Source): Blocks {
  const { tokens } = source;
  const routines: Draft[] = [];
  const classes: Block[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (text === "class" && tokens[at + 1]?.kind === "name") {
      const open = signBehind(tokens, at, "{");
      if (open !== -1) classes.push({ name: tokens[at + 1]!.text, from: at, to: source.partner[open]! + 1 });
    }
    const found = text === "=>" ? arrowAt(source, at) : kind === "name" ? namedAt(source, at) : null;
    if (found !== null) routines.push(found);
  }
  return { routines: routines.sort((a, b) => a.from - b.from), classes };
}

/** `function name(…) {`, `name = function (…) {`, and `name(…) {` in a class or an object. */
function namedAt(source: Source, at: number): Draft | null {
  const { tokens, partner } = source;
  const { text } = tokens[at]!;
  const before = tokens[at - 1]?.text ?? "";
  const isFunction = text === "function";
  if (!isFunction && (notMethods.has(text) || before === "." || before === "new" || before === "function")) return null;
  let open = at + 1;
  if (isFunction && tokens[open]?.text === "*") open++;
  const own = isFunction && tokens[open]?.kind === "name" ? tokens[open++]!.text : null;
  if (tokens[open]?.text === "<") while (open < tokens.length && tokens[open]?.text !== "(") open++;
  const close = tokens[open]?.text === "(" ? (partner[open] ?? -1) : -1;
  if (close === -1) return null;
  const body = bodyBehind(source, close);
  if (body === null) return null;
  const name = isFunction ? (own ?? assignedTo(source, at)) : text;
  if (name === null) return null;
  const isAsync = before === "async";
  return { name, params: paramsIn(source, open, close), isAsync, from: at, body, to: partner[body]! + 1 };
}

function bodyBehind({ tokens, partner }: Source, close: number): number | null {
  let at = close + 1;
  if (tokens[at]?.text === ":") while (at < tokens.length && at < close + 30 && tokens[at]?.text !== "{") at++;
  return tokens[at]?.text === "{" && partner[at]! > at ? at : null;
}

function arrowAt(source: Source, arrow: number): Draft | null {
  const { tokens, partner } = source;
  const last = tokens[arrow - 1];
  let from = last?.text === ")" ? (partner[arrow - 1] ?? -1) : arrow - 1;
  if (from < 0) return null;
  const params = last?.text === ")" ? paramsIn(source, from, arrow - 1) : [last?.text ?? ""];
  const isAsync = tokens[from - 1]?.text === "async";
  if (isAsync) from--;
  const name = assignedTo(source, from);
  if (name === null) return null;
  const body = arrow + 1;
  const to = tokens[body]?.text === "{" ? partner[body]! + 1 : expressionEnd(source, body);
  return { name, params, isAsync, from, body, to };
}

/** `name = `, `name: `, `a.name = ` or `export default` before a function. */
function assignedTo({ tokens }: Source, from: number): string | null {
  const sign = tokens[from - 1]?.text;
  if (sign === "default") return sign;
  const before = tokens[from - 2];
  return (sign === "=" || sign === ":") && before?.kind === "name" ? before.text : null;
}

const starts = new Set(["const", "let", "var", "export", "function", "return", "import", "class", "module", "exports"]);

export function expressionEnd({ tokens, partner }: Source, from: number): number {
  for (let at = from; at < tokens.length; at++) {
    const { text, kind, line } = tokens[at]!;
    if (kind === "end" || ",;)]}".includes(text)) return at;
    if (at > from && starts.has(text) && line > tokens[at - 1]!.line) return at;
    if (partner[at]! > at) at = partner[at]!;
  }
  return tokens.length;
}
