import { lstatSync } from "node:fs";
import { dirname } from "node:path";

/** The nearest repository at or above a place. */
export function repositoryAbove(place: string): string | null {
  for (let at = place; ; at = dirname(at)) {
    if (isThere(`${at}/.git`)) return at;
    if (at === dirname(at)) return null;
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // Its parent is a file or unreadable.
  }
}
