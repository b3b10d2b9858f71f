// Redaction of 1 MiB of source, as a command prints it, with as many known values as a person's environment has.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { redactor } from "../src/policy/redact.ts";

const size = 1024 * 1024;

export function timeRedaction(times: number): readonly number[] {
  const text = sources();
  // Words that no text holds, as random as keys are.
  const known = Array.from({ length: 10 }, (_, n) => Bun.hash.wyhash(`known ${n}`).toString(36).repeat(4));
  const redact = redactor(known);
  redact(text);
  return Array.from({ length: times }, () => {
    const started = performance.now();
    redact(text);
    return performance.now() - started;
  });
}

function sources(): string {
  const root = join(import.meta.dir, "..", "src");
  const names = readdirSync(root, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".ts"))
    .sort();
  return names
    .map((name) => readFileSync(join(root, name), "utf8"))
    .join("")
    .slice(0, size);
}
