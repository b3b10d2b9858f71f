// The index of one workspace. It holds nothing valuable, so a file with any problem is replaced.
import { Database, SQLiteError, type SQLQueryBindings, type Statement } from "bun:sqlite";
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statfsSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../platform/files/failure.ts";

/** Increase it whenever stored data or the splitting of words changes. */
const version = 5;
const application = 0x636f6478;
/** A wait inside SQLite blocks the whole process. */
const busyMs = 5;
const openPatienceMs = 2000;
const patienceMs = 10_000;
const unusedDays = 60;
/** The session log is on the same disk, and a session ends if its log cannot be written. */
const leastFreeBytes = 256 * 2 ** 20;

const schema = `
create table files (id integer primary key, path text not null unique, hash text not null, is_final integer not null,
  mode integer, ino integer, size integer, ctime integer, ctime_ns integer, mtime integer, mtime_ns integer);
create table facts (id integer primary key, symbols text not null, defs blob not null, uses blob not null);
create index waiting on files (is_final) where is_final = 0;
create table ranks (id integer primary key, rank real not null);
create index by_rank on ranks (rank, id);
create table notes (key text primary key, value integer not null);
create virtual table words using fts5(path, names, notes, body, content='', contentless_delete=1, tokenize='ascii');
create virtual table terms using fts5vocab(words, row);
`;

export interface IndexFile {
  readonly path: string;
  rows<Row extends readonly unknown[]>(sql: string, ...values: SQLQueryBindings[]): readonly Row[];
  run(sql: string, ...values: SQLQueryBindings[]): void;
  /** All of `work` or nothing. `work` may pause, but nothing else may write through this connection meanwhile. */
  transact(work: () => Promise<void> | void): Promise<void>;
  readonly bytes: () => number;
  readonly isCurrent: () => boolean;
  close(): void;
}

/** Opens the index, or makes an empty one if there is none or it is unusable. */
export async function connectIndex(path: string, signal: AbortSignal): Promise<IndexFile> {
  try {
    return await patiently(() => connectOnce(path, signal), openPatienceMs, signal);
  } catch (error) {
    if (!isDamage(error)) throw error;
    discardIndex(path);
    return await patiently(() => connectOnce(path, signal), openPatienceMs, signal);
  }
}

/** Never waits: `null` if there is no index yet, and throws if another process holds it. */
export function connectAtOnce(path: string, signal: AbortSignal): IndexFile | null {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return null;
  return opened(path, signal, (db) => {
    if (!isOurs(db) && tablesIn(db) > 0) throw new UselessIndex("another version");
  });
}

/** Damaged, of another version, or not a database. */
class UselessIndex extends Error {}

/** SQLite does not notice every damage, so values are checked before use. */
export function mustBe(isSound: boolean): void {
  if (!isSound) throw new UselessIndex("a value of another kind");
}

export function isDamage(error: unknown): boolean {
  if (error instanceof UselessIndex) return true;
  // Our statements never change, so any error of SQLite except for those of the disk or the moment is the file's fault.
  return error instanceof SQLiteError && !ofTheMoment.test(error.code ?? "");
}

/** A truncated file, or one that claims to be read-only, is damaged. */
const ofTheMoment = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR(?!_SHORT_READ)|CANTOPEN|PERM|NOMEM|INTERRUPT|AUTH|PROTOCOL)/;

function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && /^SQLITE_BUSY/.test(error.code ?? "");
}

/** The error code that makes the index unusable now; `null` for a bug. */
export function refusalOf(error: unknown): string | null {
  if (error instanceof SQLiteError) return error.code ?? "SQLITE";
  return errnoOf(error) ?? null;
}

export function isNoRoom(error: unknown): boolean {
  return ["SQLITE_FULL", "ENOSPC", "EDQUOT"].includes(refusalOf(error) ?? "");
}

function mustHaveRoom(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < leastFreeBytes) throw Object.assign(new Error("too little room"), { code: "ENOSPC" });
}

export function discardIndex(path: string): void {
  // The log first: beside a new file it would be applied to that one.
  for (const ending of ["-wal", "-shm", "-journal", ""]) rmSync(`${path}${ending}`, { force: true, recursive: true });
}

