import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { touching } from "../../src/verify/touched.ts";

/** Whether a failure in `file` is one that the task, which changed `changed`, may have to do with. */
function isTouched(
  files: Readonly<Record<string, string>>,
  file: string | null,
  changed: readonly string[],
  asked = "",
): boolean {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "coder-touched-")));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return touching({ root, cwd: "", changed, asked })({
      file,
      line: 1,
      error: "x",
      context: "",
      test: "adds numbers",
    });
  } finally {
    rmSync(root, { recursive: true });
  }
}

const python = {
  "pkg/__init__.py": "from .core import run\n",
  "pkg/core.py": "import json\nfrom pkg import (\n    util,\n    more,\n)\n",
  "pkg/util.py": "",
  "pkg/more.py": "",
  "pkg/other.py": "",
  "tests/test_core.py": "from pkg.core import run\n",
  "tests/test_other.py": "from pkg2 import x\n",
};
const node = {
  "src/index.js": 'const a = require("./a");\n',
  "src/a.js": "export * from './deep/b.js';\n",
  "src/deep/b.js": "",
  "src/c.ts": "",
  "test/a.test.js": 'import { a } from "../src/a.js";\n',
  "test/all.test.js": 'const all = require("../src");\n',
  "test/c.test.js": "const c = await import('../src/c');\n",
  "test/cli.test.js": 'spawnSync("node", ["bin.js"]);\n',
  "bin.js": "",
};
const go = {
  "a/a.go": "package a\n",
  "a/a_test.go": "package a\n",
  "b/b.go": 'package b\n\nimport (\n\t"fmt"\n\tx "example.com/m/a"\n)\n',
  "b/b_test.go": "package b\n",
  "c/c_test.go": "package c\n",
};

test("[VF-5] what a test imports, directly or through others, is what it has to do with", () => {
  const rows: readonly (readonly [Readonly<Record<string, string>>, string, string, boolean])[] = [
    [python, "tests/test_core.py", "pkg/core.py", true],
    [python, "tests/test_core.py", "pkg/util.py", true],
    [python, "tests/test_core.py", "pkg/more.py", true],
    [python, "tests/test_core.py", "pkg/other.py", false],
    [python, "tests/test_other.py", "pkg/core.py", false],
    [node, "test/a.test.js", "src/deep/b.js", true],
    [node, "test/all.test.js", "src/deep/b.js", true],
    [node, "test/a.test.js", "src/c.ts", false],
    [node, "test/c.test.js", "src/c.ts", true],
    [node, "test/cli.test.js", "bin.js", true],
    [go, "a/a_test.go", "a/a.go", true],
    [go, "b/b_test.go", "a/a.go", true],
    [go, "c/c_test.go", "a/a.go", false],
  ];
  for (const [files, file, changed, expected] of rows)
    expect([file, changed, isTouched(files, file, [changed])]).toEqual([file, changed, expected]);
});

test("[VF-5] a package or folder that is imported as a whole, by its place or by its own name, is all that is in it", () => {
  const root = { "package.json": '{"name": "ranges"}', "index.js": "", "lib/deep.js": "" };
  for (const text of [
    'require("..")',
    "require('../')",
    'import r from "ranges"',
    'spawnSync("python", ["-m", "lib.deep"])',
    'for (const one of readdirSync("../lib")) require(one)',
  ]) {
    const files = { ...root, "test/a.js": `${text};\n` };
    const changed = text.includes("lib") ? "lib/deep.js" : "index.js";
    expect([text, isTouched(files, "test/a.js", [changed])]).toEqual([text, true]);
  }
  expect(isTouched({ ...root, "test/a.js": 'require("assert");\n' }, "test/a.js", ["index.js"])).toBe(false);
  const folder = { "x/index.js": "", "x/b.js": "", "x/test/a.js": 'require("..");\n' };
  expect(isTouched(folder, "x/test/a.js", ["x/b.js"])).toBe(true);
});

test("[VF-5] the test itself, what it imported and is gone now, and what all tests depend on count too", () => {
  expect(isTouched(python, "tests/test_core.py", ["tests/test_core.py"])).toBe(true);
  const { "src/deep/b.js": _, ...gone } = node;
  expect(isTouched(gone, "test/a.test.js", ["src/deep/b.js"])).toBe(true);
  for (const changed of ["package.json", "conftest.py", "vitest.config.ts", "data.json", "src/lib.rs", "Makefile"])
    expect([changed, isTouched(node, "test/c.test.js", [changed])]).toEqual([changed, true]);
  expect(isTouched(node, "test/c.test.js", ["README.md"])).toBe(false);
});

test("[VF-5] a failure without a place, in an unknown language, or that the person speaks of is never told apart", () => {
  expect(isTouched(node, null, ["bin.js"])).toBe(true);
  expect(isTouched(node, "tests/x.rs", ["bin.js"])).toBe(true);
  for (const asked of [
    "fix the failing tests",
    "c.test.js is broken",
    "make `adds numbers` work",
    "让测试通过",
    "all specs should be green",
  ])
    expect([asked, isTouched(node, "test/c.test.js", ["bin.js"], asked)]).toEqual([asked, true]);
  expect(isTouched(node, "test/c.test.js", ["bin.js"], "add a flag to bin.js and run the tests")).toBe(false);
});
