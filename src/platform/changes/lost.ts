import { lstatSync } from "node:fs";
import { basename, dirname } from "node:path";
import { firstBelow } from "../files/below.ts";
import { repositoryAbove } from "./above.ts";
import { outermost } from "./place.ts";
import { isIgnored } from "./rules.ts";
import { asBytes, indexPath, type Place } from "./tree.ts";

/** What tools make and make again: caches, and what a build puts out. Packages are not among them, which come by the network. */
const made =
  /^(?:__pycache__|\.(?:pytest|mypy|ruff)_cache|\.tox|\.nox|\.cache|\.parcel-cache|\.turbo|\.nyc_output|\.next|\.nuxt|\.svelte-kit|\.gradle|dist|build|out|target|coverage|htmlcov|\.coverage|.*\.(?:pyc|pyo|o|obj|class|tsbuildinfo|log|tmp|egg-info))$/;

/** Beyond this a look leaves a file out. */
const maxFileBytes = 10 * 2 ** 20;

/** The first file at or below a path that no look before a command would keep, so that no undo brings it back; `null` = none. */
export function lostWith(real: string): string | null {
  const places = new Map<string, Place>();
  const placeOf = (folder: string): Place => {
    const known = places.get(folder) ?? outermost(folder, null);
    places.set(folder, known);
    return known;
  };
  const isLost = (path: string): boolean => !isMade(path, real) && !isKept(path, placeOf(dirname(path)));
  const stat = lstatSync(real, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (!stat.isDirectory()) return isLost(real) ? real : null;
  if (made.test(basename(real))) return null;
  const found = firstBelow(real, isLost);
  return found === undefined ? real : found;
}

/** `top`: what is deleted; where that lies does not matter. */
function isMade(path: string, top: string): boolean {
  const below = path.slice(dirname(top).length + 1);
  return below.split("/").some((name) => made.test(name));
}

function isKept(path: string, place: Place): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && stat.size > maxFileBytes) return false;
  const { repository, ignore } = place;
  if (repository === null) return repositoryAbove(dirname(path)) === null && !path.includes("/node_modules/");
  const known = repository.index?.has(indexPath(place, asBytes(basename(path)))) === true;
  return known || !(place.isIgnored || isIgnored(ignore, path, false));
}
