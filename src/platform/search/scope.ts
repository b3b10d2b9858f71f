import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { repositoryAbove } from "../changes/above.ts";
import { isWithin } from "../files/path.ts";

/** Whose ignore rules count for a search. */
export interface Scope {
  /** The folder at and below which rules are read: the repository, else the workspace. */
  readonly base: string;
  readonly isRepository: boolean;
  /** Flags for ripgrep that make it so. */
  readonly flags: readonly string[];
  /** Where ripgrep has to start, so that it sees all rules from `base` on and none above. */
  readonly start: string;
}

const anywhere = [".ignore", ".rgignore"];

/**
 * As for git, rules above the repository do not count, nor those above a workspace that is in none: a `.gitignore` with
 * `*` in a home folder that holds its dotfiles would hide every project. Ripgrep reads them all the way up.
 */
export function scopeOf({ root, real }: { readonly root: string; readonly real: string }): Scope {
  const repository = repositoryAbove(real);
  if (repository !== null) {
    const flags = hasAny(above(repository), anywhere) ? ["--no-ignore-dot"] : [];
    return { base: repository, isRepository: true, flags, start: real };
  }
  const base = isWithin(real, root) ? root : real;
  const isForeign = hasAny(above(base), [".gitignore", ...anywhere]);
  const flags = ["--no-require-git", ...(isForeign ? ["--no-ignore-parent"] : [])];
  return { base, isRepository: false, flags, start: isForeign ? base : real };
}

/** From the nearest to the root of the disk. */
export function above(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...above(folder)];
}

function hasAny(folders: readonly string[], names: readonly string[]): boolean {
  return folders.some((folder) => names.some((name) => existsSync(`${folder}/${name}`)));
}
