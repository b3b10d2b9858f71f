// Collects facts about a repository for a first AGENTS.md. Loaded on demand; runs nothing.

import { basename, posix } from "node:path";
import { firstRulesText } from "../../context/first-rules.ts";
import { fail, ok, type Result } from "../../contract/error.ts";
import { fieldsOf, parsedJson } from "../../contract/json.ts";
import type { Settings } from "../../contract/settings.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { rulesNameIn } from "../../platform/skill/rules-files.ts";
import { detectChecks } from "../../verify/detect/detect.ts";
import { filesBelow, textOf } from "../../verify/detect/workspace.ts";
import { clean } from "../call/redact.ts";

const path = "AGENTS.md";

export function firstRules({ workspace }: Settings): Result<{ readonly path: string; readonly content: string }> {
  const file = rulesNameIn(workspace);
  if (file === path)
    return fail("E_CONFLICT", phrase("init.exists", { file }), { advice: phrase("init.exists.advice") });
  if (file !== null) return fail("E_CONFLICT", phrase("init.other", { file }), { advice: phrase("init.other.advice") });
  const walk = { maxEntries: 20_000, maxDepth: 8, enters: (name: string) => !skipped.test(name) };
  const files = [...filesBelow(workspace, walk)].map((one) => posix.relative(workspace, one));
  const checks = detectChecks(workspace, files.filter((one) => languageOf(one) !== null).slice(0, 5_000));
  const content = firstRulesText({
    name: basename(workspace),
    languages: languagesIn(files),
    checks: checks.flatMap((one) => (one.kind === "none" ? [] : [{ command: one.command, cwd: one.cwd }])),
    commands: commandsOf(workspace, files),
    folders: foldersIn(files),
    conventions: conventionsOf(workspace, files),
    documents: documentsOf(files),
  });
  return ok({ path, content: clean(content) });
}

const skipped = /^(?:\.(?!github$).*|node_modules|vendor|target|build|dist|out|coverage|__pycache__|venv)$/;

const endings: readonly (readonly [name: string, endings: string])[] = [
  ["TypeScript", "ts tsx mts cts"],
  ["JavaScript", "js jsx mjs cjs"],
  ["Python", "py pyi"],
  ["Go", "go"],
  ["Rust", "rs"],
  ["Java", "java"],
  ["Kotlin", "kt kts"],
  ["C", "c h"],
  ["C++", "cc cpp cxx hpp hh"],
  ["C#", "cs"],
  ["Ruby", "rb"],
  ["PHP", "php"],
  ["Swift", "swift"],
  ["Scala", "scala"],
  ["Elixir", "ex exs"],
  ["Shell", "sh bash"],
  ["SQL", "sql"],
  ["Vue", "vue"],
  ["Svelte", "svelte"],
];
const languages = new Map(endings.flatMap(([name, all]) => all.split(" ").map((one) => [one, name] as const)));

function languageOf(file: string): string | null {
  return languages.get(posix.extname(file).slice(1).toLowerCase()) ?? null;
}

function languagesIn(files: readonly string[]): readonly { readonly name: string; readonly files: number }[] {
  return counted(files.flatMap((file) => languageOf(file) ?? [])).slice(0, 8);
}

function foldersIn(files: readonly string[]): readonly { readonly name: string; readonly files: number }[] {
  return counted(files.flatMap((file) => (file.includes("/") ? (file.split("/", 1)[0] ?? []) : [])));
}

function counted(names: readonly string[]): readonly { readonly name: string; readonly files: number }[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, n]) => ({ name, files: n }))
    .toSorted((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1));
}

type CommandRow = { readonly command: string; readonly does: string };

const MAX = 16;
/** Common script names only: others may not be meant for everybody. */
const scripts =
  /^(?:build|test|lint|check|format|fmt|typecheck|types|dev|start|bench|docs|generate|e2e)(?:[:-][\w:-]+)?$/;

export function commandsOf(root: string, files: readonly string[]): readonly CommandRow[] {
  return [...npmScripts(root, files), ...makeTargets(root, files)].slice(0, MAX);
}

function npmScripts(root: string, files: readonly string[]): readonly CommandRow[] {
  if (!files.includes("package.json")) return [];
  const program = programOf(files);
  // A file that is invalid or being written has no scripts.
  return Object.entries(fieldsOf(fieldsOf(parsedJson(textOf(root, "package.json"))).scripts))
    .filter(([name, does]) => scripts.test(name) && typeof does === "string")
    .map(([name, does]) => ({ command: `${program} run ${name}`, does: String(does) }));
}

