import type { FileStamp } from "../../contract/message.ts";

// The mode of a plain file is its permissions alone. Of what is none it also says what it is: a symbolic link, whose content is
// the text it consists of, never that of the file it leads to; a folder, which has no content of its own.
export const linkMode = 0o120777;
export const folderMode = 0o040000;

const typeBits = 0o170000;

export function isLinkStamp(stamp: FileStamp | null): boolean {
  return stamp !== null && (stamp.mode & typeBits) === (linkMode & typeBits);
}

export function isFolderStamp(stamp: FileStamp | null): boolean {
  return stamp !== null && (stamp.mode & typeBits) === folderMode;
}

/** Equal for what has equal content and is of the same kind; `null` where nothing is. */
export function keyOf(stamp: FileStamp | null): string | null {
  if (stamp === null) return null;
  if (isFolderStamp(stamp)) return folderKey;
  return isLinkStamp(stamp) ? linkKey(stamp.hash) : stamp.hash;
}

export const folderKey = "folder";

export function linkKey(hash: string): string {
  return `link ${hash}`;
}
