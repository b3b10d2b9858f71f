// Who of those that share a CODER_HOME is alive. A pid says nothing in another PID namespace or on another machine, so each
// process holds a lock on a file of its own: the kernel lets go of it when the process ends, however it ends, and every
// namespace sees it. Where a lock is not seen, on another machine, the time at which the file was last touched counts.
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

/** A process as it was written down, for others to ask about. */
export interface Attendant extends ProcessIdentity {
  /** Names its file; empty in what earlier versions wrote down. */
  readonly token: string;
}

/** Three touches a minute cost nothing that can be measured. */
const beatMs = 20_000;
/** A process of another machine that was silent for so long is taken for dead. One that was only paused finds out when it writes. */
const silentMs = 5 * 60_000;
/** Of this very machine before its last start nobody lives; so long, because two machines may call themselves the same. */
const restartedMs = 60_000;

interface Own {
  users: number;
  lock: Lock;
  readonly timer: ReturnType<typeof setInterval>;
}

/** Begins with the boot: who finds a file without its lock knows whether this kernel would show one. */
const bootMark = bootId().slice(0, 8) || "unknown";
const token = `${bootMark}-${crypto.randomUUID().slice(0, 13)}`;
/** By the real path of the folder: a home may be reached under several names. */
const attended = new Map<string, Own>();

export function ownAttendance(): Attendant {
  return { ...processIdentity(), token };
}

/** From here on everybody who shares the folder sees that this process lives. Answers with how to leave, once. */
export function attend(given: string): () => void {
  mkdirSync(folderIn(given), { recursive: true, mode: 0o700 });
  const home = realpathSync(given);
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

/** Whether the process that was written down still runs, in whatever namespace and on whatever machine. */
export function isPresent(home: string, who: Attendant): boolean {
  if (who.token !== "" && isThere(fileOf(home, who.token))) return isAttending(home, who.token, who.host);
  // Of an earlier version, or somebody removed its file. Only in its own namespace does the pid mean something.
  const isOurs = who.pidNamespace === "" || who.pidNamespace === processIdentity().pidNamespace;
  return isOurs && who.bootId === bootId() && isAlive(who.pid, who.startTime);
}

/** The same where nothing but the token is known. */
export function isAttending(home: string, of: string, host = ""): boolean {
  if (of === token && attended.has(realpathSync(home))) return true;
  const seen = lookAt(fileOf(home, of));
  if (seen !== "free") return seen === "locked";
  // The kernel would show the lock of a living one.
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
  // First the file: nobody must find it without its lock.
  rmSync(fileOf(home, token), { force: true });
  unlock(lock);
}

/** SQLite asks the kernel for the lock, on every system that it runs on. */
interface Lock {
  /** Open as long as the lock is held: a process that closes any descriptor of a file loses its locks on it. */
  readonly fd: number;
  readonly db: Database;
}

/** Nobody ever finds the file without its lock: it gets its name when it is locked. */
function locked(file: string): Lock {
  const made = join(dirname(file), `.${basename(file)}`);
  // Made here: SQLite would make it readable to everyone.
  const fd = openSync(made, "w", 0o600);
  const db = new Database(made, { readwrite: true });
  // No file beside it.
  db.run("pragma journal_mode = memory");
  db.run("begin exclusive");
  renameSync(made, file);
  return { fd, db };
}

function unlock({ fd, db }: Lock): void {
  db.close();
  closeSync(fd);
}

/** Cutting an empty file to nothing sets its time, by the clock of the disk, which all machines that share it read alike. */
function beat(home: string, own: Own): void {
  if (fstatSync(own.lock.fd).nlink > 0) {
    ftruncateSync(own.lock.fd, 0);
    return;
  }
  // Somebody removed it: it is made anew. Where the whole folder is gone, there is nobody left to tell.
  if (!isThere(folderIn(home))) return;
  unlock(own.lock);
  own.lock = locked(fileOf(home, token));
}

function lookAt(file: string): "locked" | "free" | "missing" {
  if (!isThere(file)) return "missing";
  let db: Database | null = null;
  try {
    db = new Database(file, { readonly: true });
    // Only reads: several may look at once, and none is in the way of another.
    db.prepare("select 1 from sqlite_schema").get();
    return "free";
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    if (!isThere(file)) return "missing";
    // Whatever else keeps it from being opened: who cannot be asked is not taken for dead.
    return "locked";
  } finally {
    db?.close();
  }
}

/** Since its last beat. */
function silenceOf(home: string, of: string): number {
  const probe = join(folderIn(home), `.now-${token}`);
  try {
    closeSync(openSync(probe, "w", 0o600));
    return lstatSync(probe).mtimeMs - lstatSync(fileOf(home, of)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return Number.POSITIVE_INFINITY;
    throw error;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Of processes that were killed and that nobody has asked about. */
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

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}
