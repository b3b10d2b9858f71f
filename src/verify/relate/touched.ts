// Whether a task may affect a failing test. When in doubt it does: a failure that the task may have caused is never excused.
import { posix } from "node:path";
import type { VerificationDetail } from "../../contract/verification.ts";
import { isWithin } from "../../platform/files/path.ts";
import { isDocument } from "../detect/when.ts";
import { below, isFile, textOf } from "../detect/workspace.ts";
import { fixturesFor, isWired, loadedByAll } from "./loaded.ts";
import { folderKey, type Names, namesIn, namesOf, scripts, sources } from "./source-names.ts";

/** Files that all tests of a project depend on. */
const forAll = /(?:^|\/)(?:conftest\.py|setup\.py|[^/]*\.(?:config|setup)\.[cm]?[jt]s|index\.d\.ts)$/;

const leftByRuns =
  /(?:^|\/)(?:\.pytest_cache|__pycache__|\.nyc_output|coverage|htmlcov|\.mypy_cache|\.ruff_cache)\/|(?:^|\/)\.coverage[^/]*$|\.(?:log|pyc)$/;

export interface TouchFacts {
  readonly root: string;
  readonly cwd: string;
  readonly changed: readonly string[];
  readonly asked: string;
}

export function touching({ root, cwd, changed, asked }: TouchFacts): (detail: VerificationDetail) => boolean {
  const code = changed
    .filter((path) => !isDocument(path) && !leftByRuns.test(path))
    .map((path) => posix.normalize(path));
  const isUntraceable = (path: string): boolean => !sources.test(path) || forAll.test(path);
  const isWide = code.some(isUntraceable) || isAboutTests.test(asked) || isWired(root, cwd);
  const names = isWide ? { files: new Map<string, readonly string[]>(), packages: new Set<string>() } : namesIn(root);
  const loaded = isWide ? [] : loadedByAll(root, cwd);
  const known = new Map<string, boolean>();
  return (detail) => {
    const { file, test } = detail;
    if (isWide || file === null || !sources.test(file) || isNamed(asked, file, test)) return true;
    const starts = startsOf(detail, root, cwd);
    // A failing helper of tests says nothing about the test that called it.
    if (!starts.some((path) => isTest.test(path))) return true;
    const key = starts.join("\n");
    const found = known.get(key) ?? reaches(root, starts, code, { ...names, loaded });
    known.set(key, found);
    return found;
  };
}

const isTest = /(?:^|[/._-])(?:tests?|specs?|e2e|features?)(?:[/._-]|$)|(?:Test|Spec)s?\.\w+$/i;
const sourcePath = /[\w@.+/-]+\.(?:pyi?|[cm]?[jt]sx?|vue|svelte|go|rb|php)\b/g;

function startsOf({ file, test, error, context }: VerificationDetail, root: string, cwd: string): readonly string[] {
  const mentioned = [test?.split("::", 1)[0] ?? "", ...(`${error}\n${context}`.match(sourcePath) ?? [])];
  const inside = mentioned
    .map((path) => (path.startsWith("/") ? posix.relative(root, path) : posix.join(cwd, path)))
    .filter((path) => isWithin(posix.join(root, path), root) && !path.includes("node_modules/"))
    .filter((path) => sources.test(path) && isFile(root, path));
  return [...new Set([posix.join(cwd, file ?? ""), ...inside])];
}

/** A request to repair failing tests means those that failed before. */
const isAboutTests =
  /\b(?:fail\w*|broken|red|pass\w*|green|fix|repair)\b[^.!?\n]{0,40}\b(?:tests?|specs?|suite)\b|\b(?:tests?|specs?|suite)\b[^.!?\n]{0,40}\b(?:fail\w*|broken|red|green|pass\w*)\b|(?:失败|修复|通过|不过)[^。！？\n]{0,20}(?:测试|用例|单测)|(?:测试|用例|单测)[^。！？\n]{0,20}(?:失败|修复|通过|不过|没过|挂)/i;

