import { redactor, replaceSecrets } from "../../policy/redact.ts";
import { halfFinder } from "../../policy/secret/half.ts";
import { KnownSecrets } from "../../policy/secret/known/known.ts";
import { RedactingStream } from "../../policy/secret/stream.ts";

/** Looked up when the first text is cleaned: no start waits for them. */
let sources: (() => readonly string[])[] = [];
const known = new KnownSecrets();
const redact = redactor(known);
/** Made when half a secret is looked for, which is seldom; `null`: more is known since. */
let findHalves: ReturnType<typeof halfFinder> | null = null;

/** Values that are secret for certain, whatever they look like: the model's key, what is kept from commands. */
export function knowSecrets(values: () => readonly string[]): void {
  sources.push(values);
}

function lookUp(): void {
  if (sources.length === 0) return;
  known.add(sources.flatMap((source) => source()));
  sources = [];
  findHalves = null;
}

/** How many there are: what was cleaned with fewer may hold one that came later. */
export function secretsKnown(): number {
  lookUp();
  return known.size;
}

/** TP-6: text as it may be kept, shown and sent. */
export function clean(text: string): string {
  lookUp();
  return redact(text).text;
}

/** The same for what a tool or a program printed, which may have it in any code. */
export function cleanOutput(text: string): string {
  lookUp();
  known.deepen();
  return redact(text).text;
}

/** The same for what was written by somebody who was ended, maybe in the middle of a word: half a secret goes too. */
export function cleanUnended(text: string): string {
  return withoutHalves(cleanOutput(text));
}

/** Text in which lines may end before a secret does. */
export function withoutHalves(text: string): string {
  lookUp();
  findHalves ??= halfFinder(known.forms());
  return replaceSecrets(text, findHalves(text));
}

/** The same for a value of JSON: what a key says of its value counts, and its shape stays. */
export function cleanValue<T>(value: T, cleaned: (text: string) => string = clean): T {
  const text = JSON.stringify(value);
  const kept = cleaned(text);
  return kept === text ? value : (parsed(kept) ?? (withoutNumbers(value, cleaned) as T));
}

function parsed<T>(json: string): T | null {
  try {
    return JSON.parse(json) as T;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A list of numbers can be the bytes of a secret, and no placeholder can stand in its place: it goes as a whole. */
function withoutNumbers(value: unknown, cleaned: (text: string) => string): unknown {
  if (typeof value === "string") return cleaned(value);
  if (Array.isArray(value)) {
    return value.every((one) => typeof one === "number") ? [] : value.map((one) => withoutNumbers(one, cleaned));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutNumbers(one, cleaned)]));
}

/** The same for output that arrives in pieces. */
export function cleanStream(): RedactingStream {
  lookUp();
  return new RedactingStream(known);
}
