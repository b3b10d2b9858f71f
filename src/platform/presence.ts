// Tells which processes that share a CODER_HOME are alive. A pid means nothing in another PID namespace or on another machine, so each
// process locks a file of its own: the kernel releases the lock when the process ends in any way, and every namespace sees it. Locks are
// not visible across machines; there the time of the file's last touch counts.
import { Database, SQLiteError } from "bun:sqlite";
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { bootId, isAlive, type ProcessIdentity, processIdentity } from "./identity.ts";

export interface Attendant extends ProcessIdentity {
  /** Names its file; empty in records of earlier versions. */
  readonly token: string;
}

/** Three touches a minute have no measurable cost. */
const beatMs = 20_000;
/** A process of another machine that is silent for this long counts as dead. If it was only paused, it notices when it writes. */
const silentMs = 5 * 60_000;
/** The same for a process from before this machine's last boot. Not zero, because two machines may have the same name. */
const restartedMs = 60_000;

interface Own {
  users: number;
  lock: Lock;
  readonly timer: ReturnType<typeof setInterval>;
}

/** The token begins with the boot id: it tells whoever finds a file without a lock whether this kernel would show the lock. */
const bootMark = bootId().slice(0, 8) || "unknown";
const token = `${bootMark}-${crypto.randomUUID().slice(0, 13)}`;
/** By the real path of the folder: a home may have several names. */
const attended = new Map<string, Own>();

export function ownAttendance(): Attendant {
  return { ...processIdentity(), token };
}

/** From now on everybody who shares the folder sees that this process lives. Returns the function that ends that. */
export function attend(folder: string): () => void {
  mkdirSync(folderIn(folder), { recursive: true, mode: 0o700 });
  const home = realpathSync(folder);
  const own = attended.get(home) ?? enter(home);
  own.users += 1;
  let hasLeft = false;
  return () => {
    if (hasLeft) return;
    hasLeft = true;
    own.users -= 1;
    if (own.users === 0) leave(home, own);
  };
}

/** Whether the recorded process still runs, in any namespace and on any machine. */
export function isPresent(home: string, who: Attendant): boolean {
  if (who.token !== "" && isThere(fileOf(home, who.token))) return isAttending(home, who.token, who.host);
  // Recorded by an earlier version, or its file was removed. The pid is valid only in its own namespace.
  const isOurs = who.pidNamespace === "" || who.pidNamespace === processIdentity().pidNamespace;
  return isOurs && who.bootId === bootId() && isAlive(who.pid, who.startTime);
}

export function isAttending(home: string, of: string, host = ""): boolean {
  if (of === token && attended.has(realpathSync(home))) return true;
  const seen = lookAt(fileOf(home, of));
  if (seen !== "free") return seen === "locked";
  // This kernel would show the lock of a living process.
  if (of.startsWith(`${bootMark}-`)) {
    rmSync(fileOf(home, of), { force: true });
    return false;
  }
  return silenceOf(home, of) < (host === processIdentity().host ? restartedMs : silentMs);
}

function enter(home: string): Own {
  const own: Own = { users: 0, lock: locked(fileOf(home, token)), timer: setInterval(() => beat(home, own), beatMs) };
  own.timer.unref();
  attended.set(home, own);
  sweep(home);
  return own;
}

function leave(home: string, { lock, timer }: Own): void {
  attended.delete(home);
  clearInterval(timer);
  // Remove the file first: nobody must find it without its lock.
  rmSync(fileOf(home, token), { force: true });
  unlock(lock);
}

/** SQLite takes the lock in a portable way. */
interface Lock {
  /** Stays open as long as the lock: a process that closes any descriptor of a file loses its locks on it. */
  readonly fd: number;
  readonly db: Database;
}

/** The file gets its name only after it is locked, so nobody finds it without a lock. */
function locked(file: string): Lock {
  const made = join(dirname(file), `.${basename(file)}`);
  // Created here because SQLite would make it world-readable.
  const fd = openSync(made, "w", 0o600);
  const db = new Database(made, { readwrite: true });
  // Avoids a journal file.
  db.run("pragma journal_mode = memory");
  db.run("begin exclusive");
  renameSync(made, file);
  return { fd, db };
}

function unlock({ fd, db }: Lock): void {
  db.close();
  closeSync(fd);
}

/** Truncating an empty file updates its time by the file system's clock, which is the same for all machines that share it. */
function beat(home: string, own: Own): void {
  if (fstatSync(own.lock.fd).nlink > 0) {
    ftruncateSync(own.lock.fd, 0);
    return;
  }
  // Somebody removed it, so create it again. If the whole folder is gone, nobody is left to tell.
  if (!isThere(folderIn(home))) return;
  unlock(own.lock);
  own.lock = locked(fileOf(home, token));
}

function lookAt(file: string): "locked" | "free" | "missing" {
  if (!isThere(file)) return "missing";
  let db: Database | null = null;
  try {
    db = new Database(file, { readonly: true });
    // Read-only: several processes may look at once without disturbing each other.
    db.prepare("select 1 from sqlite_schema").get();
    return "free";
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    if (!isThere(file)) return "missing";
    // Cannot be opened for some other reason: an unknown state must not count as dead.
    return "locked";
  } finally {
    db?.close();
  }
}

function silenceOf(home: string, of: string): number {
  const probe = join(folderIn(home), `.now-${token}`);
  try {
    closeSync(openSync(probe, "w", 0o600));
    return lstatSync(probe).mtimeMs - lstatSync(fileOf(home, of)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Number.POSITIVE_INFINITY;
    throw error;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Removes files of killed processes that nobody asked about. */
function sweep(home: string): void {
  const now = lstatSync(fileOf(home, token)).mtimeMs;
  for (const name of readdirSync(folderIn(home))) {
    const file = fileOf(home, name);
    const touched = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - touched > silentMs && lookAt(file) === "free") rmSync(file, { force: true });
  }
}

const folderIn = (home: string): string => join(home, "live");
const fileOf = (home: string, name: string): string => join(folderIn(home), name);

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
