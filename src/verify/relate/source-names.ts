import { posix } from "node:path";
import { filesBelow, textOf } from "../detect/workspace.ts";

export const sources = /\.(?:py|pyi|[cm]?[jt]sx?|vue|svelte|go|rb|php)$/;
/** Programs that tests start; every word in them may name a file. */
export const scripts = /(?:^|\/)[^./]+$|\.(?:sh|bash|zsh)$/;

export interface Names {
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly packages: ReadonlySet<string>;
}

/** The names by which other files import this one. */
export function namesOf(path: string): readonly string[] {
  const folder = posix.basename(posix.dirname(path));
  const stem = posix.basename(path).replace(/\..*$/, "");
  if (path.endsWith(".go")) return [folder];
  return /^(?:index|__init__|__main__|main|mod|lib)$/.test(stem) ? [folder, stem] : [stem];
}

export const folderKey = (folder: string): string => `${folder}/`;

function ownNamesIn(root: string, path: string): readonly string[] {
  const isNode = /(?:^|\/)package\.json$/.test(path);
  if (!isNode && !/(?:^|\/)(?:pyproject\.toml|setup\.cfg)$/.test(path)) return [];
  const text = textOf(root, path);
  const named = isNode ? /"name"\s*:\s*"([^"]+)"/.exec(text)?.[1] : undefined;
  const [, programs = ""] =
    (isNode ? /"bin"\s*:\s*\{([^}]*)\}/ : /scripts\]?\s*=?[^\n]*\n((?:.+=.+\n?)*)/).exec(text) ?? [];
  const started = [...programs.matchAll(/(?:^|[,\n])\s*"?([\w@./-]+)"?\s*[:=]/g)].map(([, one = ""]) => one);
  return [...(named === undefined ? [] : [named]), ...started];
}

export function namesIn(root: string): Names {
  const files = new Map<string, string[]>();
  const packages = new Set<string>();
  const enters = (name: string): boolean => !name.startsWith(".") && !["node_modules", "venv", "env"].includes(name);
  for (const file of filesBelow(root, { maxEntries: 50_000, maxDepth: 12, enters })) {
    const path = posix.relative(root, file);
    for (const name of ownNamesIn(root, path)) packages.add(name);
    if (!sources.test(file) && !scripts.test(file)) continue;
    for (const key of [...namesOf(path), folderKey(posix.dirname(path))])
      files.set(key, [...(files.get(key) ?? []), path]);
  }
  return { files, packages };
}
