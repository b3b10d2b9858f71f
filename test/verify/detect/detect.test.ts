import { expect, test } from "bun:test";
import { phrase } from "../../../src/contract/text/catalogue.ts";
import { detectChecks } from "../../../src/verify/detect/detect.ts";
import { inTree, manifest, type Tree } from "../tree.ts";

const detect = (tree: Tree, ...changed: readonly string[]) => inTree(tree, (root) => detectChecks(root, changed));
const found = (tree: Tree, ...changed: readonly string[]) =>
  detect(tree, ...changed).map((one) => [one.cwd, "command" in one ? one.command : null]);

test("[VF-3] each kind of project is verified with its own command, where its file lies", () => {
  expect(found({ "go.mod": "module x", "a.go": "" }, "a.go")).toEqual([["", "go test ./..."]]);
  expect(found({ "Cargo.toml": "[package]" }, "src/lib.rs")).toEqual([["", "cargo test"]]);
  expect(found({ "pytest.ini": "" }, "a.py")).toEqual([["", "pytest -q"]]);
  expect(found({ "package.json": manifest("jest") }, "a.js")).toEqual([["", "npm test -- --watch=false"]]);
  expect(found({ "pom.xml": "<project/>" }, "src/main/java/A.java")).toEqual([["", "mvn -q test"]]);
  expect(found({ "build.gradle": "" }, "src/A.java")).toEqual([["", "gradle test"]]);
  expect(found({ "settings.gradle.kts": "" }, "src/A.kt")).toEqual([["", "gradle test"]]);
});

test("[VF-3] in a monorepo the nearest project counts, and several changed ones each get their own check, by folder", () => {
  const tree = {
    "package.json": manifest("jest", { workspaces: ["packages/*"] }),
    "package-lock.json": "{}",
    "packages/b/package.json": manifest("vitest"),
    "packages/a/package.json": manifest("mocha"),
    "services/api/go.mod": "module api",
    "services/py/pyproject.toml": "[tool.pytest.ini_options]",
  };
  expect(found(tree, "packages/b/src/deep/x.ts")).toEqual([["packages/b", "npm test -- --watch=false"]]);
  expect(found(tree, "lib/x.ts")).toEqual([["", "npm test -- --watch=false"]]);
  const all = [
    "services/py/a.py",
    "packages/b/x.ts",
    "packages/b/y.ts",
    "services/api/main.go",
    "packages/a/i.js",
    "x.js",
  ];
  const expected = [
    ["", "npm test -- --watch=false"],
    ["packages/a", "npm test -- --watch=false"],
    ["packages/b", "npm test -- --watch=false"],
    ["services/api", "go test ./..."],
    ["services/py", "pytest -q"],
  ];
  expect(found(tree, ...all)).toEqual(expected);
  expect(found(tree, ...all.toReversed())).toEqual(expected);
});

test("[VF-3] a package without a test script leaves it to the project above, one whose tests exist does not", () => {
  const root = { "package.json": manifest("jest") };
  const inner = (content: string) => found({ ...root, "packages/a/package.json": content }, "packages/a/x.js");
  const none = [
    ...['{"type":"module"}', '{"scripts":{"test":""}}', '{"scripts":{"test":"  "}}', '{"scripts":{"test":7}}'],
    ...['{"scripts":[]}', '{"scripts":null}', manifest('echo "Error: no test specified" && exit 1'), '{"scripts":{}}'],
  ];
  for (const content of none) expect(inner(content)).toEqual([["", "npm test -- --watch=false"]]);
  expect(inner(manifest("mocha"))).toEqual([["packages/a", "npm test -- --watch=false"]]);
  // Whether the tests above pass says nothing about a package that is broken, or whose own tests cannot be run.
  for (const content of ["{", "[]", "7", "null", " ".repeat(2 ** 21), manifest("npm test")]) {
    expect(inner(content)).toEqual([["packages/a", null]]);
  }
});

