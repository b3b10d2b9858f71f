import { accessSync, closeSync, constants, fstatSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { CoderError, fail, ok, type Result } from "../../contract/error.ts";
import type { FileChange } from "../../contract/message.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ChangePlan, PlannedChange } from "../../contract/tool.ts";
import { visible } from "../../contract/visible.ts";
import { commitOrder, isPutBack, keepOld, type Step, takePlace } from "./commit.ts";
import { errnoOf, ioFailure } from "./failure.ts";
import { existingAbove, Folders, hashIn, removeEmptyFolders, syncFolder } from "./folder.ts";
import { sha256 } from "./hash.ts";
import { openFile, readAll } from "./open.ts";
import { type LocatedPath, type Place, resolvePath } from "./path.ts";
import { oldName, removeIfThere, tempName, writeTemp } from "./temp.ts";

/** Where, and under which name: `tempTag` is unique to the call and the same after a crash. */
export type ApplyOptions = Place & { readonly tempTag: string };

/** All changes or none. Each is checked again first: same real path, inside, content as planned; else E_CONFLICT. */
export function applyChanges(plan: Pick<ChangePlan, "changes">, options: ApplyOptions): Result<null> {
  const steps = applySteps(plan.changes, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

interface Progress {
  readonly folders: Folders;
  readonly made: string[];
  readonly prepared: Step[];
  readonly temps: Set<Step>;
  readonly committed: Step[];
  path: string;
}

/**
 * Pauses wherever a kill would leave something different behind: a test that stops calling `next` is a kill -9 there.
 * Every temporary file is complete on disk before the first target changes, so that a resume can finish what was begun.
 * Folders are made only then: a kill before that leaves nothing but temporary files.
 */
export function* applySteps(changes: readonly PlannedChange[], options: ApplyOptions): Generator<string, Result<null>> {
  const folders = new Folders();
  const progress: Progress = { folders, made: [], prepared: [], temps: new Set(), committed: [], path: "" };
  try {
    yield* prepare(changes, options, progress);
    for (const step of commitOrder(progress.prepared)) {
      progress.path = step.change.path;
      yield* commit(step, progress);
      yield "changed";
    }
    for (const folder of folders.all()) syncFolder(folder);
    // Everything is in its place and on disk: there is no way back any more.
    yield* removeLeftovers(progress);
    return ok(null);
  } catch (error) {
    return yield* undo(progress, ioFailure(error, visible(progress.path)));
  } finally {
    folders.close();
  }
}

function* removeLeftovers({ temps, prepared }: Progress): Generator<string, void> {
  for (const { file } of temps) {
    removeIfThere(file.folder, file.temp);
    yield "temp file removed";
  }
  for (const { file, change, keepsOld } of prepared) {
    if (!keepsOld || change.before === null) continue;
    removeIfThere(file.folder, oldName(file));
    yield "old file removed";
  }
}

function* prepare(
  changes: readonly PlannedChange[],
  options: ApplyOptions,
  progress: Progress,
): Generator<string, void> {
  const old = changes.map(({ change }) => {
    progress.path = change.path;
    return check(change, options);
  });
  yield "checked";
  for (const [index, { change, afterBytes }] of changes.entries()) {
    progress.path = change.path;
    const folder = progress.folders.at(existingAbove(change.real));
    const file = { folder, temp: tempName(options.tempTag, index), name: basename(change.real) };
    const step = { change, file, keepsOld: changes.length > 1 };
    progress.prepared.push(step);
    if (afterBytes === null) continue;
    const content = { bytes: afterBytes, mode: change.after?.mode ?? 0o600, old: old[index] ?? null };
    yield* writeTemp(file, content, () => progress.temps.add(step));
  }
  // One change is finished by one rename; of several the rest must be findable after a power cut.
  if (changes.length > 1) for (const folder of progress.folders.all()) syncFolder(folder);
}

function check(change: FileChange, place: Place): Stats | null {
  const found = resolvePath(change.path, place.root, place.addDirs);
  const isAllowed = found.inside || place.allowedOutside?.includes(change.real) === true;
  if (found.real !== change.real || !isAllowed) throw conflict("file.moved", change);
  if ((found.kind === "none") !== (change.before === null)) throw conflict("file.changed", change);
  if (change.before === null) return null;
  if (change.after !== null) mustBeWritable({ ...found, real: found.real });
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

/** A rename does not care about the old file's write protection: its owner does. */
function mustBeWritable(at: LocatedPath): void {
  try {
    accessSync(at.real, constants.W_OK);
  } catch (error) {
    if (errnoOf(error) !== "EACCES" && errnoOf(error) !== "EPERM") throw error;
    throw new CoderError({ code: "E_IO", text: phrase("file.read_only", { path: visible(at.shown) }) });
  }
}

function* commit(step: Step, progress: Progress): Generator<string, void> {
  const { change, file } = step;
  const folder = progress.folders.make(dirname(change.real), (path) => progress.made.push(path));
  yield "folder ready";
  keepOld(step, folder);
  yield "old file kept";
  // Writing and syncing took a while: what was checked must still be what is there.
  if (hashIn(folder, file.name) !== (change.before?.hash ?? null)) throw conflict("file.changed", change);
  yield* takePlace(step, folder, () => progress.committed.push(step));
  // Renamed, or removed by itself: only the second name of a new file, where it is needed, is still there.
  if (!step.keepsOld || change.before !== null) progress.temps.delete(step);
}

type Failure = ReturnType<typeof ioFailure>;

function* undo(progress: Progress, failure: Failure): Generator<string, Failure> {
  const lost: Step[] = [];
  for (const step of progress.committed.toReversed()) {
    // The failure may be that no more files could be opened.
    progress.folders.rest();
    if (!isPutBack(step, progress.folders.at(dirname(step.change.real)))) lost.push(step);
    yield "put back";
  }
  // Before the temporary files: after a kill they tell which folders are ours.
  removeEmptyFolders(progress.made);
  yield* removeLeftovers(progress);
  if (lost.length === 0) return failure;
  const files = lost.map(({ change }) => visible(change.path)).join(", ");
  const text = phrase("file.rollback_failed", { path: visible(progress.path), files });
  return fail("E_IO", text, { sideEffect: "applied" });
}

function conflict(key: "file.moved" | "file.changed", change: FileChange): CoderError {
  return new CoderError({ code: "E_CONFLICT", text: phrase(key, { path: visible(change.path) }) });
}
