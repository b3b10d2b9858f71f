import { accessSync, closeSync, constants, fstatSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { CoderError, fail, ok, type Result } from "../../../contract/error.ts";
import type { FileChange } from "../../../contract/message.ts";
import { visible } from "../../../contract/show/visible.ts";
import { phrase } from "../../../contract/text/catalogue.ts";
import type { ChangePlan, PlannedChange } from "../../../contract/tool.ts";
import { errnoOf, ioFailure } from "../failure.ts";
import {
  existingAbove,
  Folders,
  isFull,
  keyIn,
  type OpenFolder,
  openFolder,
  removeEmptyFolders,
  unlessRefused,
} from "../folder.ts";
import { sha256 } from "../hash.ts";
import { openFile, readAll } from "../open.ts";
import { type AllowedPlaces, type LocatedPath, resolvePath } from "../path.ts";
import { isFolderStamp, isLinkStamp, keyOf } from "../stamp.ts";
import { isPutBack, keepOld, type Step, takePlace } from "./commit.ts";
import { aboveIn, isLeaving, isOfFolder, isSwap, type Move, movesOf, unsteady } from "./move.ts";
import {
  folderJob,
  inGroups,
  type Job,
  oneByOne,
  type Pause,
  removeJob,
  syncJob,
  together,
} from "./parallel-commit.ts";
import { oldName, openTemp, tempName, writeTemp } from "./temp.ts";

/** `tempTag` is unique to the call, and the same after a crash. */
export type ApplyOptions = AllowedPlaces & { readonly tempTag: string };

/** All changes or none. First checks each again: same real path, allowed place, content as planned; otherwise E_CONFLICT. */
export function applyChanges(plan: Pick<ChangePlan, "changes">, options: ApplyOptions): Result<null> {
  const steps = applySteps(plan.changes, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same for many files, without waiting for the disk at each of them. */
export function applyTogether(plan: Pick<ChangePlan, "changes">, options: ApplyOptions): Promise<Result<null>> {
  return together(applyParts(plan.changes, options));
}

/** Pauses wherever a kill would leave a different state behind: a test that stops calling `next` simulates a kill -9 there. */
export function applySteps(changes: readonly PlannedChange[], options: ApplyOptions): Generator<string, Result<null>> {
  return oneByOne(applyParts(changes, options));
}

interface Progress {
  readonly folders: Folders;
  readonly made: string[];
  readonly prepared: Step[];
  readonly temps: Set<Step>;
  readonly committed: Move[];
  unsynced: number[];
  path: string;
}

/** Every temporary file is on disk before the first target or folder changes, so that a resume can finish the work. */
function* applyParts(changes: readonly PlannedChange[], options: ApplyOptions): Generator<Pause, Result<null>> {
  const folders = new Folders();
  const begun = { made: [], prepared: [], temps: new Set<Step>(), committed: [], unsynced: [] };
  const progress: Progress = { folders, ...begun, path: "" };
  try {
    yield* prepare(changes, options, progress);
    for (const move of movesOf(progress.prepared)) {
      progress.path = move.step.change.path;
      yield* commit(move, progress);
      yield "changed";
    }
    yield* syncAll(progress);
    // Everything is in place and on disk: from here on there is no way back.
    yield* removeLeftovers(progress);
    return ok(null);
  } catch (error) {
    return yield* undo(progress, ioFailure(error, visible(progress.path)));
  } finally {
    closeUnsynced(progress);
    folders.close();
  }
}

function removeLeftovers({ temps, prepared }: Progress): Generator<readonly Job[], void> {
  const olds = prepared.filter(
    ({ change, keepsOld }) => keepsOld && change.before !== null && !isFolderStamp(change.before),
  );
  return inGroups([
    ...[...temps].map(({ file }) => [file.folder, removeJob(file.folder, file.temp, "temp file removed")] as const),
    ...olds.map(({ file }) => [file.folder, removeJob(file.folder, oldName(file), "old file removed")] as const),
  ]);
}

function* prepare(
  changes: readonly PlannedChange[],
  options: ApplyOptions,
  progress: Progress,
): Generator<Pause, void> {
  const places = unsteady(changes.map(({ change }) => change));
  const old = changes.map(({ change }) => {
    progress.path = change.path;
    // A path that will be a folder is checked itself; nothing is in it yet.
    const isInNew = change.before === null && aboveIn(change.real, places) !== null;
    return isInNew ? null : check(change, options);
  });
  yield "checked";
  for (const [index, { change, afterBytes }] of changes.entries()) {
    progress.path = change.path;
    const folder = yield* withRoom(progress, () => progress.folders.at(existingAbove(change.real, places)));
    const file = { folder, temp: tempName(options.tempTag, index), name: basename(change.real) };
    const step = { change, file, keepsOld: changes.length > 1 || isSwap(change) };
    progress.prepared.push(step);
    if (afterBytes === null || isFolderStamp(change.after)) continue;
    const mode = change.after?.mode ?? 0o600;
    const content = { bytes: afterBytes, mode, isLink: isLinkStamp(change.after), old: old[index] ?? null };
    const temp = yield* withRoom(progress, () => openTemp(file, content, () => progress.temps.add(step)));
    if (temp !== null) progress.unsynced.push(temp);
    yield "temp file made";
    if (temp !== null) writeTemp(temp, content);
    yield "temp file written";
    if (progress.unsynced.length === maxUnsynced) yield* syncTemps(progress);
  }
  yield* syncTemps(progress);
  // A single change is completed by one rename; for several, the rest must be findable after a power failure.
  if (changes.length > 1) yield* syncFolders(progress.folders.all());
}

/** Descriptors held open at once; a process has a limit. */
const maxUnsynced = 64;

/** On EMFILE, syncs and closes pending files, then retries. */
function* withRoom<T>(progress: Progress, open: () => T): Generator<Pause, T> {
  try {
    return open();
  } catch (error) {
    if (!isFull(error) || progress.unsynced.length === 0) throw error;
    yield* syncTemps(progress);
    return open();
  }
}

function* syncTemps(progress: Progress): Generator<Pause, void> {
  if (progress.unsynced.length > 0) yield progress.unsynced.map(syncJob);
  closeUnsynced(progress);
}

function closeUnsynced(progress: Progress): void {
  for (const fd of progress.unsynced) closeSync(fd);
  progress.unsynced = [];
}

function syncFolders(folders: Iterable<OpenFolder>): Generator<readonly Job[], void> {
  return inGroups([...folders].map((folder) => [folder, folderJob(folder)] as const));
}

/** Some folders were removed with everything in them. */
function syncAll({ folders, prepared }: Progress): Generator<readonly Job[], void> {
  const gone = new Set(prepared.flatMap(({ change }) => (isLeaving(change) ? [change.real] : [])));
  return syncFolders([...folders.all()].filter(({ path }) => !gone.has(path)));
}

/** For symlinks and folders: the entry itself, never its target. */
function checkName(change: FileChange, place: AllowedPlaces): void {
  const above = resolvePath(dirname(change.real), place.root, place.addDirs);
  const isAllowed = above.inside || place.allowedOutside?.includes(change.real) === true;
  if (above.real !== dirname(change.real) || !isAllowed) throw conflict("file.moved", change);
  if ((above.kind === "folder" ? keyOfName(change.real) : null) !== keyOf(change.before)) {
    throw conflict("file.changed", change);
  }
}

function keyOfName(real: string): string | null | undefined {
  const folder = openFolder(dirname(real));
  try {
    return keyIn(folder, basename(real));
  } finally {
    closeSync(folder.fd);
  }
}

function isPlain(change: FileChange): boolean {
  return ![change.before, change.after].some((stamp) => isLinkStamp(stamp) || isFolderStamp(stamp));
}

function check(change: FileChange, place: AllowedPlaces): Stats | null {
  if (!isPlain(change)) {
    checkName(change, place);
    return null;
  }
  const found = resolvePath(change.path, place.root, place.addDirs);
  const isAllowed = found.inside || place.allowedOutside?.includes(change.real) === true;
  if (found.real !== change.real || !isAllowed) throw conflict("file.moved", change);
  if ((found.kind === "none") !== (change.before === null)) throw conflict("file.changed", change);
  if (change.before === null) return null;
  if (change.after !== null && !isUnlocked(change)) mustBeWritable({ ...found, real: found.real });
  const opened = openFile({ ...found, real: found.real });
  if (!opened.ok) throw new CoderError(opened.error);
  const { fd } = opened.value;
  try {
    if (sha256(readAll(fd, opened.value.stat.size)) !== change.before.hash) throw conflict("file.changed", change);
    return fstatSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Making the file writable is part of the change itself. */
function isUnlocked({ before, after }: FileChange): boolean {
  return ((before?.mode ?? 0) & 0o222) === 0 && ((after?.mode ?? 0) & 0o222) !== 0;
}

/** A rename ignores the old file's write protection, but its owner cares. */
function mustBeWritable(at: LocatedPath): void {
  try {
    accessSync(at.real, constants.W_OK);
  } catch (error) {
    if (errnoOf(error) !== "EACCES" && errnoOf(error) !== "EPERM") throw error;
    throw new CoderError({ code: "E_IO", text: phrase("file.read_only", { path: visible(at.shown) }) });
  }
}

function* commit(move: Move, progress: Progress): Generator<string, void> {
  const { step, action } = move;
  const { change, file } = step;
  const folder = progress.folders.make(dirname(change.real), (path) => progress.made.push(path));
  yield "folder ready";
  keepOld(move, folder);
  yield "old file kept";
  // Writing and syncing took a while: check again that the file is unchanged.
  if (!isOfFolder(change) && keyIn(folder, file.name) !== expected(move)) throw conflict("file.changed", change);
  if (action === "mode" && change.before === null && !isMade(step, progress)) return;
  yield* takePlace(move, folder, () => progress.committed.push(move));
  if (action === "remove") progress.folders.forget(change.real);
  // The temporary file was renamed or already removed: only the kept second name of a new file still exists.
  if (action === "replace" || (action === "put" && !step.keepsOld)) progress.temps.delete(step);
}

/** A folder that somebody else created first keeps its mode. */
function isMade(step: Step, { committed }: Progress): boolean {
  return committed.some((move) => move.step === step && move.action === "make");
}

function expected({ step: { change }, action }: Move): string | null {
  if (action === "mode") return keyOf(change.after);
  return action === "put" || action === "make" ? null : keyOf(change.before);
}

type WriteFailure = ReturnType<typeof ioFailure>;

function* undo(progress: Progress, failure: WriteFailure): Generator<Pause, WriteFailure> {
  const lost: Step[] = [];
  for (const move of progress.committed.toReversed()) {
    progress.folders.rest();
    if (!isBack(move, progress.folders)) lost.push(move.step);
    yield "put back";
  }
  // Before the temporary files: after a kill these tell which folders are ours.
  removeEmptyFolders(progress.made);
  yield* removeLeftovers(progress);
  if (lost.length === 0) return failure;
  const files = lost.map(({ change }) => visible(change.path)).join(", ");
  const text = phrase("file.rollback_failed", { path: visible(progress.path), files });
  return fail("E_IO", text, { sideEffect: "applied" });
}

/** A folder that remains because it has content by now is no loss. */
function isBack(move: Move, folders: Folders): boolean {
  const { change } = move.step;
  if (move.action === "make") folders.forget(change.real);
  const folder = unlessRefused(() => folders.at(dirname(change.real)));
  return folder !== null && (isPutBack(move, folder) || isOfFolder(change));
}

function conflict(key: "file.moved" | "file.changed", change: FileChange): CoderError {
  return new CoderError({ code: "E_CONFLICT", text: phrase(key, { path: visible(change.path) }) });
}
