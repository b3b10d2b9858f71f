import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expandGlob } from "../../../src/platform/files/expand-glob.ts";

let base = "";
let ws = "";

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "coder-glob-")));
  ws = join(base, "ws");
  for (const folder of ["src/deep", "docs", ".hidden", "[odd]"]) mkdirSync(join(ws, folder), { recursive: true });
  mkdirSync(join(base, "outside"));
  writeFileSync(join(base, "outside/secret.txt"), "s");
  const files = [
    "a.txt",
    "b.txt",
    "ab.md",
    ".env",
    ".hidden/x",
    "src/a.ts",
    "src/b.ts",
    "src/deep/a.ts",
    "docs/a*b",
    "docs/c-d e",
    "[odd]/y",
  ];
  for (const file of files) writeFileSync(join(ws, file), file);
  symlinkSync("../outside", join(ws, "link"));
  symlinkSync("nowhere", join(ws, "docs/dangling"));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

function byShell(pattern: string): readonly string[] {
  const child = Bun.spawnSync(["bash", "-c", `printf '%s\\0' ${pattern}`], { cwd: ws, env: { LC_ALL: "C.UTF-8" } });
  return child.stdout.toString().split("\0").slice(0, -1).sort();
}

const cases: readonly (readonly [pattern: string, found: readonly string[] | null])[] = [
  ["*.txt", ["a.txt", "b.txt"]],
  ["docs/c-*", ["docs/c-d e"]],
  ["docs/*-d*", ["docs/c-d e"]],
  ["docs/*^*", ["docs/*^*"]],
  ["?.txt", ["a.txt", "b.txt"]],
  ["src/*.ts", ["src/a.ts", "src/b.ts"]],
  ["*/*.ts", ["src/a.ts", "src/b.ts"]],
  ["*/deep/*", ["src/deep/a.ts"]],
  ["link/*", ["link/secret.txt"]],
  ["lin?/*", ["link/secret.txt"]],
  ["../out*/*", ["../outside/secret.txt"]],
  ["none*", ["none*"]],
  ["d*/", ["docs/"]],
  ["a*/", ["a*/"]],
  ["docs/a\\*b", ["docs/a*b"]],
  ["docs/a\\**", ["docs/a*b"]],
  ["\\[odd\\]/*", ["[odd]/y"]],
  ["docs/d*", ["docs/dangling"]],
  ["no/*/x", ["no/*/x"]],
];

test.each(cases)("[PO-7] %p finds what the shell finds", (pattern, found) => {
  expect(expandGlob(pattern, ws, 100)?.toSorted()).toEqual([...(found ?? [])]);
  expect(byShell(pattern)).toEqual([...(found ?? [])]);
});

test("[PO-7] an absolute glob is searched from the root of the disk", () => {
  expect(expandGlob(`${base}/outside/s*`, ws, 100)).toEqual([`${base}/outside/secret.txt`]);
});

test("[PO-7] hidden names are found by a dot only, and by a dot also the folders above", () => {
  expect(expandGlob("*", ws, 100)?.some((name) => name.startsWith("."))).toBe(false);
  expect(expandGlob(".*", ws, 100)?.toSorted()).toEqual([".", ".*", "..", ".env", ".hidden"]);
  expect(expandGlob("[.]env", ws, 100)).toEqual(["[.]env"]);
});

test("[PO-7] more than the limit, too many to look at, and names that are not UTF-8 are not known", () => {
  expect([expandGlob("*.txt", ws, 1), expandGlob("*.txt", ws, 2)?.length]).toEqual([null, 2]);
  const many = join(base, "many");
  mkdirSync(many);
  for (let index = 0; index < 120; index++) writeFileSync(join(many, `f${index}`), "");
  expect([expandGlob("none*", many, 2), expandGlob("none*", many, 3)]).toEqual([null, ["none*"]]);
  Bun.spawnSync(["bash", "-c", "ln -s ../outside $'bad\\xff'"], { cwd: many });
  expect([expandGlob("b*", many, 100), expandGlob("f1*", many, 100)?.length]).toEqual([null, 31]);
});

test("[PO-7] [SA-glob-option] whatever the shell finds is found here, also with brackets and dots", () => {
  const piece = fc.constantFrom(
    "*",
    "?",
    "a",
    "b",
    ".",
    "/",
    "src",
    "deep",
    "link",
    "[ab]",
    "[!x]",
    "[]a]",
    "txt",
    "\\*",
    "**",
    "..",
    "h",
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
      const pattern = pieces.join("");
      if (!/[*?[]/.test(pattern.replace(/\\./g, "")) || pattern.startsWith("/")) return;
      const ours = expandGlob(pattern, ws, 1000);
      const shell = byShell(pattern);
      const tidy = (path: string) => path.replace(/\/+/g, "/");
      const known = new Set(ours?.map(tidy));
      expect({ pattern, missed: shell.filter((path) => !known.has(tidy(path))) }).toEqual({ pattern, missed: [] });
    }),
    { numRuns: process.env.CODER_TEST_LONG ? 2500 : 400 },
  );
});

test("[PO-7] [SA-links] a wildcard finds what a shell that counts bytes finds", () => {
  const file = join(ws, "docs/é");
  writeFileSync(file, "");
  const child = Bun.spawnSync(["bash", "-c", "printf '%s\\0' docs/??"], { cwd: ws, env: { LC_ALL: "C" } });
  expect(child.stdout.toString()).toBe("docs/é\0");
  expect([expandGlob("docs/??", ws, 9), expandGlob("docs/?", ws, 9)]).toEqual([["docs/é"], ["docs/é"]]);
  rmSync(file);
});
