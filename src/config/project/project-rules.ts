// Instruction files that a workspace's config names: inside the workspace, and nothing that could be a secret.
import { decodeConfig, parseTree } from "../file/file.ts";
import { entryAt } from "../file/jsonc.ts";

const shown = ".coder/config.json";
const max = 20;

/** Checks only the text; symlinks are checked when the file is read. */
export function isProjectRulesPath(path: string): boolean {
  const isPlain = !/^[/~\\]|^[A-Za-z]:|[\0\\]/.test(path) && !path.split("/").some((part) => /^\.{0,2}$/.test(part));
  return isPlain && /\.(?:md|mdx|mdc|txt)$/i.test(path);
}

/** Silently skips disallowed ones; `projectValues` reports them. */
export function rulesFilesIn(bytes: Uint8Array): readonly string[] {
  const text = decodeConfig(bytes);
  if (text === null || !text.includes("rules_files")) return [];
  const tree = parseTree(text, shown);
  const list = tree.ok ? entryAt(entryAt(tree.value, "context")?.value, "rules_files")?.value : undefined;
  if (list?.kind !== "array") return [];
  const named = list.items.flatMap(({ value }) =>
    value.kind === "scalar" && typeof value.value === "string" ? [value.value] : [],
  );
  if (named.length !== list.items.length || named.length > max) return [];
  return [...new Set(named.filter(isProjectRulesPath))];
}
