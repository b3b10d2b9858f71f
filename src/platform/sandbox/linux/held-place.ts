// Empty folders as mount points for protected files that do not exist: only an existing path can be mounted over.
import { mkdirSync } from "node:fs";
import { giveBack, heldByOthers, recordHeld } from "../home/private-folder.ts";

const held = new Map<string, number>();
let byOthers: ReadonlySet<string> = new Set();

/** Call this before laying out a sandbox: places held by other coder processes must be mounted over here too. */
export function lookAround(temp: string): void {
  byOthers = heldByOthers(temp);
}

export function isHeld(place: string): boolean {
  return held.has(place) || byOthers.has(place);
}

/** Returns the function that removes them. Throws when a place cannot be created: the sandbox would have a hole. */
export function holdPlaces(places: readonly string[], temp: string): () => void {
  if (places.length === 0) return () => {};
  for (const place of places) held.set(place, (held.get(place) ?? 0) + 1);
  recordHeld(temp, { held: [...held.keys()], leaving: [] });
  let isDone = false;
  const release = (): void => {
    if (isDone) return;
    isDone = true;
    for (const place of places) {
      const left = (held.get(place) ?? 1) - 1;
      if (left > 0) held.set(place, left);
      else held.delete(place);
    }
    const leaving = places.filter((place) => !held.has(place));
    // Release our own claim first, then look for others: of two commands that end at once, exactly one removes the place.
    recordHeld(temp, { held: [...held.keys()], leaving });
    lookAround(temp);
    for (const place of leaving) if (!isHeld(place)) giveBack(place);
    recordHeld(temp, { held: [...held.keys()], leaving: [] });
  };
  try {
    for (const place of places) make(place);
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

function make(place: string): void {
  try {
    mkdirSync(place);
  } catch (error) {
    // EEXIST: already held, or just created by somebody else; it is mounted over either way.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
