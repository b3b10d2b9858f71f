import { expect, test } from "bun:test";
import fc from "fast-check";
import { failureLines } from "../../src/command/text/verification.ts";
import { foldDetails, type VerificationDetail } from "../../src/contract/verification.ts";
import { parseOutput } from "../../src/verify/parse.ts";
import { parsedRow, rows } from "./recorded.ts";

const detail = (some: Partial<VerificationDetail>): VerificationDetail => ({
  ...{ file: "a.py", line: 3, error: "assert 1 == 2", context: "", test: "a.py::test_x" },
  ...some,
});
const params = Array.from({ length: 30 }, (_, n) => detail({ test: `a.py::test_x[${n}]`, error: `assert ${n} == 0` }));

test("[VF-4] a test that fails for thirty parameters is told once, and the others are named with what they say", () => {
  const lines = failureLines("en", [...params, detail({ test: "a.py::test_y", line: 9 })]);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toStartWith(
    "a.py:3: a.py::test_x[0]: assert 0 == 0\n    (29 more like this: a.py::test_x[1]: assert 1 == 0; ",
  );
  expect(lines[0]).toEndWith("a.py::test_x[8]: assert 8 == 0; …)");
  expect(lines[1]).toBe("a.py:9: a.py::test_y: assert 1 == 2");
  expect(failureLines("zh", params)[0]).toContain("（另有 29 条同类：");
});

test("[VF-4] what fails elsewhere, otherwise, in another test or without a name is told by itself", () => {
  const different = [
    detail({}),
    detail({ line: 4 }),
    detail({ file: "b.py" }),
    detail({ error: "ValueError: x" }),
    detail({ line: null, test: "a.py::test_z[1]" }),
    detail({ line: null, test: "a.py::test_w[1]" }),
    detail({ test: null }),
    detail({ test: null }),
    detail({ test: "t", file: null, line: null }),
    detail({ test: "t", file: null, line: null }),
  ];
  expect(foldDetails(different).map(({ others }) => others.length)).toEqual(different.map(() => 0));
  expect(foldDetails([different[4]!, detail({ line: null, test: "a.py::test_z[2]" })])).toHaveLength(1);
});

test("[VF-4] every failure is in exactly one fold, in the order in which the first ones came", () => {
  const one = fc.record({
    file: fc.constantFrom("a.py", null),
    line: fc.constantFrom(1, 2, null),
    error: fc.constantFrom("assert 1 == 2", "assert 3 == 4", "ValueError: x\ny", ""),
    test: fc.constantFrom("t[1]", "t[2]", "u/1", null),
    context: fc.constant(""),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 30 }), (details: readonly VerificationDetail[]) => {
      const folds = foldDetails(details);
      const all = folds.flatMap(({ first, others }) => [first, ...others]);
      expect(new Set(all)).toEqual(new Set(details));
      expect(all).toHaveLength(details.length);
      const firsts = folds.map(({ first }) => details.indexOf(first));
      expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
    }),
  );
});

const pytest = (lines: readonly string[]) =>
  parseOutput({
    ...{ runner: "pytest", command: "pytest -q --tb=no", exitCode: 1, timedOut: false, cwd: "/project" },
    output: ["FF [100%]", "=== short test summary info ===", ...lines, "2 failed in 0.01s", ""].join("\n"),
  }).details.map(({ test, error }) => [test, error]);

test("[VF-4] the message of pytest's short summary goes on below, up to the next entry", () => {
  expect(
    pytest([
      "FAILED a.py::test_x - AssertionError: assert {'a': 1} == {'a': 2}",
      "  ",
      "  Differing items:",
      "  {'a': 1} != {'a': 2}",
      "SKIPPED [1] a.py:3: not",
      "  today",
      "FAILED a.py::test_y - ValueError: one",
      "two",
    ]),
  ).toEqual([
    ["a.py::test_x", "AssertionError: assert {'a': 1} == {'a': 2}\n  \n  Differing items:\n  {'a': 1} != {'a': 2}"],
    ["a.py::test_y", "ValueError: one\ntwo"],
  ]);
});

test("[VF-4] a message without end is kept in bounds", () => {
  const [[, error] = []] = pytest([
    "FAILED a.py::test_x - E: 1",
    ...Array.from({ length: 10_000 }, () => "x".repeat(900)),
  ]);
  expect(error?.length).toBeLessThanOrEqual(2000);
});

const withoutBanner = (output: string): string =>
  output
    .split("\n")
    .filter((line) => !/^[>$] /.test(line))
    .join("\n");
const telling = ({ ok, type, counts, details }: ReturnType<typeof parsedRow>) => ({
  ...{ ok, type, counts },
  details: details.map(({ file, line, test: name }) => ({ file, line, name })),
});

for (const tool of ["jest", "vitest"]) {
  test(`[VF-4] ${tool} behind a script that does not name it is read as by its name`, () => {
    const some = rows.filter((row) => row.tool === tool);
    expect(some.length).toBeGreaterThan(10);
    for (const row of some) {
      const found = parsedRow(row, { command: "npm test", output: withoutBanner(row.output) });
      expect([row.id, telling(found)]).toEqual([row.id, telling(parsedRow(row))]);
    }
  });
}

test("[VF-4] a document of vitest or jest longer than any line is read as theirs, with a pass and a failure", () => {
  for (const [row, joint] of rows.flatMap((one) => {
    const start = /^\{"num(Total|Failed)TestSuites"/m.exec(one.output)?.[1];
    return start === undefined ? [] : [[one, start === "Total" ? " > " : " › "] as const];
  })) {
    const long = row.output
      .replace(/^\{"num/m, `{"num`)
      .replace(/"testResults":\[/, `"pad":"${"x".repeat(5000)}","testResults":[`);
    const found = parsedRow(row, { command: "npm run -s test", output: long });
    expect(found.counts).toEqual(parsedRow(row).counts);
    for (const { test: name } of found.details) expect(name).not.toContain(joint === " > " ? " › " : " > ");
  }
});

test("[VF-4] jest whose end was cut off is known by its suites and blocks", () => {
  const output = [
    "FAIL src/a.test.ts (5.1 s)",
    "  ● sums › adds",
    "",
    "    Expected: 5",
    "",
    "      at src/a.test.ts:8:21",
  ];
  const found = parseOutput({
    ...{ runner: "auto", command: "npm test", exitCode: 1, timedOut: false, cwd: "/project" },
    output: output.join("\n"),
  });
  expect(found.details.map(({ test: name, file, line }) => [name, file, line])).toEqual([
    ["sums › adds", "src/a.test.ts", 8],
  ]);
});
