// What was found is kept as a test: test/policy/fuzz-finds.test.ts judges each line again.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Find {
  /**
   * `effect`: it was allowed and did something. `deny`, `always`: it walked around a rule, see `rule-lines.ts`; `kept`, `opened`:
   * around one about paths, see `path-lines.ts`.
   */
  readonly kind: "effect" | "deny" | "always" | "kept" | "opened";
  readonly line: string;
  /** What it did; the program that was forbidden; the line that "always" was said to; the path of the rule. */
  readonly what: string;
}

const file = join(import.meta.dir, "..", "..", "test", "policy", "fuzz-finds.jsonl");

export function readFinds(): readonly Find[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Find);
}

export function storeFind(find: Find): void {
  if (readFinds().some(({ kind, line }) => kind === find.kind && line === find.line)) return;
  appendFileSync(file, `${JSON.stringify(find)}\n`);
}
