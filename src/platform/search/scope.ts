import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { repositoryAbove } from "../changes/above.ts";
import { isWithin } from "../files/path.ts";

export interface Scope {
  /** Rules are read from this folder downwards: the repository, else the workspace. */
  readonly base: string;
  readonly isRepository: boolean;
  readonly flags: readonly string[];
  /** The folder where ripgrep must start to see all rules from `base` on and none above. */
  readonly start: string;
}

const anywhere = [".ignore", ".rgignore"];

/**
 * As in git, rules above the repository do not apply, nor rules above a workspace without one: a `.gitignore` with `*` in a home folder
 * that tracks dotfiles would hide every project. Ripgrep reads them all the way up.
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

/** Nearest first, up to the file system root. */
export function above(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...above(folder)];
}

function hasAny(folders: readonly string[], names: readonly string[]): boolean {
  return folders.some((folder) => names.some((name) => existsSync(`${folder}/${name}`)));
}
