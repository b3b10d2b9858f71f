import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "./failure.ts";

/** More than people search through by hand; looked at in some 50 ms. */
const maxEntries = 50_000;

/** The first file below a folder that fits; `null` = none does, `undefined` = there is more than can be looked at. */
export function firstBelow(
  folder: string,
  fits: (path: string, isPlain: boolean) => boolean,
  enters = (_: string): boolean => true,
): string | null | undefined {
  const folders = [folder];
  let left = maxEntries;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of entriesOf(at)) {
      left -= 1;
      if (left < 0) return undefined;
      const path = join(at, entry.name);
      // Links are not followed by what reads whole folders; what they are called tells nothing about where they lead.
      if (entry.isDirectory()) {
        if (enters(path)) folders.push(path);
      } else if (fits(path, entry.isFile())) return path;
    }
  }
  return null;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // What cannot be listed cannot be read by a command of the same user either; a file has nothing below it.
    if (errnoOf(error) === undefined) throw error;
    return [];
  }
}
