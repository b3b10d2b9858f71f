// What real runners printed in `npm run scenarios -- --record`, read as it was expected before anything was run.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LiveRow } from "../../scripts/scenarios/record.ts";
import { parseOutput } from "../../src/verify/parse.ts";

const text = readFileSync(join(import.meta.dir, "fixtures", "live-output.jsonl"), "utf8");
const rows = text
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as LiveRow);

describe.each(rows)("$id", (row) => {
  const { command, exit_code: exitCode, output, cwd, files, expected } = row;
  const exists = (path: string) => files.includes(path);
  const parsed = (reports: readonly string[]) =>
    parseOutput({ runner: "auto", command, exitCode, output, timedOut: false, reports, cwd, exists });

  test("[VF-4] type, counts, files, lines and messages are those of the fault that was made", () => {
    const { type, counts, details } = parsed(row.reports);
    expect({ type, details: details.map(({ file, line }) => ({ file, line })) }).toEqual({
      type: expected.type,
      details: expected.details.map(({ file, line }) => ({ file, line })),
    });
    for (const [at, { error, test = "" }] of expected.details.entries()) {
      expect(details[at]?.error).toContain(error);
      expect(details[at]?.test ?? "").toContain(test);
    }
    if (expected.counts) expect({ passed: counts.passed, failed: counts.failed ?? 0 }).toEqual(expected.counts);
  });

  test("[VF-4] without the reports, or cut off in the middle, it is never better than it was", () => {
    const half = output.slice(0, output.length / 2);
    const cut = parseOutput({ runner: "auto", command, exitCode, output: half, timedOut: false, cwd });
    const isPass = expected.type === "pass";
    expect([parsed([]), cut].map(({ ok }) => ok && !isPass)).toEqual([false, false]);
  });
});

test("every runner that a scenario has is recorded with a failure and with a pass", () => {
  const kinds = new Set(rows.map(({ command, expected }) => `${command}: ${expected.type === "pass"}`));
  const commands = new Set(rows.map(({ command }) => command));
  expect([...commands].filter((one) => !kinds.has(`${one}: true`) || !kinds.has(`${one}: false`))).toEqual([]);
});

test("[VF-4] npm that does not start because two packages have one name says nothing about the code", () => {
  const output = [
    ...["Exit prior to config file resolving", "cause", "must not have multiple workspaces with the same name"],
    ...[
      "package 'calc' has conflicts in the following paths:",
      "    /project/packages/a",
      "    /project/packages/b",
      "",
    ],
  ].join("\n");
  const command = "npm test -- --watch=false";
  const found = parseOutput({ runner: "auto", command, exitCode: 1, output, timedOut: false, cwd: "/project" });
  expect(found).toMatchObject({ ok: false, type: "environment" });
});