test("[VF-3] the language of the changed file decides where several projects share a folder", () => {
  const tree = {
    "package.json": manifest("jest"),
    "go.mod": "module x",
    "Cargo.toml": "[package]",
    "pytest.ini": "",
    "pom.xml": "<project/>",
  };
  const commands = (path: string) => found(tree, path).map(([, command]) => command);
  expect(commands("a.ts")).toEqual(["npm test -- --watch=false"]);
  expect(commands("a.go")).toEqual(["go test ./..."]);
  expect(commands("a.rs")).toEqual(["cargo test"]);
  expect(commands("a.py")).toEqual(["pytest -q"]);
  expect(commands("A.java")).toEqual(["mvn -q test"]);
  expect(commands("a.sql")).toEqual(["go test ./..."]);
  expect(found(tree, "a.py", "a.ts").length).toBe(2);
});

test("[VF-3] a file of a language that has no project belongs to the nearest of any, not to unrelated tests of its own kind", () => {
  expect(found({ "go.mod": "", "web/app.js": "" }, "web/app.js")).toEqual([["", "go test ./..."]]);
  const tree = { "pytest.ini": "", "web/package.json": '{"name":"web"}' };
  expect(detect(tree, "web/app.js")).toEqual([
    { kind: "none", cwd: "web", why: phrase("verify.no_test_script", { path: "web/package.json" }) },
  ]);
});

test("[VF-3] a documents change beside code does not pull in the project it lies in", () => {
  const tree = { "a/go.mod": "", "b/go.mod": "" };
  expect(found(tree, "a/x.go", "b/README.md")).toEqual([["a", "go test ./..."]]);
});

test("[VF-3] nothing found says so, and what lies outside the workspace finds nothing", () => {
  const none = { kind: "none" as const, cwd: "", why: phrase("verify.no_project") };
  expect(detect({ "a.c": "" }, "a.c")).toEqual([none]);
  expect(detect({ "go.mod": "" }, "/etc/x.go", "../y.go", "a/../../z.go", "a\0b.go")).toEqual([]);
  expect(detect({ "go.mod": "" }, "")).toEqual([]);
});

test("[VF-3] files of folders that were removed belong to the project above", () => {
  const tree = { "go.mod": "", "web/package.json": manifest("jest") };
  expect(found(tree, "gone/deep/x.go", "gone/y.go", "web/src/gone/z.js")).toEqual([
    ["", "go test ./..."],
    ["web", "npm test -- --watch=false"],
  ]);
});

test("[VF-3] a change inside installed packages belongs to the project that has them", () => {
  const tree = { "package.json": manifest("jest"), "node_modules/x/package.json": manifest("mocha") };
  expect(found(tree, "node_modules/x/index.js")).toEqual([["", "npm test -- --watch=false"]]);
});

test("[VF-3] pytest is run only where it is named or tests exist", () => {
  const py = (tree: Tree) => detect(tree, "a.py").map(({ kind }) => kind);
  const named = [
    { "pyproject.toml": "[tool.pytest.ini_options]\n" },
    { "pyproject.toml": '[project.optional-dependencies]\ndev = ["pytest>=8"]' },
    { "setup.cfg": "[tool:pytest]\n" },
    { "tox.ini": "[testenv]\ncommands = pytest {posargs}" },
    { "requirements.txt": "requests\npytest==8.0\n" },
    { "requirements-dev.txt": "pytest-cov\n" },
    { "requirements/dev.txt": "pytest\n" },
    { Pipfile: '[dev-packages]\npytest = "*"' },
  ];
  for (const tree of named) expect(py(tree)).toEqual(["run"]);
  const bare = { "pyproject.toml": "[project]\nname='x'", "a.py": "" };
  expect(py(bare)).toEqual(["none"]);
  expect(py({ ...bare, "requirements.txt": "requests # not pytest\n" })).toEqual(["none"]);
  expect(py({ "setup.cfg": "[flake8]\n; pytest" })).toEqual(["none"]);
  expect(py({ ...bare, "tests/test_a.py": "" })).toEqual(["run"]);
  expect(py({ ...bare, "pkg/a_test.py": "" })).toEqual(["run"]);
  expect(py({ ...bare, "conftest.py": "" })).toEqual(["run"]);
  expect(py({ ...bare, ".venv/lib/test_x.py": "", "node_modules/y/test_y.py": "", "testing.py": "" })).toEqual([
    "none",
  ]);
  expect(found({ "tests/test_a.py": "" }, "a.py")).toEqual([["", null]]);
});

