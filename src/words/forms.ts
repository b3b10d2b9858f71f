// Sentence forms: regular expressions, compiled when a text is first compared with them.
import { once } from "./phrase-table.ts";

/** Finds the forms that a text matches, in the order of the table: for each kind of sentence, regular expressions of ways to say it. */
export function formsOf<Kind extends string>(
  table: Readonly<Record<Kind, readonly string[]>>,
): (text: string) => Iterable<{ readonly kind: Kind; readonly match: RegExpExecArray }> {
  const forms = (Object.keys(table) as Kind[]).flatMap((kind) =>
    table[kind].map((form) => ({ kind, pattern: once(() => new RegExp(form, "iu")) })),
  );
  return function* (text) {
    for (const { kind, pattern } of forms) {
      const match = pattern().exec(text);
      if (match !== null) yield { kind, match };
    }
  };
}

/** A sentence pattern. Compiled only for texts that contain the words it needs. */
export interface Shape {
  readonly needs: readonly (readonly string[])[];
  readonly pattern: () => RegExp;
}

/** Alternatives: as a pattern, and the words of which every match contains one. */
export interface Choice {
  readonly source: string;
  readonly words: readonly string[];
}

/** Longest first: a shorter one would hide them. */
export function any(list: readonly string[]): string {
  return `(?:${list.toSorted((a, b) => b.length - a.length).join("|")})`;
}

/** Parts are patterns, choices, and word lists of which one must occur. */
export function shape(...parts: readonly (string | Choice | readonly string[])[]): Shape {
  const needs = parts.flatMap((part) => (typeof part === "string" ? [] : ["words" in part ? part.words : part]));
  const sourceOf = (part: (typeof parts)[number]): string => {
    if (typeof part === "string") return part;
    return "words" in part ? part.source : any(part);
  };
  return { needs, pattern: once(() => new RegExp(parts.map(sourceOf).join(""), "g")) };
}

/** Whether the shape occurs in the text with a fitting context before and after it. */
export function found(
  text: string,
  { needs, pattern }: Shape,
  fits: (before: string, after: string) => boolean,
): boolean {
  if (!needs.every((words) => words.some((word) => text.includes(word)))) return false;
  for (const match of text.matchAll(pattern())) {
    if (fits(text.slice(0, match.index), text.slice(match.index + match[0].length))) return true;
  }
  return false;
}
