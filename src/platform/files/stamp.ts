import type { FileStamp } from "../../contract/message.ts";

// Modes of symlinks, whose content is their target path, and folders include the type; those of regular files do not.
export const linkMode = 0o120777;
export const folderMode = 0o040000;

const typeBits = 0o170000;

export function isLinkStamp(stamp: FileStamp | null): boolean {
  return stamp !== null && (stamp.mode & typeBits) === (linkMode & typeBits);
}

export function isFolderStamp(stamp: FileStamp | null): boolean {
  return stamp !== null && (stamp.mode & typeBits) === folderMode;
}

/** Equal for equal content of the same type; `null`: nothing there. */
export function keyOf(stamp: FileStamp | null): string | null {
  if (stamp === null) return null;
  if (isFolderStamp(stamp)) return folderKey;
  return isLinkStamp(stamp) ? linkKey(stamp.hash) : stamp.hash;
}

export const folderKey = "folder";

export function linkKey(hash: string): string {
  return `link ${hash}`;
}
