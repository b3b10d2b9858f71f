// Where no listed command fits the runner, the plain form of the project is found (VF-2, VF-3).
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { detectChecks } from "../../../src/verify/detect/detect.ts";
import { inTree, manifest, type Tree } from "../tree.ts";

const found = (tree: Tree, changed: string) =>
  inTree(tree, (root) => detectChecks(root, [changed])).map((one) =>
    "command" in one ? `${one.kind} ${one.command}` : one.why.key,
  );

/** With only these programs on the machine. */
function withPrograms<T>(names: readonly string[], run: () => T): T {
  const folder = mkdtempSync(join(tmpdir(), "programs-"));
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    writeFileSync(join(folder, name), "");
    chmodSync(join(folder, name), 0o755);
  }
  const before = process.env.PATH;
  process.env.PATH = folder;
  try {
    return run();
  } finally {
    process.env.PATH = before;
    rmSync(folder, { recursive: true, force: true });
  }
}

test("[VF-3] a script whose program does not take --watch=false is run in its plain form", () => {
  const plain = [
    "node --test",
    "bun test",
    "make test",
    "deno test",
    "python3 -m unittest",
    "pytest tests",
    "uv run pytest",
  ];
  const more = ["jasmine", "tap", "go test ./...", "just test", "cypress run", "bundle exec rspec", "dotnet test"];
  for (const script of [...plain, ...more])
    expect([script, found({ "package.json": manifest(script) }, "a.js")]).toEqual([script, ["offer npm test"]]);
});

test("[VF-3] karma that would go on watching is run once", () => {
  expect(found({ "package.json": manifest("karma start") }, "a.js")).toEqual(["offer npx karma start --single-run"]);
  const once = manifest("karma start karma.conf.js --single-run");
  expect(found({ "package.json": once }, "a.js")).toEqual(["run npm test -- --watch=false"]);
});

test("[VF-4] a script that only says something, or ends, verifies nothing", () => {
  for (const script of ["true", ":", "exit 0", "echo ok", 'echo "fine" && exit 0', "printf done; true", "echo 'a; b'"])
    expect([script, found({ "package.json": manifest(script) }, "a.js")]).toEqual([script, ["verify.no_test_script"]]);
  for (const script of ["echo testing && node test.js", "echo $(node test.js)", "echo x | node test.js", "trueish"])
    expect([script, found({ "package.json": manifest(script) }, "a.js")[0]?.slice(0, 3)]).toEqual([script, "run"]);
  expect(found({ Makefile: "test:\n\t@echo ok\n" }, "a.c")).toEqual(["verify.no_project"]);
  expect(found({ Makefile: "test: build\n\t@echo ok\n" }, "a.c")).toEqual(["offer make test"]);
  expect(found({ Makefile: "check test: \n\t@echo run\n\t./run-tests\n" }, "a.c")).toEqual(["offer make test"]);
  expect(found({ Makefile: "test := 3\n" }, "a.c")).toEqual(["verify.no_project"]);
});

const unittest = "import unittest\n";

test("[VF-3] tests of unittest are run by pytest where it is there, else by unittest itself", () => {
  const tree = { "pyproject.toml": "", "test_a.py": unittest };
  expect(withPrograms(["pytest", "python3"], () => found(tree, "a.py"))).toEqual(["run pytest -q"]);
  expect(withPrograms(["python3"], () => found(tree, "a.py"))).toEqual(["offer python3 -m unittest"]);
  const inside = { "setup.py": "", "tests/test_a.py": unittest };
  expect(withPrograms(["python"], () => found(inside, "a.py"))).toEqual(["offer python -m unittest discover -s tests"]);
  const bare = { "a.py": "", "test_a.py": unittest };
  for (const line of [unittest, "import os, unittest\n", "from unittest import TestCase\n", "import unittest as u\n"])
    expect(withPrograms(["python3"], () => found({ ...bare, "test_a.py": line }, "a.py"))).toEqual([
      "offer python3 -m unittest",
    ]);
  const plain = { "a.py": "", "test_a.py": "from a import x\n\ndef test_x():\n    assert x\n" };
  expect(withPrograms(["pytest"], () => found(plain, "a.py"))).toEqual(["run pytest -q"]);
  expect(withPrograms(["python3"], () => found(plain, "a.py"))).toEqual(["verify.no_project"]);
  const elsewhere = { "a.py": "", "checks/test_a.py": plain["test_a.py"] };
  expect(withPrograms(["pytest"], () => found(elsewhere, "a.py"))).toEqual(["verify.no_project"]);
  expect(withPrograms(["python3"], () => found({ ...bare, "package.json": manifest("jest") }, "style.css"))).toEqual([
    "run npm test -- --watch=false",
  ]);
});

test("[VF-3] uv and poetry run the tests of a project whose environment is not there yet", () => {
  const tree = { "pyproject.toml": "[tool.pytest.ini_options]", "uv.lock": "" };
  expect(withPrograms(["uv", "pytest"], () => found(tree, "a.py"))).toEqual(["offer uv run pytest"]);
  expect(withPrograms(["pytest"], () => found(tree, "a.py"))).toEqual(["run pytest -q"]);
  const poetry = { "pyproject.toml": "[tool.pytest.ini_options]", "poetry.lock": "" };
  expect(withPrograms(["poetry"], () => found(poetry, "a.py"))).toEqual(["offer poetry run pytest"]);
});

test("[VF-3] Django and nose are run by their own programs, unless the project speaks of pytest", () => {
  const django = { "requirements.txt": "django", "manage.py": "import django\n" };
  expect(withPrograms(["python"], () => found(django, "a.py"))).toEqual(["offer python manage.py test"]);
  expect(found({ ...django, "pytest.ini": "" }, "a.py")).toEqual(["run pytest -q"]);
  expect(found({ "setup.cfg": "[nosetests]\n" }, "a.py")).toEqual(["offer nosetests"]);
  expect(found({ "requirements.txt": "nose2\n" }, "a.py")).toEqual(["offer nose2"]);
});
