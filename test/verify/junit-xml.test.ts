import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseOutput } from "../../src/verify/parse.ts";
import { parsedRow, rowNamed } from "./recorded.ts";

const quiet = { runner: "surefire", command: "mvn -q test", output: "", timedOut: false, cwd: "/project" } as const;

function suite(cases: string, attributes = ""): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="ex.A"${attributes}>${cases}</testsuite>\n`;
}

const passed = '<testcase name="a" classname="ex.A"/>';
const failed =
  '<testcase name="b" classname="ex.A"><failure message="x &lt; y &#38; z" type="E"><![CDATA[E: x < y & z\n\tat ex.A.b(A.java:7)]]></failure></testcase>';

test("[VF-4] a silent run passes on its reports, and on nothing else", () => {
  expect(parseOutput({ ...quiet, exitCode: 0, reports: [suite(passed)] })).toMatchObject({ ok: true, type: "pass" });
  expect(parseOutput({ ...quiet, exitCode: 0 })).toMatchObject({ ok: false, type: "environment" });
  expect(parseOutput({ ...quiet, exitCode: 0, reports: [] })).toMatchObject({ ok: false, type: "environment" });
  expect(parseOutput({ ...quiet, exitCode: 0, reports: [suite("")] })).toMatchObject({
    ok: false,
    type: "environment",
  });
  expect(parseOutput({ ...quiet, exitCode: 1, reports: [suite(passed)] }).ok).toBe(false);
  const skipped = '<testcase name="a"><skipped/></testcase>';
  expect(parseOutput({ ...quiet, exitCode: 0, reports: [suite(skipped)] })).toMatchObject({ ok: false });
});

test("[VF-4] a failure in a report is not a pass, whatever the exit code and the text say", () => {
  const result = parseOutput({ ...quiet, exitCode: 0, reports: [suite(passed), suite(failed)] });
  expect(result).toMatchObject({ ok: false, type: "test_failure" });
  expect(result.counts).toEqual({ passed: 1, failed: 1, errors: 0, skipped: 0, todo: null });
  const context = "E: x < y & z\n\tat ex.A.b(A.java:7)";
  expect(result.details).toEqual([{ file: "A.java", line: 7, error: "E: x < y & z", context, test: "ex.A.b" }]);
  expect(parsedRow(rowNamed("maven_ok"), { reports: [suite(failed)] }).ok).toBe(false);
  expect(parsedRow(rowNamed("pytest_ok"), { reports: [suite(failed)] }).ok).toBe(false);
});

test("[VF-4] a report that claims failures it does not show is not a pass", () => {
  const report = suite(passed, ' tests="2" failures="1"');
  expect(parseOutput({ ...quiet, exitCode: 0, reports: [report] }).ok).toBe(false);
});

const hostile: readonly (readonly [what: string, report: string])[] = [
  ["cut off", suite(passed).slice(0, -8)],
  ["with a document type", `<!DOCTYPE x [<!ENTITY a "b">]>${suite(passed)}`],
  [
    "that would blow up",
    `<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>${suite("<x>&b;</x>")}`,
  ],
  ["with tags that cross", "<testsuite><testcase></testsuite></testcase>"],
  ["nested for ever", `${"<testsuite>".repeat(500)}${passed}${"</testsuite>".repeat(500)}`],
  ["with an open attribute", '<testsuite name="a><testcase name="a"/></testsuite>'],
  ["with two roots", "<testsuite></testsuite><testsuite>"],
  ["of plain text", "all tests passed"],
  ["that is empty", ""],
];

for (const [what, report] of hostile) {
  test(`[VF-4] a report ${what} is no evidence`, () => {
    expect(parseOutput({ ...quiet, exitCode: 0, reports: [report] })).toMatchObject({ ok: false });
    expect(parseOutput({ ...quiet, exitCode: 0, reports: [suite(passed), report] })).toMatchObject({ ok: false });
  });
}

test("[VF-4] an entity nobody defined stays as it is, and CDATA is only text", () => {
  const text = "<testcase name='b'><failure message='&a; &#0; &#x41;'><![CDATA[</failure>&lt;]]></failure></testcase>";
  const [detail] = parseOutput({ ...quiet, exitCode: 1, reports: [suite(text)] }).details;
  expect(detail).toEqual({ file: null, line: null, error: "&a; &#0; A", context: "</failure>&lt;", test: "b" });
});

const piece = fc.constantFrom(
  "<",
  ">",
  "/",
  "testsuite",
  "testcase",
  " name='a'",
  '"',
  "&lt;",
  "<![CDATA[",
  "]]>",
  "<!--",
  "-->",
  "x",
  "<failure>",
  "</failure>",
);

test("[VF-4] no heap of tags throws, and none without a test is a pass", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const report = pieces.join("");
      const result = parseOutput({ ...quiet, exitCode: 0, reports: [report] });
      if (!report.includes("testcase")) expect(result.ok).toBe(false);
    }),
    { numRuns: 2000 },
  );
});
