import { expect, test } from "bun:test";
import { lookAt, per10000 } from "../../scripts/redaction.ts";

test("[TP-6] in ordinary source at most one line of 10,000 is taken for a secret", async () => {
  const ours = await lookAt(["src", "test", "scripts", "docs"]);
  const theirs = await lookAt(["node_modules"], 3);
  for (const [name, findings] of [
    ["this project", ours],
    ["its dependencies", theirs],
  ] as const) {
    console.log(
      `${name}: ${findings.found.length} in ${findings.lines} lines, ${per10000(findings).toFixed(2)} per 10,000`,
    );
  }
  expect(ours.lines + theirs.lines).toBeGreaterThan(200_000);
  expect([ours, theirs].map((findings) => (per10000(findings) <= 1 ? [] : findings.found))).toEqual([[], []]);
}, 20_000);
