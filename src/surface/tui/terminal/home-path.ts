// Shortens a path with `~` for the home directory. For display only, never for decisions.
import type { Phrase } from "../../../contract/text/catalogue.ts";

/** `homes`: every path of the home directory, absolute. A relative name that starts with `~` gets a `./`. */
export function homePath(path: string, homes: readonly string[]): string {
  if (path.startsWith("~")) return `./${path}`;
  return shortened(path, homes);
}

/** Paths in a reason are absolute, or written for a shell. */
export function homeReason(reason: Phrase, homes: readonly string[]): Phrase {
  const path = reason.args?.path;
  return typeof path === "string" ? { ...reason, args: { ...reason.args, path: shortened(path, homes) } } : reason;
}

function shortened(path: string, homes: readonly string[]): string {
  for (const home of homes) {
    const folder = home.replace(/\/+$/, "");
    if (folder === "") continue;
    if (path === folder) return "~";
    if (path.startsWith(`${folder}/`)) return `~${path.slice(folder.length)}`;
  }
  return path;
}
