import { expect, test } from "bun:test";
import { fail, ok } from "../../../src/contract/error.ts";
import { phrase } from "../../../src/contract/text/catalogue.ts";
import { boundOutput } from "../../../src/engine/call/bound-output.ts";
import { cleanOutput, cleanValue, knowSecrets } from "../../../src/engine/call/redact.ts";

const noSpill = () => {
  throw new Error("nothing was to be spilled");
};
const bearer = `Authorization: Bearer ${"abcdEFGH1234".repeat(3)}`;

test("[TP-6] what fits is left as it is and nothing is spilled", () => {
  const text = "x".repeat(30_000);
  expect(boundOutput(text, noSpill)).toBe(text);
});

test("[TP-6] one character more keeps 20,000 of the head and 10,000 of the tail and says where the rest is", () => {
  const text = `${"a".repeat(20_000)}m${"z".repeat(10_000)}`;
  let spilled = "";
  const shown = boundOutput(text, (whole) => {
    spilled = whole;
    return ok(".coder/output/x.txt");
  });
  expect(shown).toBe(
    `${"a".repeat(20_000)}\n[… 1 characters left out; what was kept is in .coder/output/x.txt, page it with read …]\n${"z".repeat(10_000)}`,
  );
  expect(spilled).toBe(text);
});

test("[TP-6] a spill that fails costs the hint, not the result, and what is spilled is capped", () => {
  let length = 0;
  const shown = boundOutput("y".repeat(5_000_000), (whole) => {
    length = whole.length;
    return fail("E_IO", phrase("file.denied", { path: "x" }));
  });
  expect(shown).toContain("\n[… 4970000 characters left out …]\n");
  expect(length).toBe(4_000_000);
});

test("[TP-6] a secret that straddles the cut is replaced before the cut", () => {
  const text = `${"a".repeat(19_990)}${bearer}${"z".repeat(20_000)}`;
  let spilled = "";
  const shown = boundOutput(text, (whole) => {
    spilled = whole;
    return ok("f");
  });
  for (const place of [shown, spilled]) expect(place).not.toContain("abcdEFGH1234abcd");
});

test("[TP-6] [SA-secrets] the bytes of a known value as a list of numbers go, and the rest of the structure stays", () => {
  const value = "Kp7xWq2Zr5TmVb9Ly4HnCs8DgFj6QaXe";
  knowSecrets(() => [value]);
  const data = { exit_code: 0, bytes: [...Buffer.from(value)], words: ["plain", value], nested: { ok: true } };
  const clean = cleanValue(data, cleanOutput);
  expect(clean).toMatchObject({ exit_code: 0, bytes: [], nested: { ok: true } });
  expect(clean.words).toEqual(["plain", expect.stringMatching(/^\[REDACTED:known-secret:/)]);
});

test("[TP-6] secrets are replaced at every depth of a structured value, other values stay", () => {
  const value = { a: [bearer, { b: bearer }], n: 1, t: true, z: null, plain: "text" };
  const clean = cleanValue(value);
  expect(JSON.stringify(clean)).not.toContain("abcdEFGH1234abcd");
  expect(clean).toMatchObject({ n: 1, t: true, z: null, plain: "text" });
  expect(Array.isArray(clean.a)).toBe(true);
});
