// Empty folders in the place of protected files that do not exist: only what exists can be mounted over.
import { mkdirSync } from "node:fs";
import { giveBack, recordHeld } from "./private-folder.ts";

/** How many commands need the place now. */
const held = new Map<string, number>();

export function isHeld(place: string): boolean {
  return held.has(place);
}

/** Answers with how to give them back. Throws when one cannot be made: without it the sandbox would have a hole. */
export function holdPlaces(places: readonly string[], temp: string): () => void {
  if (places.length === 0) return () => {};
  for (const place of places) held.set(place, (held.get(place) ?? 0) + 1);
  recordHeld(temp, [...held.keys()]);
  let isDone = false;
  const release = (): void => {
    if (isDone) return;
    isDone = true;
    for (const place of places) {
      const left = (held.get(place) ?? 1) - 1;
      if (left > 0) held.set(place, left);
      else held.delete(place);
      if (left === 0) giveBack(place);
    }
    recordHeld(temp, [...held.keys()]);
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