function isNamed(asked: string, file: string, test: string | null): boolean {
  const words = [posix.basename(file), ...(test === null ? [] : [test, test.split(/::| > | › /).at(-1) ?? test])];
  return words.some((word) => word.length > 3 && asked.includes(word));
}

const maxFiles = 400;

function reaches(
  root: string,
  starts: readonly string[],
  changed: readonly string[],
  { files, packages, loaded }: Names & { readonly loaded: readonly string[] },
): boolean {
  const setup = loaded.flatMap((name) => files.get(name) ?? []);
  const seen = new Set([...starts, ...starts.flatMap((path) => fixturesFor(root, path)), ...setup]);
  const isChanged = new Set(changed);
  const byName = new Set(changed.flatMap(namesOf));
  const folders = new Set(changed.flatMap((path) => path.split("/").slice(0, -1)));
  for (const path of seen) {
    if (isChanged.has(path) || seen.size > maxFiles) return true;
    const { names, specifiers } = importsIn(path, textOf(root, path));
    // In Go the files of a folder form one package.
    const around = path.endsWith(".go") ? [posix.dirname(path)] : [];
    for (const one of specifiers) {
      const inside = /^\.{1,2}(?:\/|$)/.test(one) ? posix.join(posix.dirname(path), one) : null;
      // The specifier means a whole package or folder.
      if (packages.has(one) || (inside !== null && isFile(root, below(inside, "package.json")))) return true;
      if (folders.has(lastOf(one))) return true;
      if (inside !== null) around.push(inside.replace(/\/$/, ""));
    }
    // Deleted files can be reached too, by name.
    if ([...names].some((name) => byName.has(name))) return true;
    if (around.some((folder) => changed.some((one) => posix.dirname(one) === folder))) return true;
    const keys = [...names, ...around.map(folderKey)];
    for (const key of keys) for (const next of files.get(key) ?? []) seen.add(next);
  }
  return false;
}

const imports = [
  /^\s*from\s+([\w.]+)\s+import\s*(\([^)]*\)|(?:\\\n|[^\n])*)/gm,
  /^\s*import\s+([\w.,\t ]+)/gm,
  /^\s*use\s+([\w\\]+)/gm,
];
/** `sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))`, on one line or several. */
const searched = /^(?:\S.*)?\bsys\.path\.\w+\(.*(?:\n(?:[ \t]|\)).*)*|^[ \t].*\bsys\.path\.\w+\(.*$/gm;
/** A program names in quotes whatever it may load, start or read. */
const quoted = /["'`](?=([^"'`\n]{1,300})["'`])/g;

function importsIn(path: string, text: string): { names: ReadonlySet<string>; specifiers: readonly string[] } {
  if (scripts.test(path)) {
    const isText = text.startsWith("#!") || posix.extname(path) !== "";
    return { names: new Set(isText ? text.split(/[^\w@-]+/) : []), specifiers: [] };
  }
  const plain = imports.flatMap((pattern) => [...text.matchAll(pattern)].map(([, ...parts]) => parts.join(" ")));
  // A search path for modules is not an import.
  const rest = path.endsWith(".py") ? text.replace(searched, "") : text;
  const literals = [...rest.matchAll(quoted)].map(([, one = ""]) => one);
  // In a sentence or a command line, only words that look like a file count.
  const specifiers = [...new Set(literals.flatMap((one) => (/\s/.test(one) ? one.split(/\s+/).filter(isPath) : one)))];
  const words = [...plain, ...specifiers].flatMap((one) => one.split(/[^\w@-]+/));
  return { names: new Set(words.filter((word) => word !== "")), specifiers };
}

function isPath(word: string): boolean {
  return /\/|\.\w+$/.test(word);
}

function lastOf(specifier: string): string {
  return /([^/.]*)[/.]*$/.exec(specifier)?.[1] ?? "";
}
