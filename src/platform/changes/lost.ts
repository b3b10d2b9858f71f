import { lstatSync } from "node:fs";
import { basename, dirname } from "node:path";
import { firstBelow } from "../files/below.ts";
import { isWithin } from "../files/path.ts";
import { repositoryAbove } from "./above.ts";
import { isClean } from "./content.ts";
import { stampAt } from "./file-stat.ts";
import { asBytes, indexPath, shown, type TreePlace } from "./file-tree.ts";
import { usualLimits } from "./limits.ts";
import { outermost } from "./place.ts";
import { isIgnored, withRules } from "./rules.ts";

/** What tools make and make again: caches, and what a build puts out. Packages are not among them, which come by the network. */
const made =
  /^(?:__pycache__|\.(?:pytest|mypy|ruff)_cache|\.tox|\.nox|\.cache|\.parcel-cache|\.turbo|\.nyc_output|\.next|\.nuxt|\.svelte-kit|\.gradle|dist|build|out|target|coverage|htmlcov|\.coverage|.*\.(?:pyc|pyo|o|obj|class|tsbuildinfo|log|tmp|egg-info))$/;

/** Only what is called like one of these, or lies below such a folder. */
interface Called {
  readonly names: readonly string[];
  readonly fits: (name: string) => boolean;
}

/** What one command deletes. */
export class Losses {
  private readonly places = new Map<string, TreePlace>();
  /** All that is kept of a command has a limit. */
  private bytes = 0;
  private readonly roots: readonly string[];

  /** `roots`: the chosen folders. */
  constructor(roots: readonly string[]) {
    this.roots = roots;
  }

  /** The first file at or below a path that no look before the command would keep, so that no undo brings it back; `null` = none. */
  with(real: string, called: Called | null = null): string | null {
    // `*.pyc`: whatever it stands for is made again.
    if (called?.names.every((name) => made.test(name))) return null;
    const isMeant = (path: string): boolean => called === null || partsOf(path, real).some(called.fits);
    const isLost = (path: string): boolean => isMeant(path) && !this.isMade(path) && !this.isKept(path);
    const stat = lstatSync(real, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (!stat.isDirectory()) return isLost(real) ? real : null;
    if (this.isMade(real)) return null;
    const found = firstBelow(real, isLost);
    return found === undefined ? real : found;
  }

  /** The same of what git drops: what it does not know (`untracked`: and does not ignore), or changes of what it knows. */
  droppedBelow(real: string, dropped: "unknown" | "untracked" | "changed"): string | null {
    const isFolder = lstatSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
    if (dropped === "changed") return this.changedBelow(real, isFolder ? real : dirname(real));
    const isTaken = (path: string): boolean => this.isTaken(path, dropped) && !this.isMade(path) && !this.isKept(path);
    if (!isFolder) return isTaken(real) ? real : null;
    // A repository inside stays as it is, and so do git's own files.
    const enters = (folder: string): boolean =>
      basename(folder) !== ".git" && !isTop(folder) && (dropped === "unknown" || !this.placeOf(folder).isIgnored);
    const found = firstBelow(real, isTaken, enters);
    return found === undefined ? real : found;
  }

  private isTaken(path: string, dropped: "unknown" | "untracked"): boolean {
    const place = this.placeOf(dirname(path));
    const { repository, ignore, isIgnored: isIgnoredHere } = place;
    // What lies in an ignored folder has no place in the repository around it.
    if (repository === null) return dropped === "unknown" && repositoryAbove(dirname(path)) !== null;
    if (repository.index?.has(indexPath(place, asBytes(basename(path)))) === true) return false;
    return dropped === "unknown" || !(isIgnoredHere || isIgnored(ignore, path, false));
  }

  private changedBelow(real: string, folder: string): string | null {
    const { repository } = this.placeOf(folder);
    if (repository === null) return null;
    const { index, top } = repository;
    if (index === null) return real;
    const all = isWithin(real, top) && real !== top ? asBytes(real.slice(top.length + 1)) : "";
    for (const path of index.paths()) {
      if (all !== "" && path !== all && !path.startsWith(`${all}/`)) continue;
      const at = `${top}/${shown(path)}`;
      const stamp = stampAt(at);
      const known = stamp && index.get(path);
      if (!known || isClean(known, stamp, repository, false)) continue;
      this.bytes += stamp.size;
      if (stamp.size > usualLimits.maxFileBytes || this.bytes > usualLimits.maxBytes) return at;
    }
    return null;
  }

  /** It lies in a folder of that kind; what lies above the root does not matter. */
  private isMade(path: string): boolean {
    const root = this.roots.find((one) => isWithin(path, one)) ?? dirname(path);
    return partsOf(path, `${root}/x`).some((name) => made.test(name));
  }

  private isKept(path: string): boolean {
    const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    this.bytes += size;
    if (size > usualLimits.maxFileBytes || this.bytes > usualLimits.maxBytes) return false;
    const place = this.placeOf(dirname(path));
    const { repository, ignore } = place;
    if (repository === null) return repositoryAbove(dirname(path)) === null && !path.includes("/node_modules/");
    const known = repository.index?.has(indexPath(place, asBytes(basename(path)))) === true;
    return known || !(place.isIgnored || isIgnored(ignore, path, false));
  }

  /** What holds for the files of a folder, by its own rules too. */
  private placeOf(folder: string): TreePlace {
    const known = this.places.get(folder);
    if (known) return known;
    const outer = this.places.get(dirname(folder));
    const place = outer?.repository && !isTop(folder) ? below(outer, folder) : outermost(folder, null);
    const ignore = place.repository === null ? null : withRules(`${folder}/.gitignore`, folder, place.ignore);
    this.places.set(folder, { ...place, ignore });
    return { ...place, ignore };
  }
}

/** Without reading the index again. */
function below(outer: TreePlace, folder: string): TreePlace {
  const isIgnoredHere = outer.isIgnored || isIgnored(outer.ignore, folder, true);
  return { ...outer, prefix: `${outer.prefix}${asBytes(basename(folder))}/`, isIgnored: isIgnoredHere };
}

function isTop(folder: string): boolean {
  return repositoryAbove(folder) === folder;
}

/** From the name of the top on. */
function partsOf(path: string, top: string): readonly string[] {
  return path.slice(dirname(top).length + 1).split("/");
}
