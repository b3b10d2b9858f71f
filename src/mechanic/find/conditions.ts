// Conditions that ask too much, too little, or nothing at all.
import { type Area, type Changes, each, replace } from "../area.ts";
import { isKeyword, leftOperand, rightOperand, textOf } from "../text/span.ts";
import { statementsIn } from "../text/statement.ts";
import type { Change } from "./kind.ts";
import { scopeOf } from "./names.ts";

const both = new Set(["and", "or", "&&", "||"]);

/** `a` or `b` for `a and b`. */
export function* conjuncts(area: Area): Changes {
  const { source } = area;
  for (const [at, { text, kind }] of each(area)) {
    if (kind === "text" || !both.has(text)) continue;
    const [from, to] = [leftOperand(source, at), rightOperand(source, at)];
    const [left, right] = [textOf(source, from, at), textOf(source, at + 1, to)];
    if (left === "" || right === "") continue;
    yield replace(area, "logic", from, to, left, 0.35);
    yield replace(area, "logic", from, to, right, 0.35);
  }
}

/** `while queue` for `while True`. */
export function* endless(area: Area): Changes {
  const { source } = area;
  const { tokens, language } = source;
  const isPython = language === "python";
  for (const [at, { text, kind }] of each(area)) {
    if (text !== "while" || kind !== "name") continue;
    const inner = isPython ? at + 1 : at + 2;
    if (!["True", "true"].includes(tokens[inner]?.text ?? "")) continue;
    for (const name of containersOf(area))
      yield replace(area, "guard", inner, inner + 1, isPython ? name : `${name}.length > 0`, 2.5);
    for (const name of [...scopeOf(area).names].slice(0, 8))
      yield replace(area, "guard", inner, inner + 1, isPython ? name : `${name} !== null`, 0.7);
  }
}

const changing = /^(?:pop|popleft|append|appendleft|add|push|shift|unshift|extend|insert|remove|get|put)$/;

/** Names on which things are put and from which they are taken. */
export function containersOf(area: Area): readonly string[] {
  const { tokens } = area.source;
  const found = new Set<string>();
  for (const [at, { kind, text }] of each(area)) {
    const isOne = kind === "name" && tokens[at + 1]?.text === "." && changing.test(tokens[at + 2]?.text ?? "");
    if (isOne && tokens[at + 3]?.text === "(" && tokens[at - 1]?.text !== "." && !isKeyword(text)) found.add(text);
  }
  return [...found];
}

/** Looks whether something is there, before its members are asked for. */
export function* presence(area: Area): Changes {
  const { source } = area;
  const { partner, language } = source;
  const isPython = language === "python";
  for (const [at, { text, kind }] of each(area)) {
    if (kind !== "name" || !["if", "elif", "while"].includes(text)) continue;
    const from = isPython ? at + 1 : at + 2;
    const to = isPython ? colonBehind(area, from) : (partner[at + 1] ?? -1);
    const condition = textOf(source, from, to);
    if (to <= from || condition === "") continue;
    for (const root of rootsIn(area, from, to)) {
      const [and, or, not] = isPython ? [" and ", " or ", "not "] : [" && ", " || ", "!"];
      const isMixed = / or | and |&&|\|\|/.test(condition);
      const inner = isMixed ? `(${condition})` : condition;
      yield replace(area, "guard", from, to, `${root}${and}${inner}`, text === "while" ? 1.2 : 0.9);
      if (text !== "while") yield replace(area, "guard", from, to, `${not}${root}${or}${inner}`, 0.9);
    }
  }
}

function colonBehind({ source: { tokens, partner } }: Area, from: number): number {
  for (let at = from; at < tokens.length && tokens[at]?.kind !== "end"; at++) {
    if (partner[at]! > at) at = partner[at]!;
    else if (tokens[at]?.text === ":") return at;
  }
  return -1;
}

/** `a` of `a.b`, `a[…]`, and `a.b` of `a.b.c`. */
function rootsIn({ source }: Area, from: number, to: number): readonly string[] {
  const { tokens } = source;
  const found = new Set<string>();
  for (let at = from; at < to; at++) {
    const { kind, text } = tokens[at]!;
    if (kind !== "name" || isKeyword(text) || tokens[at - 1]?.text === "." || text === "Math") continue;
    let end = at + 1;
    while ([".", "["].includes(tokens[end]?.text ?? "") && end < to) {
      found.add(textOf(source, at, end));
      if (tokens[end]?.text === "[") break;
      end += 2;
    }
  }
  return [...found].slice(0, 4);
}

/** At the end of a function: whether nothing is left, instead of always the same. */
export function* finalAnswers(area: Area): Changes {
  const { source } = area;
  const { tokens } = source;
  const isPython = source.language === "python";
  const last = statementsIn(area).at(-1);
  if (last === undefined || tokens[last.from]?.text !== "return" || last.to !== last.from + 2) return;
  if (!/^(?:true|false)$/i.test(tokens[last.from + 1]?.text ?? "")) return;
  const params = new Set(area.routine?.params);
  const containers = new Set(containersOf(area));
  for (const name of [...scopeOf(area).names].filter((one) => !params.has(one)).slice(0, 6)) {
    const put = (text: string, odds: number): Change =>
      replace(area, "guard", last.from + 1, last.from + 2, text, odds);
    if (isPython) yield put(`not ${name}`, 1);
    else yield put(containers.has(name) ? `${name}.length === 0` : `${name} === 0`, 1);
    if (isPython && !containers.has(name)) yield put(`${name} == 0`, 1.1);
  }
}
