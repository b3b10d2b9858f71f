// Writes docs/conformance.md and a page for each group of rules of docs/rules.txt, with the tests whose names carry their ids.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface NamedTest {
  readonly file: string;
  readonly name: string;
  readonly ids: readonly string[];
}

interface Section {
  readonly title: string;
  readonly rules: readonly { readonly id: string; readonly title: string }[];
}

const root = join(import.meta.dir, "..");

/** A section starts with `# PREFIX Title`; every other line is `ID title`. */
export function readRules(text: string): readonly Section[] {
  return text
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [title = "", ...lines] = part.trim().split("\n");
      const rules = lines.map((line) => {
        const blank = line.indexOf(" ");
        return { id: line.slice(0, blank), title: line.slice(blank + 1) };
      });
      return { title, rules };
    });
}

/** Names that start with ids, as the first argument of a call. A test that is always skipped proves nothing. */
export function findNamedTests(file: string, source: string): readonly NamedTest[] {
  const pattern =
    /(\.(?:skip|todo))?\(\s*(["'`])((?:\[(?:[A-Z]{2,3}-\d+|SA-[a-z-]+)(?:, ?[A-Z]{2,3}-\d+)*\] ?)+(?:\\.|(?!\2)[^\\])*)\2/g;
  return [...source.matchAll(pattern)]
    .filter((match) => match[1] === undefined)
    .map((match) => {
      const name = match[3] ?? "";
      const head = /^(?:\[[^\]]*\] ?)+/.exec(name)?.[0] ?? "";
      return { file, name, ids: head.match(/[A-Z]{2,3}-\d+|SA-[a-z-]+/g) ?? [] };
    });
}

export function unknownIds(sections: readonly Section[], tests: readonly NamedTest[]): readonly string[] {
  const known = new Set(sections.flatMap(({ rules }) => rules.map(({ id }) => id)));
  return tests.flatMap(({ file, ids }) => ids.filter((id) => !known.has(id)).map((id) => `${id} in ${file}`));
}

/** The index under "", and a page for each group of rules under the group's name. */
export function render(sections: readonly Section[], tests: readonly NamedTest[]): ReadonlyMap<string, string> {
  const pages = sections.map((section) => [nameOf(section), pageOf(section, tests)] as const);
  return new Map([["", indexOf(sections, tests)], ...pages]);
}

const written = "Written by `npm run conformance` from the names of the tests; do not edit.";

function nameOf({ title }: Section): string {
  return title.split(" ", 1)[0] ?? "";
}

function indexOf(sections: readonly Section[], tests: readonly NamedTest[]): string {
  const rules = sections.flatMap((section) => section.rules);
  const proved = rules.filter(({ id }) => testsOf(id, tests).length > 0);
  const tables = sections.map((section) => {
    const name = nameOf(section);
    const rows = section.rules.map(({ id, title }) => {
      const count = testsOf(id, tests).length;
      return `| ${id} | ${cell(title)} | ${count === 0 ? "no test yet" : count} |`;
    });
    const heading = `## [${section.title}](conformance/${name}.md)`;
    return [heading, "", "| rule | in short | tests |", "|---|---|---|", ...rows].join("\n");
  });
  const said = `${proved.length} of ${rules.length} rules are named by at least one test. A group's page names the tests.`;
  return `${[`# Conformance\n\n${written}\n${said}`, ...tables].join("\n\n")}\n`;
}

/** A test is named where its first rule is; rules of other groups it proves stand before its name. */
function pageOf({ title, rules }: Section, tests: readonly NamedTest[]): string {
  const parts = rules.map(({ id, title: short }) => {
    const byFile = Map.groupBy(testsOf(id, tests), ({ file }) => file);
    const files = [...byFile].map(([file, own]) =>
      [`- \`${file}\``, ...own.map((one) => `  - ${bare(one)}`)].join("\n"),
    );
    return `## ${id} ${cell(short)}\n\n${files.length === 0 ? "No test yet." : files.join("\n")}`;
  });
  return `${[`# ${title}\n\n${written}`, ...parts].join("\n\n")}\n`;
}

function testsOf(id: string, tests: readonly NamedTest[]): readonly NamedTest[] {
  return tests.filter(({ ids }) => ids.includes(id));
}

function bare({ name }: NamedTest): string {
  return cell(name.replace(/^(?:\[[^\]]*\] ?)+/, "") || name);
}

function cell(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").replace(/[|<]/g, (found) => (found === "|" ? "\\|" : "&lt;"));
}

/** Where a page of `render` lies, from the root. */
export function pathOf(name: string): string {
  return name === "" ? "docs/conformance.md" : `docs/conformance/${name}.md`;
}

/** What the pages should say now. */
export async function currentConformance(): Promise<{
  pages: ReadonlyMap<string, string>;
  unknown: readonly string[];
}> {
  const sections = readRules(await Bun.file(join(root, "docs", "rules.txt")).text());
  const files = [...new Bun.Glob("test/**/*.test.{ts,tsx}").scanSync({ cwd: root })].sort();
  const found = await Promise.all(
    files.map(async (file) => findNamedTests(file, await Bun.file(join(root, file)).text())),
  );
  const tests = found.flat();
  return { pages: render(sections, tests), unknown: unknownIds(sections, tests) };
}

if (import.meta.main) {
  const { pages, unknown } = await currentConformance();
  rmSync(join(root, "docs", "conformance"), { recursive: true, force: true });
  mkdirSync(join(root, "docs", "conformance"));
  for (const [name, text] of pages) writeFileSync(join(root, pathOf(name)), text);
  for (const finding of unknown) process.stderr.write(`unknown rule id ${finding}\n`);
  process.exit(unknown.length === 0 ? 0 : 1);
}
