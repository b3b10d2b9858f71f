// The short form of `npm run scenarios`: with the program as it is built, and what the tests have installed already.
import { expect, test } from "bun:test";
import { scenarios } from "../../scripts/scenarios/all.ts";
import { carry, PATH } from "../../scripts/scenarios/carry.ts";
import { judge } from "../../scripts/scenarios/judge.ts";
import { builtBinary } from "../support/binary.ts";

const short = ["docs-only", "no-tests", "npm-node-test", "python-pytest"];

for (const scenario of scenarios.filter(({ name }) => short.includes(name))) {
  const { name, programs, runs } = scenario;
  const isHere = programs.every((program) => Bun.which(program, { PATH: PATH.join(":") }) !== null);
  for (const run of runs) {
    test.skipIf(!isHere)(
      `[VF-1] [VF-6] ${name}: a task that is ${run.name} ends ${run.ends.outcome}`,
      async () => {
        expect(await carry(builtBinary(), scenario, run, (carried) => judge(run, carried))).toEqual([]);
      },
      120_000,
    );
  }
}

test("every scenario has a name of its own and a run that is repaired, or says why nothing can be verified", () => {
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  const lacking = scenarios.filter(
    ({ runs }) => !runs.some(({ ends }) => ends.checks.length === 2 || (ends.reason?.length ?? 0) > 0),
  );
  expect(lacking.map(({ name }) => name)).toEqual([]);
});
