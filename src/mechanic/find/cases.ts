// Changes for an unhandled case: an empty value, a missing key, another order.
import { type Area, type Changes, type Clues, each, type Finder, indentAt, insert, replace } from "../area.ts";
import { isBetween, isValue, leftOperand, rightOperand, textOf } from "../text/span.ts";
import { statementsIn } from "../text/statement.ts";
import type { Change } from "./kind.ts";

export const guards: Finder = (area, clues) => {
  const { source, routine } = area;
  const [first] = statementsIn(area);
  if (routine === null || first === undefined) return [];
  const params = routine.params.filter((name) => !["self", "cls", "this"].includes(name));
  const [param] = params;
  const isPython = source.language === "python";
  const token = firstToken(area, first.from);
  if (param === undefined || (!isPython && source.tokens[routine.body]?.text !== "{")) return [];
  const indent = indentAt(source, source.tokens[token]!);
  const put = (condition: string, then: string, odds: number): Change => {
    const text = isPython
      ? `if ${condition}:\n${indent}    ${then}\n${indent}`
      : `if (${condition}) ${then};\n${indent}`;
    return insert(area, "guard", source.tokens[token]!, "before", text, odds);
  };
  const isUnset = clues.evidence.some(({ message }) => /of (?:null|undefined)\b|NoneType/.test(message));
  const set = (name: string): Change =>
    isPython
      ? put(`${name} is None`, `${name} = {}`, 0.9)
      : insert(area, "guard", source.tokens[token]!, "before", `${name} = ${name} || {};\n${indent}`, 1.2);
  const unset = isUnset ? params.slice(0, 4).map(set) : [];
  return [...returning(area, clues, put, param), ...throwing(clues, put, params, isPython), ...unset];
};

type Put = (condition: string, then: string, odds: number) => Change;

/** A docstring stays the first statement of its function. */
function firstToken({ source }: Area, from: number): number {
  const { tokens } = source;
  return tokens[from]?.kind === "text" && tokens[from + 1]?.kind === "end" ? from + 2 : from;
}

function returning(area: Area, { wanted, evidence }: Clues, put: Put, param: string): readonly Change[] {
  if (!evidence.some(({ error, pair }) => error !== null || pair?.got === null || Number.isNaN(pair?.got))) return [];
  const { source } = area;
  const isPython = source.language === "python";
  const isMissing = evidence.some(({ message }) => /of (?:null|undefined)\b/.test(message));
  const isEmpty = isList(area, param) && !isMissing ? `${param}.length === 0` : `!${param}`;
  const conditions = [isPython ? `not ${param}` : isEmpty];
  for (const [at, { text, kind }] of each(area)) {
    if (kind !== "sign" || (text !== "/" && text !== "//" && text !== "%") || !isBetween(source, at)) continue;
    const divisor = textOf(source, at + 1, rightOperand(source, at));
    if (!/^[\d.]+$/.test(divisor)) conditions.push(isPython ? `not ${divisor}` : `${divisor} === 0`);
  }
  return [...new Set(conditions)].flatMap((condition) =>
    wanted.slice(0, 3).map((value, at) => put(condition, `return ${value}`, at === 0 ? 1.3 : 0.7)),
  );
}

function isList({ source: { tokens }, from, to }: Area, name: string): boolean {
  for (let at = from; at < to; at++) {
    if (tokens[at]?.text !== name) continue;
    const [dot, member] = [tokens[at + 1]?.text, tokens[at + 2]?.text ?? ""];
    if (
      dot === "[" ||
      (dot === "." && /^(?:length|map|filter|reduce|forEach|slice|sort|join|at|some|every)$/.test(member))
    )
      return true;
    if (tokens[at - 1]?.text === "of") return true;
  }
  return false;
}

