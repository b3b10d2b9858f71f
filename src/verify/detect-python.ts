import { phrase } from "../contract/text/catalogue.ts";
import { visible } from "../contract/visible.ts";
import type { Found } from "./detect.ts";
import { below, filesBelow, isFile, textOf } from "./workspace.ts";

const requirements = [
  ...["requirements.txt", "requirements-dev.txt", "requirements_dev.txt", "requirements-test.txt"],
  ...["dev-requirements.txt", "test-requirements.txt", "requirements/dev.txt", "requirements/test.txt"],
];
const markers = [
  "pyproject.toml",
  "pytest.ini",
  "setup.cfg",
  "tox.ini",
  ...requirements,
  "setup.py",
  "Pipfile",
  "conftest.py",
];

/** Folders in which no tests of the project lie. */
const notOurs = new Set(["node_modules", "venv", "env", "dist", "build", "target", "site-packages", "__pycache__"]);

export function findPython(root: string, [cwd = ""]: readonly string[]): Found | null {
  const present = markers.filter((name) => isFile(root, below(cwd, name)));
  const [first] = present;
  if (first === undefined) return null;
  const isPytest = present.some((name) => mentionsPytest(name, textOf(root, below(cwd, name))));
  if (isPytest || hasTests(root, cwd)) return { kind: "run", cwd, command: "pytest -q", runner: "pytest" };
  return { kind: "none", cwd, why: phrase("verify.no_pytest", { path: visible(below(cwd, first)) }) };
}

/** Not in a comment, and not as a part of another word: `pytest-cov` needs pytest, `my-pytest-notes` does not. */
function mentionsPytest(name: string, text: string): boolean {
  if (name === "pytest.ini") return true;
  return text.split("\n").some((line) => /(?<![\w-])pytest(?![a-z])/.test(line.replace(/(?:^|\s)[#;].*/, "")));
}

function hasTests(root: string, cwd: string): boolean {
  const enters = (name: string) => !notOurs.has(name) && !name.startsWith(".");
  const files = filesBelow(cwd === "" ? root : `${root}/${cwd}`, { maxEntries: 5000, maxDepth: 6, enters });
  return files.some((file) => /\/(?:test_[^/]*|[^/]*_test|conftest)\.py$/.test(file));
}
