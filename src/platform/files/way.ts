import { lstatSync, readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { orNull } from "./probe.ts";

export interface Way {
  readonly real: string;
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

const maxLinks = 40;

/** Resolves an absolute path link by link; `null`: too many links, or one was replaced meanwhile. */
export function wayTo(path: string): Way | null {
  const links: { path: string; target: string }[] = [];
  let names = path.split("/").filter((name) => name !== "");
  let at = "";
  for (let next = names.shift(); next !== undefined; next = names.shift()) {
    at = `${at}/${next}`;
    const target = targetOf(at);
    if (target === undefined) continue;
    if (target === null || links.length === maxLinks) return null;
    links.push({ path: at, target });
    names = [
      ...resolve(dirname(at), target)
        .split("/")
        .filter((name) => name !== ""),
      ...names,
    ];
    at = "";
  }
  return { real: at === "" ? "/" : at, links };
}

/** `undefined`: not a symlink; `null`: inaccessible. */
function targetOf(path: string): string | null | undefined {
  return orNull(() => (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined));
}
