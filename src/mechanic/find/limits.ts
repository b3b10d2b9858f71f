// A value that must not fall below, or rise above, another: `max`, `min` and `abs`, missing or too many.
import { type Area, type Changes, type Clues, each, replace } from "../area.ts";
import { calledName, isKeyword, leftOperand, partsIn, textOf } from "../text/span.ts";
import { type Statement, statementsIn } from "../text/statement.ts";
import type { Change } from "./kind.ts";

export function* limits(area: Area, clues: Clues): Changes {
  const isNumeric = clues.evidence.some(({ pair }) => typeof pair?.got === "number" || Array.isArray(pair?.got));
  yield* fewer(area);
  if (!isNumeric) return;
  const seen = new Set(area.routine?.params);
  for (const one of statementsIn(area)) {
    yield* guarded(area, one, seen);
    for (const name of namesIn(area, one.from, one.to, mostNames)) seen.add(name);
  }
}

interface Target {
  readonly text: string;
  readonly sign: number;
}

/** What is assigned to: a name, an element or a member. */
function targetOf({ source }: Area, { from, to }: Statement): Target | null {
  const { tokens, partner } = source;
  const start = ["const", "let", "var"].includes(tokens[from]?.text ?? "") ? from + 1 : from;
  for (let at = start; at < Math.min(to, start + 16); at++) {
    if (tokens[at]?.text === "=") return { text: textOf(source, start, at), sign: at };
    if (partner[at]! > at) at = partner[at]!;
    else if (tokens[at]?.kind !== "name" && ![".", "]"].includes(tokens[at]?.text ?? "")) return null;
  }
  return null;
}

function guarded(area: Area, one: Statement, seen: ReadonlySet<string>): readonly Change[] {
  const { source } = area;
  const { tokens, partner } = source;
  const target = targetOf(area, one);
  if (target === null) return [];
  const [from, to] = [target.sign + 1, one.to];
  const value = textOf(source, from, to);
  if (
    value === "" ||
    /^["'`{\d]|=>|^(?:max|min|Math\.(?:max|min)|None|null|True|False|true|false|new|await)\b/.test(value)
  )
    return [];
  const isAgain = seen.has(target.text) || /[\].]/.test(target.text);
  // Each element of a tuple or a list that replaces another.
  if (tokens[from]?.text === "(" || tokens[from]?.text === "[") {
    if (partner[from] !== to - 1 || !isAgain) return [];
    return partsIn(source, from).flatMap((part, at) => {
      const text = textOf(source, part.from, part.to);
      const before = `${target.text}[${at}]`;
      return text === before ? [] : either(area, part.from, part.to, before, text, 0.4);
    });
  }
  const others = namesIn(area, from, to).filter((name) => name !== target.text);
  return [
    ...(isAgain ? either(area, from, to, target.text, value, 0.7) : []),
    ...(isAgain ? others.flatMap((name) => either(area, from, to, name, value, 0.35)) : []),
    ...(/[-+*/]/.test(value) ? either(area, from, to, "0", value, 0.3) : []),
  ];
}

const mostNames = 12;

function namesIn({ source: { tokens } }: Area, from: number, to: number, most = 3): readonly string[] {
  const names = tokens
    .slice(from, to)
    .filter(
      ({ kind, text }, at, all) =>
        kind === "name" && !isKeyword(text) && all[at - 1]?.text !== "." && !/^[([.]$/.test(all[at + 1]?.text ?? ""),
    );
  return [...new Set(names.map(({ text }) => text))].slice(0, most);
}

function either(area: Area, from: number, to: number, a: string, b: string, odds: number): readonly Change[] {
  const prefix = area.source.language === "python" ? "" : "Math.";
  return ["max", "min"].map((name) => replace(area, "limit", from, to, `${prefix}${name}(${a}, ${b})`, odds));
}

/** One argument instead of the larger, and a distance without its sign. */
function* fewer(area: Area): Changes {
  const { source } = area;
  const { tokens, partner } = source;
  for (const [at, { text, kind }] of each(area)) {
    if (kind === "sign" && /^[<>]=?$/.test(text)) {
      const from = leftOperand(source, at);
      const left = textOf(source, from, at);
      const abs = source.language === "python" ? "abs" : "Math.abs";
      if (/ - /.test(left) && !left.startsWith(abs)) yield replace(area, "limit", from, at, `${abs}(${left}) `, 0.5);
    }
    const name = text === "(" ? calledName(source, at) : null;
    if (name === null || !["max", "min", "abs"].includes(name)) continue;
    const first = tokens[at - 2]?.text === "." ? at - 3 : at - 1;
    const parts = partsIn(source, at);
    if (parts.length > 2 || (parts.length === 1 && name !== "abs")) continue;
    for (const part of parts) {
      const inner = textOf(source, part.from, part.to);
      if (!inner.includes("=")) yield replace(area, "limit", first, partner[at]! + 1, inner, 0.3);
    }
  }
}
