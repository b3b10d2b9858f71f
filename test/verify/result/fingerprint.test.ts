import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseOutput } from "../../../src/verify/parse.ts";

interface Fault {
  readonly test: string;
  readonly file: string;
  readonly message: string;
}

const word = fc.stringMatching(/^[a-z]{3,8}$/);
const fault = fc.record({ test: word, file: word.map((name) => `${name}.test.js`), message: word });
const faults = fc.uniqueArray(fault, { minLength: 1, maxLength: 12, selector: ({ test }) => test });

/** One failing run of jest, in which everything that means nothing may differ. */
function run(all: readonly Fault[], noise: number, cwd: string): string {
  const blocks = all.flatMap(({ test, file, message }, n) => [
    `FAIL ./${file} (${noise}.${n} s)`,
    `  ● ${test}`,
    "",
    `    ${message} at 0x${(noise + n).toString(16)} in ${cwd}/lib/x.js:${noise} after ${noise + n} ms (/tmp/run-${noise}/out)`,
    "",
    `      at Object.f (${cwd}/${file}:${noise + n}:3)`,
    "",
  ]);
  return [...blocks, `Tests:       ${all.length} failed, ${all.length} total`, `Time: ${noise} s`, ""].join("\n");
}

function print(all: readonly Fault[], noise: number, cwd = "/project"): string {
  const output = run(all, noise, cwd);
  return parseOutput({ runner: "jest", command: "npx jest", exitCode: 1, output, timedOut: false, cwd }).fingerprint;
}

test("[VF-4] the same set of failures has the same fingerprint, whatever its order, lines, times, paths and addresses", () => {
  fc.assert(
    fc.property(faults, fc.nat(9999), fc.nat(9999), (all, one, other) => {
      expect(print([...all].reverse(), other, "/home/someone/else")).toBe(print(all, one));
    }),
  );
});

test("[VF-4] a set that is smaller by one failure, or has another one, has another fingerprint", () => {
  fc.assert(
    fc.property(faults, fault, (all, other) => {
      fc.pre(all.every(({ test }) => test !== other.test));
      const prints = [print(all, 1), print([...all, other], 1), print([other, ...all.slice(1)], 1)];
      expect(new Set(prints).size).toBe(3);
    }),
  );
});

test("[VF-4] failures beyond those that are kept count in the fingerprint", () => {
  const many = Array.from({ length: 200 }, (_, n) => ({ test: `t${n}x`, file: "a.test.js", message: "wrong" }));
  const [first, last] = [print(many, 1), print(many.slice(0, -1), 1)];
  expect(first).not.toBe(last);
  expect(print([...many].reverse(), 7)).toBe(first);
});
