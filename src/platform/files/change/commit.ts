import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  linkSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { CoderError } from "../../../contract/error.ts";
import type { FileChange, FileStamp } from "../../../contract/message.ts";
import { visible } from "../../../contract/show/visible.ts";
import { phrase } from "../../../contract/text/catalogue.ts";
import { errnoOf } from "../failure.ts";
import { inFolder, isRefusal, keyIn, type OpenFolder, openFolder, unlessRefused } from "../folder.ts";
import { isFolderStamp, isLinkStamp, keyOf } from "../stamp.ts";
import type { Move } from "./move.ts";
import { oldName, removeIfThere, type TempFile } from "./temp.ts";

export interface Step {
  readonly change: FileChange;
  readonly file: TempFile;
  /** Keeps the old (or a new file's temporary) file until all changes are made: for an undo, and to tell which folders are ours. */
  readonly keepsOld: boolean;
}

export function keepOld({ step: { change, file, keepsOld }, action }: Move, folder: OpenFolder): void {
  if (!keepsOld || action !== "replace" || change.before === null) return;
  const [name, kept] = [inFolder(folder, file.name), inFolder(file.folder, oldName(file))];
  if (!isLinked(name, kept, change.before)) copyFileSync(name, kept, constants.COPYFILE_EXCL);
}

/** Yields where a kill leaves a different state behind. Calls `onDone` once the change is made. */
export function* takePlace(move: Move, folder: OpenFolder, onDone: () => void): Generator<string, void> {
  const { change, file, keepsOld } = move.step;
  const name = inFolder(folder, file.name);
  if (move.action === "make" || move.action === "remove" || move.action === "mode") {
    if (isFolderDone(move, folder)) onDone();
    return;
  }
  if (move.action === "drop") {
    if (keepsOld) renameSync(name, inFolder(file.folder, oldName(file)));
    else unlinkSync(name);
  } else if (move.action === "put") {
    // Not a rename, which would overwrite a file that somebody created in the last microsecond.
    const isKept = isLinked(inFolder(file.folder, file.temp), name, change.after);
    if (!isKept) renameSync(inFolder(file.folder, file.temp), name);
    onDone();
    yield "linked";
    if (isKept && !keepsOld) removeIfThere(file.folder, file.temp);
    return;
  } else if (change.after !== null) renameSync(inFolder(file.folder, file.temp), name);
  onDone();
}

/** False if left alone: somebody has created the folder meanwhile, or put something into it. */
function isFolderDone({ step, action }: Move, above: OpenFolder): boolean {
  const { change, file } = step;
  if (action === "mode") {
    setMode(change.real, change.after);
    return true;
  }
  const isSwap = change.before !== null && change.after !== null;
  try {
    if (action === "make") mkdirSync(inFolder(above, file.name));
    else rmdirSync(inFolder(above, file.name));
    return true;
  } catch (error) {
    if (action === "make" && errnoOf(error) === "EEXIST" && keyIn(above, file.name) === keyOf(change.after))
      return false;
    if (action === "remove" && !isSwap && isRefusal(error)) return false;
    const isTaken = ["EEXIST", "ENOTEMPTY"].includes(errnoOf(error) ?? "");
    throw isTaken ? conflict(change) : error;
  }
}

function conflict({ path }: FileChange): CoderError {
  return new CoderError({ code: "E_CONFLICT", text: phrase("file.changed", { path: visible(path) }) });
}

function setMode(real: string, stamp: FileStamp | null): void {
  if (!isFolderStamp(stamp) || stamp === null) return;
  const { fd } = openFolder(real);
  try {
    fchmodSync(fd, stamp.mode & 0o7777);
  } finally {
    closeSync(fd);
  }
}

/** Errors of file systems without hard links: FUSE ENOSYS, OpenAFS EXDEV, Android EACCES. Otherwise the fallback fails too. */
const noLink = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS", "EXDEV", "EACCES"]);

/** False on file systems without hard links, and for other users' files, which may not be linked. */
function isLinked(from: string, to: string, stamp: FileStamp | null): boolean {
  if (isLinkStamp(stamp)) {
    // Creates a copy: not every system can hard-link a symlink.
    symlinkSync(readlinkSync(from, { encoding: "buffer" }) as unknown as string, to);
    return true;
  }
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (noLink.has(errnoOf(error) ?? "")) return false;
    throw error;
  }
}

/** Undoes a change: needs no space, and restores the very same file. Only if it is still as we left it. */
export function isPutBack(move: Move, folder: OpenFolder): boolean {
  const isOfFolder = move.action === "make" || move.action === "remove" || move.action === "mode";
  return unlessRefused(() => (isOfFolder ? isFolderPutBack(move, folder) : isFilePutBack(move, folder))) ?? false;
}

function isFolderPutBack({ step: { change, file }, action }: Move, above: OpenFolder): boolean {
  const name = inFolder(above, file.name);
  if (action === "make") rmdirSync(name);
  else if (action === "remove") mkdirSync(name);
  if (action !== "make") setMode(change.real, change.before);
  return true;
}

function isFilePutBack({ step: { change, file, keepsOld }, action }: Move, folder: OpenFolder): boolean {
  const name = inFolder(folder, file.name);
  const now = action === "drop" ? null : keyOf(change.after);
  if (keyIn(folder, file.name) !== now) return false;
  if (action === "put") {
    unlinkSync(name);
    return true;
  }
  if (!keepsOld || keyIn(file.folder, oldName(file)) !== keyOf(change.before)) return false;
  // Somebody may just have created a file where none should be.
  if (action === "replace" || !isLinked(inFolder(file.folder, oldName(file)), name, change.before)) {
    renameSync(inFolder(file.folder, oldName(file)), name);
  }
  removeIfThere(file.folder, oldName(file));
  return true;
}
