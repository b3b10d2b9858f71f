// A new database is made in memory and put in its place as a whole: SQLite's own way syncs the disk nine times.
import { Database } from "bun:sqlite";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../platform/files/failure.ts";
import { migrate, steps } from "./schema.ts";

const ending = ".new";

/** Where there is none yet. Of several processes that do so at once, all use what the first has put there. */
export function createWhole(home: string, path: string): void {
  const links = statSync(path, { throwIfNoEntry: false })?.nlink;
  // Two names: whoever made it was killed before the other one was gone.
  if (links === undefined || links > 1) removeUnfinished(home);
  if (links !== undefined) return;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const unfinished = join(home, `coder.db.${crypto.randomUUID()}${ending}`);
  writeSynced(unfinished, emptyDatabase());
  try {
    // Never over one that another process has made meanwhile, and may be writing to.
    linkSync(unfinished, path);
  } catch (error) {
    // A file system without links, or another process was first: SQLite makes of an empty file what it needs.
    if (errnoOf(error) === undefined) throw error;
    closeSync(openSync(path, "a", 0o600));
  } finally {
    removeUnfinished(home);
  }
}

function emptyDatabase(): Uint8Array {
  using db = new Database(":memory:");
  // Before there is any table. Costs 3 µs per commit; without it space could be given back only by rewriting everything, with all
  // other processes waiting.
  db.run("pragma auto_vacuum = incremental");
  migrate(db, ":memory:", steps);
  const bytes = db.serialize();
  // The format versions of a file in WAL mode.
  bytes[18] = 2;
  bytes[19] = 2;
  return bytes;
}

/** Readable to nobody else; SQLite's -wal and -shm files copy the mode of this one. */
function writeSynced(path: string, bytes: Uint8Array): void {
  const file = openSync(path, "wx", 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } catch (error) {
    unlinkQuietly(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Whoever is making one just now finds its file gone, and uses what is there. */
function removeUnfinished(home: string): void {
  let names: readonly string[] = [];
  try {
    names = readdirSync(home);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
  for (const name of names) if (/^coder\.db\.[\w-]{36}\.new$/.test(name)) unlinkQuietly(join(home, name));
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // Gone already, or a disk that is read-only now.
    if (errnoOf(error) === undefined) throw error;
  }
}
