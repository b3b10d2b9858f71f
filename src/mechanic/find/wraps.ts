// A missing wrapper around a value: a conversion, a copy, the other order.
import { type Area, type Changes, type Clues, each, insert, replace, returnedEnd } from "../area.ts";
import type { Value } from "../text/literal.ts";
import { isKeyword, textOf } from "../text/span.ts";
import { statementsIn } from "../text/statement.ts";
import { printed } from "./traits.ts";

export function* wraps(area: Area, clues: Clues): Changes {
  const { source } = area;
  const wrappers = wantedWraps(clues, source.language === "python");
  if (wrappers.length === 0) return;
  for (const [at, { text, kind }] of each(area)) {
    if (text !== "return" || kind !== "name") continue;
    const end = returnedEnd(area, at + 1);
    const inner = textOf(source, at + 1, end);
    if (inner === "" || /^[\d'"]|^(?:None|null|True|False|true|false)$/.test(inner)) continue;
    for (const [open, close] of wrappers) yield replace(area, "wrap", at + 1, end, open + inner + close);
  }
}

function wantedWraps({ evidence }: Clues, isPython: boolean): readonly (readonly [string, string])[] {
  const wraps = new Map<string, string>();
  for (const { pair } of evidence) {
    const { got, expected } = pair ?? {};
    if (got === undefined || expected === undefined) continue;
    for (const [open, close] of wrapsFor(got, expected, isPython)) wraps.set(open, close);
  }
  return [...wraps];
}

function wrapsFor(got: Value, expected: Value, isPython: boolean): readonly (readonly [string, string])[] {
  if (typeof got === "number" && typeof expected === "number") {
    if (got < 0 && expected === -got) return [[isPython ? "abs(" : "Math.abs(", ")"]];
    if (!Number.isInteger(got) && expected === Math.floor(got)) return [[isPython ? "int(" : "Math.floor(", ")"]];
    if (!Number.isInteger(got) && expected === Math.ceil(got))
      return isPython
        ? []
        : [
            ["Math.ceil(", ")"],
            ["Math.round(", ")"],
          ];
    if (!Number.isInteger(got) && expected === Math.round(got)) return [[isPython ? "round(" : "Math.round(", ")"]];
  }
  if (typeof got === "string" && typeof expected === "number") return [[isPython ? "int(" : "Number(", ")"]];
  if (typeof got === "number" && typeof expected === "string") return [[isPython ? "str(" : "String(", ")"]];
  if (typeof got === "string" && typeof expected === "string") {
    if (got.toLowerCase() === expected) return [["", isPython ? ".lower()" : ".toLowerCase()"]];
    if (got.toUpperCase() === expected) return [["", isPython ? ".upper()" : ".toUpperCase()"]];
    if (got.trim() === expected) return [["", isPython ? ".strip()" : ".trim()"]];
  }
  if (Array.isArray(got) && Array.isArray(expected)) {
    if (printed([...got].reverse()) === printed(expected)) return [["", isPython ? "[::-1]" : ".reverse()"]];
    if (isPython && printed([...got].sort()) === printed(expected)) return [["sorted(", ")"]];
  }
  return [];
}

/** `x = given` only makes a second name for a value, so a change through one name shows through the other. */
export function* copies(area: Area): Changes {
  const { source, routine } = area;
  const { tokens } = source;
  const params = new Set(routine?.params);
  const isPython = source.language === "python";
  for (const { from, to } of statementsIn(area)) {
    const name = tokens[to - 1]!;
    if (tokens[to - 2]?.text !== "=" || !params.has(name.text)) continue;
    const ways = isPython ? [`dict(${name.text})`, `list(${name.text})`] : [`[...${name.text}]`, `{ ...${name.text} }`];
    for (const way of ways) if (to - from <= 4) yield replace(area, "wrap", to - 1, to, way, 3);
  }
  if (isPython) return;
  for (const [at, { text, kind }] of each(area)) {
    const isChanged =
      kind === "name" &&
      params.has(text) &&
      tokens[at + 1]?.text === "." &&
      /^(?:sort|reverse|splice)$/.test(tokens[at + 2]?.text ?? "");
    if (isChanged && tokens[at - 1]?.text !== ".") yield replace(area, "wrap", at, at + 1, `[...${text}]`, 2);
  }
}

export function* reversals(area: Area, { evidence }: Clues): Changes {
  const isTurned = evidence.some(({ pair }) => pair !== null && isReversed(pair.got, pair.expected));
  if (!isTurned) return;
  const { source } = area;
  const { tokens } = source;
  const isPython = source.language === "python";
  for (const [at, { text, kind }] of each(area)) {
    if (kind !== "name" || isKeyword(text) || tokens[at + 1]?.text === "(" || at < (area.routine?.body ?? 0)) continue;
    const [before, next] = [tokens[at - 1]?.text ?? "", tokens[at + 1]?.text ?? ""];
    const isWhole = isPython
      ? (before === "(" && next === ")") || before === "in" || before === "return"
      : before === "return" || before === "of" || next === ".";
    if (isWhole && before !== ".")
      yield replace(area, "order", at, at + 1, isPython ? `reversed(${text})` : `[...${text}].reverse()`);
  }
}

function isReversed(got: Value | undefined, expected: Value | undefined): boolean {
  if (typeof got === "string" && typeof expected === "string") {
    const [a, b] = [got, expected].map((text) => text.split(/[^\p{L}\p{N}^]+/u).filter(Boolean));
    return a !== undefined && b !== undefined && a.length > 1 && a.toReversed().join() === b.join();
  }
  return (
    Array.isArray(got) && Array.isArray(expected) && got.length > 1 && printed(got.toReversed()) === printed(expected)
  );
}

export function* tidied(area: Area, { evidence }: Clues): Changes {
  const [got, expected] = [new Set<string>(), new Set<string>()];
  for (const { pair } of evidence) {
    if (pair?.got !== undefined) for (const one of stringsIn(pair.got)) got.add(one);
    if (pair?.expected !== undefined) for (const one of stringsIn(pair.expected)) expected.add(one);
  }
  const extra = [...got].filter((one) => !expected.has(one));
  const isPython = area.source.language === "python";
  const calls = [
    ...(extra.some((one) => expected.has(one.trim())) ? [isPython ? ".strip()" : ".trim()"] : []),
    ...(extra.some((one) => expected.has(one.toLowerCase())) ? [isPython ? ".lower()" : ".toLowerCase()"] : []),
    ...(extra.some((one) => expected.has(one.toUpperCase())) ? [isPython ? ".upper()" : ".toUpperCase()"] : []),
  ];
  if (calls.length === 0) return;
  const { tokens } = area.source;
  for (const [at, token] of each(area)) {
    const next = tokens[at + 1]?.text ?? "";
    if (token.kind !== "name" || isKeyword(token.text) || at < (area.routine?.body ?? 0)) continue;
    if (["(", ".", "=", "[", ":"].includes(next)) continue;
    if (tokens[at - 1]?.text === "for" || next === "in" || next === "of") continue;
    for (const call of calls) yield insert(area, "wrap", token, "after", call, 3);
  }
}

function stringsIn(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return value instanceof Map ? [...value].flatMap(([key, one]) => [key, ...stringsIn(one)]) : [];
}
