import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { touching } from "../../../src/verify/relate/touched.ts";

/** Whether a failure in `file` is one that the task, which changed `changed`, may have to do with. */
function isTouched(
  files: Readonly<Record<string, string>>,
  file: string | null,
  changed: readonly string[],
  asked = "",
  context = "",
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
      context,
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

test("[VF-5] what is loaded for a test that does not name it is what it has to do with", () => {
  const pytest = { "app/core.py": "", "tests/test_v.py": "def test_v(value):\n    assert value\n", "app/more.py": "" };
  const fixture = { ...pytest, "tests/conftest.py": "import app.core  # noqa: E402\n" };
  expect(isTouched(fixture, "tests/test_v.py", ["app/core.py"])).toBe(true);
  expect(
    isTouched({ ...fixture, "conftest.py": "from app import \\\n    more\n" }, "tests/test_v.py", ["app/more.py"]),
  ).toBe(true);
  expect(isTouched(fixture, "tests/test_v.py", ["app/more.py"])).toBe(false);
  const setUp = {
    "hooks/up.js": 'globalThis.v = require("../lib/core.js");\n',
    "lib/core.js": "",
    "lib/more.js": "",
    "test/v.js": "v();\n",
  };
  for (const [name, text] of [
    ["package.json", '{"scripts": {"test": "node --require ./hooks/up.js --test"}}'],
    ["package.json", '{"scripts": {"test": "node --import=./hooks/up.js --test"}}'],
    ["package.json", '{"mocha": {"require": ["x", "./hooks/up.js"]}}'],
    ["jest.config.js", "module.exports = { setupFilesAfterEnv: ['<rootDir>/hooks/up.js'] };\n"],
    ["vitest.config.ts", 'export default { test: { setupFiles: "./hooks/up" } };\n'],
    [".mocharc.yml", "spec: test\nrequire:\n  - ts-node/register\n  - ./hooks/up.js\n"],
    [".mocharc.yml", "require: ./hooks/up.js\n"],
    ["test/mocha.opts", "--require hooks/up\n"],
    ["spec/support/jasmine.json", '{"helpers": ["hooks/*.js", "up.js"]}'],
    ["Makefile", "test:\n\tnode -r ./hooks/up.js --test\n"],
  ] as const) {
    const files = { ...setUp, [name]: text };
    expect([text, isTouched(files, "test/v.js", ["lib/core.js"])]).toEqual([text, true]);
    expect([text, isTouched(files, "test/v.js", ["lib/more.js"])]).toEqual([text, false]);
  }
});

test("[VF-5] a program that a test starts leads on to what that program uses", () => {
  const files = {
    "bin/tool": "#!/usr/bin/env node\nrequire('../lib/core');\n",
    "run.sh": "#!/bin/sh\nexec node lib/core.js\n",
    "lib/core.js": "",
    "lib/more.js": "",
    "package.json": '{"bin": {"mytool": "./bin/tool"}}',
  };
  for (const text of [
    'run(["bin/tool"])',
    'exec("node bin/tool --flag")',
    "exec(`sh ./run.sh x`)",
    'spawn("mytool")',
  ]) {
    const all = { ...files, "test/a.js": `${text};\n` };
    expect([text, isTouched(all, "test/a.js", ["lib/core.js"])]).toEqual([text, true]);
    if (!text.includes("mytool")) expect([text, isTouched(all, "test/a.js", ["lib/more.js"])]).toEqual([text, false]);
  }
  const sentence = { ...files, "test/a.js": 'it("has more lib to core", () => {});\n' };
  expect(isTouched(sentence, "test/a.js", ["lib/core.js"])).toBe(false);
});

test("[VF-5] of a helper in which it failed, the test that called it counts; where none is known, all may be touched", () => {
  const files = {
    "test/a.js": 'require("../lib/core");\n',
    "test/check.js": "",
    "util/check.js": "",
    "lib/core.js": "",
  };
  const stack = "    at check (test/check.js:1:1)\n    at Object.<anonymous> (test/a.js:1:1)";
  expect(isTouched(files, "test/check.js", ["lib/core.js"], "", stack)).toBe(true);
  expect(isTouched(files, "test/check.js", ["util/check.js"], "", stack)).toBe(false);
  expect(isTouched(files, "util/check.js", ["lib/core.js"])).toBe(true);
  expect(isTouched({ ...files, "manage.py": "" }, "test/check.js", ["lib/core.js"])).toBe(true);
});

test("[VF-5] where a test in Python looks for modules is no module that it uses", () => {
  const at = 'os.path.join(os.path.dirname(__file__), "..")';
  for (const head of [
    "import sys; sys.path.insert(0, '.')\n",
    `import os, sys\nsys.path.insert(0, ${at})\n`,
    `import os, sys\nsys.path.insert(\n    0,\n    ${at},\n)\n`,
    `import os, sys\nif True:\n    sys.path.append(${at})\n`,
  ]) {
    const files = { "calc.py": "", "other.py": "", "tests/test_other.py": `${head}from other import x\n` };
    expect([head, isTouched(files, "tests/test_other.py", ["calc.py"])]).toEqual([head, false]);
    expect(isTouched(files, "tests/test_other.py", ["other.py"])).toBe(true);
  }
  const lists = {
    "calc.py": "",
    "tests/test_all.py": 'import os\nfor name in os.listdir(".."):\n    __import__(name)\n',
  };
  expect(isTouched(lists, "tests/test_all.py", ["calc.py"])).toBe(true);
});
