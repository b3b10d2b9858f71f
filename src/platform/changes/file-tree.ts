import type { Unkept } from "../../contract/undo.ts";
import type { Stamp } from "./file-stat.ts";
import type { Repository } from "./repository.ts";
import type { IgnoreRules } from "./rules.ts";

// What a look has seen. Nothing of it changes later: the next look shares all that is still the same.

/** Names and paths hold one character for each byte, because names need not be UTF-8. */
export interface Entry {
  readonly name: string;
  /** Where its path begins in the `paths` of its folder. */
  readonly at: number;
  readonly stamp: Stamp;
  /** So young that another change might leave the same stamp: then the content has to be compared. */
  readonly isFresh: boolean;
  /** Set by the look that made it. */
  content: Content | null;
}

/**
 * What a file held: `blob` = it is that of git's store, which need not be copied; `kept` = there is a copy. Of a link, the text
 * it consists of.
 */
export type Content =
  | { readonly kind: "blob"; readonly id: string }
  | { readonly kind: "kept"; readonly id: string }
  | { readonly kind: "unkept"; readonly id: Unkept["why"] };

export interface TreeFolder {
  readonly name: string;
  /** Relative to the root, which is empty. */
  readonly path: string;
  readonly at: number;
  readonly stamp: Stamp;
  readonly isFresh: boolean;
  /** NUL-ended paths of all that is in it, relative to the root. */
  readonly paths: Buffer;
  readonly entries: readonly Entry[];
  readonly folders: readonly TreeFolder[];
  /** Set where it was not looked into. */
  readonly skipped: "too_many" | "unreadable" | null;
  readonly place: TreePlace;
}

/** What holds for everything in a folder. */
export interface TreePlace {
  readonly repository: Repository | null;
  /** The path in the index is `prefix`, and then the path from here on. */
  readonly prefix: string;
  readonly cut: number;
  readonly ignore: IgnoreRules | null;
  readonly attributes: IgnoreRules | null;
  /** What git does not know in here is ignored. */
  readonly isIgnored: boolean;
  /** The place of the folder above; of the uppermost, `null`. */
  readonly outer: TreePlace | null;
}

export function indexPath({ prefix, cut }: TreePlace, path: string): string {
  return prefix + path.slice(cut);
}

/** As the rest of the program writes names; `null` = not UTF-8, so that it cannot be written at all. */
export function decoded(bytes: string): string | null {
  if (isPlain(bytes)) return bytes;
  const text = Buffer.from(bytes, "latin1").toString();
  return asBytes(text) === bytes ? text : null;
}

/** Letters that no name holds show where bytes were not UTF-8. */
export function shown(bytes: string): string {
  if (isPlain(bytes)) return bytes;
  return Buffer.from(bytes, "latin1").toString();
}

export function asBytes(text: string): string {
  return isPlain(text) ? text : Buffer.from(text).toString("latin1");
}

/** Nearly all names are: then both forms are one string. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

export function joined(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
