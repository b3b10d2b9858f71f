// Answers for many names whether they exist in a folder.

import { listNames } from "../files/probe.ts";
import { kindOf } from "./protected.ts";

/** Above this number, one lstat per name is faster than a listing. */
const CROWDED = 2_000;
const crowded = new Set<string>();

/** Checks only the first segment of a path. */
export function entriesOf(folder: string): (path: string) => boolean {
  if (crowded.has(folder)) return (path) => kindOf(`${folder}/${firstPart(path)}`) !== "none";
  const names = new Set(listNames(folder));
  if (names.size > CROWDED) crowded.add(folder);
  return (path) => names.has(firstPart(path));
}

function firstPart(path: string): string {
  const end = path.indexOf("/");
  return end === -1 ? path : path.slice(0, end);
}
