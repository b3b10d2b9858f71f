// Calls of the program's own functions, most of all of a function by itself: a step, a piece or an argument is missing.
import { type Area, type Changes, each, insert, replace, returnedEnd } from "../area.ts";
import { calledName, isKeyword, leftOperand, type Part, partsIn, rightOperand, textOf } from "../text/span.ts";
import type { Change } from "./kind.ts";
import { scopeOf } from "./names.ts";

const mostAlike = 8;

export function* ownCalls(area: Area): Changes {
  const { source, routine } = area;
  const own = new Set(source.routines.map(({ name }) => name));
  for (const [at, { text }] of each(area)) {
    const name = text === "(" ? calledName(source, at) : null;
    if (name === null || !own.has(name) || isDefined(area, at) || at < (routine?.body ?? 0)) continue;
    const isSelf = name === routine?.name;
    const isMember = source.tokens[at - 2]?.text === ".";
    const alike = isMember ? [] : source.routines.filter((one) => one.name !== name && one.owner === null);
    for (const other of alike.slice(0, mostAlike)) {
      const odds = other.params.length === partsIn(source, at).length ? 0.7 : 0.2;
      yield replace(area, "name", at - 1, at, other.name, odds);
    }
    const parts = partsIn(source, at);
    for (const part of parts) yield* argumentChanges(area, part, isSelf);
    if (isSelf) yield* resultChanges(area, at, parts);
  }
}

/** A recursion whose result leaves something out: its own step, or a part that was computed and is not used. */
export function* leftOut(area: Area): Changes {
  const { source, routine } = area;
  const { tokens } = source;
  if (routine === null) return;
  const { names } = scopeOf(area);
  for (const [at, token] of each(area)) {
    if (token.kind !== "name" || token.text !== "return" || at < routine.body) continue;
    const end = returnedEnd(area, at + 1);
    const text = textOf(source, at + 1, end);
    const calls = tokens.slice(at + 1, end).some((one) => one.text === routine.name);
    const first = tokens[at + 1];
    if (first === undefined || text === "") continue;
    if (calls && !text.startsWith("1 +")) yield insert(area, "step", first, "before", "1 + ", 0.35);
    const unused = [...names].filter(
      (name) => !routine.params.includes(name) && !tokens.slice(at, end).some((one) => one.text === name),
    );
    if (!/^[[(]|\w\(/.test(text)) continue;
    for (const name of unused.slice(0, 4)) yield insert(area, "missing", first, "before", `${name} + `, 0.8);
  }
}

/** One more or one less in what is put into a collection: `queue.append((place, count))`. */
export function* putSteps(area: Area): Changes {
  const { source } = area;
  const { tokens, partner } = source;
  for (const [at, { text }] of each(area)) {
    const name = text === "(" && tokens[at - 2]?.text === "." ? calledName(source, at) : null;
    if (name === null || !/^(?:append|appendleft|add|push|unshift|put|set)$/.test(name)) continue;
    for (let i = at + 1; i < partner[at]!; i++) {
      const one = tokens[i]!;
      const [before, next] = [tokens[i - 1]?.text ?? "", tokens[i + 1]?.text ?? ""];
      if (one.kind !== "name" || isKeyword(one.text) || !"([,:".includes(before) || !")],}".includes(next)) continue;
      for (const sign of ["+", "-"]) yield insert(area, "step", one, "after", ` ${sign} 1`, 0.35);
    }
  }
}

function isDefined({ source: { tokens } }: Area, open: number): boolean {
  return ["def", "function", "new"].includes(tokens[open - 2]?.text ?? "");
}

function argumentChanges(area: Area, { from, to }: Part, isSelf: boolean): readonly Change[] {
  const { source } = area;
  const text = textOf(source, from, to);
  const last = source.tokens[to - 1];
  if (last === undefined || /^[\d'"`[{]|=>|^(?:lambda|function|\*|\.\.\.)|[+-] ?1$|^\w+=/.test(text)) return [];
  const odds = isSelf ? 0.6 : 0.25;
  const isName = /^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(text) && !isKeyword(text);
  const less = ["-", "+"].map((sign) => insert(area, "step", last, "after", ` ${sign} 1`, odds));
  const turned = insert(area, "step", source.tokens[from]!, "before", "-", 0.3);
  if (!isSelf) return isName ? [...less, turned] : [];
  const isPython = source.language === "python";
  const without = /^(\w+)(?:\[1:\]|\.slice\(1\))$/.exec(text)?.[1];
  return [
    ...less,
    ...(without === undefined ? [] : [replace(area, "step", from, to, without, 0.4)]),
    ...(isName ? [insert(area, "step", last, "after", isPython ? "[1:]" : ".slice(1)", 0.35)] : []),
    ...(isName ? limitsOf(area, text).map((one) => replace(area, "step", from, to, `${text} - ${one}`, 0.5)) : []),
  ];
}

/** What a name is compared with elsewhere: beyond that limit, the recursion counts on from it. */
function limitsOf(area: Area, name: string): readonly string[] {
  const { source } = area;
  const found = new Set<string>();
  for (const [at, { text, kind }] of each(area)) {
    if (kind !== "sign" || !/^[<>]=?$/.test(text)) continue;
    if (textOf(source, leftOperand(source, at), at) !== name) continue;
    const other = textOf(source, at + 1, rightOperand(source, at));
    if (other !== "" && !/^\d+$/.test(other)) found.add(/ [-+] /.test(other) ? `(${other})` : other);
  }
  return [...found];
}

function* resultChanges(area: Area, open: number, parts: readonly Part[]): Changes {
  const { source, routine } = area;
  const { tokens, partner, language } = source;
  const close = partner[open]!;
  const missing = routine?.params[parts.length];
  if (missing !== undefined && parts.length > 0)
    yield insert(area, "arguments", tokens[close]!, "before", `, ${missing}`, 0.6);
  let first = open - 1;
  while (tokens[first - 1]?.text === "." && tokens[first - 2]?.kind === "name") first -= 2;
  const before = tokens[first - 1];
  if (before?.text === "return") yield insert(area, "step", tokens[first]!, "before", "1 + ", 0.4);
  if (before?.text === "yield") {
    if (language === "python") yield insert(area, "return", before, "after", " from", 1.5);
    else yield insert(area, "return", before, "after", "*", 1.5);
  }
  if (parts.length === 1) yield replace(area, "wrap", first, close + 1, textOf(source, open + 1, close), 0.4);
}
