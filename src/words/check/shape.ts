/** A sentence pattern. Compiled on first use, and only for texts that contain the words it needs. */
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
  let made: RegExp | null = null;
  const needs = parts.flatMap((part) => (typeof part === "string" ? [] : ["words" in part ? part.words : part]));
  const sourceOf = (part: (typeof parts)[number]): string => {
    if (typeof part === "string") return part;
    return "words" in part ? part.source : any(part);
  };
  const pattern = (): RegExp => {
    made ??= new RegExp(parts.map(sourceOf).join(""), "g");
    return made;
  };
  return { needs, pattern };
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
