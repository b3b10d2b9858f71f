// The files that a failure concerns: the tests, their imports, and the imports of those.

import { entryOf, type PackageEntry, pathsOf } from "./package-entry.ts";
import { type Answer, type Ask, ask, askAll, type Play } from "./play.ts";
import { inFolder, type Project, pathsIn } from "./project.ts";
import { framesIn, type Report } from "./report.ts";
import { type Source, sourceOf } from "./text/outline.ts";

/** `tests` contain the failing ones; `sources` are the files under test. */
export interface Scene {
  readonly tests: readonly Source[];
  readonly sources: readonly Source[];
}

const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?)\/|(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest|tests?)\.py$|[._-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:tests?|spec)\.[cm]?[jt]sx?$/;

const isTestPath = (path: string): boolean => testPath.test(path);

const maxFiles = 14;
const maxDepth = 3;
const maxPages = 8;

/** `null` = stop. `workspace`: its real path, if known. */
export function* gather(project: Project, report: Report, workspace: string | null): Play<Scene | null> {
  const named = namedPaths(project, report, workspace);
  const read = new Map<string, Source>();
  let wanted = named.filter((path) => isTestPath(path)).slice(0, 4);
  const tests = new Set(wanted);
  // A test file may have any name, and an output that cannot be read names none.
  if (wanted.length === 0) wanted = named.slice(0, 3);
  if (wanted.length === 0) {
    const globbed = yield* ask("", "glob", { pattern: inFolder(project.folder, "**/*.{py,js,mjs,cjs,ts,mts,cts}") });
    if (globbed === null) return null;
    wanted = pathsIn(globbed)
      .filter((path) => isTestPath(path) && !foreignPath.test(path))
      .slice(0, 6);
    for (const path of wanted) tests.add(path);
  } else wanted = [...wanted, ...named.filter((path) => !isTestPath(path)).slice(0, 4)];
  const entry = yield* entryOf(project);
  if (entry === null) return null;
  for (let depth = 0; depth <= maxDepth && wanted.length > 0 && read.size < maxFiles; depth++) {
    const files = yield* readAll(wanted.slice(0, maxFiles - read.size));
    if (files === null) return null;
    for (const file of files) read.set(file.path, file);
    const imports = yield* importsOf(files, entry, new Set(read.keys()));
    if (imports === null) return null;
    wanted = [...imports];
  }
  const all = [...read.values()];
  const isTest = ({ path, text }: Source): boolean =>
    tests.has(path) || isTestPath(path) || /\bnode:test\b|\bimport unittest\b|\bimport pytest\b/.test(text);
  return { tests: all.filter(isTest), sources: all.filter((one) => !isTest(one)) };
}

/** Paths in the failures; relative to the workspace if inside it. */
function namedPaths({ folder }: Project, { failures, output }: Report, workspace: string | null): readonly string[] {
  const ids = failures.flatMap(({ test, file }) => [/^(\S+\.py)::/.exec(test ?? "")?.[1] ?? "", file ?? ""]);
  const frames = framesIn(output).map(({ file }) => file);
  const own = [...ids, ...frames].filter((path) => path !== "" && !/^<|^node:|^internal|node_modules/.test(path));
  const inside = own.flatMap((path) => {
    if (!path.startsWith("/")) return [inFolder(folder, path)];
    if (workspace === null || !path.startsWith(`${workspace}/`)) return workspace === null ? [path] : [];
    return [path.slice(workspace.length + 1)];
  });
  return [...new Set(inside)];
}

/** Whole files only: a file known in part cannot be changed safely. */
export function* readAll(paths: readonly string[]): Play<readonly Source[] | null> {
  if (paths.length === 0) return [];
  const asks = paths.map((path) => readAsk(path, 1));
  const answers = yield* askAll("", asks);
  if (answers === null) return null;
  const found: Source[] = [];
  for (const [at, path] of paths.entries()) {
    const text = yield* wholeText(path, answers[at]!);
    if (text === null) return null;
    const source = text === "" ? null : sourceOf(path, text);
    if (source !== null) found.push(source);
  }
  return found;
}

function readAsk(path: string, offset: number): Ask {
  return { tool: "read", input: offset === 1 ? { path } : { path, offset } };
}

