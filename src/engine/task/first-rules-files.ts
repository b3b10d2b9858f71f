// What config files in the top directory say about working on a repository.
import { textOf } from "../../verify/detect/workspace.ts";

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
  return Object.entries(fieldsIn(fieldsIn(jsonIn(root, "package.json")).scripts))
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

export function conventionsOf(root: string, files: readonly string[]): readonly string[] {
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
  const said = [...indent, ...(ends === undefined ? [] : [`lines end with ${ends}`])].join(", ").replace("  ", " ");
  return said === "" ? [] : [`${said[0]?.toUpperCase()}${said.slice(1)} (\`.editorconfig\`)`];
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

export function documentsOf(files: readonly string[]): readonly string[] {
  const form = /^(?:README|CONTRIBUTING|ARCHITECTURE|DESIGN|HACKING)(?:\.md|\.rst|\.txt)?$/i;
  return files.filter((one) => form.test(one) || /^docs\/(?:README|index|architecture|design)\.md$/i.test(one));
}

function jsonIn(root: string, path: string): unknown {
  try {
    return JSON.parse(textOf(root, path));
  } catch (error) {
    // The file is invalid or being written: skip this fact.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
