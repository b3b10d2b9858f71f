import { type Area, type Changes, each, type Finder, replace } from "../area.ts";
import { expressionEnd } from "../text/outline.ts";
import { isBetween, isKeyword, isValue, leftOperand, partsIn, rightOperand, textOf } from "../text/span.ts";
import { statementsIn } from "../text/statement.ts";
import type { Change } from "./kind.ts";

const turning = new Set(["-", "/", "//", "%", "**"]);

/** `b - a` for `a - b`. */
export function* operandSwaps(area: Area): Changes {
  const { source } = area;
  for (const [at, { text, kind }] of each(area)) {
    if (kind !== "sign" || !turning.has(text) || !isBetween(source, at)) continue;
    const [from, to] = [leftOperand(source, at), rightOperand(source, at)];
    const [left, right] = [textOf(source, from, at), textOf(source, at + 1, to)];
    if (left === right || left === "" || right === "") continue;
    // A number on the right rarely belongs on the left.
    const odds = /^[\d.]+$/.test(right) ? 0.3 : 1;
    yield replace(area, "operands", from, to, `${right} ${text} ${left}`, odds);
  }
}

export function* argumentSwaps(area: Area): Changes {
  const { source } = area;
  const { tokens } = source;
  for (const [at, { text }] of each(area)) {
    if (text !== "(" || tokens[at - 1]?.kind !== "name") continue;
    if (["def", "function", "class"].includes(tokens[at - 2]?.text ?? "") || isHead(area, at)) continue;
    const parts = partsIn(source, at).filter(({ from, to }) => isPlain(textOf(source, from, to)));
    for (let i = 0; i + 1 < parts.length; i++) {
      const [a, b] = [parts[i]!, parts[i + 1]!];
      const [left, right] = [textOf(source, a.from, a.to), textOf(source, b.from, b.to)];
      if (left === right || b.from !== a.to + 1) continue;
      const odds = /^[\d.'"]/.test(left) === /^[\d.'"]/.test(right) ? 1 : 0.5;
      yield replace(area, "arguments", a.from, b.to, `${right}, ${left}`, odds);
    }
  }
}

/** A method's parameters look like the arguments of a call. */
function isHead({ source: { tokens, partner } }: Area, at: number): boolean {
  const close = partner[at] ?? -1;
  return close === -1 || tokens[close + 1]?.text === "{" || tokens[close + 1]?.text === "=>";
}

function isPlain(text: string): boolean {
  return text !== "" && !/^(?:\*|\.\.\.)|^\w+\s*=(?!=)|=>/.test(text);
}

/** `b[k][c]` for `b[c][k]`, and two neighbours in a list, a tuple or an object. */
export function* elementSwaps(area: Area): Changes {
  const { source } = area;
  const { tokens, partner } = source;
  for (const [at, { text }] of each(area)) {
    const close = partner[at] ?? -1;
    if (close < at) continue;
    const isIndex = text === "[" && isValue(tokens[at - 1]);
    if (isIndex && tokens[close + 1]?.text === "[") {
      const [left, right] = [textOf(source, at + 1, close), textOf(source, close + 2, partner[close + 1]!)];
      if (left !== right) yield replace(area, "arguments", at, partner[close + 1]! + 1, `[${right}][${left}]`, 1.3);
    } else if ((text === "[" && !isIndex) || (text === "{" && isObject(area, at)))
      yield* neighbours(area, partsIn(source, at), 0.6);
  }
  yield* tupleSwaps(area);
}

function isObject({ source: { tokens } }: Area, at: number): boolean {
  const before = tokens[at - 1]?.text ?? "";
  return ["=", "(", ",", "return", ":", "[", "=>"].includes(before) && tokens[at + 1]?.text !== "}" && before !== "=>";
}

/** `return b, a`. */
function tupleSwaps(area: Area): readonly Change[] {
  const { source } = area;
  if (source.language !== "python") return [];
  return statementsIn(area).flatMap(({ from, to }) => {
    if (source.tokens[from]?.text !== "return") return [];
    const commas: number[] = [];
    for (let at = from; at < to; at++) {
      if (source.partner[at]! > at) at = source.partner[at]!;
      else if (source.tokens[at]?.text === ",") commas.push(at);
    }
    if (commas.length === 0) return [];
    const starts = [from, ...commas];
    const parts = starts.map((at, i) => ({ from: at + 1, to: commas[i] ?? to }));
    return [...neighbours(area, parts, 1)];
  });
}

function* neighbours(area: Area, parts: ReturnType<typeof partsIn>, odds: number): Changes {
  const { source } = area;
  for (let i = 0; i + 1 < parts.length && parts.length <= 4; i++) {
    const [a, b] = [parts[i]!, parts[i + 1]!];
    const [left, right] = [textOf(source, a.from, a.to), textOf(source, b.from, b.to)];
    if (left === right || left === "" || right === "") continue;
    yield replace(area, "arguments", a.from, b.to, `${right}, ${left}`, odds);
  }
}

/** Swaps two variables throughout one statement. */
export const nameSwaps: Finder = (area) => {
  const { source, routine } = area;
  const { tokens } = source;
  const params = new Set(routine?.params);
  return statementsIn(area).flatMap(({ from, to }) => {
    if (to - from > 60) return [];
    const uses = new Set<string>();
    for (let at = from; at < to; at++) {
      const { kind, text } = tokens[at]!;
      const isPlain =
        kind === "name" && !isKeyword(text) && tokens[at - 1]?.text !== "." && tokens[at + 1]?.text !== "(";
      if (isPlain) uses.add(text);
    }
    const names = [...uses];
    if (names.length < 2 || names.length > 6) return [];
    const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const));
    return pairs.map(([a, b]) => {
      const text = swapped(area, from, to, a, b);
      return replace(area, "arguments", from, to, text, params.has(a) && params.has(b) ? 0.8 : 0.35);
    });
  });
};

