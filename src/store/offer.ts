// Verification commands that were offered to the user and refused: they are not offered again in that workspace (VF-2).
import type { Connection } from "./connection.ts";

export function isRefused(db: Connection, workspace: string, command: string): boolean {
  return db.rows("select 1 from offers where workspace = ? and command = ?", workspace, command).length > 0;
}

/** Durable, because a refusal must not be asked about again after a power failure. */
export function keepRefused(db: Connection, workspace: string, command: string, at: number): void {
  db.transact(true, () =>
    db.run("insert or ignore into offers (workspace, command, at) values (?, ?, ?)", workspace, command, at),
  );
}
