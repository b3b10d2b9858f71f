// Reads unchecked values field by field. A wrong value is noted and replaced by a default, so that one pass reports every problem.
import { type Fields, isRecord } from "../../contract/json.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { PlanPath, PlanProblem } from "./problem.ts";

export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

export type Names = Readonly<Record<string, readonly string[]>>;

/** `stepId` and `Step-ID` become `step_id`, synonyms map to their field, and unknown keys stay: nothing the user wrote is lost. */
export function canonical(raw: Fields, names: Names): Fields {
  const known = new Map<string, unknown>();
  const others: [string, unknown][] = [];
  const keys = Object.keys(raw).filter((key) => key !== "__proto__" && !isAbsent(raw[key]));
  const byRank = keys.map((key) => ({ key, rank: rankOf(key, names) })).sort((one, other) => one.rank - other.rank);
  for (const { key } of byRank) {
    const name = nameOf(key, names);
    if (name !== null && !known.has(name)) known.set(name, raw[key]);
    else others.push([key, raw[key]]);
  }
  return Object.fromEntries([...known, ...others]);
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

export function unknownKeys(raw: Fields, names: Names): readonly string[] {
  return Object.keys(raw).filter((key) => !Object.hasOwn(names, key));
}

const mostUnknown = 24;
const longestUnknown = 10_000;

export class FieldReader {
  readonly problems: PlanProblem[] = [];

  wrong(path: PlanPath, what: Phrase): void {
    this.problems.push({ path, what });
  }

  /** `fields`: by canonical name. `unknown`: other keys, kept as sent, within limits. */
  record(raw: unknown, path: PlanPath, names: Names): { readonly fields: Fields; readonly unknown: Fields } {
    if (!isRecord(raw)) {
      this.expected(path, "plan.is.object");
      return { fields: {}, unknown: {} };
    }
    const fields = canonical(raw, names);
    const keys = unknownKeys(fields, names);
    if (keys.length > mostUnknown) this.wrong(path, phrase("plan.many", { max: mostUnknown }));
    for (const key of keys) {
      const isLong = key.length > 200 || JSON.stringify(fields[key] ?? null).length > longestUnknown;
      if (isLong) this.wrong([...path, key.slice(0, 60)], phrase("plan.long", { max: longestUnknown }));
    }
    return { fields, unknown: Object.fromEntries(keys.slice(0, mostUnknown).map((key) => [key, fields[key]])) };
  }

  text(raw: unknown, path: PlanPath, max: number): string {
    if (isAbsent(raw)) return "";
    if (typeof raw !== "string") {
      this.expected(path, "plan.is.text");
      return "";
    }
    if (raw.length > max) this.wrong(path, phrase("plan.long", { max }));
    return raw.slice(0, max).trim();
  }

  /** One line, which must not be empty. */
  line(raw: unknown, path: PlanPath, max: number): string {
    const before = this.problems.length;
    const line = this.text(raw, path, max).replace(/\s+/g, " ");
    if (line === "" && this.problems.length === before) this.wrong(path, phrase("plan.empty"));
    return line;
  }

  flag(raw: unknown, path: PlanPath, unless: boolean): boolean {
    if (isAbsent(raw)) return unless;
    if (typeof raw === "boolean") return raw;
    const found = typeof raw === "string" ? flagWords.find(([word]) => word.test(raw.trim())) : undefined;
    if (!found) this.expected(path, "plan.is.flag");
    return found ? found[1] : unless;
  }

  oneOf<T extends string>(
    raw: unknown,
    path: PlanPath,
    values: readonly T[],
    unless: T,
    named: (word: string) => T | undefined = () => undefined,
  ): T {
    if (isAbsent(raw)) return unless;
    const found = values.find((value) => value === raw) ?? (typeof raw === "string" ? named(raw) : undefined);
    const what = phrase("plan.is.one_of", { values: values.join(", ") });
    if (found === undefined) this.wrong(path, phrase("plan.expected", { what }));
    return found ?? unless;
  }

  list<T>(raw: unknown, path: PlanPath, max: number, item: (raw: unknown, path: PlanPath) => T): readonly T[] {
    if (isAbsent(raw)) return [];
    if (!Array.isArray(raw)) {
      this.expected(path, "plan.is.list");
      return [];
    }
    if (raw.length > max) this.wrong(path, phrase("plan.many", { max }));
    return raw.slice(0, max).map((one: unknown, at) => item(one, [...path, at]));
  }

  private expected(path: PlanPath, what: "plan.is.object" | "plan.is.list" | "plan.is.text" | "plan.is.flag"): void {
    this.wrong(path, phrase("plan.expected", { what: phrase(what) }));
  }
}

const flagWords: readonly (readonly [form: RegExp, value: boolean])[] = [
  [/^(?:true|yes|y|是)$/iu, true],
  [/^(?:false|no|n|否)$/iu, false],
];
