// Files that tests load without naming them: fixtures, and modules that the runner's configuration loads before each test.
import { posix } from "node:path";
import { below, isFile, textOf } from "../detect/workspace.ts";

const frameworks = ["manage.py", "artisan", "bin/rails", "config.ru", "angular.json"];

/** Whether the files that a test uses cannot be determined. */
export function isWired(root: string, cwd: string): boolean {
  return frameworks.some((name) => isFile(root, below(cwd, name)) || isFile(root, name));
}

/** pytest gives each test the fixtures of its folder and of all parents. */
export function fixturesFor(root: string, test: string): readonly string[] {
  return test.endsWith(".py") ? upward(posix.dirname(test), "conftest.py").filter((path) => isFile(root, path)) : [];
}

function upward(folder: string, name: string): readonly string[] {
  const parts = folder === "." ? [] : folder.split("/");
  return [...parts.map((_, at) => `${parts.slice(0, at + 1).join("/")}/${name}`), name];
}

const configs = [
  ...["package.json", ".mocharc.js", ".mocharc.cjs", ".mocharc.mjs", ".mocharc.json", ".mocharc.jsonc"],
  ...[".mocharc.yml", ".mocharc.yaml", "test/mocha.opts", ".taprc", ".rspec", "bunfig.toml"],
  ...["spec/support/jasmine.json", "spec/support/jasmine.mjs"],
  ...["jest", "vitest", "vite", "ava", "karma", "playwright"].flatMap((name) =>
    ["js", "cjs", "mjs", "ts", "mts", "cts", "json"].map((ending) => `${name}.config.${ending}`),
  ),
  ...["karma.conf.js", "karma.conf.cjs", "karma.conf.ts"],
  ...["pytest.ini", "setup.cfg", "tox.ini", "pyproject.toml", "Makefile"],
];

/** `--require ./setup.js`, `-r ts-node`, `--import=./hooks.mjs`, `-p plugin` */
const option =
  /(?:^|[\s"'`])(?:-r|-p|--[\w-]*(?:require|import|loader|setup|helper|preload|file)[\w-]*)[= ]+["']?([^\s"'`,]+)/g;
/** `setupFiles: ["./a", "./b"]`, `"require": "./setup"`, `preload = ["./x"]` */
const entry =
  /\b\w{0,40}(?:setup|require|import|helper|preload|file)\w{0,40}["']?[ \t]*[:=][ \t]*(\[[^\]]*\]|["'`][^"'`]*["'`]|[^\s"'`[{]\S*(?:\n\s*-\s*\S+)*|(?:\n\s*-\s*\S+)+)/gi;

/** Words in the project's configuration that may name a file loaded before every test. */
export function loadedByAll(root: string, cwd: string): readonly string[] {
  const folders = cwd === "" ? [""] : [cwd, ""];
  const texts = folders.flatMap((folder) => configs.map((name) => textOf(root, below(folder, name)))).filter(Boolean);
  const values = texts.flatMap((text) =>
    [option, entry].flatMap((pattern) => [...text.slice(0, 100_000).matchAll(pattern)].map(([, value = ""]) => value)),
  );
  return values.flatMap((value) => value.split(/[^\w@-]+/)).filter((word) => word !== "");
}