function programOf(files: readonly string[]): string {
  if (files.includes("pnpm-lock.yaml")) return "pnpm";
  if (files.includes("yarn.lock")) return "yarn";
  return files.includes("bun.lock") || files.includes("bun.lockb") ? "bun" : "npm";
}

function makeTargets(root: string, files: readonly string[]): readonly CommandRow[] {
  const file = ["Makefile", "makefile", "GNUmakefile"].find((one) => files.includes(one));
  if (file === undefined) return [];
  const found = textOf(root, file).matchAll(/^([A-Za-z][\w-]{0,40})\s*:(?!=)/gm);
  return [...new Set([...found].flatMap(([, name]) => name ?? []))].map((name) => ({
    command: `make ${name}`,
    does: "",
  }));
}

/** Recognized by file name alone. */
const tools: readonly (readonly [file: RegExp, what: string])[] = [
  [/^biome\.jsonc?$/, "Biome formats and lints"],
  [/^(?:\.prettierrc(?:\..+)?|prettier\.config\..+)$/, "Prettier formats"],
  [/^(?:\.eslintrc(?:\..+)?|eslint\.config\..+)$/, "ESLint lints"],
  [/^(?:ruff|\.ruff)\.toml$/, "Ruff lints and formats"],
  [/^(?:\.flake8|setup\.cfg)$/, "Python style in setup.cfg or .flake8"],
  [/^mypy\.ini$/, "mypy checks types"],
  [/^(?:\.?rustfmt\.toml)$/, "rustfmt formats"],
  [/^\.golangci\.(?:ya?ml|toml|json)$/, "golangci-lint lints"],
  [/^\.clang-format$/, "clang-format formats"],
  [/^\.pre-commit-config\.yaml$/, "pre-commit hooks run before a commit"],
];

function conventionsOf(root: string, files: readonly string[]): readonly string[] {
  const byName = tools.flatMap(([form, what]) => {
    const file = files.find((one) => form.test(one));
    return file === undefined ? [] : [`${what} (\`${file}\`)`];
  });
  return [
    ...byName,
    ...editorConfig(root, files),
    ...strictTypes(root, files),
    ...pyproject(root, files),
    ...ci(files),
  ];
}

/** Reads the `[*]` section. */
function editorConfig(root: string, files: readonly string[]): readonly string[] {
  if (!files.includes(".editorconfig")) return [];
  const [, all = ""] = /^\[\*\]\s*$([^[]*)/m.exec(textOf(root, ".editorconfig")) ?? [];
  const value = (key: string): string | undefined => new RegExp(`^\\s*${key}\\s*=\\s*(\\w{1,12})`, "m").exec(all)?.[1];
  const style = value("indent_style");
  const indent =
    style === undefined ? [] : [`indent with ${style === "tab" ? "tabs" : `${value("indent_size") ?? ""} spaces`}`];
  const ends = value("end_of_line");
  const text = [...indent, ...(ends === undefined ? [] : [`lines end with ${ends}`])].join(", ").replace("  ", " ");
  return text === "" ? [] : [`${text[0]?.toUpperCase()}${text.slice(1)} (\`.editorconfig\`)`];
}

function strictTypes(root: string, files: readonly string[]): readonly string[] {
  const isStrict = files.includes("tsconfig.json") && /"strict"\s*:\s*true/.test(textOf(root, "tsconfig.json"));
  return isStrict ? ["TypeScript is strict (`tsconfig.json`)"] : [];
}

function pyproject(root: string, files: readonly string[]): readonly string[] {
  if (!files.includes("pyproject.toml")) return [];
  const found = [...textOf(root, "pyproject.toml").matchAll(/^\[tool\.(ruff|black|isort|mypy|pyright|poetry|uv)\b/gm)];
  const names = [...new Set(found.flatMap(([, name]) => name ?? []))];
  return names.length === 0 ? [] : [`Python tools: ${names.join(", ")} (\`pyproject.toml\`)`];
}

function ci(files: readonly string[]): readonly string[] {
  const flows = files.filter((one) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(one));
  return flows.length === 0 ? [] : [`CI runs what is in \`.github/workflows\` (${flows.length})`];
}

function documentsOf(files: readonly string[]): readonly string[] {
  const form = /^(?:README|CONTRIBUTING|ARCHITECTURE|DESIGN|HACKING)(?:\.md|\.rst|\.txt)?$/i;
  return files.filter((one) => form.test(one) || /^docs\/(?:README|index|architecture|design)\.md$/i.test(one));
}
