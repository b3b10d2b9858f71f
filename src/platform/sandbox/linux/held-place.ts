// Empty folders in the place of protected files that do not exist: only what exists can be mounted over.
import { mkdirSync } from "node:fs";
import { giveBack, heldByOthers, recordHeld } from "../home/private-folder.ts";

/** How many commands need the place now. */
const held = new Map<string, number>();
let byOthers: ReadonlySet<string> = new Set();

/** Before a sandbox is laid out: a place that another program of coder holds must be held here too. */
export function lookAround(temp: string): void {
  byOthers = heldByOthers(temp);
}

export function isHeld(place: string): boolean {
  return held.has(place) || byOthers.has(place);
}

/** Answers with how to give them back. Throws when one cannot be made: without it the sandbox would have a hole. */
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
    // First no longer ours, then the look at who else needs it: of two that end at once, one gives it back.
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
    // EEXIST: held already, or made by somebody in this moment; it is mounted over either way.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
