/** Languages with a grammar (grammar.ts) or with patterns only (by-look.ts), and the endings of their files. */
const endings = {
  typescript: "ts mts cts",
  // JavaScript is parsed by the grammar for TSX.
  tsx: "tsx jsx js mjs cjs",
  python: "py pyi",
  go: "go",
  rust: "rs",
  java: "java dart groovy",
  cpp: "c h cc cpp cxx hpp hh hxx m",
  ruby: "rb rake",
  php: "php",
  csharp: "cs",
  bash: "sh bash zsh",
  kotlin: "kt kts scala",
  swift: "swift",
  lua: "lua",
  elixir: "ex exs",
  sql: "sql",
  markdown: "md mdx",
};
export type Language = keyof typeof endings;

const byEnding = new Map(
  (Object.keys(endings) as Language[]).flatMap((one) =>
    endings[one].split(" ").map((ending) => [ending, one] as const),
  ),
);

export function languageOf(path: string): Language | null {
  return byEnding.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase()) ?? null;
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
