// Values that nobody has checked, read one by one. What does not fit is noted, and a stand-in goes on in its place, so
// that one look names everything that is wrong.
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

/** The fields under their proper names; another name for one counts as it, any further key is named as a problem. */
export function fieldsOf(
  reader: FieldReader,
  raw: unknown,
  path: PlanPath,
  names: Readonly<Record<string, readonly string[]>>,
): Fields {
  if (!isRecord(raw)) {
    reader.wrong(path, expected("plan.is.object"));
    return {};
  }
  const known = Object.keys(names);
  for (const key of Object.keys(raw)) {
    const isKnown = known.some((name) => name === key || names[name]?.includes(key));
    if (!isKnown) reader.wrong([...path, key.slice(0, 60)], phrase("plan.unknown_key", { known: known.join(", ") }));
  }
  const sentAs = (name: string): unknown =>
    [name, ...(names[name] ?? [])].map((one) => (Object.hasOwn(raw, one) ? raw[one] : undefined)).find(isGiven);
  return Object.fromEntries(known.map((name) => [name, sentAs(name)]));
}

function isGiven(value: unknown): boolean {
  return !isAbsent(value);
}

/** A text of several lines; missing = empty. */
export function textOf(reader: FieldReader, raw: unknown, path: PlanPath, max: number): string {
  if (isAbsent(raw)) return "";
  if (typeof raw !== "string") {
    reader.wrong(path, expected("plan.is.text"));
    return "";
  }
  if (raw.length > max) reader.wrong(path, phrase("plan.long", { max }));
  return raw.slice(0, max).trim();
}

/** A text of one line that must say something. */
export function lineOf(reader: FieldReader, raw: unknown, path: PlanPath, max: number): string {
  const before = reader.problems.length;
  const line = textOf(reader, raw, path, max).replace(/\s+/g, " ");
  if (line === "" && reader.problems.length === before) reader.wrong(path, phrase("plan.empty"));
  return line;
}

export function flagOf(reader: FieldReader, raw: unknown, path: PlanPath, unless: boolean): boolean {
  if (isAbsent(raw)) return unless;
  if (typeof raw === "boolean") return raw;
  reader.wrong(path, expected("plan.is.flag"));
  return unless;
}

export function oneOf<T extends string>(
  reader: FieldReader,
  raw: unknown,
  path: PlanPath,
  values: readonly T[],
  unless: T,
): T {
  if (isAbsent(raw)) return unless;
  const found = values.find((value) => value === raw);
  if (found === undefined) {
    reader.wrong(path, phrase("plan.expected", { what: phrase("plan.is.one_of", { values: values.join(", ") }) }));
  }
  return found ?? unless;
}

/** Missing = empty. */
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