function swapped({ source: { text, tokens } }: Area, from: number, to: number, a: string, b: string): string {
  let result = "";
  let done = tokens[from]!.start;
  for (let at = from; at < to; at++) {
    const token = tokens[at]!;
    const isOne = token.kind === "name" && (token.text === a || token.text === b) && tokens[at - 1]?.text !== ".";
    if (!isOne) continue;
    result += text.slice(done, token.start) + (token.text === a ? b : a);
    done = token.end;
  }
  return result + text.slice(done, tokens[to - 1]!.end);
}

/** `c ? b : a` for `c ? a : b`, and the same in Python. */
export function* choiceSwaps(area: Area): Changes {
  const { source } = area;
  const { tokens, partner, language } = source;
  for (const [at, { text, kind }] of each(area)) {
    if (language === "script" && text === "?" && kind === "sign") {
      let colon = at + 1;
      while (colon < area.to && tokens[colon]?.text !== ":")
        colon = partner[colon]! > colon ? partner[colon]! + 1 : colon + 1;
      const end = expressionEnd(source, colon + 1);
      if (colon >= area.to || end <= colon + 1) continue;
      const [yes, no] = [textOf(source, at + 1, colon), textOf(source, colon + 1, end)];
      if (!no.includes("?")) yield replace(area, "negation", at + 1, end, `${no} : ${yes}`, 1.2);
    }
    if (language !== "python" || text !== "else" || tokens[at + 1]?.text === ":") continue;
    yield* pythonChoice(area, at);
  }
}

function pythonChoice(area: Area, orElse: number): readonly Change[] {
  const { source } = area;
  const { tokens, partner } = source;
  let at = orElse - 1;
  while (at > area.from && tokens[at]?.text !== "if")
    at = partner[at]! >= 0 && partner[at]! < at ? partner[at]! - 1 : at - 1;
  let from = at;
  const stops = ["return", "=", "(", "[", ",", "+=", ":", "{"];
  while (from > area.from && tokens[from - 1]?.kind !== "end" && !stops.includes(tokens[from - 1]?.text ?? "")) {
    from = partner[from - 1]! >= 0 && partner[from - 1]! < from - 1 ? partner[from - 1]! : from - 1;
  }
  const end = expressionEnd(source, orElse + 1);
  const yes = textOf(source, from, at);
  const condition = textOf(source, at + 1, orElse);
  const no = textOf(source, orElse + 1, end);
  if (yes === "" || no === "" || no.includes(" for ")) return [];
  return [replace(area, "negation", from, end, `${no} if ${condition} else ${yes}`, 1.2)];
}
