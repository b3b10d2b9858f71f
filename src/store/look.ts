// Read-only access to the database: creates no file, migrates nothing, takes no lease and makes nobody wait.
import { constants, Database, SQLiteError, type SQLQueryBindings } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isPresent } from "../platform/presence.ts";
import { asStoreFault } from "./fault.ts";
import { attendantOf, type LeaseRow, leaseColumns } from "./lease.ts";
import { steps } from "./schema.ts";

const patienceMs = 200;
/** The first version whose leases contain more than a pid. */
const leaseVersion = 5;
/** Checking every page of a larger file would take too long. */
const maxChecked = 512 * 2 ** 20;

export interface LookedAt {
  readonly version: number;
  readonly known: number;
  readonly bytes: number;
  readonly sessions: number;
  /** `null`: sound; else the first complaint. `isUnchecked`: too large for a quick check. */
  readonly damage: string | null;
  readonly isUnchecked: boolean;
  /** Sessions whose lease holder runs, and those whose holder does not. */
  readonly held: readonly string[];
  readonly stale: readonly string[];
}

export function databaseFile(home: string): string {
  return join(home, "coder.db");
}

export function recentSessions(home: string, workspace: string, limit: number): readonly (readonly [string, string])[] {
  const sql = "select id, title from sessions where events > 0 and workspace = ?1 order by touched desc limit ?2";
  return look(home, (rows) => rows<[string, string]>(sql, workspace, limit));
}

export function usedModels(home: string, limit: number): readonly string[] {
  const sql = "select model from sessions where model <> '' group by model order by max(touched) desc limit ?1";
  return look(home, (rows) => rows<[string]>(sql, limit)).map(([model]) => model);
}

/** A quick overview. Throws SQLite's error when the file cannot be read at all. */
export function inspect(home: string): LookedAt {
  const bytes = statSync(databaseFile(home)).size;
  const isUnchecked = bytes > maxChecked;
  return look(home, (rows) => {
    const version = rows<[number]>("pragma user_version")[0]?.[0] ?? 0;
    const found = isUnchecked ? "ok" : (rows<[string]>("pragma quick_check(1)")[0]?.[0] ?? "ok");
    const about = { version, known: steps.length, bytes, damage: found === "ok" ? null : found, isUnchecked };
    // A later version may keep its sessions elsewhere.
    if (version === 0 || version > steps.length) return { ...about, sessions: 0, held: [], stale: [] };
    const columns = version < leaseVersion ? "since, pid, start_time, boot_id, '', '', ''" : leaseColumns;
    const leases = rows<[...LeaseRow, string]>(
      `select ${columns}, s.id from leases l join sessions s on s.key = l.session`,
    ).map(([since, pid, start, boot, live, namespace, host, id]) => {
      const who = attendantOf([since, pid, start, boot, live, namespace, host]);
      return { id, isHeld: isPresent(home, who) };
    });
    return {
      ...about,
      sessions: rows<[number]>("select count(*) from sessions where events > 0")[0]?.[0] ?? 0,
      held: leases.filter(({ isHeld }) => isHeld).map(({ id }) => id),
      stale: leases.filter(({ isHeld }) => !isHeld).map(({ id }) => id),
    };
  });
}

type Rows = <Row extends readonly unknown[]>(sql: string, ...values: SQLQueryBindings[]) => readonly Row[];

function look<T>(home: string, work: (rows: Rows) => T): T {
  const path = databaseFile(home);
  const isQuiet = !existsSync(`${path}-wal`);
  try {
    return readFrom(path, isQuiet, work);
  } catch (error) {
    // Somebody began to write meanwhile, so the immutable read was invalid.
    if (!isQuiet || !(error instanceof SQLiteError) || !existsSync(`${path}-wal`)) throw error;
    return readFrom(path, false, work);
  }
}

/** Without writers the file is opened as immutable; otherwise SQLite would leave -wal and -shm files behind even after a read. */
function readFrom<T>(path: string, isQuiet: boolean, work: (rows: Rows) => T): T {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  const db = new Database(`${pathToFileURL(path).href}${isQuiet ? "?immutable=1" : ""}`, flags);
  try {
    db.run(`pragma busy_timeout = ${patienceMs}`);
    return work((sql, ...values) => db.prepare(sql).values(...values) as never);
  } finally {
    db.close();
  }
}

/** The same with our own errors, and `missing` where there is no database. */
export function lookIfThere<T>(home: string, missing: T, work: (rows: Rows) => T): T {
  const path = databaseFile(home);
  try {
    return existsSync(path) ? look(home, work) : missing;
  } catch (error) {
    throw asStoreFault(error, path);
  }
}
