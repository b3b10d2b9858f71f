import { redactor } from "../policy/redact.ts";
import { RedactingStream } from "../policy/secret/stream.ts";

let known: readonly string[] = [];
let redact = redactor(known);

/** Values that are secret for certain, whatever they look like: the model's key, what the environment calls a secret. */
export function knowSecrets(values: readonly string[]): void {
  known = [...new Set([...known, ...values])];
  redact = redactor(known);
}

/** TP-6: text as it may be kept, shown and sent. */
export function clean(text: string): string {
  return redact(text).text;
}

/** The same for a value of JSON: what a key says of its value counts, and its shape stays. */
export function cleanValue<T>(value: T): T {
  const text = JSON.stringify(value);
  const kept = clean(text);
  return kept === text ? value : (JSON.parse(kept) as T);
}

/** The same for output that arrives in pieces. */
export function cleanStream(): RedactingStream {
  return new RedactingStream(known);
}
