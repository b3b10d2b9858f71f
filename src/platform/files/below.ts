import { join } from "node:path";
import { listEntries } from "./probe.ts";

/** More than anybody searches by hand; takes about 50 ms. */
const maxEntries = 50_000;

/** The first fitting file below a folder; `null`: none; `undefined`: too many entries to search. */
export function firstBelow(
  folder: string,
  fits: (path: string, isPlain: boolean) => boolean,
  enters = (_: string): boolean => true,
): string | null | undefined {
  const folders = [folder];
  let left = maxEntries;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    // A folder that we cannot list is unreadable for a command of the same user too; a file has nothing below it.
    for (const entry of listEntries(at)) {
      left -= 1;
      if (left < 0) return undefined;
      const path = join(at, entry.name);
      // Programs that read whole folders do not follow symlinks, and a link's name says nothing about its target.
      if (entry.isDirectory()) {
        if (enters(path)) folders.push(path);
      } else if (fits(path, entry.isFile())) return path;
    }
  }
  return null;
}
