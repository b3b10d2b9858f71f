import type { Word } from "../verdict/judgement.ts";

/** As arithmetic reads it: no leading zero, which would make it octal or an error. */
const plainNumber = /^\s*(?:0|[1-9][0-9]{0,17}|0x[0-9a-fA-F]{1,16})\s*$/;

export function isNumberWord(word: Word | null | undefined): boolean {
  if (word?.kind === "literal") return !word.isHome && plainNumber.test(word.value);
  return word?.kind === "one" && (word.isNumber === true || word.isInteger === true);
}

/** A number or empty: arithmetic accepts it under the name of its variable. */
export function isCountWord(word: Word | null | undefined): boolean {
  return isNumberWord(word) || ((word?.kind === "one" || word?.kind === "any") && word.isCount === true);
}

/**
 * The variables of one shell: a known word, or `null` = anything. An unset variable may come from the environment. A value set in code that
 * may be skipped, by `&&`, `break` or `continue`, stays known only if both paths agree.
 */
export class Variables {
  private known: Map<string, Word | null>;
  private readonly assignments: (readonly [name: string, word: Word | null])[] = [];

  constructor(known: Iterable<readonly [string, Word | null]> = []) {
    this.known = new Map(known);
  }

  copy(): Variables {
    return new Variables(this.known);
  }

  get(name: string): Word | null {
    return this.known.get(name) ?? null;
  }

  set(name: string, word: Word | null): void {
    this.known.set(name, word);
    this.assignments.push([name, word]);
  }

  /** `run` may happen once, stop anywhere, or not happen. */
  maybe(run: () => void): void {
    const before = new Map(this.known);
    const from = this.assignments.length;
    run();
    this.join(before, from);
  }

  /** `run` may happen any number of times, each time starting from any earlier result. */
  loop(run: () => void): void {
    for (let before = ""; before !== this.text(); ) {
      before = this.text();
      this.maybe(run);
    }
  }

  private join(before: ReadonlyMap<string, Word | null>, from: number): void {
    const joined = new Map(before);
    for (const [name, word] of this.assignments.slice(from)) joined.set(name, merged(joined.get(name) ?? null, word));
    this.known = joined;
  }

  private text(): string {
    return JSON.stringify([...this.known].flatMap(([name, word]) => (word === null ? [] : [name, meaning(word)])));
  }
}

function merged(one: Word | null, other: Word | null): Word | null {
  if (meaning(one) === meaning(other)) return one;
  if (isNumberWord(one) && isNumberWord(other)) return { kind: "one", start: "", text: "", isInteger: true };
  return isCountWord(one) && isCountWord(other) ? { kind: "one", start: "", text: "", isCount: true } : null;
}

/** Ignores how the word is written. */
function meaning(word: Word | null): string {
  return JSON.stringify(word === null ? null : { ...word, text: "" });
}
