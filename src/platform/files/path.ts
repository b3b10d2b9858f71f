import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { dirname, normalize, resolve } from "node:path";
import { fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { PathFact } from "../../contract/tool.ts";
import { errnoOf } from "./failure.ts";

/** Where file tools may work: real paths, resolved once by the caller. */
export interface AllowedPlaces {
  readonly root: string;
  readonly addDirs: readonly string[];
  /** Real paths outside of both, or behind symlinks, that may be touched. If absent, symlinks inside may lead anywhere inside. */
  readonly allowedOutside?: readonly string[];
}

type PathProblem = "nul" | "loop" | "denied" | "too_long";

export type ResolvedPath = PathFact & {
  /** For users, the model and the log: relative to the root if inside. Resolves to the same real path. */
  readonly shown: string;
  readonly problem: PathProblem | null;
};

export type LocatedPath = ResolvedPath & { readonly real: string };

const maxLinks = 40;
/** Per name, on Linux and macOS; checked before folders are created for it. */
const maxNameBytes = 255;

/** Resolves a path relative to the root: `~` is a plain name, all symlinks are followed, and new files are resolved by their parent. */
export function resolvePath(given: string, root: string, addDirs: readonly string[]): ResolvedPath {
  const path = given.startsWith("/") ? given : `${root}/${given}`;
  const found = given.includes("\0") ? { problem: "nul" as const } : realPathOf(path);
  if ("problem" in found) {
    return { given, real: null, inside: false, exists: false, kind: "none", shown: given, problem: found.problem };
  }
  const { real, kind = kindOf(real) } = found;
  return {
    given,
    real,
    inside: [root, ...addDirs].some((folder) => isWithin(real, folder)),
    exists: kind !== "none",
    kind,
    shown: shownPath(path, real, root),
    problem: null,
  };
}

/** `resolvePath` for a tool that is about to act: anything unusable or outside is an error. */
export function locate(given: string, { root, addDirs, allowedOutside }: AllowedPlaces): Result<LocatedPath> {
  const found = resolvePath(given, root, addDirs);
  const path = visible(given);
  if (found.problem === "nul") return fail("E_INVALID_ARGS", phrase("file.nul_in_path", { path }));
  if (found.problem === "loop") return fail("E_IO", phrase("file.link_loop", { path }));
  if (found.problem === "too_long") return fail("E_INVALID_ARGS", phrase("file.path_too_long", { path }));
  if (found.real === null) return fail("E_IO", phrase("file.denied", { path }));
  const isJudged = allowedOutside?.includes(found.real) === true;
  if (!found.inside && !isJudged) {
    const real = visible(found.real);
    return fail("E_POLICY_DENIED", phrase("file.outside", { path, real }), { advice: phrase("advice.outside") });
  }
  // A symlink that did not exist when the call was judged may lead to a place that needs a question.
  if (allowedOutside !== undefined && !isJudged && !isPlainWay(given, found.real, root))
    return fail("E_CONFLICT", phrase("file.moved", { path }));
  return ok({ ...found, real: found.real });
}

export function isPlainWay(given: string, real: string, root: string): boolean {
  return resolve(root, given) === real;
}

/** Containment by whole path segments: `/ws` does not contain `/wsother`. */
export function isWithin(real: string, folder: string): boolean {
  return real === folder || real.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

type ResolvedOrNot = { readonly real: string; readonly kind?: PathFact["kind"] } | { readonly problem: PathProblem };

function realPathOf(path: string): ResolvedOrNot {
  try {
    // lstat first: an exception for a missing file takes ten times as long.
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat !== undefined) {
      const real = realpathSync.native(path);
      return stat.isSymbolicLink() ? { real } : { real, kind: kindBy(stat) };
    }
    const real = newIn(path);
    if (real !== null) return { real, kind: "none" };
  } catch (error) {
    const code = errnoOf(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") return { problem: problemOf(error) };
  }
  try {
    return walk(path);
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

function newIn(path: string): string | null {
  const at = path.lastIndexOf("/");
  const name = path.slice(at + 1);
  if (name === "" || name === "." || name === "..") return null;
  const folder = realpathSync.native(path.slice(0, at) || "/");
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

/** Resolves a missing path link by link: a dangling symlink leads to where a write through it would land. */
function walk(path: string): ResolvedOrNot {
  let real = "/";
  let open = path.split("/");
  let links = 0;
  for (let segment = open.shift(); segment !== undefined; segment = open.shift()) {
    if (segment === "" || segment === ".") continue;
    if (Buffer.byteLength(segment) > maxNameBytes) return { problem: "too_long" };
    if (segment === "..") {
      real = dirname(real);
      continue;
    }
    const next = real === "/" ? `/${segment}` : `${real}/${segment}`;
    if (!isLink(next)) {
      real = next;
      continue;
    }
    links += 1;
    if (links > maxLinks) return { problem: "loop" };
    const target = readlinkSync(next);
    if (target.startsWith("/")) real = "/";
    open = [...target.split("/"), ...open];
  }
  return { real };
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR") return false;
    throw error;
  }
}

function problemOf(error: unknown): PathProblem {
  const code = errnoOf(error);
  if (code === "ELOOP") return "loop";
  return code === "ENAMETOOLONG" ? "too_long" : "denied";
}

function kindOf(real: string): PathFact["kind"] {
  try {
    const stat = lstatSync(real, { throwIfNoEntry: false });
    return stat === undefined ? "none" : kindBy(stat);
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR") return "none";
    throw error;
  }
}

function kindBy(stat: Stats): PathFact["kind"] {
  if (stat.isFile()) return "file";
  return stat.isDirectory() ? "folder" : "other";
}

function shownPath(path: string, real: string, root: string): string {
  const plain = normalize(path);
  // `link/../x` read as text is a different place than on the disk: show only the real path.
  const shown = path.split("/").includes("..") || !isWithin(plain, root) ? real : plain;
  const bare = shown.length > 1 && shown.endsWith("/") ? shown.slice(0, -1) : shown;
  if (bare === root) return ".";
  if (!isWithin(bare, root)) return bare;
  return bare.slice(root.endsWith("/") ? root.length : root.length + 1);
}
