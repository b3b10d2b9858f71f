// A path as people know it: `~` for their own folder. Only to be looked at; what is decided on stays as it is.
import type { Phrase } from "../../../contract/text/catalogue.ts";

/** `homes`: the person's folder, under every name that it has; absolute. A relative name that begins with `~` is told apart. */
export function homePath(path: string, homes: readonly string[]): string {
  if (path.startsWith("~")) return `./${path}`;
  return shortened(path, homes);
}

/** Paths in a reason are absolute, or as a shell would read them. */
export function homeReason(reason: Phrase, homes: readonly string[]): Phrase {
  const path = reason.args?.path;
  return typeof path === "string" ? { ...reason, args: { ...reason.args, path: shortened(path, homes) } } : reason;
}

function shortened(path: string, homes: readonly string[]): string {
  for (const home of homes) {
    const folder = home.replace(/\/+$/, "");
    // Whose home is the root has no shorter name for anything.
    if (folder === "") continue;
    if (path === folder) return "~";
    if (path.startsWith(`${folder}/`)) return `~${path.slice(folder.length)}`;
  }
  return path;
}
