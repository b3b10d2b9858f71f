// Figures about src/ that say how easily one finds one's way: npm run check -- --figures
import { basename, dirname, join, relative, resolve } from "node:path";

interface Source {
  readonly path: string;
  readonly text: string;
  /** Files of src/ that it imports, types included. */
  readonly imports: readonly string[];
}

const mostInFolder = 25;
const longFunction = 60;

export async function figuresOf(root: string): Promise<string> {
  const paths = [...new Bun.Glob("src/**/*.ts").scanSync({ cwd: root })].sort();
  const sources = await Promise.all(paths.map((path) => sourceOf(root, path)));
  const folders = Map.groupBy(sources, ({ path }) => dirname(path));
  const full = [...folders].filter(([, files]) => files.length > mostInFolder);
  const importers = countImporters(sources);
  const single = sources.filter(({ path }) => importers.get(path) === 1);
  const same = sameNames(sources);
  const cycles = cyclesIn(sources);
  const long = sources.flatMap(longFunctions);
  return [
    `lines                     ${sum(sources.map(({ text }) => linesIn(text)))}`,
    `files                     ${sources.length} in ${folders.size} folders`,
    `folders over ${mostInFolder} files     ${full.length}${list(full.map(([folder, files]) => `${folder} ${files.length}`))}`,
    `with one importer         ${single.length} (${Math.round((100 * single.length) / sources.length)} %)`,
    `same name in a room       ${same.length}${list(same)}`,
    `import cycles             ${cycles.length}${list(cycles)}`,
    `functions over ${longFunction} lines   ${long.length}${list(long)}`,
    `members of the ports      ${portSizes(sources.find(({ path }) => path === "src/engine/port.ts")?.text ?? "").join(", ")}`,
  ].join("\n");
}

async function sourceOf(root: string, path: string): Promise<Source> {
  const text = await Bun.file(join(root, path)).text();
  const found = text.matchAll(/(?:from|import\()\s*"(\.{1,2}\/[^"]+\.ts)"/g);
  const folder = resolve(root, dirname(path));
  return { path, text, imports: [...found].map(([, to = ""]) => relative(root, resolve(folder, to))) };
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "" : `: ${names.slice(0, 12).join(", ")}${names.length > 12 ? " …" : ""}`;
}

function countImporters(sources: readonly Source[]): ReadonlyMap<string, number> {
  const count = new Map<string, number>();
  for (const { imports } of sources) for (const one of new Set(imports)) count.set(one, (count.get(one) ?? 0) + 1);
  return count;
}

/** Files that share a name inside a room; a folder's name tells those of the same subject apart in different rooms. */
function sameNames(sources: readonly Source[]): readonly string[] {
  const byName = Map.groupBy(sources, ({ path }) => `${path.split("/")[1]}/…/${basename(path)}`);
  return [...byName].filter(([, files]) => files.length > 1).map(([name, files]) => `${name} ×${files.length}`);
}

/** Each cycle once, by the shortest way back to its first file. */
function cyclesIn(sources: readonly Source[]): readonly string[] {
  // A type is gone when the program runs; what is loaded on demand is not needed to load.
  const loads = new Map(sources.map(({ path, text, imports }) => [path, imports.filter((to) => isLoaded(text, to))]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) cycles.push([...way.slice(at), path].map((one) => basename(one)).join(" → "));
    if (at >= 0 || done.has(path)) return;
    for (const to of loads.get(path) ?? []) visit(to, [...way, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return cycles;
}

function isLoaded(text: string, to: string): boolean {
  const name = basename(to).replace(/[.]/g, "\\.");
  const statement = new RegExp(`^import (?!type )[^;]*"[^"]*/${name}";`, "m");
  return statement.test(text);
}

/** The formatter indents: a function ends at the first closing brace of its own depth. */
function longFunctions({ path, text }: Source): readonly string[] {
  const lines = text.split("\n");
  // On one line, or with a parameter on each: what ends in `, {` is a call that is handed an object.
  const head =
    /^(\s*)(?:(?:export |default |async |private |protected |static |readonly )*)(?:function\b|(?:get )?[\w#]+(?:<[^(]*>)?\((?:[^;]*\)(?:: [^=;]*)? \{)?$)/;
  return lines.flatMap((line, at) => {
    const start = head.exec(line);
    if (!start || /^\s*(?:if|for|while|switch|return|catch|super)\b/.test(line)) return [];
    const indent = start[1] ?? "";
    const isOpened = line.endsWith("{") || isHeadEnd(lines, at, indent);
    const end = lines.findIndex(
      (other, index) => index > at && /^\}[,;)]*$/.test(other.slice(indent.length)) && other.startsWith(indent),
    );
    return isOpened && end - at > longFunction ? [`${basename(path)}:${at + 1} (${end - at})`] : [];
  });
}

/** Whether the parentheses that a line opens close with the beginning of a body. */
function isHeadEnd(lines: readonly string[], at: number, indent: string): boolean {
  const close = lines.slice(at + 1).find((line) => line.startsWith(`${indent})`));
  return close !== undefined && /^\)(?:: [^=;]*)? \{$/.test(close.slice(indent.length));
}

function portSizes(text: string): readonly string[] {
  const ports = text.matchAll(/interface (\w+Port) \{\n([\s\S]*?)\n\}/g);
  const isMember = (line: string): boolean => /^ {2}(?:readonly )?\w+[(:]/.test(line);
  return [...ports].map(([, name, body = ""]) => `${name} ${body.split("\n").filter(isMember).length}`);
}
