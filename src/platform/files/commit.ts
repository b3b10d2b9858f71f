import { constants, copyFileSync, linkSync, renameSync, unlinkSync } from "node:fs";
import type { FileChange } from "../../contract/message.ts";
import { errnoOf } from "./failure.ts";
import { type Folder, hashIn, inFolder, isRefusal } from "./folder.ts";
import { oldName, removeIfThere, type TempFile } from "./temp.ts";

/** One change with its prepared content, about to take its place in `folder`. */
export interface Step {
  readonly change: FileChange;
  readonly file: TempFile;
  /**
   * Whether the old file, or for a new one the temporary file, stays until all changes are made: the way back, and the
   * sign of where the folders that were made begin. One change alone needs neither.
   */
  readonly keepsOld: boolean;
}

/** New files first, deletions last: wherever it is cut off, the content of a renamed file is in one of its places. */
export function commitOrder<T extends Pick<Step, "change">>(list: readonly T[]): readonly T[] {
  const rank = ({ before, after }: FileChange): number => (before === null ? 0 : after === null ? 2 : 1);
  return list.toSorted((a, b) => rank(a.change) - rank(b.change));
}

/** What will be replaced gets a second name. */
export function keepOld({ change, file, keepsOld }: Step, folder: Folder): void {
  if (!keepsOld || change.before === null || change.after === null) return;
  const [name, kept] = [inFolder(folder, file.name), inFolder(folder, oldName(file))];
  if (!isLinked(name, kept)) copyFileSync(name, kept, constants.COPYFILE_EXCL);
}

/** Yields where a kill leaves something different behind. `onDone` is called once the change is made. */
export function* takePlace(
  { change, file, keepsOld }: Step,
  folder: Folder,
  onDone: () => void,
): Generator<string, void> {
  const name = inFolder(folder, file.name);
  if (change.after === null) {
    if (keepsOld) renameSync(name, inFolder(folder, oldName(file)));
    else unlinkSync(name);
  } else if (change.before === null) {
    // Not a rename: that would replace a file which someone made in the last microsecond.
    const isKept = isLinked(inFolder(file.folder, file.temp), name);
    if (!isKept) renameSync(inFolder(file.folder, file.temp), name);
    onDone();
    yield "linked";
    if (isKept && !keepsOld) removeIfThere(file.folder, file.temp);
    return;
  } else renameSync(inFolder(file.folder, file.temp), name);
  onDone();
}

/**
 * As disks answer that have no hard links: FUSE with ENOSYS, OpenAFS with EXDEV between folders, Android with EACCES.
 * Where they mean something else, the way without a link fails by itself.
 */
const noLink = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "ENOSYS", "EXDEV", "EACCES"]);

/** False on disks without hard links, and for files of others, which may not be linked. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (noLink.has(errnoOf(error) ?? "")) return false;
    throw error;
  }
}

/** Undoes a change that was made: needs no space, and gives back the very file. Only what is still as we left it. */
export function isPutBack({ change, file, keepsOld }: Step, folder: Folder): boolean {
  try {
    const name = inFolder(folder, file.name);
    if (hashIn(folder, file.name) !== (change.after?.hash ?? null)) return false;
    if (change.before === null) {
      unlinkSync(name);
      return true;
    }
    if (!keepsOld || hashIn(folder, oldName(file)) !== change.before.hash) return false;
    // Where nothing shall be, someone may just have put something.
    if (change.after !== null || !isLinked(inFolder(folder, oldName(file)), name)) {
      renameSync(inFolder(folder, oldName(file)), name);
    }
    removeIfThere(folder, oldName(file));
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}
