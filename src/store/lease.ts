// One writer per session. A lease outlives a killed holder, so a holder that no longer runs loses it.
import type { LeaseHolder } from "../contract/store.ts";
import { bootId, isAlive, processIdentity } from "../platform/identity.ts";
import type { Connection } from "./connection.ts";

export type Lease =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly holder: LeaseHolder };

/** Inside a transaction. */
export function takeLease(db: Connection, session: number): Lease {
  const holder = liveHolder(db, session);
  if (holder !== null) return { ok: false, holder };
  const token = crypto.randomUUID();
  const own = processIdentity();
  db.run(
    "insert or replace into leases (session, token, pid, start_time, boot_id, since) values (?, ?, ?, ?, ?, ?)",
    session,
    token,
    own.pid,
    own.startTime,
    own.bootId,
    Date.now(),
  );
  return { ok: true, token };
}

/** Does nothing when the lease was lost meanwhile: it is the other one's now. */
export function releaseLease(db: Connection, session: number, token: string): void {
  db.transact(false, () => db.run("delete from leases where session = ? and token = ?", session, token));
}

export function holderOf(db: Connection, session: number): LeaseHolder | null {
  const [row] = db.rows<[number, string, string, number]>(
    "select pid, start_time, boot_id, since from leases where session = ?",
    session,
  );
  return row === undefined ? null : { pid: row[0], startTime: row[1], bootId: row[2], since: row[3] };
}

/** Who really has it open; a lease that a killed process left behind is nobody's. */
export function liveHolder(db: Connection, session: number): LeaseHolder | null {
  const holder = holderOf(db, session);
  return holder !== null && isHeld(holder) ? holder : null;
}

function isHeld(holder: LeaseHolder): boolean {
  return holder.bootId === bootId() && isAlive(holder.pid, holder.startTime);
}
