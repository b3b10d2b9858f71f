import { isWithin } from "../files/path.ts";

export interface GlobFilter {
  /** For ripgrep: narrows what it looks at; `fits` still has the last word. */
  readonly flags: readonly string[];
  /** On a path as results name it. */
  readonly fits: (path: string) => boolean;
}

/**
 * A glob as a condition beside .gitignore. Ripgrep's own --glob would overrule .gitignore, so that `**` + `/*` brings
 * back node_modules; its file types do not. They see only the file's name: the folders of the path are matched here.
 * A pattern without a slash fits in every folder; one that starts with ! leaves out files and whole folders.
 */
export function globFilter(
  given: string,
  { root, real }: { readonly root: string; readonly real: string },
): GlobFilter {
  const start = real === root ? "" : `${isWithin(real, root) ? real.slice(root.length + 1) : real}/`;
  const below = (path: string): string => (path.startsWith(start) ? path.slice(start.length) : path);
  if (given.startsWith("!")) return leftOut(plainGlob(given.slice(1), real), below);
  const pattern = plainGlob(given, real);
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

/** Relative to the searched folder, which is how an absolute pattern, `./x` and `x/` are meant. */
function plainGlob(given: string, real: string): string {
  const inside = given.startsWith(`${real}/`) ? given.slice(real.length + 1) : given;
  const bare = inside.replace(/^(?:\.?\/)+/, "");
  return bare.endsWith("/") ? `${bare}**` : bare;
}

/** For ripgrep `?` and `[…]` are one byte, which is a part of a Chinese character: it may look at more than fits. */
function looser(name: string): string {
  return name.replace(/\?|\[[!^]?\]?[^\]]*\]/g, "*");
}

/** Neither `**`, nor the end of a brace that began before the slash, nor ripgrep's word for other types, nor escaped. */
function isNameGlob(name: string): boolean {
  const close = name.indexOf("}");
  const isCut = close !== -1 && !name.slice(0, close).includes("{");
  return name !== "**" && !isCut && !name.startsWith("include:") && !name.includes("\\");
}
