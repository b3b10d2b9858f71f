/** Languages with a grammar (grammar.ts) or with patterns only (by-look.ts). */
export type Language =
  | "typescript"
  | "tsx"
  | "python"
  | "go"
  | "rust"
  | "java"
  | "cpp"
  | "ruby"
  | "php"
  | "csharp"
  | "bash"
  | "kotlin"
  | "swift"
  | "lua"
  | "elixir"
  | "sql"
  | "markdown";

const endings: Readonly<Record<string, Language>> = {
  ...{ ts: "typescript", mts: "typescript", cts: "typescript" },
  // JavaScript is parsed by the grammar for TSX.
  ...{ tsx: "tsx", jsx: "tsx", js: "tsx", mjs: "tsx", cjs: "tsx" },
  ...{ py: "python", pyi: "python", go: "go", rs: "rust", java: "java" },
  ...{ c: "cpp", h: "cpp", cc: "cpp", cpp: "cpp", cxx: "cpp", hpp: "cpp", hh: "cpp", hxx: "cpp", m: "cpp" },
  ...{ rb: "ruby", rake: "ruby", php: "php", cs: "csharp", sh: "bash", bash: "bash", zsh: "bash" },
  ...{ kt: "kotlin", kts: "kotlin", scala: "kotlin", swift: "swift", dart: "java", groovy: "java" },
  ...{ lua: "lua", ex: "elixir", exs: "elixir", sql: "sql", md: "markdown", mdx: "markdown" },
};

export function languageOf(path: string): Language | null {
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return Object.hasOwn(endings, ending) ? (endings[ending] ?? null) : null;
}

/** Files of a project's tests, by the usual names. */
export function isTestPath(path: string): boolean {
  return /(?:^|\/)(?:tests?|specs?|__tests__|testdata|fixtures?|bench(?:marks?)?|examples?)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]*$|Tests?\.\w+$/.test(
    path,
  );
}

/** Prose and data, which rank below code. */
export function isSidePath(path: string): boolean {
  return /\.(?:md|mdx|rst|txt|json|jsonc|ya?ml|toml|lock|csv|svg|html|css|xml|ini)$/i.test(path);
}