/** "" if the file is missing or too long. */
function* wholeText(path: string, first: Answer): Play<string | null> {
  const lines: string[] = [];
  let answer: Answer = first;
  for (let page = 0; page < maxPages; page++) {
    if (answer.error !== null || /\(encoding: /.test(answer.text)) return "";
    const { found, isCut } = linesFrom(answer.text, lines.length + 1);
    lines.push(...found);
    if (!isCut && !/\n\(lines .*; continue with offset=\d+\)/.test(answer.text)) return `${lines.join("\n")}\n`;
    if (found.length === 0) return "";
    const next: readonly Answer[] | null = yield* askAll("", [readAsk(path, lines.length + 1)]);
    if (next === null) return null;
    answer = next[0]!;
  }
  return "";
}

/** Consecutive lines. The engine cuts the middle out of long answers, so the lines after the gap are read again. */
function linesFrom(text: string, from: number): { readonly found: readonly string[]; readonly isCut: boolean } {
  const all = text.split("\n").map((line) => /^(\d+)\t([\s\S]*)$/.exec(line));
  const gap = all.findIndex((match, at) => Number(match?.[1]) !== from + at);
  const found = (gap === -1 ? all : all.slice(0, gap)).map((match) => match?.[2] ?? "");
  return { found, isCut: gap !== -1 && all.slice(gap).some((match) => match !== null) };
}

const pythonImport = /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+\(?([^\n#)]*)|import[ \t]+([\w., \t]+))/gm;
const scriptImport = /(?:\bfrom\s*|\b(?:require|import)\s*\(\s*|^\s*import\s*)(?:"([^"\n]+)"|'([^'\n]+)')/gm;
const foreign = new Set(
  `pytest unittest os sys re json math random time datetime typing collections itertools functools pathlib dataclasses enum
  abc string copy decimal fractions statistics heapq bisect asyncio contextlib operator logging io csv hashlib subprocess
  threading types uuid tempfile shutil numpy pandas __future__ warnings textwrap struct numbers`.split(/\s+/),
);

/** Paths of the project files that these files import; `null` = stop. */
function* importsOf(
  files: readonly Source[],
  entry: PackageEntry,
  known: ReadonlySet<string>,
): Play<ReadonlySet<string> | null> {
  const patterns = new Set<string>();
  const direct = new Set<string>();
  for (const file of files) {
    const at = file.path.includes("/") ? file.path.slice(0, file.path.lastIndexOf("/")) : ".";
    if (file.language === "python") for (const one of pythonPatterns(file.text, at)) patterns.add(one);
    else
      for (const path of scriptPaths(file.text, at, entry)) {
        if (/\.[cm]?[jt]sx?$/.test(path)) direct.add(path);
        else patterns.add(`${path}{.js,.ts,.mjs,.cjs,.jsx,.tsx,/index.js,/index.ts}`);
      }
  }
  const asks = [...patterns].slice(0, 12).map((pattern) => ({ tool: "glob", input: { pattern } }));
  const answers = asks.length === 0 ? [] : yield* askAll("", asks);
  if (answers === null) return null;
  const globbed = answers.flatMap((answer) => nearest(pathsIn(answer), entry.folder));
  return new Set([...direct, ...globbed].filter((path) => !known.has(path)));
}

const foreignPath = /(?:^|\/)(?:\.?venv|site-packages|node_modules|build|dist)\//;

function nearest(paths: readonly string[], folder: string): readonly string[] {
  const own = paths.filter((path) => !foreignPath.test(path));
  const near = own.filter((path) => folder === "." || path.startsWith(`${folder}/`));
  return (near.length > 0 ? near : own).sort((a, b) => a.length - b.length).slice(0, 2);
}

function pythonPatterns(text: string, at: string): readonly string[] {
  return [...text.matchAll(pythonImport)].flatMap(([, from, names = "", plain]) => {
    if (plain !== undefined) return plain.split(",").flatMap((one) => modulePattern(one.trim().split(/\s/)[0] ?? ""));
    if (from === undefined) return [];
    if (!from.startsWith(".")) return modulePattern(from);
    const ups = /^\.+/.exec(from)![0].length - 1;
    const base = inFolder(at, "../".repeat(ups));
    const rest = from.replace(/^\.+/, "").replaceAll(".", "/");
    const stems = rest === "" ? names.split(",").map((one) => one.trim().split(/\s/)[0] ?? "") : [rest];
    return stems
      .filter((one) => /^[\w/]+$/.test(one))
      .map((one) => `${base === "" ? "" : `${base}/`}${one}{.py,/__init__.py}`);
  });
}

function modulePattern(name: string): readonly string[] {
  const [top = ""] = name.split(".");
  return !/^[\w.]+$/.test(name) || foreign.has(top) ? [] : [`**/${name.replaceAll(".", "/")}{.py,/__init__.py}`];
}

function scriptPaths(text: string, at: string, entry: PackageEntry): readonly string[] {
  return [...text.matchAll(scriptImport)].flatMap(([, a, b]) => pathsOf(a ?? b ?? "", at, entry));
}
