/** A shape of a sentence. It is made at its first use, and that is only where the words are that it cannot do without. */
export interface Shape {
  readonly needs: readonly (readonly string[])[];
  readonly pattern: () => RegExp;
}

/** One of several things: as a pattern, and the words of which one is in each of them. */
export interface Choice {
  readonly source: string;
  readonly words: readonly string[];
}

/** Longer ones first: the shorter would hide them. */
export function any(list: readonly string[]): string {
  return `(?:${list.toSorted((a, b) => b.length - a.length).join("|")})`;
}

/** Made of patterns, choices and lists of words, of which one must be there. */
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

/** Whether the shape is in the text at a place where it fits what stands before and behind it. */
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
