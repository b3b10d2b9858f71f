import { dirname } from "node:path";
import type { PathFact } from "../../contract/tool.ts";
import { isThere } from "../files/probe.ts";
import { gitFolderOf, namedByConfig } from "./named.ts";

/** Whether git would take a folder with these names for a repository, whatever its own name is. */
export function isGitFolder(has: (name: string) => boolean): boolean {
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
}

/** The folder in which git finds its repository from here; `null`: the repository is not a `.git`. */
export function repositoryTop(from: string, root: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    if (isThere(`${at}/.git`) || at === root || at === dirname(at)) return at;
    if (isGitFolder((name) => isThere(`${at}/${name}`))) return null;
  }
}

/** Marks paths that git obeys whatever their names: in a (future) repository folder, or named by the config at a root. */
export function markObeyed(facts: readonly PathFact[], roots: readonly string[]): readonly PathFact[] {
  if (facts.length === 0) return facts;
  const folders = [...gitFoldersWith(facts), ...roots.flatMap(namedAt)];
  if (folders.length === 0) return facts;
  const isIn = (real: string): boolean => folders.some((folder) => real === folder || real.startsWith(`${folder}/`));
  return facts.map((fact) => (fact.real !== null && isIn(fact.real) ? { ...fact, isObeyed: true as const } : fact));
}

function namedAt(root: string): readonly string[] {
  const folder = gitFolderOf(root);
  return folder === null ? [] : namedByConfig(folder, root);
}

function gitFoldersWith(facts: readonly PathFact[]): readonly string[] {
  const added = new Map<string, Set<string>>();
  for (const [folder, name] of facts.flatMap(({ real }) => (real === null ? [] : steps(real)))) {
    const names = added.get(folder) ?? new Set();
    added.set(folder, names.add(name.toUpperCase()));
  }
  const has = (folder: string, names: ReadonlySet<string>) => (name: string) =>
    names.has(name.toUpperCase()) || isThere(`${folder}/${name}`);
  return [...added].filter(([folder, names]) => isGitFolder(has(folder, names))).map(([folder]) => folder);
}

/** `/a/b/c` → [/a/b, c], [/a, b], ["", a]. */
function steps(path: string): readonly (readonly [folder: string, name: string])[] {
  const above = dirname(path);
  if (above === path) return [];
  const folder = above === "/" ? "" : above;
  return [[folder, path.slice(folder.length + 1)], ...steps(above)];
}
