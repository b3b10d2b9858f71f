import { parsedJson } from "../../contract/json.ts";
import { redactor, replaceSecrets } from "../../policy/redact.ts";
import { halfFinder } from "../../policy/secret/half.ts";
import { KnownSecrets } from "../../policy/secret/known/known.ts";
import { RedactingStream } from "../../policy/secret/stream.ts";

/** Read at the first cleaning, so that no start waits for them. */
let sources: (() => readonly string[])[] = [];
const known = new KnownSecrets();
const redact = redactor(known);
/** Built when first needed, which is rare; `null`: outdated or not built. */
let findHalves: ReturnType<typeof halfFinder> | null = null;

/** Registers values that are certainly secret, such as API keys and variables kept from commands. */
export function knowSecrets(values: () => readonly string[]): void {
  sources.push(values);
}

function lookUp(): void {
  if (sources.length === 0) return;
  known.add(sources.flatMap((source) => source()));
  sources = [];
  findHalves = null;
}

/** Text cleaned when fewer secrets were known may still contain one. */
export function secretsKnown(): number {
  lookUp();
  return known.size;
}

/** TP-6: makes text safe to store, show and send. */
export function clean(text: string): string {
  lookUp();
  return redact(text).text;
}

/** For program output, which may contain secrets in any encoding. */
export function cleanOutput(text: string): string {
  lookUp();
  known.deepen();
  return redact(text).text;
}

/** For output of a killed program: also removes half a secret at its end. */
export function cleanUnended(text: string): string {
  return withoutHalves(cleanOutput(text));
}

/** Removes partial secrets too. */
export function withoutHalves(text: string): string {
  lookUp();
  findHalves ??= halfFinder(known.forms());
  return replaceSecrets(text, findHalves(text));
}

/** For JSON values: keys count as context of their values, and the shape stays. */
export function cleanValue<T>(value: T, cleaned: (text: string) => string = clean): T {
  const text = JSON.stringify(value);
  const kept = cleaned(text);
  return kept === text ? value : ((parsedJson(kept) ?? withoutNumbers(value, cleaned)) as T);
}

/** A number array may hold the bytes of a secret and has no room for a placeholder, so it is emptied. */
function withoutNumbers(value: unknown, cleaned: (text: string) => string): unknown {
  if (typeof value === "string") return cleaned(value);
  if (Array.isArray(value)) {
    return value.every((one) => typeof one === "number") ? [] : value.map((one) => withoutNumbers(one, cleaned));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutNumbers(one, cleaned)]));
}

export function cleanStream(): RedactingStream {
  lookUp();
  return new RedactingStream(known);
}
