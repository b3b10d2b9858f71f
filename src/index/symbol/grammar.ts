import type { Language as Grammar, Parser } from "@vscode/tree-sitter-wasm";
import type { Language } from "./language.ts";

/** Each file name is spelled out, because only then does the build embed the file. */
const files = {
  typescript: () => import("@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm", { with: { type: "file" } }),
  tsx: () => import("@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm", { with: { type: "file" } }),
  python: () => import("@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm", { with: { type: "file" } }),
  go: () => import("@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm", { with: { type: "file" } }),
  rust: () => import("@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm", { with: { type: "file" } }),
  java: () => import("@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm", { with: { type: "file" } }),
  cpp: () => import("@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm", { with: { type: "file" } }),
  ruby: () => import("@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm", { with: { type: "file" } }),
  php: () => import("@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm", { with: { type: "file" } }),
} satisfies Partial<Record<Language, () => Promise<{ default: string }>>>;

export type GrammarName = keyof typeof files;

export const grammarNames: ReadonlySet<string> = new Set(Object.keys(files));

type Loaded = { readonly Parser: typeof Parser; readonly Language: typeof Grammar };

let loaded: Promise<Loaded> | undefined;
const parsers = new Map<GrammarName, Promise<Parser | null>>();

/** Returns a cached parser; `null` if it cannot be loaded, so definitions are found by their look. */
export function parserFor(language: GrammarName): Promise<Parser | null> {
  const known = parsers.get(language);
  if (known !== undefined) return known;
  const fresh = makeParser(language);
  parsers.set(language, fresh);
  return fresh;
}

async function makeParser(language: GrammarName): Promise<Parser | null> {
  try {
    loaded ??= load();
    const { Parser, Language } = await loaded;
    const { default: path } = await files[language]();
    const parser = new Parser();
    parser.setLanguage(await Language.load(await Bun.file(path).bytes()));
    return parser;
  } catch {
    // WebAssembly is disabled, out of memory, or a file is missing from the installation: the look of lines has to do.
    return null;
  }
}

async function load(): Promise<Loaded> {
  const { Parser, Language } = await import("@vscode/tree-sitter-wasm");
  const { default: path } = await import("@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm", { with: { type: "file" } });
  const options = { wasmBinary: await Bun.file(path).bytes() } as unknown as Parameters<typeof Parser.init>[0];
  await Parser.init(options);
  return { Parser, Language };
}
