// Changes of statements: missing, premature or in the wrong order.
import { type Area, type Changes, type Clues, each, indentAt, insert, replace } from "../area.ts";
import { columnOf } from "../text/outline.ts";
import { textOf } from "../text/span.ts";
import { assignedName, isBareValue, type Statement, statementsIn } from "../text/statement.ts";
import type { Change } from "./kind.ts";

/** A missing return, or one that ends a loop too early. */
export function* returns(area: Area, { wanted, evidence }: Clues): Changes {
  const { source, routine } = area;
  if (routine === null || routine.name === "__init__" || routine.name === "constructor") return;
  const all = statementsIn(area);
  const hasReturn = all.some(({ from }) => source.tokens[from]?.text === "return");
  for (const [at, one] of all.entries()) {
    const next = all[at + 1];
    const isLast =
      next === undefined ||
      (one.block === -1
        ? next.indent < one.indent
        : source.tokens[one.to]?.text === "}" || source.tokens[one.to + 1]?.text === "}");
    if (isLast && isBareValue(source, one)) {
      yield insert(area, "return", source.tokens[one.from]!, "before", "return ", hasReturn ? 0.5 : 1.5);
    }
    if (source.tokens[one.from]?.text === "return") yield* later(area, all, at);
  }
  yield* bareResults(area);
  const isNothing = evidence.some(({ pair }) => pair?.got === null);
  yield* resultAtEnd(area, all, isNothing ? wanted.slice(0, 2) : []);
}

/** `if (a > b) 1;` and `{ a: 1 };` compute something for nobody. */
function* bareResults({ source, ...area }: Area): Changes {
  if (source.language !== "script") return;
  for (const [at, token] of each({ source, ...area })) {
    const before = source.tokens[at - 1];
    const [next, further] = [source.tokens[at + 1], source.tokens[at + 2]];
    const isObject = token.text === "{" && further?.text === ":" && [";", "}", "{"].includes(before?.text ?? "");
    const open = before?.text === ")" ? (source.partner[at - 1] ?? -1) : -1;
    const isBranch = (open > 0 && source.tokens[open - 1]?.text === "if") || before?.text === "else";
    const isValue = token.kind === "number" || token.kind === "text" || token.kind === "name";
    const isBare = isBranch && isValue && (next?.text === ";" || next?.text === "}");
    if (isObject || isBare) yield insert({ source, ...area }, "return", token, "before", "return ", 1.5);
  }
}

function resultAtEnd(area: Area, all: readonly Statement[], wanted: readonly string[]): readonly Change[] {
  const { source, routine } = area;
  const { tokens } = source;
  const [first, last] = [all[0], all.at(-1)];
  if (routine === null || first === undefined || last === undefined) return [];
  const top = all.filter((one) => one.indent === first.indent);
  if (["return", "raise", "throw"].includes(tokens[top.at(-1)?.from ?? 0]?.text ?? "")) return [];
  const names = new Set(top.flatMap((one) => assignedName(source, one) ?? []));
  const indent = indentAt(source, tokens[first.from]!);
  const isPython = source.language === "python";
  const end = isPython ? tokens[last.to - 1]! : tokens[routine.to - 2]!;
  if (!isPython && tokens[routine.to - 1]?.text !== "}") return [];
  return [...names, ...wanted].map((name, at) =>
    insert(area, "return", end, "after", `\n${indent}return ${name}${isPython ? "" : ";"}`, at === 0 ? 1.2 : 0.8),
  );
}

/** Moves a return out of its loop. */
function later(area: Area, all: readonly Statement[], at: number): readonly Change[] {
  const { source } = area;
  const { tokens, partner, text } = source;
  const one = all[at]!;
  if (source.language === "python") {
    const loop = all.slice(0, at).findLast(({ indent }) => indent < one.indent);
    if (loop === undefined || !["for", "while"].includes(tokens[loop.from]?.text ?? "")) return [];
    const token = tokens[one.from]!;
    const start = text.lastIndexOf("\n", token.start - 1) + 1;
    const change = { kind: "return", source, routine: area.routine, line: token.line, odds: 1 } as const;
    return [{ ...change, start, end: token.start, text: indentAt(source, tokens[loop.from]!) }];
  }
  const open = one.block;
  const close = open === -1 ? -1 : (partner[open] ?? -1);
  const head = tokens[open - 1]?.text === ")" ? tokens[(partner[open - 1] ?? 0) - 1]?.text : "";
  const isAtEnd = tokens[one.to]?.text === ";" ? one.to + 1 === close : one.to === close;
  if (close === -1 || !["for", "while", "of"].includes(head ?? "") || !isAtEnd) return [];
  const moved = `}\n${indentAt(source, tokens[close]!)}${textOf(source, one.from, one.to)};`;
  return [replace(area, "return", one.from, close + 1, moved)];
}

