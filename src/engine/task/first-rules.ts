// Collects facts about a repository for a first AGENTS.md. Loaded on demand; runs nothing.
import { basename, posix } from "node:path";
import { firstRulesText } from "../../context/first-rules.ts";
import { fail, ok, type Result } from "../../contract/error.ts";
import type { Settings } from "../../contract/settings.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { rulesNameIn } from "../../platform/skill/rules-files.ts";
import { detectChecks } from "../../verify/detect/detect.ts";
import { filesBelow } from "../../verify/detect/workspace.ts";
import { clean } from "../call/redact.ts";
import { commandsOf, conventionsOf, documentsOf } from "./first-rules-files.ts";

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
