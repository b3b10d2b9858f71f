import { Database, SQLiteError, type SQLQueryBindings, type Statement } from "bun:sqlite";
import { statSync } from "node:fs";
import { join } from "node:path";
import { createWhole } from "./create.ts";
import { asStoreFault, busySeconds, storeFault } from "./fault.ts";
import { checkVersion, migrate, steps } from "./schema.ts";

/** The database as the rest of the room sees it: every failure is already E_STORE. */
export interface Connection {
  readonly path: string;
  rows<Row extends readonly unknown[]>(sql: string, ...values: SQLQueryBindings[]): readonly Row[];
  run(sql: string, ...values: SQLQueryBindings[]): number;
  /** A pragma or `vacuum`, compiled each time: SQLite executes some of them during compilation. */
  order(sql: string): readonly (readonly unknown[])[];
  /** Runs `work` in one transaction. `durable`: synced to disk, not only committed, before it returns. */
  transact<T>(durable: boolean, work: () => T): T;
  close(): void;
}

export function connect(home: string): Connection {
  const path = join(home, "coder.db");
  return withStoreFaults(path, () => {
    createWhole(home, path);
    const db = new Database(path, { readwrite: true });
    try {
      prepareDatabase(db, path);
    } catch (error) {
      db.close(true);
      throw error;
    }
    return connectionTo(db, path);
  });
}

function prepareDatabase(db: Database, path: string): void {
  // First: otherwise a second process fails at once instead of waiting while the first one switches to WAL.
  db.run(`pragma busy_timeout = ${busySeconds * 1000}`);
  const version = checkVersion(db, path, steps.length);
  // Only in an empty file. Costs 3 µs per commit; without it only a rewrite of the whole file could return space.
  if (version === 0) db.run("pragma auto_vacuum = incremental");
  // Never OFF: the switch to WAL is the only write to the main file that no later sync of the WAL covers.
  db.run("pragma synchronous = normal");
  switchToWal(db);
  if (version < steps.length) migrate(db, path, steps);
}

/** busy_timeout does not apply here: when two processes switch a new file at once, SQLite refuses one of them. */
function switchToWal(db: Database): void {
  const deadline = performance.now() + busySeconds * 1000;
  for (;;) {
    try {
      db.run("pragma journal_mode = wal");
      return;
    } catch (error) {
      const isBusy = error instanceof SQLiteError && error.code === "SQLITE_BUSY";
      if (!isBusy || performance.now() > deadline) throw error;
      Bun.sleepSync(1);
    }
  }
}

function connectionTo(db: Database, path: string): Connection {
  const made = new Map<string, Statement>();
  const mustBeThere = watchOver(path);
  let level = "normal";
  const statement = (sql: string): Statement => {
    const known = made.get(sql);
    if (known !== undefined) return known;
    const fresh = db.prepare(sql);
    made.set(sql, fresh);
    return fresh;
  };
  const setLevel = (wanted: "full" | "normal"): void => {
    if (wanted === level) return;
    // Not a cached statement: SQLite executes this pragma during compilation.
    db.run(`pragma synchronous = ${wanted}`);
    level = wanted;
  };
  return {
    path,
    rows: <Row extends readonly unknown[]>(sql: string, ...values: SQLQueryBindings[]) =>
      withStoreFaults(path, () => statement(sql).values(...values) as unknown as readonly Row[]),
    run: (sql, ...values) => withStoreFaults(path, () => statement(sql).run(...values).changes),
    order: (sql) =>
      withStoreFaults(path, () => {
        const fresh = db.prepare(sql);
        try {
          return fresh.values();
        } finally {
          fresh.finalize();
        }
      }),
    transact: (durable, work) =>
      withStoreFaults(path, () => {
        setLevel(durable ? "full" : "normal");
        statement("begin immediate").run();
        try {
          const value = work();
          statement("commit").run();
          mustBeThere();
          return value;
        } catch (error) {
          // On a full disk SQLite rolls back by itself.
          if (db.inTransaction) statement("rollback").run();
          throw error;
        }
      }),
    close: () => withStoreFaults(path, () => db.close(true)),
  };
}

/** SQLite keeps writing into files that were deleted or replaced, so a commit counts only if they are the opened ones. Two stats, 5 µs. */
function watchOver(path: string): () => void {
  const known = new Map<string, string>();
  return () => {
    for (const file of [path, `${path}-wal`]) {
      const stat = statSync(file, { throwIfNoEntry: false });
      const found = stat === undefined ? "" : `${stat.dev} ${stat.ino}`;
      const before = known.get(file) ?? found;
      if (found === "" || found !== before) throw storeFault("store.lost", { path: file }, "store.lost.advice");
      known.set(file, found);
    }
  };
}

function withStoreFaults<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asStoreFault(error, path);
  }
}