export function* awaits(area: Area, { asyncs }: Clues): Changes {
  const { source, routine } = area;
  const { tokens } = source;
  if (routine?.isAsync !== true) return;
  for (const [at, token] of each(area)) {
    const isKnown =
      asyncs.has(token.text) || ["json", "text", "allSettled", "all", "gather", "sleep"].includes(token.text);
    if (token.kind !== "name" || !isKnown || tokens[at + 1]?.text !== "(" || at < routine.body) continue;
    let first = at;
    while (tokens[first - 1]?.text === "." && tokens[first - 2]?.kind === "name") first -= 2;
    if (!["await", "function", "def"].includes(tokens[first - 1]?.text ?? "")) {
      yield insert(area, "await", tokens[first]!, "before", "await ", asyncs.has(token.text) ? 1.5 : 0.6);
    }
  }
}

/** `+=` for `=`, likelier in a loop. */
export function* assignments(area: Area): Changes {
  const { source, routine } = area;
  const { tokens } = source;
  const known = new Set(routine?.params);
  const all = statementsIn(area);
  const top = all[0]?.indent ?? 0;
  for (const one of all) {
    const name = assignedName(source, one);
    if (name === null) continue;
    const isDeclared = ["const", "let", "var"].includes(tokens[one.from]?.text ?? "");
    const at = isDeclared ? one.from + 2 : one.from + 1;
    const uses = tokens.slice(at + 1, one.to).some(({ text, kind }) => kind === "name" && text === name);
    if (!isDeclared && known.has(name) && !uses)
      yield replace(area, "assign", at, at + 1, "+=", one.indent > top ? 1.2 : 0.5);
    known.add(name);
  }
  for (const one of all) yield* partAssigned(area, one, top);
}

/** `a[i] = x` and `a.b = x`. */
function partAssigned(area: Area, one: Statement, top: number): readonly Change[] {
  const { source } = area;
  for (let at = one.from + 1; at < one.to; at++) {
    if (source.partner[at]! > at) at = source.partner[at]!;
    const isPart = source.tokens[at - 1]?.text === "]" || source.tokens[at - 2]?.text === ".";
    if (source.tokens[at]?.text === "=")
      return isPart ? [replace(area, "assign", at, at + 1, "+=", one.indent > top ? 0.9 : 0.5)] : [];
  }
  return [];
}

/** Two lines in the wrong order, or a line too many. */
export function* lineChanges(area: Area): Changes {
  const { source } = area;
  const all = statementsIn(area).filter((one) => isSimple(area, one));
  for (const [at, one] of all.entries()) {
    const next = all[at + 1];
    const end = source.language === "script" && source.tokens[one.to]?.text === ";" ? one.to + 1 : one.to;
    const first = source.tokens[one.from]!.text;
    if (first !== "return" && !["const", "let", "var"].includes(first)) {
      yield replace(area, "lines", one.from, end, source.language === "python" ? "pass" : ";", 0.5);
    }
    const isNear = next !== undefined && next.indent === one.indent && next.block === one.block;
    if (!isNear || next.from > end + 1 || first === "return") continue;
    const between = source.text.slice(source.tokens[one.to - 1]!.end, source.tokens[next.from]!.start);
    const swapped = textOf(source, next.from, next.to) + between + textOf(source, one.from, one.to);
    yield replace(area, "lines", one.from, next.to, swapped);
  }
}

const heads = new Set(
  "if elif else for while def class with try except finally switch case default do async @".split(" "),
);

function isSimple({ source }: Area, { from, to }: Statement): boolean {
  const { kind, text } = source.tokens[from]!;
  return kind !== "text" && !heads.has(text) && source.tokens[to - 1]?.text !== ":" && source.tokens[to]?.text !== "{";
}

/** `break` for `continue`, `if` for `elif`, a case that falls through. */
export function* flows(area: Area): Changes {
  const { source } = area;
  const { tokens, language } = source;
  for (const [at, token] of each(area)) {
    const { text, kind } = token;
    if (kind !== "name") continue;
    if (text === "break" || text === "continue")
      yield replace(area, "flow", at, at + 1, text === "break" ? "continue" : "break");
    if (text === "elif") yield replace(area, "flow", at, at + 1, "if", 0.5);
    const before = tokens[at - 1];
    if (text === "if" && language === "python" && before?.kind === "end" && isBehindIf(area, at)) {
      yield replace(area, "flow", at, at + 1, "elif", 0.7);
    }
    if (text === "if" && language === "script" && before?.text === "}")
      yield insert(area, "flow", token, "before", "else ", 0.6);
    const isCase = (text === "case" || text === "default") && language === "script" && before?.text === ";";
    if (isCase) yield insert(area, "flow", before!, "after", `\n${indentAt(source, token)}  break;`, 1.2);
  }
}

function isBehindIf({ source }: Area, at: number): boolean {
  const column = columnOf(source, source.tokens[at]!);
  for (let i = at - 2; i >= 0; i--) {
    const isStart = source.tokens[i - 1]?.kind === "end";
    if (!isStart) continue;
    const own = columnOf(source, source.tokens[i]!);
    if (own < column) return false;
    if (own === column) return ["if", "elif"].includes(source.tokens[i]!.text);
  }
  return false;
}
