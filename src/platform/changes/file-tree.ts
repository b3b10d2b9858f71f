import type { Unkept } from "../../contract/undo.ts";
import type { Stamp } from "./file-stat.ts";
import type { Repository } from "./repository.ts";
import type { IgnoreRules } from "./rules.ts";

/** Names and paths are Latin-1, one character per byte, because names need not be UTF-8. */
export interface Entry {
  readonly name: string;
  /** Offset of its path in the `paths` of its folder. */
  readonly at: number;
  readonly stamp: Stamp;
  /** So recent that another change might leave the same stamp: then the content must be compared. */
  readonly isFresh: boolean;
  content: Content | null;
}

/** `blob`: equal to an object in git's store, so not copied; `kept`: we have a copy. For a symlink, its target. */
export type Content =
  | { readonly kind: "blob"; readonly id: string }
  | { readonly kind: "kept"; readonly id: string }
  | { readonly kind: "unkept"; readonly id: Unkept["why"] };

export interface TreeFolder {
  readonly name: string;
  /** Relative to the root; the root's own path is empty. */
  readonly path: string;
  readonly at: number;
  readonly stamp: Stamp;
  readonly isFresh: boolean;
  /** NUL-terminated paths of everything in it, relative to the root. */
  readonly paths: Buffer;
  readonly entries: readonly Entry[];
  readonly folders: readonly TreeFolder[];
  readonly skipped: "too_many" | "unreadable" | null;
  readonly place: TreePlace;
}

export interface TreePlace {
  readonly repository: Repository | null;
  /** A path in the index is `prefix` plus the path without its first `cut` characters. */
  readonly prefix: string;
  readonly cut: number;
  readonly ignore: IgnoreRules | null;
  readonly attributes: IgnoreRules | null;
  readonly isIgnored: boolean;
  readonly outer: TreePlace | null;
}

export function indexPath({ prefix, cut }: TreePlace, path: string): string {
  return prefix + path.slice(cut);
}

/** The name as Unicode text; `null`: not UTF-8, so it cannot be represented. */
export function decoded(bytes: string): string | null {
  if (isPlain(bytes)) return bytes;
  const text = Buffer.from(bytes, "latin1").toString();
  return asBytes(text) === bytes ? text : null;
}

/** Invalid UTF-8 becomes replacement characters. */
export function shown(bytes: string): string {
  if (isPlain(bytes)) return bytes;
  return Buffer.from(bytes, "latin1").toString();
}

export function asBytes(text: string): string {
  return isPlain(text) ? text : Buffer.from(text).toString("latin1");
}

/** Nearly all names are ASCII, for which both forms are the same string. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

export function joined(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

export function placeIn(root: string, path: string): string {
  return `${root === "/" ? "" : root}/${path}`;
}

/** `path`: Latin-1, one character per byte. */
export function pathBytes(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(root.endsWith("/") ? root : `${root}/`), Buffer.from(path, "latin1")]);
}
