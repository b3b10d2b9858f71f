import { constants, fchmodSync, fchownSync, openSync, type Stats, symlinkSync, unlinkSync, writeSync } from "node:fs";
import { errnoOf } from "../failure.ts";
import { inFolder, type OpenFolder, unlessRefused } from "../folder.ts";
import { sha256 } from "../hash.ts";

/** Holds the new content of a file until it takes its place. */
export interface TempFile {
  /** The folder of the file, or the nearest existing one above. */
  readonly folder: OpenFolder;
  readonly temp: string;
  readonly name: string;
}

/** The same before and after a crash, so that a resume finds it. */
export function tempName(tag: string, index: number): string {
  return `.coder-${sha256(Buffer.from(tag)).slice(0, 16)}-${index}.tmp`;
}

export interface TempContent {
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly isLink: boolean;
  readonly old: Stats | null;
}

/** Calls `onMade` once the file is ours to remove. Returns the descriptor of the empty file; `null`: a symlink, which is complete. */
export function openTemp(file: TempFile, content: TempContent, onMade: () => void): number | null {
  const path = inFolder(file.folder, file.temp);
  if (content.isLink) {
    symlinkSync(content.bytes as unknown as string, path);
    onMade();
    return null;
  }
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(path, flags, 0o600);
  onMade();
  return fd;
}

export function writeTemp(fd: number, content: TempContent): void {
  for (let at = 0; at < content.bytes.length; ) at += writeSync(fd, content.bytes, at);
  if (content.old) keepOwner(fd, content.old);
  // After the owner: a change of owner clears the set-user-ID bits.
  keepMode(fd, content);
}

/** Name of the replaced or deleted file until all changes of the call are made. */
export function oldName({ temp }: Pick<TempFile, "temp">): string {
  return `${temp.slice(0, -".tmp".length)}.old.tmp`;
}

export function removeIfThere(folder: OpenFolder, name: string): void {
  // Already renamed, or the disk refuses: the original failure is the one to report.
  unlessRefused(() => unlinkSync(inFolder(folder, name)));
}

/** Some file systems have no mode bits and report an error. It matters only if a mode was requested. */
function keepMode(fd: number, { mode, old }: TempContent): void {
  try {
    fchmodSync(fd, mode);
  } catch (error) {
    const isAsked = old !== null && (old.mode & 0o7777) !== mode;
    if (isAsked || !["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(errnoOf(error) ?? "")) throw error;
  }
}

function keepOwner(fd: number, old: Stats): void {
  if (old.uid === process.geteuid?.() && old.gid === process.getegid?.()) return;
  for (const uid of [old.uid, -1]) {
    try {
      fchownSync(fd, uid, old.gid);
      return;
    } catch (error) {
      // Only root gives files away: then keep at least the group. EINVAL: this container does not know the owner or group.
      if (errnoOf(error) !== "EPERM" && errnoOf(error) !== "EINVAL") throw error;
    }
  }
}
