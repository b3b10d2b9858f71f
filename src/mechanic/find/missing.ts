// A statement that is missing: one like it stands elsewhere in the function, or follows from what its names are for.
import { type Area, type Changes, indentAt, insert } from "../area.ts";
import { textOf } from "../text/span.ts";
import { assignedName, type Statement, statementsIn } from "../text/statement.ts";
import { containersOf } from "./conditions.ts";
import type { Change } from "./kind.ts";
import { scopeOf } from "./names.ts";

const heads =
  /^(?:if|elif|else|for|while|def|class|with|try|except|finally|switch|case|default|do|async|@|return|raise|throw|break|continue|pass|import|from|global|nonlocal)$/;
const notBefore = /^(?:elif|else|except|finally|case|default)$/;
/** A long function has too many places. */
const mostStatements = 25;
const mostTexts = 24;

export function* missing(area: Area): Changes {
  const { source, routine } = area;
  const all = statementsIn(area);
  if (routine === null || all.length > mostStatements) return;
  const texts = textsFor(area, all);
  for (const [at, one] of all.entries()) {
    const head = source.tokens[one.from]!;
    const before = all[at - 1];
    const isInside = source.tokens[one.to]?.text === "{" || source.tokens[one.to - 1]?.text === ":";
    const isLast = /^(?:return|raise|throw|break|continue)$/.test(head.text);
    for (const [text, odds] of texts) {
      if (text === textOf(source, one.from, one.to) || isDeclared(area, all, at, text)) continue;
      if (!isInside && !isLast) yield after(area, one, text, odds);
      const isFirstHere = before === undefined || before.indent !== one.indent || isLast;
      if (isFirstHere && !notBefore.test(head.text)) yield ahead(area, one, text, odds);
    }
  }
}

/** A name has to be there before it is used. */
function isDeclared(area: Area, all: readonly Statement[], at: number, text: string): boolean {
  const names = new Set(scopeOf(area).names);
  const params = new Set(area.routine?.params);
  const seen = all
    .slice(0, at + 1)
    .map((one) => textOf(area.source, one.from, one.to))
    .join("\n");
  const used = text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return used.some((name) => names.has(name) && !params.has(name) && !new RegExp(`\\b${name}\\b`).test(seen));
}

function after(area: Area, one: Statement, text: string, odds: number): Change {
  const { source } = area;
  const isScript = source.language === "script";
  const hasEnd = isScript && source.tokens[one.to]?.text === ";";
  const last = source.tokens[hasEnd ? one.to : one.to - 1]!;
  const indent = indentAt(source, source.tokens[one.from]!);
  return insert(
    area,
    "missing",
    last,
    "after",
    `${isScript && !hasEnd ? ";" : ""}\n${indent}${text}${isScript ? ";" : ""}`,
    odds,
  );
}

function ahead(area: Area, one: Statement, text: string, odds: number): Change {
  const { source } = area;
  const first = source.tokens[one.from]!;
  const end = source.language === "script" ? ";" : "";
  return insert(area, "missing", first, "before", `${text}${end}\n${indentAt(source, first)}`, odds);
}

function textsFor(area: Area, all: readonly Statement[]): ReadonlyMap<string, number> {
  const { source } = area;
  const texts = new Map<string, number>();
  const isPython = source.language === "python";
  const containers = containersOf(area);
  const names = [...scopeOf(area).names].filter((name) => !containers.includes(name)).slice(0, 8);
  for (const one of all) {
    const text = textOf(source, one.from, one.to);
    const first = source.tokens[one.from]!;
    const isDeclaration = ["const", "let", "var"].includes(first.text);
    if (heads.test(first.text) || first.kind === "text" || isDeclaration || text.includes("\n") || text.length > 80)
      continue;
    if (source.tokens[one.to]?.text === "{") continue;
    texts.set(text, 0.5);
  }
  for (const container of containers) {
    const put = putterOf(area, container);
    for (const name of names) texts.set(`${container}.${put}(${name})`, 0.45);
    for (const name of isPython ? names : []) texts.set(`if ${name}: ${container}.${put}(${name})`, 0.1);
  }
  const assigned = [...new Set(all.flatMap((one) => assignedName(source, one) ?? []))].slice(0, 6);
  for (const one of assigned) for (const other of names) if (one !== other) texts.set(`${one} = ${other}`, 0.2);
  for (const one of assigned) for (const sign of ["+", "-"]) texts.set(`${one} ${sign}= 1`, 0.25);
  return new Map([...texts].slice(0, mostTexts));
}

function putterOf({ source: { text, language } }: Area, container: string): string {
  const used = new RegExp(`\\b${container}\\.(append|add|push)\\(`).exec(text)?.[1];
  const isSet = new RegExp(`\\b${container}\\s*=\\s*(?:set\\(|\\{|new Set)`).test(text);
  return used ?? (isSet ? "add" : language === "python" ? "append" : "push");
}
