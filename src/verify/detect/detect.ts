import { posix } from "node:path";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { Runner } from "../../contract/verification.ts";
import { isWithin } from "../../platform/files/path.ts";
import { findNode, runsNothing } from "./node.ts";
import { findBarePython, findPython } from "./python.ts";
import { isProgram } from "./toolchain.ts";
import { isDocument } from "./when.ts";
import { below, foldersAbove, isFile, textOf } from "./workspace.ts";

/** How a project is verified. `cwd` is relative to the workspace; "" is the workspace itself. */
export type Detected = { readonly cwd: string } & (
  | { readonly kind: "run"; readonly command: string; readonly runner: Runner | "auto" }
  /** Right for the project, but not on the list. `script`: the script it runs, if the project defines it in one place. */
  | {
      readonly kind: "offer";
      readonly command: string;
      readonly runner: Runner | "auto";
      readonly why: Phrase;
      readonly script?: string;
    }
  /** `isFinal`: the project has tests or should have some, so those of a parent project say nothing about it. */
  | { readonly kind: "none"; readonly why: Phrase; readonly advice?: Phrase; readonly isFinal?: true }
);

type Kind = "go" | "cargo" | "python" | "node" | "maven" | "gradle";
type Finder = (root: string, above: readonly string[]) => Detected | null;

/** In order of precedence within a folder (VF-3). */
const finders: Readonly<Record<Kind, Finder>> = {
  go: simple("go.mod", "go test ./...", "go"),
  cargo: simple("Cargo.toml", "cargo test", "cargo"),
  python: findPython,
  node: findNode,
  maven: findMaven,
  gradle: findGradle,
};
const kinds = Object.keys(finders) as readonly Kind[];

/** Cargo workspace members and Go workspace modules are tested in their own folder. */
function simple(name: string, command: string, runner: Runner): Finder {
  return (root, [cwd = ""]) => (isFile(root, below(cwd, name)) ? { kind: "run", cwd, command, runner } : null);
}

const languages: readonly (readonly [kinds: readonly Kind[], endings: string])[] = [
  [["go"], ".go"],
  [["cargo"], ".rs"],
  [["python"], ".py .pyi .pyx"],
  [["node"], ".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte"],
  [["maven", "gradle"], ".java .kt .kts .groovy .scala .gradle"],
];

