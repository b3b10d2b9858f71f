import { existsSync } from "node:fs";
import { type Connection, connect } from "./connection.ts";
import { databaseFile, lookIfThere } from "./look.ts";

/** The hash under which a workspace (real path) was trusted; `null`: never. Creates no file and migrates nothing. */
export function trustedHash(home: string, workspace: string): string | null {
  return lookIfThere<string | null>(home, null, (rows) => {
    const [table] = rows("select 1 from sqlite_schema where type = 'table' and name = 'trust'");
    if (table === undefined) return null;
    return rows<[string]>("select hash from trust where workspace = ?", workspace)[0]?.[0] ?? null;
  });
}

export function recordTrust(home: string, workspace: string, hash: string, now: number): void {
  const sql = "insert or replace into trust (workspace, hash, at) values (?, ?, ?)";
  writing(home, (db) => db.run(sql, workspace, hash, now));
}

/** Only if it still equals `from`: another process may have recorded a newer hash. */
export function moveTrust(home: string, workspace: string, from: string | null, to: string, now: number): void {
  const sql = "update trust set hash = ?1, at = ?2 where workspace = ?3 and hash = ?4";
  writing(home, (db) => db.run(sql, to, now, workspace, from));
}

export function revokeTrust(home: string, workspace: string): boolean {
  if (!existsSync(databaseFile(home))) return false;
  return writing(home, (db) => db.run("delete from trust where workspace = ?", workspace)) > 0;
}

function writing(home: string, work: (db: Connection) => number): number {
  const db = connect(home);
  try {
    return db.transact(true, () => work(db));
  } finally {
    db.close();
  }
}
