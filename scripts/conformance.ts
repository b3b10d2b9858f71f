// Writes docs/conformance.md: every rule of docs/rules.txt with the tests whose names carry its id.
import { writeFileSync } from "node:fs";
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
const target = join(root, "docs", "conformance.md");

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

export function render(sections: readonly Section[], tests: readonly NamedTest[]): string {
  const rules = sections.flatMap((section) => section.rules);
  const proved = rules.filter(({ id }) => tests.some(({ ids }) => ids.includes(id)));
  const tables = sections.map(({ title, rules }) => {
    const rows = rules.map(({ id, title }) => `| ${id} | ${cell(title)} | ${testsOf(id, tests)} |`);
    return [`## ${title}`, "", "| rule | in short | tests |", "|---|---|---|", ...rows].join("\n");
  });
  const head = [
    "# Conformance",
    "",
    "Written by `npm run conformance` from the names of the tests; do not edit.",
    `${proved.length} of ${rules.length} rules are named by at least one test.`,
  ].join("\n");
  return `${[head, ...tables].join("\n\n")}\n`;
}

function testsOf(id: string, tests: readonly NamedTest[]): string {
  const own = tests.filter(({ ids }) => ids.includes(id));
  return own.length === 0 ? "no test yet" : own.map(({ file, name }) => cell(`${file}: ${name}`)).join("<br>");
}

function cell(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").replace(/[|<]/g, (found) => (found === "|" ? "\\|" : "&lt;"));
}

/** What docs/conformance.md should say now. */
export async function currentConformance(): Promise<{ text: string; unknown: readonly string[] }> {
  const sections = readRules(await Bun.file(join(root, "docs", "rules.txt")).text());
  const files = [...new Bun.Glob("test/**/*.test.{ts,tsx}").scanSync({ cwd: root })].sort();
  const found = await Promise.all(
    files.map(async (file) => findNamedTests(file, await Bun.file(join(root, file)).text())),
  );
  const tests = found.flat();
  return { text: render(sections, tests), unknown: unknownIds(sections, tests) };
}

if (import.meta.main) {
  const { text, unknown } = await currentConformance();
  writeFileSync(target, text);
  for (const finding of unknown) process.stderr.write(`unknown rule id ${finding}\n`);
  process.exit(unknown.length === 0 ? 0 : 1);
}