test("[VF-3] modules of Maven are tested where they are built together, others where they lie", () => {
  const tree = {
    "pom.xml":
      "<project><modules><module>core</module><!-- <module>old</module> --><module>apps/web/pom.xml</module></modules></project>",
    "core/pom.xml": "<project><modules><module>inner/</module></modules></project>",
    "core/inner/pom.xml": "<project/>",
    "apps/web/pom.xml": "<project/>",
    "old/pom.xml": "<project/>",
  };
  expect(found(tree, "core/inner/src/A.java")).toEqual([["", "mvn -q test"]]);
  expect(found(tree, "apps/web/src/A.java")).toEqual([["", "mvn -q test"]]);
  expect(found(tree, "old/src/A.java")).toEqual([["old", "mvn -q test"]]);
  expect(found(tree, "core/A.java", "apps/web/B.java")).toEqual([["", "mvn -q test"]]);
});

test("[VF-3] the Gradle wrapper is used only where it is and can be run", () => {
  const build = { "settings.gradle": "", "app/build.gradle": "" };
  const wrapper = { program: "#!/bin/sh\n" };
  expect(found({ ...build, gradlew: wrapper }, "app/src/A.java")).toEqual([["", "./gradlew test"]]);
  expect(found(build, "app/src/A.java")).toEqual([["", "gradle test"]]);
  expect(found({ ...build, gradlew: "#!/bin/sh\n" }, "app/src/A.java")).toEqual([["", "gradle test"]]);
  expect(found({ ...build, "app/gradlew": wrapper }, "app/src/A.java")).toEqual([["app", "./gradlew test"]]);
  expect(found({ "app/build.gradle.kts": "" }, "app/src/A.kt")).toEqual([["app", "gradle test"]]);
  expect(found({ ...build, gradlew: { link: "/bin/sh" } }, "app/src/A.java")).toEqual([["", "gradle test"]]);
});

test("[VF-3] members of a Cargo workspace are tested where they lie, the rest from its root", () => {
  const tree = { "Cargo.toml": "[workspace]\nmembers=['a']", "a/Cargo.toml": "[package]" };
  expect(found(tree, "a/src/lib.rs")).toEqual([["a", "cargo test"]]);
  expect(found(tree, "build/x.rs")).toEqual([["", "cargo test"]]);
});

test("[VF-2] commands of other kinds of projects are only offered", () => {
  const offers: readonly (readonly [Tree, string])[] = [
    [{ "deno.json": "{}" }, "deno test"],
    [{ "mix.exs": "" }, "mix test"],
    [{ "Package.swift": "" }, "swift test"],
    [{ "build.sbt": "" }, "sbt test"],
    [{ ".rspec": "" }, "bundle exec rspec"],
    [{ "phpunit.xml.dist": "" }, "vendor/bin/phpunit"],
    [{ Makefile: "all:\n\techo\ntest: all\n\t./t\n" }, "make test"],
  ];
  for (const [tree, command] of offers) {
    const why = phrase("verify.not_listed", { command });
    expect(detect(tree, "src/x.abc")).toEqual([{ kind: "offer", cwd: "", command, runner: "auto", why }]);
  }
  expect(found({ Makefile: "tests:\n\ttrue\n" }, "a.c")).toEqual([["", null]]);
});