function throwing({ evidence }: Clues, put: Put, params: readonly string[], isPython: boolean): readonly Change[] {
  const name = evidence.find(({ awaited }) => awaited !== null)?.awaited ?? null;
  if (name === null) return [];
  return params.slice(0, 2).flatMap((param) => {
    const then = isPython ? `raise ${name}("${param}")` : `throw new ${name}("${param}")`;
    const none = isPython ? `not ${param}` : `!${param}`;
    return [put(`${param} < 0`, then, 0.8), put(none, then, 0.7), put(`${param} <= 0`, then, 0.6)];
  });
}

/** Defaults for a missing key or value. */
export const fallbacks: Finder = (area, { evidence }) => {
  const isMissing = evidence.some(
    ({ error, message, pair }) =>
      /KeyError/.test(error ?? "") || /Cannot read prop|NoneType|undefined/.test(message) || Number.isNaN(pair?.got),
  );
  if (!isMissing) return [];
  const { source } = area;
  return source.language === "python" ? pythonFallbacks(area) : scriptFallbacks(area);
};

function* pythonFallbacks(area: Area): Changes {
  const { source } = area;
  const { tokens, partner } = source;
  for (const [at, { text }] of each(area)) {
    const close = text === "[" && isValue(tokens[at - 1]) ? (partner[at] ?? -1) : -1;
    const key = close === -1 ? "" : textOf(source, at + 1, close);
    if (key === "" || key.includes(":")) continue;
    const next = tokens[close + 1]?.text ?? "";
    const owner = tokens[at - 1]!;
    if (next === "+=" || next === "-=") {
      yield replace(area, "fallback", close + 1, close + 2, `= ${owner.text}.get(${key}, 0) ${next[0]}`, 1.5);
    } else if (next !== "=") {
      const defaults = { "0": 1, None: 0.8, "[]": 0.6, '""': 0.5 };
      for (const [value, odds] of Object.entries(defaults)) {
        const lookup = value === "None" ? `.get(${key})` : `.get(${key}, ${value})`;
        yield { ...replace(area, "fallback", at, close + 1, lookup, odds), start: owner.end };
      }
    }
  }
}

function* scriptFallbacks(area: Area): Changes {
  const { source } = area;
  const { tokens } = source;
  for (const [at, { text, kind }] of each(area)) {
    if (kind !== "sign") continue;
    if (text === "." && tokens[at - 1]?.kind !== "text") yield replace(area, "fallback", at, at + 1, "?.", 0.8);
    if (text === "+=" || text === "-=") {
      const target = textOf(source, leftOperand(source, at), at);
      if (/[\].]/.test(target)) yield replace(area, "fallback", at, at + 1, `= (${target} ?? 0) ${text[0]}`, 1.5);
    }
    const isSum = (text === "+" || text === "-") && isBetween(source, at);
    if (!isSum) continue;
    const from = leftOperand(source, at);
    const left = textOf(source, from, at);
    if (/\]$|\)$/.test(left)) yield replace(area, "fallback", from, at, `(${left} ?? 0)`);
  }
}

/** Sorts as numbers instead of text, or in the other direction. */
export function* orders(area: Area): Changes {
  const { source } = area;
  const { tokens, partner } = source;
  const isPython = source.language === "python";
  for (const [at, token] of each(area)) {
    const { text, kind } = token;
    if (kind !== "name" || !["sort", "sorted", "toSorted"].includes(text) || tokens[at + 1]?.text !== "(") continue;
    const close = partner[at + 1] ?? -1;
    if (close === -1) continue;
    const isEmpty = close === at + 2;
    const inside = textOf(source, at + 2, close);
    if (isPython && !inside.includes("reverse")) {
      yield insert(area, "order", tokens[close]!, "before", isEmpty ? "reverse=True" : ", reverse=True");
    }
    const reverse = isPython ? /,?\s*reverse\s*=\s*True/.exec(inside) : null;
    if (reverse !== null) yield replace(area, "order", at + 2, close, inside.replace(reverse[0], ""), 0.8);
    if (!isPython && isEmpty) yield insert(area, "order", tokens[close]!, "before", "(a, b) => a - b", 1.3);
    if (!isPython && isEmpty) yield insert(area, "order", tokens[close]!, "before", "(a, b) => b - a", 0.5);
  }
}
