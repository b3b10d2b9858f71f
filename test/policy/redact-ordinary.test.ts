import { expect, test } from "bun:test";
import { lookAt, per10000 } from "../../scripts/redaction.ts";
import { alnum, body, hex } from "./secret/corpus.ts";

/** As a process knows them: keys, tokens, passwords of words, an address with a password. */
const known = [
  ...[1, 2, 3, 4, 5, 6].map((seed) => body(alnum, 30 + seed * 9, seed)),
  ...[body(hex, 64, 7), `${body(alnum, 20, 8)}-${body(alnum, 20, 9)}_${body(alnum, 8, 10)}`],
  ...["correct-horse-battery-staple", "blue monday in winter", "Tr0ub4dor&3 and more"],
  `postgres://app:${body(alnum, 14, 11)}@localhost:5432/production`,
];

test("[TP-6] in ordinary source at most one line of 10,000 is taken for a secret, whatever values are known", async () => {
  const ours = await lookAt(["src", "test", "scripts", "docs"], 1, known);
  const theirs = await lookAt(["node_modules"], 3, known);
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
  expect([...ours.found, ...theirs.found].filter((one) => / known-secret /.test(one))).toEqual([]);
}, 120_000);