function connectOnce(path: string, signal: AbortSignal): IndexFile {
  const folder = join(path, "..");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  mustHaveRoom(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new UselessIndex("not a file");
  // SQLite would make the file readable to everyone; -wal and -shm copy its mode.
  closeSync(openSync(path, "a", 0o600));
  return opened(path, signal, prepare);
}

function opened(path: string, signal: AbortSignal, look: (db: Database) => void): IndexFile {
  const db = new Database(path, { readwrite: true });
  try {
    // Before anything else: without it a second process gets an error at once.
    db.run(`pragma busy_timeout = ${busyMs}`);
    look(db);
    db.run("pragma cache_size = -16000");
    return indexFile(db, path, signal);
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepare(db: Database): void {
  // A power cut may damage the file, which is then replaced; waiting for the disk would block the process.
  db.run("pragma synchronous = off");
  db.run("pragma journal_mode = wal");
  // Fewer checkpoints copy frequently changed pages less often.
  db.run("pragma wal_autocheckpoint = 4000");
  // Check before the transaction: another process may be writing, and that is no reason to wait.
  if (isOurs(db)) return;
  db.transaction(() => {
    if (isOurs(db)) return;
    if (tablesIn(db) > 0) throw new UselessIndex("another version");
    db.run(schema);
    // Until all files are read once: see `merge.ts`.
    db.run("insert into words (words, rank) values ('automerge', 0)");
    db.run("insert into words (words, rank) values ('crisismerge', 1999)");
    db.run("insert into notes values ('unmerged', 1)");
    db.run(`pragma application_id = ${application}`);
    db.run(`pragma user_version = ${version}`);
  }).immediate();
}

function tablesIn(db: Database): number {
  const [[tables = 0] = []] = db.query("select count(*) from sqlite_schema").values() as number[][];
  return tables;
}

function isOurs(db: Database): boolean {
  const [[kind = 0] = []] = db.query("pragma application_id").values() as number[][];
  const [[found = 0] = []] = db.query("pragma user_version").values() as number[][];
  return kind === application && found === version;
}

function indexFile(db: Database, path: string, signal: AbortSignal): IndexFile {
  const { ino } = statSync(path);
  const made = new Map<string, Statement>();
  const statement = (sql: string): Statement => {
    const known = made.get(sql);
    if (known !== undefined) return known;
    const fresh = db.prepare(sql);
    made.set(sql, fresh);
    return fresh;
  };
  return {
    path,
    rows: <Row extends readonly unknown[]>(sql: string, ...values: SQLQueryBindings[]) =>
      statement(sql).values(...values) as unknown as readonly Row[],
    run: (sql, ...values) => {
      statement(sql).run(...values);
    },
    bytes: () =>
      statement("select page_count * page_size from pragma_page_count, pragma_page_size").values()[0]?.[0] as number,
    transact: async (work) => {
      mustHaveRoom(join(path, ".."));
      await patiently(() => statement("begin immediate").run(), patienceMs, signal);
      try {
        await work();
        statement("commit").run();
      } catch (error) {
        if (db.inTransaction) statement("rollback").run();
        throw error;
      }
    },
    isCurrent: () => statSync(path, { throwIfNoEntry: false })?.ino === ino,
    close: () => {
      // Otherwise SQLite keeps the connection and its locks until all statements are garbage-collected.
      for (const one of made.values()) one.finalize();
      db.close(true);
    },
  };
}

/** Retries while another process writes, without blocking this process; stops when the index is closed. */
async function patiently<T>(work: () => T, forMs: number, signal: AbortSignal): Promise<T> {
  const deadline = performance.now() + forMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || signal.aborted || performance.now() > deadline) throw error;
      await Bun.sleep(3);
    }
  }
}

/** Removes the indexes of workspaces that were not opened for long; the one at `path` counts as opened now. */
export function removeUnused(path: string): void {
  const folder = join(path, "..");
  const before = Date.now() - unusedDays * 86_400_000;
  try {
    utimesSync(path, new Date(), new Date());
    for (const name of readdirSync(folder)) {
      const other = join(folder, name);
      if (!/^[0-9a-f]{24}\.db$/.test(name) || other === path) continue;
      const times = [other, `${other}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (Math.max(...times) < before) discardIndex(other);
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}
