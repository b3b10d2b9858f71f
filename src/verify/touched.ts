// Whether a task may have to do with a test that fails: rather once too often, for what it has to do with is never excused.
import { posix } from "node:path";
import type { VerificationDetail } from "../contract/verification.ts";
import { isDocument } from "./when.ts";
import { filesBelow, textOf } from "./workspace.ts";

/** Languages in which it can be seen what a file uses. */
const sources = /\.(?:py|pyi|[cm]?[jt]sx?|vue|svelte|go|rb|php)$/;
/** What all tests of a project depend on. */
const forAll = /(?:^|\/)(?:conftest\.py|setup\.py|[^/]*\.(?:config|setup)\.[cm]?[jt]s|index\.d\.ts)$/;

/** What test runs leave behind, which no test reads. */
const leftByRuns =
  /(?:^|\/)(?:\.pytest_cache|__pycache__|\.nyc_output|coverage|htmlcov|\.mypy_cache|\.ruff_cache)\/|(?:^|\/)\.coverage[^/]*$|\.(?:log|pyc)$/;

export interface TouchFacts {
  /** Real path of the workspace. */
  readonly root: string;
  /** The folder of the check, below the workspace. */
  readonly cwd: string;
  /** Relative to the workspace where they lie inside. */
  readonly changed: readonly string[];
  /** What the person asked for. */
  readonly asked: string;
}

/** For one task and one check. */
export function touching({ root, cwd, changed, asked }: TouchFacts): (detail: VerificationDetail) => boolean {
  const code = changed
    .filter((path) => !isDocument(path) && !leftByRuns.test(path))
    .map((path) => posix.normalize(path));
  const isWide = code.some((path) => !sources.test(path) || forAll.test(path)) || isAboutTests.test(asked);
  const byName = isWide ? new Map<string, readonly string[]>() : filesByName(root);
  const known = new Map<string, boolean>();
  return ({ file, test }) => {
    if (isWide || file === null || !sources.test(file) || isNamed(asked, file, test)) return true;
    const path = posix.join(cwd, file);
    const found = known.get(path) ?? reaches(root, path, new Set(code), byName);
    known.set(path, found);
    return found;
  };
}

/** Whoever asks for failing tests to be repaired means those that failed before. */
const isAboutTests =
  /\b(?:fail\w*|broken|red|pass\w*|green|fix|repair)\b[^.!?\n]{0,40}\b(?:tests?|specs?|suite)\b|\b(?:tests?|specs?|suite)\b[^.!?\n]{0,40}\b(?:fail\w*|broken|red|green|pass\w*)\b|(?:失败|修复|通过|不过)[^。！？\n]{0,20}(?:测试|用例|单测)|(?:测试|用例|单测)[^。！？\n]{0,20}(?:失败|修复|通过|不过|没过|挂)/i;

function isNamed(asked: string, file: string, test: string | null): boolean {
  const words = [posix.basename(file), ...(test === null ? [] : [test, test.split(/::| > | › /).at(-1) ?? test])];
  return words.some((word) => word.length > 3 && asked.includes(word));
}

const maxFiles = 400;

/** Follows what files import, by name: a name that two files have means both. */
function reaches(
  root: string,
  start: string,
  changed: ReadonlySet<string>,
  byName: ReadonlyMap<string, readonly string[]>,
): boolean {
  const seen = new Set([start]);
  for (const path of seen) {
    if (changed.has(path) || seen.size > maxFiles) return true;
    const text = textOf(root, path);
    // Programs are also started, and files read, by their names.
    if ([...changed].some((one) => text.includes(posix.basename(one)))) return true;
    const names = importsIn(text);
    // In Go the files of a folder are one.
    if (path.endsWith(".go")) names.add(posix.basename(posix.dirname(path)));
    for (const name of names) for (const next of byName.get(name) ?? []) seen.add(next);
    if (path.endsWith(".go")) for (const next of byName.get(folderKey(posix.dirname(path))) ?? []) seen.add(next);
    // A file that is gone can be reached too.
    if ([...changed].some((one) => namesOf(one).some((name) => names.has(name)))) return true;
  }
  return false;
}

const imports = [
  /\b(?:from|require|require_relative|require_once|include|import|load|mock|doMock|import_module)\s*\(?\s*["'`]([^"'`\n]{1,300})["'`]/g,
  /^\s*from\s+([\w.]+)\s+import\s*(\([^)]*\)|[^\n]*)/gm,
  /^\s*import\s+([\w.,\t ]+)$/gm,
  /^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w./-]+)"\s*$/gm,
  /^\s*use\s+([\w\\]+)/gm,
];

function importsIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const pattern of imports)
    for (const [, ...parts] of text.matchAll(pattern))
      for (const word of parts.join(" ").split(/[^\w@-]+/)) if (word !== "") found.add(word);
  return found;
}

/** The names under which others import it. */
function namesOf(path: string): readonly string[] {
  const folder = posix.basename(posix.dirname(path));
  const stem = posix.basename(path).replace(/\..*$/, "");
  if (path.endsWith(".go")) return [folder];
  return /^(?:index|__init__|__main__|main|mod|lib)$/.test(stem) ? [folder, stem] : [stem];
}

const folderKey = (folder: string): string => `${folder}/`;

function filesByName(root: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const enters = (name: string): boolean => !name.startsWith(".") && !["node_modules", "venv", "env"].includes(name);
  for (const file of filesBelow(root, { maxEntries: 50_000, maxDepth: 12, enters })) {
    if (!sources.test(file)) continue;
    const path = posix.relative(root, file);
    const keys = [...namesOf(path), ...(path.endsWith(".go") ? [folderKey(posix.dirname(path))] : [])];
    for (const key of keys) found.set(key, [...(found.get(key) ?? []), path]);
  }
  return found;
}
