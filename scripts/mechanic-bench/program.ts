// The correct programs of the bench, each with tests that are seen and tests that are not, and faults made by hand.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Program {
  readonly name: string;
  readonly language: "python" | "script";
  /** The module that is broken. */
  readonly path: string;
  readonly source: string;
  readonly test: { readonly path: string; readonly text: string };
  readonly hidden: { readonly path: string; readonly text: string };
  readonly faults: readonly Fault[];
  /** Further files of the project; absent = those that any program has. */
  readonly around?: Readonly<Record<string, string>>;
  /** A `node_modules` that the tests need. */
  readonly modules?: string | null;
  /** What runs the tests; absent = `node` or pytest. */
  readonly runner?: string;
}

interface Fault {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export function loadPrograms(): readonly Program[] {
  const folder = join(import.meta.dir, "programs");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .sort()
    .map((name) => programIn(name.replace(".txt", ""), readFileSync(join(folder, name), "utf8")));
}

function programIn(name: string, text: string): Program {
  const parts = text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      return { title: part.slice(0, end).trim(), text: part.slice(end + 1) };
    });
  const files = parts
    .filter(({ title }) => !title.startsWith("fault: "))
    .map(({ title, text: body }) => ({ path: title, text: body }));
  const [source, test, hidden] = files;
  if (!source || !test || !hidden || files.length !== 3)
    throw new Error(`${name}: a module, its tests and hidden tests are needed`);
  const faults = parts
    .filter(({ title }) => title.startsWith("fault: "))
    .map(({ title, text: body }) => faultIn(title.slice(7), body));
  for (const { name: fault, before } of faults) {
    if (source.text.split(before).length !== 2) throw new Error(`${name}, ${fault}: does not occur exactly once`);
  }
  const language = source.path.endsWith(".py") ? "python" : "script";
  return { name, language, path: source.path, source: source.text, test, hidden, faults };
}

function faultIn(name: string, text: string): Fault {
  const lines = text.split("\n").filter((line) => line !== "");
  const of = (sign: string) =>
    lines
      .filter((line) => line.startsWith(`${sign} `))
      .map((line) => `${line.slice(2)}\n`)
      .join("");
  return { name, before: of("-"), after: of("+") };
}

/** What makes it a project. */
export function projectFiles(
  { language, path, source, test, around }: Program,
  broken = source,
): Readonly<Record<string, string>> {
  if (around !== undefined) return { ...around, [path]: broken, [test.path]: test.text };
  const manifest = {
    name: "sample",
    version: "1.0.0",
    type: "module",
    private: true,
    scripts: { test: `node ${test.path}` },
  };
  const own =
    language === "python"
      ? { "pytest.ini": "[pytest]\n" }
      : { "package.json": `${JSON.stringify(manifest, null, 2)}\n` };
  return { ...own, [path]: broken, [test.path]: test.text };
}
