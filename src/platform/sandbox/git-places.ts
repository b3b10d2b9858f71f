// Git folders of worktrees and submodules elsewhere. As in a `.git`, commands may write commits there, but neither config nor hooks.
import { join } from "node:path";
import { isWithin } from "../files/path.ts";
import { listEntries, realOf } from "../files/probe.ts";
import { gitApart, leadsTo, topOf, worktreeNamedBy } from "../git/apart.ts";
import { gitFolderOf, namedByConfig } from "../git/named.ts";
import { type Guarded, kindOf } from "./protected.ts";

export interface WritableGit {
  /** A real path; everything in it is writable except for `guarded`. */
  readonly path: string;
  readonly guarded: readonly Guarded[];
}

/** Each takes several mounts; further ones stay read-only. */
const MOST = 8;

export function gitPlaces(roots: readonly string[]): readonly WritableGit[] {
  const found = roots.flatMap((root) => {
    const folder = realOf(gitFolderOf(root));
    if (folder === null) return [];
    if (isWithin(folder, root)) return inside(folder, roots);
    return placesOf(root, roots).flatMap((place) => [place, ...inside(place.path, roots)]);
  });
  return [...new Map(found.map((place) => [place.path, place])).values()].slice(0, MOST);
}

/** For a folder whose `.git` is a file that points outside of it. */
function placesOf(root: string, roots: readonly string[]): readonly WritableGit[] {
  const apart = gitApart(root);
  if (apart === null) return [];
  const { folder, common } = apart;
  if (folder === common) return [ownPlace(folder, root)];
  // Another chosen folder contains it, so it is writable already.
  const isChosen = roots.some((one) => isWithin(common, one));
  return [...(isChosen ? [] : [sharedPlace(common, root)]), worktreePlace(folder)];
}

/** Git folders of submodules and worktrees whose working trees lie in chosen folders. */
function inside(folder: string, roots: readonly string[]): readonly WritableGit[] {
  const isChosen = (top: string): boolean => roots.some((root) => isWithin(top, root));
  const modules = repositoriesIn(`${folder}/modules`, 0).flatMap((path) => {
    const top = worktreeNamedBy(path);
    return top !== null && isChosen(top) ? [ownPlace(path, top)] : [];
  });
  const worktrees = foldersIn(`${folder}/worktrees`).filter((path) => {
    const top = topOf(path);
    return top !== null && isChosen(top) && leadsTo(path, top);
  });
  return [...modules, ...worktrees.map(worktreePlace)];
}

const always = (path: string): Guarded => ({ path, missing: "never" });
/** A new repository has an empty hooks folder or none. */
const hooks: Guarded = { path: "hooks", missing: "hold" };

function ownPlace(path: string, worktree: string): WritableGit {
  const names = ["config", "config.worktree", "commondir", "gitdir"].map(always);
  const inner = ["modules", "worktrees"].filter((name) => kindOf(join(path, name)) !== "none").map(always);
  const named = namedByConfig(path, worktree).filter((one) => one !== path && isWithin(one, path));
  return { path, guarded: [...names, hooks, ...inner, ...named.map((one) => always(one.slice(path.length + 1)))] };
}

/** The common folder of several worktrees; its own HEAD and index belong to the main worktree. */
function sharedPlace(path: string, worktree: string): WritableGit {
  const own = ["HEAD", "index"].filter((name) => kindOf(join(path, name)) === "file").map(always);
  return { path, guarded: [...ownPlace(path, worktree).guarded, ...own] };
}

function worktreePlace(path: string): WritableGit {
  const modules = kindOf(join(path, "modules")) === "none" ? [] : ["modules"];
  return { path, guarded: ["commondir", "gitdir", "config.worktree", ...modules].map(always) };
}

/** A submodule's folder is named by its path: `modules/libs/a`. */
function repositoriesIn(folder: string, depth: number): readonly string[] {
  return foldersIn(folder).flatMap((path) => {
    if (kindOf(`${path}/HEAD`) === "file") return [path, ...repositoriesIn(`${path}/modules`, depth + 1)];
    return depth < 3 ? repositoriesIn(path, depth + 1) : [];
  });
}

function foldersIn(folder: string): readonly string[] {
  const entries = listEntries(folder).filter((entry) => entry.isDirectory());
  return entries.map(({ name }) => `${folder}/${name}`);
}
