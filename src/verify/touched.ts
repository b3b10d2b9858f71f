// Whether a task may have to do with a test that fails: rather once too often, for what it has to do with is never excused.
import { posix } from "node:path";
import type { VerificationDetail } from "../contract/verification.ts";
import { isDocument } from "./when.ts";
import { below, filesBelow, isFile, textOf } from "./workspace.ts";

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
  const names = isWide ? { files: new Map<string, readonly string[]>(), packages: new Set<string>() } : namesIn(root);
  const known = new Map<string, boolean>();
  return ({ file, test }) => {
    if (isWide || file === null || !sources.test(file) || isNamed(asked, file, test)) return true;
    const path = posix.join(cwd, file);
    const found = known.get(path) ?? reaches(root, path, code, names);
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

/** What is known of the workspace's files. */
interface Names {
  /** By the names under which others import them, and by folder. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** Of packages in it, whose own tests may import them so. */
  readonly packages: ReadonlySet<string>;
}

/** Follows what files import, by name: a name that two files have means both. */
function reaches(root: string, start: string, changed: readonly string[], { files, packages }: Names): boolean {
  const seen = new Set([start]);
  const isChanged = new Set(changed);
  const byName = new Set(changed.flatMap(namesOf));
  const folders = new Set(changed.flatMap((path) => path.split("/").slice(0, -1)));
  for (const path of seen) {
    if (isChanged.has(path) || seen.size > maxFiles) return true;
    const { names, specifiers } = importsIn(textOf(root, path));
    // In Go the files of a folder are one.
    const around = path.endsWith(".go") ? [posix.dirname(path)] : [];
    for (const one of specifiers) {
      const inside = /^\.{1,2}(?:\/|$)/.test(one) ? posix.join(posix.dirname(path), one) : null;
      // A whole package, or all that is in a folder.
      if (packages.has(one) || (inside !== null && isFile(root, below(inside, "package.json")))) return true;
      if (folders.has(lastOf(one))) return true;
      if (inside !== null) around.push(inside.replace(/\/$/, ""));
    }
    // A file that is gone can be reached too.
    if ([...names].some((name) => byName.has(name))) return true;
    if (around.some((folder) => changed.some((one) => posix.dirname(one) === folder))) return true;
    const keys = [...names, ...around.map(folderKey)];
    for (const key of keys) for (const next of files.get(key) ?? []) seen.add(next);
  }
  return false;
}

const imports = [
  /^\s*from\s+([\w.]+)\s+import\s*(\([^)]*\)|[^\n]*)/gm,
  /^\s*import\s+([\w.,\t ]+)$/gm,
  /^\s*use\s+([\w\\]+)/gm,
];
/** Whatever a program may load, start or read by a name, it says in quotes. */
const quoted = /["'`]([^"'`\s]{1,200})["'`]/g;

function importsIn(text: string): { names: ReadonlySet<string>; specifiers: readonly string[] } {
  const plain = imports.flatMap((pattern) => [...text.matchAll(pattern)].map(([, ...parts]) => parts.join(" ")));
  const specifiers = [...new Set([...text.matchAll(quoted)].map(([, one = ""]) => one))];
  const words = [...plain, ...specifiers].flatMap((one) => one.split(/[^\w@-]+/));
  return { names: new Set(words.filter((word) => word !== "")), specifiers };
}

function lastOf(specifier: string): string {
  return (
    specifier
      .replace(/[/.]+$/, "")
      .split(/[/.]/)
      .at(-1) ?? ""
  );
}

/** The names under which others import it. */
function namesOf(path: string): readonly string[] {
  const folder = posix.basename(posix.dirname(path));
  const stem = posix.basename(path).replace(/\..*$/, "");
  if (path.endsWith(".go")) return [folder];
  return /^(?:index|__init__|__main__|main|mod|lib)$/.test(stem) ? [folder, stem] : [stem];
}

const folderKey = (folder: string): string => `${folder}/`;

function namesIn(root: string): Names {
  const files = new Map<string, string[]>();
  const packages = new Set<string>();
  const enters = (name: string): boolean => !name.startsWith(".") && !["node_modules", "venv", "env"].includes(name);
  for (const file of filesBelow(root, { maxEntries: 50_000, maxDepth: 12, enters })) {
    const path = posix.relative(root, file);
    const name = path.endsWith("package.json") ? /"name"\s*:\s*"([^"]+)"/.exec(textOf(root, path))?.[1] : undefined;
    if (name !== undefined) packages.add(name);
    if (!sources.test(file)) continue;
    for (const key of [...namesOf(path), folderKey(posix.dirname(path))])
      files.set(key, [...(files.get(key) ?? []), path]);
  }
  return { files, packages };
}
