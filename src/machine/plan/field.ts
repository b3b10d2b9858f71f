// Reads unchecked values field by field. A wrong value is noted and replaced by a default, so that one pass reports every problem.
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { PlanPath, PlanProblem } from "./problem.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface FieldReader {
  readonly problems: PlanProblem[];
  readonly wrong: (path: PlanPath, what: Phrase) => void;
}

export function fieldReader(): FieldReader {
  const problems: PlanProblem[] = [];
  return { problems, wrong: (path, what) => void problems.push({ path, what }) };
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

export type Names = Readonly<Record<string, readonly string[]>>;

/**
 * Renames keys to their canonical names: `stepId` and `Step-ID` become `step_id`, and synonyms map to their field. Unknown keys keep their
 * own name, so that nothing the user wrote is lost.
 */
export function properly(raw: Fields, names: Names): Fields {
  const proper = new Map<string, unknown>();
  const others: [string, unknown][] = [];
  const keys = Object.keys(raw).filter((key) => key !== "__proto__" && !isAbsent(raw[key]));
  const byRank = keys.map((key) => ({ key, rank: rankOf(key, names) })).sort((one, other) => one.rank - other.rank);
  for (const { key } of byRank) {
    const name = nameOf(key, names);
    if (name !== null && !proper.has(name)) proper.set(name, raw[key]);
    else others.push([key, raw[key]]);
  }
  return Object.fromEntries([...proper, ...others]);
}

function nameOf(key: string, names: Names): string | null {
  const plain = plainKey(key);
  return Object.keys(names).find((name) => name === plain || names[name]?.includes(plain)) ?? null;
}

function rankOf(key: string, names: Names): number {
  const name = nameOf(key, names);
  return name === null || Object.hasOwn(names, key) ? 0 : 1 + (names[name]?.indexOf(plainKey(key)) ?? 0);
}

function plainKey(key: string): string {
  return key
    .slice(0, 60)
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1_$2")
    .replace(/[\s-]+/g, "_")
    .toLowerCase();
}

export function keysBeside(raw: Fields, names: Names): readonly string[] {
  return Object.keys(raw).filter((key) => !Object.hasOwn(names, key));
}

const mostBeside = 24;
const longestBeside = 10_000;

/** `fields`: by canonical name. `beside`: unknown keys, kept as sent, within limits. */
export function fieldsOf(
  reader: FieldReader,
  raw: unknown,
  path: PlanPath,
  names: Names,
): { readonly fields: Fields; readonly beside: Fields } {
  if (!isRecord(raw)) {
    reader.wrong(path, expected("plan.is.object"));
    return { fields: {}, beside: {} };
  }
  const all = properly(raw, names);
  const beside = keysBeside(all, names);
  if (beside.length > mostBeside) reader.wrong(path, phrase("plan.many", { max: mostBeside }));
  for (const key of beside) {
    const isLong = key.length > 200 || JSON.stringify(all[key] ?? null).length > longestBeside;
    if (isLong) reader.wrong([...path, key.slice(0, 60)], phrase("plan.long", { max: longestBeside }));
  }
  return { fields: all, beside: Object.fromEntries(beside.slice(0, mostBeside).map((key) => [key, all[key]])) };
}

export function textOf(reader: FieldReader, raw: unknown, path: PlanPath, max: number): string {
  if (isAbsent(raw)) return "";
  if (typeof raw !== "string") {
    reader.wrong(path, expected("plan.is.text"));
    return "";
  }
  if (raw.length > max) reader.wrong(path, phrase("plan.long", { max }));
  return raw.slice(0, max).trim();
}

export function lineOf(reader: FieldReader, raw: unknown, path: PlanPath, max: number): string {
  const before = reader.problems.length;
  const line = textOf(reader, raw, path, max).replace(/\s+/g, " ");
  if (line === "" && reader.problems.length === before) reader.wrong(path, phrase("plan.empty"));
  return line;
}

const flagWords: readonly (readonly [said: RegExp, value: boolean])[] = [
  [/^(?:true|yes|y|是)$/iu, true],
  [/^(?:false|no|n|否)$/iu, false],
];

export function flagOf(reader: FieldReader, raw: unknown, path: PlanPath, unless: boolean): boolean {
  if (isAbsent(raw)) return unless;
  if (typeof raw === "boolean") return raw;
  const said = typeof raw === "string" ? flagWords.find(([word]) => word.test(raw.trim())) : undefined;
  if (said) return said[1];
  reader.wrong(path, expected("plan.is.flag"));
  return unless;
}

export function oneOf<T extends string>(
  reader: FieldReader,
  raw: unknown,
  path: PlanPath,
  values: readonly T[],
  unless: T,
  named: (word: string) => T | undefined = () => undefined,
): T {
  if (isAbsent(raw)) return unless;
  const found = values.find((value) => value === raw) ?? (typeof raw === "string" ? named(raw) : undefined);
  if (found === undefined) {
    reader.wrong(path, phrase("plan.expected", { what: phrase("plan.is.one_of", { values: values.join(", ") }) }));
  }
  return found ?? unless;
}

export function listOf<T>(
  reader: FieldReader,
  raw: unknown,
  path: PlanPath,
  max: number,
  item: (raw: unknown, path: PlanPath) => T,
): readonly T[] {
  if (isAbsent(raw)) return [];
  if (!Array.isArray(raw)) {
    reader.wrong(path, expected("plan.is.list"));
    return [];
  }
  if (raw.length > max) reader.wrong(path, phrase("plan.many", { max }));
  return raw.slice(0, max).map((one: unknown, at) => item(one, [...path, at]));
}

function expected(what: "plan.is.object" | "plan.is.list" | "plan.is.text" | "plan.is.flag"): Phrase {
  return phrase("plan.expected", { what: phrase(what) });
}
