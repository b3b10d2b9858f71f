import { join } from "node:path";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { Detected } from "./detect.ts";
import { ownPrograms } from "./toolchain.ts";
import { below, filesBelow, isFile, textOf } from "./workspace.ts";

const requirements = [
  ...["requirements.txt", "requirements-dev.txt", "requirements_dev.txt", "requirements-test.txt"],
  ...["dev-requirements.txt", "test-requirements.txt", "requirements/dev.txt", "requirements/test.txt"],
];
const markers = [
  ...["pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini"],
  ...requirements,
  ...["setup.py", "Pipfile", "conftest.py"],
];

const notOurs = new Set(["node_modules", "venv", "env", "dist", "build", "target", "site-packages", "__pycache__"]);

export function findPython(root: string, [cwd = ""]: readonly string[]): Detected | null {
  const present = markers.filter((name) => isFile(root, below(cwd, name)));
  const [first] = present;
  if (first === undefined) return null;
  const texts = present.map((name) => [name, textOf(root, below(cwd, name))] as const);
  const isPytest = texts.some(([name, text]) => mentions("pytest", name, text));
  const tests = testFiles(root, cwd);
  const plain = isPytest ? null : plainForm(root, cwd, texts, tests);
  if (plain !== null) return offered(cwd, plain, "auto");
  if (isPytest || tests.length > 0) return pytest(root, cwd);
  return { kind: "none", cwd, why: phrase("verify.no_pytest", { path: visible(below(cwd, first)) }) };
}

const ofPytest = /^(?:(?:async )?def test_|(?:import|from) pytest\b)/m;

/** Tests beside the code, in a folder without a project file. */
export function findBarePython(root: string, cwd: string): Detected | null {
  const tests = testFiles(root, cwd);
  const plain = plainForm(root, cwd, [], tests);
  if (plain !== null) return offered(cwd, plain, "auto");
  // In a subfolder it is unclear which folder the tests import from.
  const beside = tests.filter((file) => !file.includes("/"));
  const isPytest = beside.some((file) => ofPytest.test(textOf(root, below(cwd, file))));
  return isPytest && programOf("pytest", root, cwd) !== null ? pytest(root, cwd) : null;
}

/** Goes through uv or poetry if their environment does not exist yet. */
function pytest(root: string, cwd: string): Detected {
  const isThere = (name: string) => programOf(name, root, cwd) !== null;
  const isOwn = programOf("pytest", root, cwd)?.startsWith("/") === false;
  for (const [lock, tool] of [["uv.lock", "uv"] as const, ["poetry.lock", "poetry"] as const]) {
    if (isFile(root, below(cwd, lock)) && !isOwn && isThere(tool)) return offered(cwd, `${tool} run pytest`, "pytest");
  }
  return { kind: "run", cwd, command: "pytest -q", runner: "pytest" };
}

type Texts = readonly (readonly [name: string, text: string])[];

/** The test command of a project that does not mention pytest. If pytest is installed, it runs unittest's tests too. */
function plainForm(root: string, cwd: string, texts: Texts, tests: readonly string[]): string | null {
  const python = programOf("python", root, cwd) === null ? "python3" : "python";
  if (/django/i.test(textOf(root, below(cwd, "manage.py")))) return `${python} manage.py test`;
  const nose = ["nose2", "nosetests"].find((name) => texts.some(([file, text]) => mentions(name, file, text)));
  if (nose !== undefined) return nose;
  const isMarked = texts.length > 0;
  if (isMarked && programOf("pytest", root, cwd) !== null) return null;
  const own = tests.find((file) =>
    /^\s*(?:from|import(?: [\w., ]*,)?) +unittest\b/m.test(textOf(root, below(cwd, file))),
  );
  if (own === undefined) return null;
  const folder = own.includes("/") ? own.slice(0, own.indexOf("/")) : "";
  const isPackage = folder === "" || isFile(root, below(cwd, `${folder}/__init__.py`));
  return isPackage ? `${python} -m unittest` : `${python} -m unittest discover -s ${folder}`;
}

function offered(cwd: string, command: string, runner: "pytest" | "auto"): Detected {
  return { kind: "offer", cwd, command, runner, why: phrase("verify.not_listed", { command }) };
}

function programOf(name: string, root: string, cwd: string): string | null {
  return ownPrograms(name, root, join(root, cwd), process.env).program;
}

/** Ignores comments and parts of other words: `pytest-cov` needs pytest, `my-pytest-notes` does not. */
function mentions(program: string, name: string, text: string): boolean {
  if (name === `${program}.ini`) return true;
  const word = new RegExp(`(?<![\\w-])${program}(?![a-z\\d])`);
  return text.split("\n").some((line) => word.test(line.replace(/(?:^|\s)[#;].*/, "")));
}

function testFiles(root: string, cwd: string): readonly string[] {
  const enters = (name: string) => !notOurs.has(name) && !name.startsWith(".");
  const folder = cwd === "" ? root : `${root}/${cwd}`;
  const files = [...filesBelow(folder, { maxEntries: 5000, maxDepth: 6, enters })];
  return files
    .filter((file) => /\/(?:test_[^/]*|[^/]*_test|conftest)\.py$/.test(file))
    .map((file) => file.slice(folder.length + 1));
}
