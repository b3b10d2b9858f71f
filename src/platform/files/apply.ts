import { accessSync, closeSync, constants, fstatSync, type Stats, unlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { CoderError, type ErrorInfo, fail, ok, type Result } from "../../contract/error.ts";
import type { FileChange } from "../../contract/message.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ChangePlan, PlannedChange } from "../../contract/tool.ts";
import { errnoOf, ioFailure } from "./failure.ts";
import { hashIn, inFolder, makeFolder, removeEmptyFolders, syncFolder } from "./folder.ts";
import { sha256 } from "./hash.ts";
import { openFile, readAll } from "./open.ts";
import { type LocatedPath, type Place, resolvePath, visible } from "./path.ts";
import { createFromTemp, removeTemp, replaceByTemp, type TempFile, tempName, writeTemp } from "./temp.ts";

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

interface Prepared extends TempFile {
  readonly planned: PlannedChange;
  /** The file that was checked; `null` = none was there. */
  readonly old: Stats | null;
}

interface Progress {
  readonly made: string[];
  readonly prepared: Prepared[];
  readonly temps: TempFile[];
  readonly committed: Prepared[];
  path: string;
}

/**
 * Pauses wherever a kill would leave something different behind: a test that stops calling `next` is a kill -9 there.
 * Every temporary file is complete on disk before the first target changes, so that a resume can finish what was begun.
 */
export function* applySteps(changes: readonly PlannedChange[], options: ApplyOptions): Generator<string, Result<null>> {
  const progress: Progress = { made: [], prepared: [], temps: [], committed: [], path: "" };
  try {
    yield* prepare(changes, options, progress);
    for (const one of progress.prepared) {
      progress.path = one.planned.change.path;
      yield* commit(one);
      progress.committed.push(one);
      yield "changed";
    }
    for (const one of progress.prepared) syncFolder(one.folder);
    return ok(null);
  } catch (error) {
    return undo(progress, ioFailure(error, visible(progress.path)));
  } finally {
    for (const one of progress.prepared) closeSync(one.folder.fd);
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
  for (const [index, planned] of changes.entries()) {
    const { change, afterBytes } = planned;
    progress.path = change.path;
    const folder = makeFolder(dirname(change.real), (path) => progress.made.push(path));
    const temp = tempName(options.tempTag, index);
    const one = { planned, folder, temp, name: basename(change.real), old: old[index] ?? null };
    progress.prepared.push(one);
    yield "folder ready";
    if (afterBytes === null) continue;
    const content = { bytes: afterBytes, mode: change.after?.mode ?? 0o600, old: one.old };
    yield* writeTemp(one, content, () => progress.temps.push(one));
  }
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

function* commit(one: Prepared): Generator<string, void> {
  const { change } = one.planned;
  // Writing and syncing took a while: what was checked must still be what is there.
  if (hashIn(one.folder, one.name) !== (change.before?.hash ?? null)) throw conflict("file.changed", change);
  if (one.planned.afterBytes === null) unlinkSync(inFolder(one.folder, one.name));
  else if (change.before === null) yield* createFromTemp(one);
  else replaceByTemp(one);
}

function undo(progress: Progress, failure: { ok: false; error: ErrorInfo }): { ok: false; error: ErrorInfo } {
  const lost = [...progress.committed].reverse().filter((one) => !isPutBack(one));
  for (const temp of progress.temps) removeTemp(temp);
  removeEmptyFolders(progress.made);
  if (lost.length === 0) return failure;
  const files = lost.map(({ planned }) => visible(planned.change.path)).join(", ");
  const text = phrase("file.rollback_failed", { path: visible(progress.path), files });
  return fail("E_IO", text, { sideEffect: "applied" });
}

/** Only what is still as we left it is put back. */
function isPutBack(one: Prepared): boolean {
  const { beforeBytes, change } = one.planned;
  if (hashIn(one.folder, one.name) !== (change.after?.hash ?? null)) return false;
  try {
    if (beforeBytes === null) {
      unlinkSync(inFolder(one.folder, one.name));
      return true;
    }
    removeTemp(one);
    const content = { bytes: beforeBytes, mode: change.before?.mode ?? 0o600, old: one.old };
    Array.from(writeTemp(one, content, () => {}));
    replaceByTemp(one);
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

function conflict(key: "file.moved" | "file.changed", change: FileChange): CoderError {
  return new CoderError({ code: "E_CONFLICT", text: phrase(key, { path: visible(change.path) }) });
}
