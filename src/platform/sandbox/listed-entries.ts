// Whether names are in a folder, asked about many at once.
import { readdirSync } from "node:fs";
import { kindOf } from "./protected.ts";

/** Above this, one look at each name is faster than a list of all. */
const CROWDED = 2_000;
const crowded = new Set<string>();

/** Only the first part of a path is looked for. */
export function entriesOf(folder: string): (path: string) => boolean {
  if (crowded.has(folder)) return (path) => kindOf(`${folder}/${firstPart(path)}`) !== "none";
  const names = new Set(namesIn(folder));
  if (names.size > CROWDED) crowded.add(folder);
  return (path) => names.has(firstPart(path));
}

function firstPart(path: string): string {
  const end = path.indexOf("/");
  return end === -1 ? path : path.slice(0, end);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Gone, or closed to us: nothing in it can be reached.
  }
}
