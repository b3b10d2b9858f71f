import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { notices, packageOf } from "../../scripts/notices.ts";

test("THIRD_PARTY_NOTICES.md names what is in the program (npm run licences rewrites it)", async () => {
  expect(readFileSync(join(import.meta.dir, "..", "..", "THIRD_PARTY_NOTICES.md"), "utf8")).toBe(await notices());
});

test("the notices hold every package that the program imports, with its licence, and the runtime's", async () => {
  const text = await notices();
  for (const part of [
    "| diff | ",
    "## diff ",
    "## ripgrep",
    "## Bun ",
    "### JavaScriptCore",
    "licences/LGPL-2.1.txt",
  ]) {
    expect(text).toContain(part);
  }
});

test("a file belongs to the innermost package around it", () => {
  expect(
    ["node_modules/zod/v4/a.js", "node_modules/@a/b/c.js", "node_modules/a/node_modules/@b/c/d.js", "src/a.ts"].map(
      packageOf,
    ),
  ).toEqual(["zod", "@a/b", "a/node_modules/@b/c", null]);
});