/** VF-3: one check per project of the changed files, sorted by folder. `root`: real path. Empty if all files are outside. */
export function detectChecks(root: string, changed: readonly string[]): readonly Detected[] {
  const some = oneOfEach(changed);
  const code = some.filter((path) => !isDocument(path));
  const found = new Map<string, Detected>();
  const seen = new Set<string>();
  const aboveOf = once((folder: string) => foldersAbove(root, folder));
  const lookIn = once((_key, kind: Kind, above: readonly string[]) => finders[kind](root, above));
  for (const path of code.length > 0 ? code : some) {
    const inside = insidePath(root, path);
    const above = inside === null ? [] : aboveOf(posix.dirname(inside));
    if (inside === null || above.length === 0) continue;
    const own = languageOf(inside);
    const key = `${own.join()} ${above[0]}`;
    if (seen.has(key)) continue;
    const one = nearest(root, above, own, lookIn);
    seen.add(key);
    const id = JSON.stringify([one.cwd, "command" in one ? one.command : one.why]);
    if (!found.has(id)) found.set(id, one);
  }
  return [...found.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** One path per folder and extension, which is all that matters: hundreds of thousands of files may have changed. */
function oneOfEach(paths: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const isUnusual = /^\.{0,2}$/.test(name) || path.includes("\0");
    const key = isUnusual ? `\0${path}` : `${path.slice(0, path.length - name.length)}${posix.extname(name)}`;
    if (!found.has(key)) found.set(key, path);
  }
  return [...found.values()];
}

type LookIn = (key: string, kind: Kind, above: readonly string[]) => Detected | null;

function once<T, Rest extends unknown[]>(make: (key: string, ...rest: Rest) => T): (key: string, ...rest: Rest) => T {
  const made = new Map<string, T>();
  return (key, ...rest) => {
    if (!made.has(key)) made.set(key, make(key, ...rest));
    return made.get(key) as T;
  };
}

function order(found: Detected): string {
  return `${found.cwd} ${"command" in found ? found.command : JSON.stringify(found.why)}`;
}

function insidePath(root: string, path: string): string | null {
  if (path.includes("\0")) return null;
  const full = posix.resolve(root, path);
  return full !== root && isWithin(full, root) ? posix.relative(root, full) : null;
}

function languageOf(path: string): readonly Kind[] {
  const ending = posix.extname(path).toLowerCase();
  const own = languages.find(([, endings]) => ending !== "" && endings.split(" ").includes(ending));
  return own?.[0] ?? [];
}

/** The nearest project of the file's language, or else of any. Skips those with nothing to run: tests often run from a parent. */
function nearest(root: string, above: readonly string[], own: readonly Kind[], lookIn: LookIn): Detected {
  const best = climb(above, own, lookIn) ?? climb(above, kinds, lookIn);
  if (best && (best.kind !== "none" || best.isFinal)) return best;
  const other = above.map((folder) => findOther(root, folder)).find((one) => one !== null);
  const bare =
    other || best || !own.includes("python")
      ? null
      : above.map((folder) => findBarePython(root, folder)).find((one) => one !== null);
  return other ?? best ?? bare ?? { kind: "none", cwd: "", why: phrase("verify.no_project") };
}

function climb(above: readonly string[], which: readonly Kind[], lookIn: LookIn): Detected | null {
  let first: Detected | null = null;
  for (const at of above.keys()) {
    for (const kind of which) {
      const found = lookIn(`${kind} ${above[at]}`, kind, above.slice(at));
      if (found && (found.kind !== "none" || found.isFinal)) return found;
      first ??= found;
    }
  }
  return first;
}

/** Not on the list, so VF-2 decides whether they run. `fits`: whether the file really defines tests. */
const others: readonly (readonly [file: string, command: string, fits?: (text: string) => boolean])[] = [
  ["deno.json", "deno test"],
  ["deno.jsonc", "deno test"],
  ["mix.exs", "mix test"],
  ["Package.swift", "swift test"],
  ["build.sbt", "sbt test"],
  [".rspec", "bundle exec rspec"],
  ["phpunit.xml", "vendor/bin/phpunit"],
  ["phpunit.xml.dist", "vendor/bin/phpunit"],
  ["stack.yaml", "stack test"],
  ["dune-project", "dune test"],
  ["project.clj", "lein test"],
  ["build.zig", "zig build test"],
  ...["GNUmakefile", "makefile", "Makefile"].map((name) => [name, "make test", hasTarget] as const),
  ...["justfile", "Justfile", ".justfile"].map((name) => [name, "just test", hasTarget] as const),
  ["Rakefile", "rake test", (text) => /TestTask|task\s*\(?:test\b/.test(text)],
];

function findOther(root: string, cwd: string): Detected | null {
  for (const [file, command, fits] of others) {
    const path = below(cwd, file);
    if (!isFile(root, path) || (fits && !fits(textOf(root, path)))) continue;
    return { kind: "offer", cwd, command, runner: "auto", why: phrase("verify.not_listed", { command }) };
  }
  return null;
}

const target = /^(?:[\w.-]+[ \t]+)*test(?:[ \t]+[\w.-]+)*[ \t]*:(?!=)(.*)\n?((?:(?:\t| {2,}).*\n?|\n)*)/m;

/** A target that runs something, itself or through its prerequisites. */
function hasTarget(text: string): boolean {
  const [, needs = "", recipe = ""] = target.exec(text) ?? [];
  return target.test(text) && (`${needs}${recipe}`.trim() === "" || needs.trim() !== "" || !runsNothing(recipe));
}

/** Runs in the parent build: alone, a module needs its siblings to be installed. `above`: the folder and its parents. */
function findMaven(root: string, above: readonly string[]): Detected | null {
  const [folder = ""] = above;
  if (!isFile(root, below(folder, "pom.xml"))) return null;
  let cwd = folder;
  for (const outer of above) {
    if (modulesIn(textOf(root, below(outer, "pom.xml"))).some((module) => modulePath(outer, module) === cwd))
      cwd = outer;
  }
  return { kind: "run", cwd, command: "mvn -q test", runner: "surefire" };
}

function modulesIn(pom: string): readonly string[] {
  const plain = pom.replace(/<!--[\s\S]*?-->/g, "");
  return [...plain.matchAll(/<module>\s*([^<\s]+)\s*<\/module>/g)].map(([, name = ""]) => name);
}

function modulePath(folder: string, module: string): string {
  const path = posix.normalize(below(folder, module));
  return path.endsWith(".xml") ? posix.dirname(path) : path.replace(/\/$/, "");
}

const builds = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
const settings = ["settings.gradle", "settings.gradle.kts", "gradlew"];

/** Runs in the folder of the settings or the wrapper, which covers all projects of the build. */
function findGradle(root: string, above: readonly string[]): Detected | null {
  const [folder = ""] = above;
  if (![...builds, "gradlew"].some((name) => isFile(root, below(folder, name)))) return null;
  const cwd = above.find((one) => settings.some((name) => isFile(root, below(one, name)))) ?? folder;
  // Without the execute bit the shell could only report "permission denied".
  const hasWrapper = isFile(root, below(cwd, "gradlew")) && isProgram(posix.join(root, cwd, "gradlew"));
  const command = hasWrapper ? "./gradlew test" : "gradle test";
  return { kind: "run", cwd, command, runner: "gradle" };
}
