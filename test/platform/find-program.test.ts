import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRealProgram, shimsIn } from "../../src/platform/find-program.ts";

let base = "";

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "coder-programs-")));
  for (const folder of ["shims", "bin", "tools"]) mkdirSync(join(base, folder));
  const binary = (path: string) => copyFileSync("/bin/true", join(base, path));
  const script = (path: string, text: string) => {
    writeFileSync(join(base, path), text);
    chmodSync(join(base, path), 0o755);
  };
  for (const path of ["shims/node", "bin/jq", "tools/mise", "tools/coreutils"]) binary(path);
  symlinkSync("../tools/mise", join(base, "bin", "rg"));
  symlinkSync("../tools/coreutils", join(base, "bin", "ls"));
  script("bin/fd", '#!/usr/bin/env bash\n# asdf-plugin: fd 9\nexec asdf exec "fd" "$@"\n');
  script("bin/perl", '#!/bin/sh\nexec "plenv" exec perl "$@"\n');
  script("bin/tree", '#!/bin/sh\nexec pkgx tree "$@"\n');
  script("bin/which", "#! /bin/sh\nset -ef\n");
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

test("[PO-4] what a version manager put in the place of a program is told from programs, scripts and links of others", () => {
  const isShim = shimsIn(`${base}/bin:${base}/shims`, []);
  const names = ["node", "rg", "fd", "perl", "tree", "jq", "ls", "which", "nowhere"];
  expect(names.filter(isShim)).toEqual(["node", "rg", "fd", "perl", "tree"]);
  expect(names.filter(isShim)).toEqual(["node", "rg", "fd", "perl", "tree"]);
});

test("[PO-4] a binary of the right name is not the program itself where a version manager keeps its stand-ins", () => {
  expect(isRealProgram("node", join(base, "shims"), [])).toBe(false);
  expect(["jq", "ls", "which", "nowhere"].map((name) => isRealProgram(name, join(base, "bin"), []))).toEqual([
    ...[true, false, false, false],
  ]);
});
