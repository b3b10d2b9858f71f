import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { isWriterGone, writerName } from "../../platform/identity.ts";

/** Replaces a config file atomically. Private, because it may hold keys; never through a symlink. The caller must hold the lock. */
export function writeConfig(file: string, text: string): Result<void> {
  // A fixed name: only the holder of the lock writes, and the next one removes what a killed one left.
  const temp = join(dirname(file), `.${basename(file)}.tmp`);
  try {
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) {
      return fail("E_CONFIG", phrase("config.not_a_file", { file }), { advice: phrase("config.not_a_file.advice") });
    }
    rmSync(temp, { force: true });
    const fd = openSync(temp, "wx", 0o600);
    try {
      fchmodSync(fd, 0o600);
      writeFileSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temp, file);
    return ok(undefined);
  } catch (error) {
    const code = errnoOf(error);
    rmSync(temp, { force: true });
    if (code === undefined) throw error;
    return fail("E_CONFIG", phrase("config.unwritten", { file, code }), { advice: phrase("config.unwritten.advice") });
  }
}

const WAIT_MS = 5_000;
const POLL_MS = 10;
/** Longer than any change takes. */
const HELD_MS = 60_000;

/** Serialises changes: otherwise the later of two would undo the earlier. */
export async function whileLocked<T>(home: string, work: () => Result<T>): Promise<Result<T>> {
  const lock = join(home, ".config.lock");
  const deadline = performance.now() + WAIT_MS;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    // A symlink is created together with its content, so a lock always names its holder.
    while (!isMade(() => symlinkSync(writerName(), lock))) {
      if (performance.now() > deadline) return fail("E_CONFIG", phrase("config.locked", { file: lock }));
      if (!isHeld(lock)) takeAway(lock);
      else await Bun.sleep(POLL_MS);
    }
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return fail("E_CONFIG", phrase("config.unwritten", { file: lock, code }), {
      advice: phrase("config.unwritten.advice"),
    });
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function isMade(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** A lock whose holder is dead does not count. */
function isHeld(lock: string): boolean {
  try {
    return !isWriterGone(readlinkSync(lock), lstatSync(lock).mtimeMs, HELD_MS);
  } catch (error) {
    // EINVAL: not a symlink, so not ours to remove.
    if (errnoOf(error) === "EINVAL") return true;
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
}

/** Renames the lock before checking it again: if another process has replaced it meanwhile, its lock is put back. */
function takeAway(lock: string): void {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    if (isHeld(aside)) renameSync(aside, lock);
    else rmSync(aside, { force: true });
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}
