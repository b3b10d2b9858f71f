// Properties with a memory: a seed that failed once is written down and tried first ever after.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";

const file = join(import.meta.dir, "seeds.json");
const { CASES, SEED, LONG, CODER_TEST_LONG } = process.env;
const isLong = LONG === "1" || CODER_TEST_LONG === "1";

const cases = Number(CASES ?? (isLong ? 50_000 : 2_000));

interface Failed {
  readonly property: string;
  readonly seed: number;
  readonly path: string;
}

/** Checks the failed cases of earlier runs, then fresh ones. CASES and SEED make a run short and repeatable. */
export function holds<T>(property: string, check: fc.IProperty<T>): void {
  const known: readonly Failed[] = JSON.parse(readFileSync(file, "utf8"));
  for (const { seed, path } of known.filter((one) => one.property === property)) {
    fc.assert(check, { seed, path, endOnFailure: true });
  }
  // With a given seed the failure is known to be repeatable, so that looking for a smaller one only takes time.
  const given = SEED === undefined ? {} : { seed: Number(SEED), endOnFailure: true };
  const details = fc.check(check, { numRuns: cases, ...given });
  if (!details.failed) return;
  // A run with a given seed is repeatable as it is, and the mutants' failures are no failures of ours.
  if (SEED === undefined) {
    const entry: Failed = { property, seed: details.seed, path: details.counterexamplePath ?? "" };
    writeFileSync(file, `${JSON.stringify([...known, entry], null, 2)}\n`);
  }
  throw new Error(`${fc.defaultReportMessage(details)}\n${details.errorInstance}`);
}
