import { isWithin } from "./files/path.ts";

export interface GlobFilter {
  /** For ripgrep: narrows by file name. */
  readonly flags: readonly string[];
  /** The rest of the rule, on a path as results name it. */
  readonly fits: (path: string) => boolean;
}

/**
 * A glob as a condition beside .gitignore. Ripgrep's own --glob would overrule .gitignore, so that `**` + `/*` brings
 * back node_modules; its file types do not. They see only the file's name: the folders of the path are matched here.
 * A pattern without a slash fits in every folder; one that starts with ! leaves out.
 */
export function globFilter(
  given: string,
  { root, real }: { readonly root: string; readonly real: string },
): GlobFilter {
  const pattern = plainGlob(given, real);
  if (pattern === "") return { flags: [], fits: () => true };
  if (pattern.startsWith("!")) return { flags: [`--glob=${pattern}`], fits: () => true };
  const slash = pattern.lastIndexOf("/");
  const name = pattern.slice(slash + 1);
  const flags = isNameGlob(name) ? ["--type-add", `want:${name}`, "--type=want"] : [];
  const isNameOnly = slash === -1 || pattern.slice(0, slash + 1) === "**/";
  if (isNameOnly && flags.length > 0) return { flags, fits: () => true };
  const glob = new Bun.Glob(slash === -1 ? `**/${pattern}` : pattern);
  const start = real === root ? "" : `${isWithin(real, root) ? real.slice(root.length + 1) : real}/`;
  return { flags, fits: (path) => glob.match(path.startsWith(start) ? path.slice(start.length) : path) };
}

/** Relative to the searched folder, which is how an absolute pattern, `./x` and `x/` are meant. */
function plainGlob(given: string, real: string): string {
  const inside = given.startsWith(`${real}/`) ? given.slice(real.length + 1) : given;
  const bare = inside.replace(/^(?:\.?\/)+/, "");
  return bare.endsWith("/") ? `${bare}**` : bare;
}

/** Neither `**`, nor the end of a brace that began before the slash, nor ripgrep's word for other types. */
function isNameGlob(name: string): boolean {
  const close = name.indexOf("}");
  const isCut = close !== -1 && !name.slice(0, close).includes("{");
  return name !== "**" && !isCut && !name.startsWith("include:");
}
