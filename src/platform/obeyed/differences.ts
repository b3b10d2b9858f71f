import { protectedAt, protectedBelow, protectedIn } from "../../contract/path/protected.ts";
import { parseGitConfig } from "../git/config-file.ts";
import { isHarmless } from "../git/harmless.ts";
import type { Obeyed, Obeying } from "./obeyed-entry.ts";
import { comparedName } from "./where.ts";

/** A change. `before`: the entry to restore; `after`: the entry to set aside. */
export interface ObeyedDifference {
  readonly path: string;
  readonly before: Obeyed | null;
  readonly after: Obeyed | null;
}

/** `isLeft`: entries that the command could not change, or that the user allowed. */
export function differences(
  before: Obeying,
  after: Obeying,
  isLeft: (one: Obeyed) => boolean,
): readonly ObeyedDifference[] {
  const found: ObeyedDifference[] = [];
  for (const [path, now] of after) {
    const old = before.get(path) ?? null;
    if (old !== now && !isLeft(now) && isOther(old, now)) found.push({ path, before: old, after: now });
  }
  for (const [path, old] of before)
    if (!after.has(path) && !isLeft(old)) found.push({ path, before: old, after: null });
  return withoutInner(found);
}

function isOther(old: Obeyed | null, now: Obeyed): boolean {
  if (old === null) return now.kind !== "file" || now.content === null || obeyedPart(now, now.content) !== "";
  if (old.kind !== now.kind) return true;
  if (now.kind === "folder" || now.kind === "git" || now.kind === "other") return false;
  if (now.kind === "file" && ((old.stamp.mode ^ now.stamp.mode) & 0o7111) !== 0) return true;
  // Without content only the stamps can be compared.
  if (old.content === null || now.content === null) return old.stamp !== now.stamp;
  if (old.content.equals(now.content)) return false;
  return now.kind === "link" || obeyedPart(old, old.content) !== obeyedPart(now, now.content);
}

/**
 * Drops changes inside a new folder, which moves as a whole; inside a new repository, which is harmless without its HEAD; and of names
 * that count only because a new repository begins beside them.
 */
function withoutInner(found: readonly ObeyedDifference[]): readonly ObeyedDifference[] {
  const made = found.filter(({ before, after }) => before === null && after !== null);
  const folders = new Set(made.filter(({ after }) => isMovedWhole(after)).map(({ path }) => path));
  const repositories = new Set(made.filter(({ after }) => after?.kind === "git").map(({ path }) => path));
  const tops = new Set(made.filter(({ path }) => isDotGit(path)).map(({ path }) => comparedPath(aboveOf(path))));
  return found.filter(({ path, before, after }) => {
    for (let at = aboveOf(path); at !== ""; at = aboveOf(at)) if (folders.has(at)) return false;
    if (before !== null) return true;
    if (after?.isOfGit && repositories.has(aboveOf(path))) return false;
    const top = topOf(path);
    return top === null || !tops.has(top);
  });
}

function aboveOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** A repository with another name is not moved: it may be a folder of the user's that happens to contain four such names. */
export function isMovedWhole(one: Obeyed | null): boolean {
  return one !== null && (one.kind === "folder" || (one.kind === "git" && isDotGit(one.path)));
}

/** The parts of a symlink's target that its own name makes obeyed, rather than its folder's: `""`: everything; else paths below it. */
export function obeyedBelow({ path, isOfGit }: Obeyed): readonly string[] {
  const compared = comparedPath(path);
  if (isOfGit || isDotGit(path) || protectedAt(compared) !== null) return [""];
  return protectedBelow(compared).map(({ rest }) => rest);
}

function isDotGit(path: string): boolean {
  return comparedName(path.slice(path.lastIndexOf("/") + 1)) === ".git";
}

/** The folder in which a name counts because a repository begins there; `null`: it counts everywhere. */
function topOf(path: string): string | null {
  const compared = comparedPath(path);
  const found = protectedAt(compared);
  return found?.where === "top" ? protectedIn(compared, found) : null;
}

/** A slash before each name; empty: the root. */
function comparedPath(path: string): string {
  return path === "" ? "" : `/${path.split("/").map(comparedName).join("/")}`;
}

// The obeyed part of files that programs rewrite all the time.
/** Contents with equal parts are equivalent; `""`: nothing in it is obeyed. */
function obeyedPart({ path, isOfGit }: Pick<Obeyed, "path" | "isOfGit">, content: Buffer): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (isOfGit && (name === "config" || name === "config.worktree")) return configPart(content);
  if (isOfGit && name === "git-rebase-todo") return linesOf(content, /^\s*(?:exec|x)\s/).join("\n");
  // Git derives a program name from a merge strategy; a slash would point it into the project.
  if (isOfGit && (name === "strategy" || name === "opts")) return linesOf(content, /\//).join("\n");
  if (name === "workspace.xml") return startedByIdea(content.toString("latin1"));
  return content.toString("latin1");
}

/** Also keys that are harmless only to read-only commands, and only with an overridden hooks folder. */
const leading = new Set(["hookspath", "url", "pushurl"]);

/** Commands like `git switch` and `branch -u` record branches and remotes in it. */
function configPart(content: Buffer): string {
  const settings = parseGitConfig(content.toString());
  if (settings === null) return content.toString("latin1");
  const obeyed = settings.filter((one) => leading.has(one.key) || !isHarmless(one));
  // Never empty, even without settings: a new config file may be preparation for a later step.
  return `config ${JSON.stringify(obeyed)}`;
}

function linesOf(content: Buffer, form: RegExp): readonly string[] {
  return content
    .toString("latin1")
    .split("\n")
    .filter((line) => form.test(line));
}

/** IntelliJ writes its window state every few seconds; only what starts with the project or by a key counts. */
function startedByIdea(text: string): string {
  const components = text.match(/<component name="(?:RunManager|ProjectStartup\w*)"[\s\S]*?<\/component>/g) ?? [];
  return `idea ${components.join("\n").replace(/ selected="[^"]*"/, "")}`;
}
