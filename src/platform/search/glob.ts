import { isWithin } from "../files/path.ts";

export interface GlobFilter {
  /** For ripgrep: narrows the search; `fits` decides. */
  readonly flags: readonly string[];
  readonly fits: (path: string) => boolean;
}

/**
 * A glob in addition to .gitignore. Ripgrep's own --glob would override .gitignore, so that `**` + `/*` includes node_modules; its file
 * types do not. Types match only file names, so the folders of the path are matched here. A pattern without a slash fits in every folder;
 * one that starts with ! excludes files and whole folders.
 */
export function globFilter(
  wanted: string,
  { root, real }: { readonly root: string; readonly real: string },
): GlobFilter {
  const start = real === root ? "" : `${isWithin(real, root) ? real.slice(root.length + 1) : real}/`;
  const below = (path: string): string => (path.startsWith(start) ? path.slice(start.length) : path);
  if (wanted.startsWith("!")) return leftOut(plainGlob(wanted.slice(1), real), below);
  const pattern = plainGlob(wanted, real);
  if (pattern === "") return { flags: [], fits: () => true };
  const slash = pattern.lastIndexOf("/");
  const name = pattern.slice(slash + 1);
  const flags = isNameGlob(name) ? ["--type-add", `want:${looser(name)}`, "--type=want"] : [];
  const glob = new Bun.Glob(slash === -1 ? `**/${pattern}` : pattern);
  return { flags, fits: (path) => glob.match(below(path)) };
}

function leftOut(pattern: string, below: (path: string) => string): GlobFilter {
  if (pattern === "") return { flags: [], fits: () => true };
  const isName = !pattern.includes("/");
  const glob = new Bun.Glob(isName ? `**/${pattern}` : pattern);
  const hasFolder = (path: string): boolean => {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      if (glob.match(path.slice(0, at))) return true;
    }
    return false;
  };
  return {
    flags: isName && looser(pattern) === pattern ? [`--glob=!${pattern}`] : [],
    fits: (path) => !glob.match(below(path)) && !hasFolder(below(path)),
  };
}

/** Relative to the searched folder, which absolute patterns, `./x` and `x/` refer to. */
function plainGlob(wanted: string, real: string): string {
  const inside = wanted.startsWith(`${real}/`) ? wanted.slice(real.length + 1) : wanted;
  const bare = inside.replace(/^(?:\.?\/)+/, "");
  return bare.endsWith("/") ? `${bare}**` : bare;
}

/** For ripgrep `?` and `[…]` match one byte, which is only part of a Chinese character, so it gets a wider pattern. */
function looser(name: string): string {
  return name.replace(/\?|\[[!^]?\]?[^\]]*\]/g, "*");
}

/** Not `**`, the end of a brace that began before the slash, ripgrep's `include:`, or an escape. */
function isNameGlob(name: string): boolean {
  const close = name.indexOf("}");
  const isCut = close !== -1 && !name.slice(0, close).includes("{");
  return name !== "**" && !isCut && !name.startsWith("include:") && !name.includes("\\");
}
