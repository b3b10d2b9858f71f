// Real packages of the npm registry, pinned, each with tests of ours for a runner that people use. Their faults are made by chance.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Program } from "./program.ts";

const runners: Readonly<Record<string, string | null>> = {
  tape: "tape@5.9.0",
  mocha: "mocha@10.8.2",
  uvu: "uvu@0.5.6",
  ava: "ava@5.3.1",
  node: null,
};

export interface Packages {
  readonly programs: readonly Program[];
  /** Why there are none, or not all; `null` = all are there. */
  readonly why: string | null;
  [Symbol.dispose](): void;
}

/** Installs them into a temporary folder, without their scripts. */
export async function loadPackages(): Promise<Packages> {
  const folder = join(import.meta.dir, "packages");
  const all = readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .sort()
    .map((name) => sheetIn(name.replace(".txt", ""), readFileSync(join(folder, name), "utf8")));
  const store = mkdtempSync(join(tmpdir(), "coder-mechanic-packages-"));
  const packages = (programs: readonly Program[], why: string | null): Packages => ({
    ...{ programs, why },
    [Symbol.dispose]: () => rmSync(store, { recursive: true, force: true }),
  });
  const wanted: readonly (readonly [name: string, specs: readonly string[]])[] = [
    ["packages", all.map(({ spec }) => spec)],
    ...Object.entries(runners).flatMap(([name, spec]) => (spec === null ? [] : [[name, [spec]] as const])),
  ];
  for (const [name, specs] of wanted) {
    const why = await install(join(store, name), specs);
    if (why !== null) return packages([], why);
  }
  return packages(
    all.map((sheet) => programOf(sheet, store)),
    null,
  );
}

async function install(folder: string, specs: readonly string[]): Promise<string | null> {
  mkdirSync(folder, { recursive: true });
  const argv = [
    "npm",
    "install",
    "--prefix",
    folder,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--silent",
    ...specs,
  ];
  const child = Bun.spawn(argv, { cwd: folder, stdin: "ignore", stdout: "ignore", stderr: "pipe", timeout: 180_000 });
  const [err] = await Promise.all([child.stderr.text(), child.exited]);
  return child.exitCode === 0 ? null : `npm could not install ${specs.join(" ")}: ${err.trim().slice(0, 300)}`;
}

interface Row {
  readonly expression: string;
  readonly expected: string;
}

interface Sheet {
  readonly name: string;
  readonly spec: string;
  readonly path: string;
  readonly runner: string;
  readonly head: string;
  readonly visible: readonly Row[];
  readonly hidden: readonly Row[];
}

function sheetIn(name: string, text: string): Sheet {
  const [first = "", visible = "", hidden = ""] = text.split(/^=== (?:visible|hidden)\n/m);
  const [, spec = "", path = "", runner = "", head = ""] =
    /^=== package: (\S+) (\S+) (\S+)\n([\s\S]*)$/.exec(first) ?? [];
  if (runners[runner] === undefined || hidden === "") throw new Error(`${name}: cannot be read`);
  return { name, spec, path, runner, head, visible: rowsIn(visible), hidden: rowsIn(hidden) };
}

function rowsIn(text: string): readonly Row[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const cut = line.lastIndexOf(" => ");
      return { expression: line.slice(0, cut), expected: line.slice(cut + 4) };
    });
}

function programOf({ name, spec, path, runner, head, visible, hidden }: Sheet, store: string): Program {
  const folder = join(store, "packages", "node_modules", spec.replace(/@[^@]+$/, ""));
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Readonly<Record<string, unknown>>;
  const [test, other] = ["test/visible.js", "test/hidden.js"];
  const script = { tape: "tape test/*.js", mocha: "mocha test", uvu: "uvu test", ava: "ava", node: `node ${test}` }[
    runner
  ];
  const own = { ...manifest, scripts: { test: script }, xo: undefined };
  return {
    name: `npm-${name}`,
    language: "script",
    path,
    source: readFileSync(join(folder, path), "utf8"),
    test: { path: test, text: testText(runner, head, visible) },
    hidden: { path: other, text: testText(runner, head, hidden) },
    faults: [],
    around: { "package.json": `${JSON.stringify(own, null, 2)}\n`, ...textsIn(folder, path) },
    modules: runner === "node" ? null : join(store, runner, "node_modules"),
    runner,
  };
}

/** The package's other files. */
function textsIn(folder: string, path: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const other = names.filter(
    (name) => name !== path && basename(name) !== "package.json" && !/^(?:test|node_modules)\b/.test(name),
  );
  return Object.fromEntries(
    other
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}

function testText(runner: string, head: string, rows: readonly Row[]): string {
  const value = `const value = (make) => { try { return make(); } catch { return "Error"; } };\n`;
  const each = (write: (title: string, made: string, expected: string) => string): string =>
    rows
      .map(({ expression, expected }) => write(JSON.stringify(expression), `value(() => ${expression})`, expected))
      .join("\n");
  const assert = `const assert = require("node:assert");\n`;
  switch (runner) {
    case "tape":
      return `const test = require("tape");\n${head}${value}${each((title, made, expected) => `test(${title}, (t) => {\n  t.deepEqual(${made}, ${expected});\n  t.end();\n});`)}\n`;
    case "ava":
      return `const test = require("ava");\n${head}${value}${each((title, made, expected) => `test(${title}, (t) => {\n  t.deepEqual(${made}, ${expected});\n});`)}\n`;
    case "uvu":
      return `const { test } = require("uvu");\nconst assert = require("uvu/assert");\n${head}${value}${each((title, made, expected) => `test(${title}, () => {\n  assert.equal(${made}, ${expected});\n});`)}\ntest.run();\n`;
    case "mocha":
      return `${assert}${head}${value}${each((title, made, expected) => `it(${title}, () => {\n  assert.deepStrictEqual(${made}, ${expected});\n});`)}\n`;
    default:
      return `const { test } = require("node:test");\n${assert}${head}${value}${each((title, made, expected) => `test(${title}, () => {\n  assert.deepStrictEqual(${made}, ${expected});\n});`)}\n`;
  }
}

/** What the tests need, beside the project. */
export function layModules({ modules = null }: Program, folder: string): void {
  if (modules === null) return;
  const to = join(folder, "node_modules");
  // Links to the same files where the disk has them: hundreds of copies would take longer than the repairs.
  const linked = Bun.spawnSync(["cp", "-al", modules, to], { stdout: "ignore", stderr: "ignore" });
  if (linked.exitCode !== 0) cpSync(modules, to, { recursive: true, verbatimSymlinks: true });
}
