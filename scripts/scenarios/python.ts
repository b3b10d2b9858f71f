import {
  edit,
  type Files,
  type Place,
  type Repair,
  read,
  type Said,
  type Scenario,
  wrongThenRight,
} from "./scenario.ts";

const repair: Repair = {
  path: "calc.py",
  broken: "return a - b",
  wrong: "return a * b",
  worse: "return a / b",
  right: "return a + b",
};

const files: Files = {
  "pytest.ini": "[pytest]\n",
  "calc.py": "def add(a, b):\n    return a - b\n",
  "test_calc.py":
    "from calc import add\n\n\ndef test_zero():\n    assert add(0, 4) != 5\n\n\ndef test_add():\n    assert add(2, 4) == 6\n",
  // Outside of the sandbox this would leave a file in the home folder.
  "conftest.py": `import contextlib
import pathlib

with contextlib.suppress(OSError):
    (pathlib.Path.home() / "escaped").write_text("x")
`,
};

const place = { file: "test_calc.py", line: 9, test: "test_add" };

const pytest: Scenario = {
  name: "python-pytest",
  shows: "pytest, in the sandbox, modules changed twice in a second",
  programs: ["python3", "pytest"],
  files,
  runs: wrongThenRight({
    repair,
    command: "pytest -q",
    wrong: [{ ...place, error: "assert 8 == 6" }],
    worse: [{ ...place, error: "assert 0.5 == 6" }],
    tests: 2,
  }),
};

const collection: Scenario = {
  name: "python-import",
  shows: "a test module that does not load is a failure of the code",
  programs: ["python3", "pytest"],
  files,
  runs: wrongThenRight({
    repair: { ...repair, wrong: "return a +* b", worse: "return (a + b" },
    command: "pytest -q",
    type: "build_failure",
    wrong: [{ file: "calc.py", line: 2, error: "SyntaxError" }],
    worse: [{ file: "calc.py", line: 2, error: "SyntaxError" }],
    tests: 2,
  }),
};

const docsOnly: Scenario = {
  name: "docs-only",
  shows: "documents alone are not verified",
  programs: [],
  files: { ...files, "README.md": "Adds two numebrs.\n" },
  runs: [
    {
      name: "edited",
      steps: [read("README.md"), edit("README.md", "numebrs", "numbers"), { text: "Done." }],
      ends: {
        outcome: "UNVERIFIED",
        exitCode: 0,
        changed: ["README.md"],
        checks: [],
        reason: ["only documents"],
        holds: "numbers",
      },
    },
  ],
};

const noTests: Scenario = {
  name: "no-tests",
  shows: "without tests UNVERIFIED, with the reason",
  programs: [],
  files: { "calc.py": files["calc.py"] ?? "" },
  runs: [
    {
      name: "edited",
      steps: [read(repair.path), edit(repair.path, repair.broken, repair.right), { text: "Done." }],
      ends: {
        outcome: "UNVERIFIED",
        exitCode: 3,
        changed: [repair.path],
        checks: [],
        reason: ["automatic verification not run"],
        holds: repair.right,
      },
    },
  ],
};

const old: Place = { file: "test_old.py", line: 2, test: "test_old", error: "assert 1 == 2" };

/** What failed before is not the task's. */
const failedBefore: Scenario = {
  name: "failed-before",
  shows: "a test that failed before the task is not blamed on it",
  programs: ["python3", "pytest"],
  files: { ...files, "test_old.py": "def test_old():\n    assert 1 == 2\n" },
  runs: wrongThenRight({
    repair,
    command: "pytest -q",
    wrong: [{ ...place, error: "assert 8 == 6" }, old],
    worse: [{ ...place, error: "assert 0.5 == 6" }, old],
    tests: 3,
  }).map((run) => ({ ...run, ends: { ...run.ends, checks: run.ends.checks.map(withoutOld) } })),
};

/** Counted as the runner did, and no longer among what the task has to answer for. */
function withoutOld(said: Said): Said {
  const details = said.details.filter((one) => one !== old);
  return said.type === "pass" ? { ...said, counts: { passed: 2, failed: 1 } } : { ...said, details };
}

export const pythonScenarios: readonly Scenario[] = [pytest, collection, failedBefore, docsOnly, noTests];
