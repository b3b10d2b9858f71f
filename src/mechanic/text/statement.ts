import { type Area, indentAt } from "../area.ts";
import { columnOf, type Source } from "./outline.ts";

/** A simple statement, or the head of a compound one. `to` is after its last token and excludes `;`. */
export interface Statement {
  readonly from: number;
  readonly to: number;
  readonly indent: number;
  /** The enclosing brace, or -1; always -1 in Python. */
  readonly block: number;
}

export function statementsIn({ source, routine, from, to }: Area): readonly Statement[] {
  const start = routine === null ? from : Math.max(from, routine.body);
  return source.language === "python" ? pythonStatements(source, start, to) : scriptStatements(source, start, to);
}

function pythonStatements(source: Source, from: number, to: number): readonly Statement[] {
  const { tokens } = source;
  const found: Statement[] = [];
  let first = from;
  for (let at = from; at < to; at++) {
    if (tokens[at]?.kind !== "end") continue;
    if (at > first) found.push({ from: first, to: at, indent: columnOf(source, tokens[first]!), block: -1 });
    first = at + 1;
  }
  return found;
}

/** Statements that end with a semicolon or with their block. */
function scriptStatements(source: Source, from: number, to: number): readonly Statement[] {
  const { tokens, partner } = source;
  const found: Statement[] = [];
  const blocks: number[] = [];
  let first = from;
  const close = (at: number, next: number): void => {
    const head = tokens[first];
    if (at > first && head !== undefined) {
      found.push({ from: first, to: at, indent: indentAt(source, head).length, block: blocks.at(-1) ?? -1 });
    }
    first = next;
  };
  for (let at = from; at < to; at++) {
    const { text, kind } = tokens[at]!;
    if (kind !== "sign") continue;
    if (text === "{" && isBlock(source, at)) {
      close(at, at + 1);
      blocks.push(at);
    } else if (text === "}" && blocks.at(-1) === partner[at]) {
      close(at, at + 1);
      blocks.pop();
    } else if (text === ";") close(at, at + 1);
    else if ((text === "(" || text === "[") && partner[at]! > at && !holdsBlock(source, at)) at = partner[at]!;
  }
  return found;
}

/** Whether a brace opens statements rather than an object. */
function isBlock({ tokens }: Source, at: number): boolean {
  const before = tokens[at - 1]?.text ?? "";
  return [")", "=>", "else", "try", "finally", "do", "{", "}", ";"].includes(before) || before === "";
}

/** Whether the arguments contain a callback with a body. */
function holdsBlock(source: Source, open: number): boolean {
  for (let at = open + 1; at < source.partner[open]!; at++) {
    if (source.tokens[at]?.text === "{" && isBlock(source, at)) return true;
  }
  return false;
}

const compound = new Set(
  (
    "if elif else for while def class with try except finally return raise throw import from pass break continue " +
    "switch case default const let var function do async global assert export yield"
  ).split(" "),
);
const assigning = /^(?:=|\+=|-=|\*=|\/=|\/\/=|%=|\*\*=|&&=|\|\|=|\?\?=|:=|\+\+|--)$/;

/** A value that is computed and discarded. */
export function isBareValue({ tokens, partner }: Source, { from, to }: Statement): boolean {
  const first = tokens[from];
  if (first === undefined || (first.kind === "name" && compound.has(first.text)) || first.kind === "text") return false;
  if (first.kind === "sign" && !"([{+-!~".includes(first.text)) return false;
  for (let at = from; at < to; at++) {
    if (assigning.test(tokens[at]!.text) && tokens[at]!.kind === "sign") return false;
    if (partner[at]! > at) at = partner[at]!;
  }
  return true;
}

export function assignedName({ tokens }: Source, { from }: Statement): string | null {
  const at = ["const", "let", "var"].includes(tokens[from]?.text ?? "") ? from + 1 : from;
  return tokens[at]?.kind === "name" && tokens[at + 1]?.text === "=" ? tokens[at]!.text : null;
}
