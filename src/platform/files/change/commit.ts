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
import { inFolder, isRefusal, keyIn, type OpenFolder, openFolder } from "../folder.ts";
import { isFolderStamp, isLinkStamp, keyOf } from "../stamp.ts";
import type { Move } from "./move.ts";
import { oldName, removeIfThere, type TempFile } from "./temp.ts";

/** One change with its prepared content. */
export interface Step {
  readonly change: FileChange;
  readonly file: TempFile;
  /**
   * Whether the old file, or for a new one the temporary file, stays until all changes are made: the way back, and the
   * sign of where the folders that were made begin. One change alone needs neither.
   */
  readonly keepsOld: boolean;
}

/** What will be replaced gets a second name. */
export function keepOld({ step: { change, file, keepsOld }, deed }: Move, folder: OpenFolder): void {
  if (!keepsOld || deed !== "replace" || change.before === null) return;
  const [name, kept] = [inFolder(folder, file.name), inFolder(file.folder, oldName(file))];
  if (!isLinked(name, kept, change.before)) copyFileSync(name, kept, constants.COPYFILE_EXCL);
}

/** Yields where a kill leaves something different behind. `onDone` is called once the change is made. */
export function* takePlace(move: Move, folder: OpenFolder, onDone: () => void): Generator<string, void> {
  const { change, file, keepsOld } = move.step;
  const name = inFolder(folder, file.name);
  if (move.deed === "make" || move.deed === "remove" || move.deed === "mode") {
    if (isFolderDone(move, folder)) onDone();
    return;
  }
  if (move.deed === "drop") {
    if (keepsOld) renameSync(name, inFolder(file.folder, oldName(file)));
    else unlinkSync(name);
  } else if (move.deed === "put") {
    // Not a rename: that would replace a file which someone made in the last microsecond.
    const isKept = isLinked(inFolder(file.folder, file.temp), name, change.after);
    if (!isKept) renameSync(inFolder(file.folder, file.temp), name);
    onDone();
    yield "linked";
    if (isKept && !keepsOld) removeIfThere(file.folder, file.temp);
    return;
  } else if (change.after !== null) renameSync(inFolder(file.folder, file.temp), name);
  onDone();
}

/** False where it was left as it is: somebody has made the folder meanwhile, or has put something into it. */
function isFolderDone({ step, deed }: Move, above: OpenFolder): boolean {
  const { change, file } = step;
  if (deed === "mode") {
    setMode(change.real, change.after);
    return true;
  }
  const isSwap = change.before !== null && change.after !== null;
  try {
    if (deed === "make") mkdirSync(inFolder(above, file.name));
    else rmdirSync(inFolder(above, file.name));
    return true;
  } catch (error) {
    if (deed === "make" && errnoOf(error) === "EEXIST" && keyIn(above, file.name) === keyOf(change.after)) return false;
    if (deed === "remove" && !isSwap && isRefusal(error)) return false;
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

/**
 * As disks answer that have no hard links: FUSE with ENOSYS, OpenAFS with EXDEV between folders, Android with EACCES.
 * Where they mean something else, the way without a link fails by itself.
 */
const noLink = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS", "EXDEV", "EACCES"]);

/** False on disks without hard links, and for files of others, which may not be linked. */
function isLinked(from: string, to: string, stamp: FileStamp | null): boolean {
  if (isLinkStamp(stamp)) {
    // A second one of the same text: not every system can give a second name to a symbolic link.
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

/** Undoes a change that was made: needs no space, and gives back the very file. Only what is still as we left it. */
export function isPutBack(move: Move, folder: OpenFolder): boolean {
  try {
    return move.deed === "make" || move.deed === "remove" || move.deed === "mode"
      ? isFolderPutBack(move, folder)
      : isFilePutBack(move, folder);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}

function isFolderPutBack({ step: { change, file }, deed }: Move, above: OpenFolder): boolean {
  const name = inFolder(above, file.name);
  if (deed === "make") rmdirSync(name);
  else if (deed === "remove") mkdirSync(name);
  if (deed !== "make") setMode(change.real, change.before);
  return true;
}

function isFilePutBack({ step: { change, file, keepsOld }, deed }: Move, folder: OpenFolder): boolean {
  const name = inFolder(folder, file.name);
  const now = deed === "drop" ? null : keyOf(change.after);
  if (keyIn(folder, file.name) !== now) return false;
  if (deed === "put") {
    unlinkSync(name);
    return true;
  }
  if (!keepsOld || keyIn(file.folder, oldName(file)) !== keyOf(change.before)) return false;
  // Where nothing shall be, someone may just have put something.
  if (deed === "replace" || !isLinked(inFolder(file.folder, oldName(file)), name, change.before)) {
    renameSync(inFolder(file.folder, oldName(file)), name);
  }
  removeIfThere(file.folder, oldName(file));
  return true;
}
