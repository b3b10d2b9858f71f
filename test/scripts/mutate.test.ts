import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findMutants } from "../../scripts/mutate.ts";

const root = mkdtempSync(join(tmpdir(), "coder-mutate-"));
afterAll(() => rmSync(root, { recursive: true }));
writeFileSync(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions: { noLib: true }, include: ["*.ts"] }));

async function faultsOf(source: string): Promise<readonly string[]> {
  writeFileSync(join(root, "a.ts"), source);
  return (await findMutants(root, ["a.ts"])).map((mutant) => mutant.after);
}

test("operators, conditions and numbers are each changed once", async () => {
  const source = "export function f(a: number) {\n  if (a < 3 && a !== 1) return true;\n  return a + 1 > 2;\n}\n";
  expect([...(await faultsOf(source))].sort()).toEqual(
    [
      "if (!(a < 3 && a !== 1)) return true;",
      ";",
      "if (a < 3 || a !== 1) return true;",
      "if (a <= 3 && a !== 1) return true;",
      "if (a < (3 + 1) && a !== 1) return true;",
      "if (a < (3 - 1) && a !== 1) return true;",
      "if (a < 3 && a === 1) return true;",
      "if (a < 3 && a !== (1 + 1)) return true;",
      "if (a < 3 && a !== (1 - 1)) return true;",
      "if (a < 3 && a !== 1) return false;",
      "return a - 1 > 2;",
      "return a + (1 + 1) > 2;",
      "return a + (1 - 1) > 2;",
      "return a + 1 >= 2;",
      "return a + 1 > (2 + 1);",
      "return a + 1 > (2 - 1);",
    ].sort(),
  );
});

test("a word of a union becomes another word of the same place, and a lonely one becomes empty", async () => {
  const source = 'export const a = { phase: "one", text: "x" };\nexport const b = { phase: "two" };\n';
  expect(await faultsOf(source)).toEqual([
    'export const a = { phase: "two", text: "x" };',
    'export const a = { phase: "one", text: "" };',
    'export const b = { phase: "one" };',
  ]);
});

test("optional access, defaults, lists, spreads and orders are taken away", async () => {
  const source = "declare const to: any, s: any;\nto(s, s.a?.b ?? [s]);\nexport const c = { ...s, d: s };\n";
  expect(await faultsOf(source)).toEqual([
    ";",
    "to(s);",
    "to(s, s.a?.b);",
    "to(s, [s]);",
    "to(s, s.a.b ?? [s]);",
    "to(s, s.a?.b ?? []);",
    "export const c = { d: s };",
  ]);
});

test("types and imports have no faults to give", async () => {
  const source =
    'import type { X } from "./x.ts";\nexport type A = "one" | "two" | X;\nexport interface B {\n  c: 1;\n}\n';
  expect(await faultsOf(source)).toEqual([]);
});

test("a mutant names its place and holds the whole file with one fault in it", async () => {
  writeFileSync(join(root, "b.ts"), "export const a = 1;\nexport const b = true;\n");
  expect((await findMutants(root, ["b.ts"])).at(-1)).toEqual({
    file: "b.ts",
    line: 2,
    before: "export const b = true;",
    after: "export const b = false;",
    source: "export const a = 1;\nexport const b = false;\n",
  });
});
