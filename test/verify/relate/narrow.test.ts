import { describe, expect, test } from "bun:test";
import type { Runner } from "../../../src/contract/verification.ts";
import { isListedNarrowed, narrow, narrowedIn } from "../../../src/verify/relate/narrow.ts";

describe("a command of the list with more words behind it", () => {
  test("[VF-2] files, names of tests and filters of the runner make it no other command", () => {
    for (const command of [
      "pytest tests/test_a.py",
      "pytest -q tests/test_a.py::test_x -k 'a or b'",
      'pytest -x -vv -k "not slow" tests',
      "python -m pytest tests/test_a.py::TestA::test_x[1]",
      "go test ./pkg/... -run TestX",
      "go test -v -run '^TestX$' -count=1 ./...",
      "cargo test parser::tests",
      "cargo test --test cli -- --exact works",
      "npm test -- --watch=false src/a.test.js -t 'adds numbers'",
      "yarn test --watch=false --testNamePattern=adds",
      "mvn -q test -Dtest=AppTest#adds",
      "./gradlew test --tests com.x.AppTest",
      "gradle :core:test --tests '*AppTest'",
    ])
      expect([command, isListedNarrowed(command, [])]).toEqual([command, true]);
  });

  test("[VF-2] [SA-executing-flags] whatever else they say is another command", () => {
    for (const command of [
      "pytest -p evil tests",
      "pytest -c /tmp/pytest.ini",
      "pytest /etc/x.py",
      "pytest ../other/test_a.py",
      "pytest --rootdir=/ tests",
      "pytest tests; rm -rf x",
      "pytest $(touch x)",
      "pytest `touch x`",
      "pytest {-p,evil}",
      "pytest *",
      "pytest > out",
      "pytest tests &",
      "PYTHONPATH=/tmp pytest tests",
      "pytest -k -p evil",
      "go test -exec /bin/sh ./...",
      "go test -toolexec x ./...",
      "go test example.com/x",
      "cargo test --config x",
      "npm test -- --watch=false -f --config=evil.js",
      "npm test -- --watch=false --globalSetup=/tmp/x.js",
      "npm test -- src/a.test.js",
      "mvn -q deploy",
      "mvn -q test -Dexec.executable=sh",
      "gradle publish",
      "./gradlew test --init-script x",
      "make test",
      "",
      "a".repeat(20_000),
    ])
      expect([command, isListedNarrowed(command, [])]).toEqual([command, false]);
  });

  test("[VF-2] what the person has added may have them too", () => {
    expect(isListedNarrowed("node --test a.test.js", ["node --test"])).toBe(true);
    expect(isListedNarrowed("node --test a.test.js", [])).toBe(false);
    expect(isListedNarrowed("node --test --inspect", ["node --test"])).toBe(false);
    expect(isListedNarrowed("npm test -- a.test.js", ["npm test"])).toBe(true);
  });

  test("[VF-2] the word that makes it another command is named", () => {
    expect(narrowedIn("pytest -q -p evil")).toEqual({ head: "pytest", other: "-p" });
    expect(narrowedIn("tox -e py")).toBeNull();
  });
});

describe("some of the tests", () => {
  const wish = (more: object) => ({ files: [], tests: [], filter: "", ...more });
  const made = (command: string, runner: Runner | "auto", more: object, cwd = "") =>
    narrow({ command, cwd, runner }, wish(more));

  test("[VF-4] files, names and a filter become words that the runner takes", () => {
    const both = { files: ["tests/a.x"], tests: ["adds", "b c"] };
    expect(made("pytest -q", "pytest", { ...both, filter: "not slow" })).toBe(
      "pytest -q tests/a.x -k '(adds or b c) and (not slow)'",
    );
    expect(made("pytest -q", "pytest", { tests: ["tests/a.py::test_x[1]"] })).toBe("pytest -q 'tests/a.py::test_x[1]'");
    expect(made("pytest -q", "pytest", { filter: "-k adds" })).toBe("pytest -q -k adds");
    expect(
      made("go test ./...", "go", { files: ["pkg/a_test.go", "pkg/b_test.go"], tests: ["TestA", "TestB/sub"] }),
    ).toBe("go test ./pkg -run '^(TestA|TestB)$'");
    expect(made("go test ./...", "go", { filter: "TestA" })).toBe("go test ./... -run TestA");
    expect(made("cargo test", "cargo", { files: ["tests/cli.rs"], tests: ["works"] })).toBe(
      "cargo test --test cli -- works",
    );
    expect(made("cargo test", "cargo", { files: ["src/parse/mod.rs"] })).toBe("cargo test parse");
    expect(made("npm test -- --watch=false", "jest", { files: ["a.test.js"], tests: ["a (b)"] })).toBe(
      "npm test -- --watch=false a.test.js -t 'a \\(b\\)'",
    );
    expect(made("npm test", "mocha", { tests: ["it's"] })).toBe("npm test -- --grep 'it'\\''s'");
    expect(made("mvn -q test", "surefire", { files: ["src/test/java/x/AppTest.java"] })).toBe(
      "mvn -q test -Dtest=AppTest",
    );
    expect(made("./gradlew test", "gradle", { tests: ["x.AppTest"] })).toBe("./gradlew test --tests x.AppTest");
  });

  test("[VF-3] files are named as the project's folder has them", () => {
    expect(made("pytest -q", "pytest", { files: ["api/tests/a.py"] }, "api")).toBe("pytest -q tests/a.py");
  });

  test("[ER-2] where a runner is not known to take names, that is the reason", () => {
    expect(made("npm test -- --watch=false", "auto", { tests: ["adds"] })).toMatchObject({ key: "check.no_names" });
    expect(made("npm test -- --watch=false", "auto", { files: ["a.js"] })).toBe("npm test -- --watch=false a.js");
  });

  test("[ER-2] of what stands behind make and just is said that it is a target, not a file", () => {
    for (const wish of [{ files: ["t.js"] }, { tests: ["adds"] }, { filter: "-k adds" }])
      expect(made("make test", "auto", wish)).toMatchObject({ key: "check.only_whole" });
    expect(made("make test", "auto", {})).toBe("make test");
  });

  test("[VF-2] some of the tests of uv and poetry are those of pytest", () => {
    const command = made("uv run pytest", "pytest", { files: ["tests/test_a.py"], tests: ["adds"] });
    expect(command).toBe("uv run pytest tests/test_a.py -k adds");
    expect(narrowedIn("poetry run pytest -q -k adds")).toEqual({ head: "poetry run pytest", other: null });
    expect(isListedNarrowed("uv run pytest -k adds", [])).toBe(false);
  });

  test("[VF-2] what is made of a listed command is one that may run", () => {
    const hostile = ["; touch x", "$(touch x)", "a' b", "-p evil", "../x", "/etc/passwd", "{a,b}"];
    for (const one of hostile) {
      const command = made("pytest -q", "pytest", { files: [one], tests: [one], filter: one });
      if (typeof command !== "string") continue;
      const isOptions = narrowedIn(command)?.other !== null;
      expect([one, command, isListedNarrowed(command, [])]).toEqual([one, command, !isOptions]);
    }
  });
});
