// Bounded reads of a workspace's project files. A symlink that leads outside counts as missing.
import { closeSync, type Dirent, existsSync, opendirSync, realpathSync } from "node:fs";
import { relative } from "node:path";
import { visible } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { openFile, readAll, showSize } from "../../platform/files/open.ts";
import { isWithin, locate, resolvePath } from "../../platform/files/path.ts";

export type ManifestText =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unusable"; readonly why: Phrase };

/** A hundred times the size of a hand-written project file. */
const maxFileBytes = 2 ** 20;

/** `path`, as everywhere in this room, is relative to the workspace; "" is the workspace itself. */
export function readProjectFile(root: string, path: string): ManifestText {
  const at = locate(path, { root, addDirs: [] });
  if (!at.ok || at.value.kind !== "file") return { kind: "none" };
  const opened = openFile(at.value);
  if (!opened.ok) {
    const problem = opened.error.text;
    return { kind: "unusable", why: phrase("verify.unreadable", { path: visible(path), problem }) };
  }
  const { fd, stat } = opened.value;
  try {
    if (stat.size <= maxFileBytes) {
      const text = readAll(fd, stat.size).toString("utf8");
      return { kind: "text", text: text.startsWith("\ufeff") ? text.slice(1) : text };
    }
    const max = showSize(maxFileBytes);
    return { kind: "unusable", why: phrase("verify.too_big", { path: visible(path), max }) };
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return { kind: "unusable", why: phrase("verify.unreadable", { path: visible(path), problem: code }) };
  } finally {
    closeSync(fd);
  }
}

export function textOf(root: string, path: string): string {
  const read = readProjectFile(root, path);
  return read.kind === "text" ? read.text : "";
}

/** The same for an absolute path; "" if it is outside the workspace. */
export function textIn(workspace: string, path: string): string {
  const root = realpathSync.native(workspace);
  return isWithin(path, root) ? textOf(root, relative(root, path)) : "";
}

export function isFile(root: string, path: string): boolean {
  const { inside, kind } = resolvePath(path, root, []);
  return inside && kind === "file";
}

export function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** The existing folders from `folder`, symlinks resolved, up to the workspace; empty if it is outside. */
export function foldersAbove(root: string, folder: string): readonly string[] {
  const { real } = resolvePath(folder, root, []);
  if (real === null || !isWithin(real, root)) return [];
  const parts = real.slice(root.length).split("/").filter(Boolean);
  // An installed package is not a project of this workspace.
  const installed = parts.indexOf("node_modules");
  const own = installed === -1 ? parts : parts.slice(0, installed);
  const above = own.map((_, at) => own.slice(0, own.length - at).join("/")).concat("");
  // Below a deleted folder, start at its nearest existing parent.
  return above.slice(above.findIndex((one) => existsSync(below(root, one))));
}

export interface FolderWalk {
  readonly maxEntries: number;
  readonly maxDepth: number;
  readonly enters: (name: string) => boolean;
  readonly onCut?: () => void;
}

/** Plain files below a folder, shallow ones first. Follows no symlinks. */
export function* filesBelow(folder: string, { maxEntries, maxDepth, enters, onCut }: FolderWalk): Generator<string> {
  let open: readonly string[] = [folder];
  let left = maxEntries;
  for (let depth = 0; depth <= maxDepth && open.length > 0; depth += 1) {
    const deeper: string[] = [];
    for (const at of open) {
      const entries = entriesOf(at, left);
      left -= entries.length;
      if (left <= 0) onCut?.();
      for (const entry of entries) {
        if (entry.isFile()) yield `${at}/${entry.name}`;
        else if (entry.isDirectory() && enters(entry.name)) deeper.push(`${at}/${entry.name}`);
      }
    }
    open = deeper;
  }
  if (open.length > 0) onCut?.();
}

function entriesOf(folder: string, max: number): readonly Dirent[] {
  const found: Dirent[] = [];
  try {
    const dir = opendirSync(folder);
    try {
      for (let entry = dir.readSync(); entry !== null && found.length < max; entry = dir.readSync()) found.push(entry);
    } finally {
      dir.closeSync();
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
