// Builds a new database in memory and puts it in place as a whole: SQLite's own way syncs the disk nine times.
import { Database } from "bun:sqlite";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, statSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../platform/files/failure.ts";
import { listNames, orNull } from "../platform/files/probe.ts";
import { migrate, steps } from "./schema.ts";

const ending = ".new";

/** Creates the database if it is missing. Of several processes that do so at once, all use the first one's file. */
export function createWhole(home: string, path: string): void {
  const links = statSync(path, { throwIfNoEntry: false })?.nlink;
  // Two links: its creator was killed before removing the other name.
  if (links === undefined || links > 1) removeUnfinished(home);
  if (links !== undefined) return;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const unfinished = join(home, `coder.db.${crypto.randomUUID()}${ending}`);
  writeSynced(unfinished, emptyDatabase());
  try {
    // Fails if another process has created one meanwhile, which may be in use.
    linkSync(unfinished, path);
  } catch (error) {
    // No hard links, or another process was first: SQLite initialises an empty file itself.
    if (errnoOf(error) === undefined) throw error;
    closeSync(openSync(path, "a", 0o600));
  } finally {
    removeUnfinished(home);
  }
}

function emptyDatabase(): Uint8Array {
  using db = new Database(":memory:");
  // Before the first table. Costs 3 µs per commit; without it only a rewrite of the whole file could return space.
  db.run("pragma auto_vacuum = incremental");
  migrate(db, ":memory:", steps);
  const bytes = db.serialize();
  // The format versions of a file in WAL mode.
  bytes[18] = 2;
  bytes[19] = 2;
  return bytes;
}

/** Private; SQLite's -wal and -shm files copy this mode. */
function writeSynced(path: string, bytes: Uint8Array): void {
  const file = openSync(path, "wx", 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } catch (error) {
    orNull(() => unlinkSync(path));
    throw error;
  } finally {
    closeSync(file);
  }
}

/** A process that is creating one right now finds its file gone and uses the existing database. */
function removeUnfinished(home: string): void {
  for (const name of listNames(home))
    if (/^coder\.db\.[\w-]{36}\.new$/.test(name)) orNull(() => unlinkSync(join(home, name)));
}
