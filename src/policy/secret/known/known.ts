import { rareForms, type Written, writtenForms } from "../encodings.ts";
import { literal } from "../pattern.ts";
import type { Secret } from "../span.ts";
import { isDummyValue, isRandom } from "../value.ts";
import { KnownIndex } from "./index.ts";

/** Shorter values are parts of ordinary words. */
export const shortest = 8;
/** Values of this length are found inside other words too. */
const unmistakable = 16;
/** A value with fewer letters and digits is matched exactly, with its signs. */
const minLetters = 8;

/** Values that the process knows to be secret. They are found in every encoding, and when split over lines. */
export class KnownSecrets {
  private readonly values = new Set<string>();
  private readonly index = new KnownIndex();
  /** Values whose rare forms are not indexed yet. */
  private withoutRareForms: string[] = [];
  private exact: RegExp | null = null;
  /** Form → value, for values with few letters and digits. */
  private readonly exactForms = new Map<string, string>();

  constructor(values: readonly string[] = []) {
    this.add(values);
  }

  add(values: readonly string[]): void {
    for (const value of values.flatMap(withParts)) {
      if (value.length < shortest || isDummyValue(value) || this.values.has(value)) continue;
      this.values.add(value);
      this.addForms(value);
    }
  }

  /** Also indexes the rare forms. That takes milliseconds, and only the output of programs can contain them, so other callers skip it. */
  deepen(): void {
    for (const value of this.withoutRareForms) this.index.add(value, longEnough(rareForms(value)), isWord(value));
    this.withoutRareForms = [];
  }

  get size(): number {
    return this.values.size;
  }

  find(text: string): readonly Secret[] {
    if (this.size === 0) return [];
    return [...this.findExact(text), ...this.index.find(text)];
  }

  /** Where the end of the text may begin a value that continues beyond it; the text's length if nowhere. */
  openStart(text: string): number {
    return this.size === 0 ? text.length : this.index.openStart(text);
  }

  /** All forms of the values, for comparison with an unsplit text. */
  forms(): ReadonlySet<string> {
    const all = [...this.values];
    return new Set([...all.flatMap(simpleForms), ...all.flatMap(writtenForms).map(({ source }) => source)]);
  }

  private addForms(value: string): void {
    const forms = longEnough(writtenForms(value));
    this.index.add(value, forms, isWord(value));
    this.withoutRareForms.push(value);
    if (forms.some(({ isPlain }) => isPlain)) return;
    for (const form of simpleForms(value)) this.exactForms.set(form, value);
    this.exact = null;
  }

  private findExact(text: string): readonly Secret[] {
    if (this.exactForms.size === 0) return [];
    this.exact ??= patternOf([...this.exactForms.keys()]);
    return [...text.matchAll(this.exact)].map(({ index, 0: form }) => {
      return { kind: "known-secret", from: index, to: index + form.length, value: this.exactForms.get(form) ?? form };
    });
  }
}

const longEnough = (forms: readonly Written[]): readonly Written[] =>
  forms.filter(({ text }) => text.length >= minLetters);

/** One word: not a path, an address or a sentence. */
const isWord = (value: string): boolean => /^[^\s"'`<>;,(){}[\]|&?@]+$/.test(value) && !value.includes("://");

/** A connection string, an address or a file contains secrets of its own, which may appear without the rest. */
function withParts(value: string): readonly string[] {
  const whole = value.trim();
  if (isWord(whole)) return [whole];
  const parts = whole
    .split(/[\s"'`<>;,(){}[\]|&?@=:]+/)
    .filter((part) => part.length >= unmistakable && isRandom(part));
  const password = /:\/\/[^/\s:@]*:([^/\s@]+)@/.exec(whole)?.[1] ?? "";
  return [whole, ...parts, password];
}

function simpleForms(value: string): readonly string[] {
  const asJson = JSON.stringify(value).slice(1, -1);
  const inUrl = encodeURIComponent(value.toWellFormed());
  return [...new Set([value, asJson, inUrl, inUrl.replaceAll("%20", "+")])];
}

/** Longest first: otherwise a value that begins like another one would leave its end behind. */
function patternOf(forms: readonly string[]): RegExp {
  const sorted = [...forms].sort((one, other) => other.length - one.length);
  const sources = sorted.map((form) => {
    const source = literal(form);
    return form.length >= unmistakable
      ? source
      : String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf]))${source}(?![A-Za-z0-9])`;
  });
  return new RegExp(sources.join("|"), "g");
}
