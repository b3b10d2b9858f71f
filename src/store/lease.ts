// One writer per session. A lease outlives a killed holder, so it does not count when its holder no longer runs.
import { dirname } from "node:path";
import type { LeaseHolder } from "../contract/store.ts";
import { bootId, processIdentity } from "../platform/identity.ts";
import { type Attendant, isPresent, ownAttendance } from "../platform/presence.ts";
import type { Connection } from "./connection.ts";

export type Lease =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly holder: LeaseHolder };

/** Call it inside a transaction, after `attend`: others must see that the holder lives before they see the lease. */
export function takeLease(db: Connection, session: number): Lease {
  const holder = liveHolder(db, session);
  if (holder !== null) return { ok: false, holder };
  const token = crypto.randomUUID();
  const own = ownAttendance();
  const lease = [session, token, Date.now(), own.pid, own.startTime, own.bootId, own.token, own.pidNamespace, own.host];
  db.run(
    `insert or replace into leases (session, token, ${leaseColumns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...lease,
  );
  return { ok: true, token };
}

/** No-op when another process took the lease meanwhile. */
export function releaseLease(db: Connection, session: number, token: string): void {
  db.transact(false, () => db.run("delete from leases where session = ? and token = ?", session, token));
}

export const leaseColumns = "since, pid, start_time, boot_id, live, pid_namespace, host";
export type LeaseRow = [number, number, string, string, string, string, string];

export function attendantOf([, pid, startTime, bootId, token, pidNamespace, host]: LeaseRow): Attendant {
  return { pid, startTime, bootId, token, pidNamespace, host };
}

export function holderOf(db: Connection, session: number): LeaseHolder | null {
  const row = rowOf(db, session);
  return row === null ? null : holderFrom(row);
}

/** The living holder; a lease of a killed process does not count. */
export function liveHolder(db: Connection, session: number): LeaseHolder | null {
  const row = rowOf(db, session);
  return row !== null && isPresent(dirname(db.path), attendantOf(row)) ? holderFrom(row) : null;
}

function rowOf(db: Connection, session: number): LeaseRow | null {
  return db.rows<LeaseRow>(`select ${leaseColumns} from leases where session = ?`, session)[0] ?? null;
}

function holderFrom(row: LeaseRow): LeaseHolder {
  const [since] = row;
  const { pid, startTime, bootId: boot, pidNamespace, host } = attendantOf(row);
  const own = processIdentity();
  const isHere = boot === bootId() && (pidNamespace === own.pidNamespace || pidNamespace === "");
  return { pid, startTime, bootId: boot, since, elsewhere: isHere ? null : host.split(" ")[0] || "?" };
}
