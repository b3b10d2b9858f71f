import { lstatSync } from "node:fs";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { type DiskEntry, namesIn } from "../files/entry.ts";
import { sha256 } from "../files/hash.ts";
import { folderMode, isFolderStamp } from "../files/stamp.ts";
import { decoded, indexPath, joined, placeIn, type TreeFolder } from "./file-tree.ts";

/** The current and the wanted state of a path; never follows a symlink. */
export interface Turning {
  readonly path: string;
  readonly real: string;
  readonly now: DiskEntry | null;
  readonly target: DiskEntry | null;
}

export interface Obstacle {
  readonly path: string;
  readonly why: Phrase;
}

interface Ground {
  readonly root: string;
  readonly tree: TreeFolder;
  /** Whether git tracks a file in this folder or ignores it; path from the root, in Latin-1. */
  readonly isKept: (path: string) => boolean;
  readonly obstacles: Obstacle[];
}

/** Adds folder changes: a folder is created with its first file and removed with its last, as git does. */
export function withFolders(ground: Ground, files: readonly Turning[]): readonly Turning[] {
  const turnings = new Map(files.map((one) => [one.path, one]));
  const emptied = emptiedIn(ground, turnings);
  for (const one of files) {
    if (one.target === null || !isFolderStamp(one.now?.stamp ?? null)) continue;
    if (!emptied.has(one.path)) ground.obstacles.push({ path: one.path, why: phrase("undo.why.not_empty") });
  }
  for (const [path, now] of emptied) {
    const real = placeIn(ground.root, path);
    turnings.set(path, { path, real, now, target: turnings.get(path)?.target ?? null });
  }
  for (const one of files) if (one.target !== null) makeFolders(one.path, ground, turnings);
  return [...turnings.values()];
}

function emptiedIn({ root, tree, isKept }: Ground, turnings: ReadonlyMap<string, Turning>): Map<string, DiskEntry> {
  const emptied = new Map<string, DiskEntry>();
  const visit = (folder: TreeFolder): void => {
    if (isLeft(folder, tree) || folder.skipped !== null) return;
    for (const inner of folder.folders) visit(inner);
    const path = decoded(folder.path);
    if (folder === tree || path === null || isKept(folder.path)) return;
    const isGoing = (name: string): boolean => {
      const inside = joined(path, name);
      return emptied.has(inside) || turnings.get(inside)?.target === null;
    };
    if (namesIn(placeIn(root, path))?.every(isGoing)) emptied.set(path, folderEntry(folder.stamp.mode & 0o7777));
  };
  visit(tree);
  return emptied;
}

/** Replaces whatever is in the place of a folder if it is removed anyway; otherwise it is an obstacle. */
function makeFolders(path: string, { root, obstacles }: Ground, turnings: Map<string, Turning>): void {
  // A new folder is empty, whatever a symlink in its place points to.
  let isNew = false;
  for (const above of foldersAbove(path)) {
    const real = placeIn(root, above);
    const turning = turnings.get(above);
    if (turning === undefined && !isNew) {
      const stat = lstatSync(real, { throwIfNoEntry: false });
      if (stat?.isDirectory()) continue;
      if (stat !== undefined) {
        obstacles.push({ path: above, why: phrase("undo.why.parent") });
        return;
      }
    }
    isNew = true;
    if (isFolderStamp(turning?.target?.stamp ?? null)) continue;
    turnings.set(above, {
      path: above,
      real,
      now: turning?.now ?? null,
      target: folderEntry(0o777 & ~process.umask()),
    });
  }
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

export function isLeft(folder: TreeFolder, tree: TreeFolder): boolean {
  const { repository } = tree.place;
  return (
    folder.place.repository !== repository ||
    (folder !== tree && repository?.index?.others.has(indexPath(tree.place, folder.path)) === true)
  );
}

function folderEntry(mode: number): DiskEntry {
  const bytes = new Uint8Array(0);
  return { bytes, stamp: { hash: sha256(bytes), size: 0, mode: folderMode | mode } };
}
