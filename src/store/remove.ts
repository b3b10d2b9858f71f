// Retention: the size of each session, and its complete removal.
import type { Holding } from "../contract/store.ts";
import type { Connection } from "./connection.ts";
import { storeFault } from "./fault.ts";
import { owned } from "./fork.ts";
import { liveHolder } from "./lease.ts";
import type { Held } from "./log.ts";
import { idsPerSession } from "./schema.ts";

type Row = [number, string, string, string, string, number, number, number, number];

/** The used pages of the file, divided in proportion to the bytes of events and blobs. */
export function holdings(db: Connection): readonly Holding[] {
  const rows = db.rows<Row>(
    `select s.key, s.id, s.title, s.workspace, s.model, s.created_at, s.updated_at, s.events,
       coalesce((select sum(octet_length(body)) from events
         where events.id > s.key * ?1 and events.id < (s.key + 1) * ?1), 0) + coalesce(b.bytes, 0)
     from sessions s left join (
       select newest, sum(octet_length(bytes)) bytes
       from (select hash, max(session) newest from session_blobs group by hash) join blobs using (hash)
       group by newest) b on b.newest = s.key
     order by s.touched desc`,
    idsPerSession,
  );
  const counted = rows.reduce((sum, row) => sum + row[8], 0);
  const share = counted === 0 ? 1 : Math.max(1, usedBytes(db) / counted);
  return rows.map(([key, id, title, workspace, model, createdAt, updatedAt, events, bytes]) => ({
    ...{ id, title, workspace, model, createdAt, updatedAt, events },
    bytes: Math.round(bytes * share),
    holder: liveHolder(db, key),
  }));
}

export function usedBytes(db: Connection): number {
  return (numberOf(db, "page_count") - numberOf(db, "freelist_count")) * numberOf(db, "page_size");
}

export function numberOf(db: Connection, pragma: string): number {
  return Number(db.order(`pragma ${pragma}`)[0]?.[0] ?? 0);
}

/** Removes the session for everybody in one short transaction; `sweep` deletes its rows later. */
export function removeRow(db: Connection, held: Held): void {
  erasing(db, () => db.transact(true, () => removeHeld(db, held)));
}

function removeHeld(db: Connection, { id, key, token }: Held): void {
  const released = db.run("delete from leases where session = ? and token = ?", key, token);
  if (released === 0) throw storeFault("store.lease_gone", { id }, "store.lease_gone.advice");
  const above = "(select forked_from from sessions where key = ?1)";
  db.run(`update sessions set forked_from = ${above} where forked_from = ?2`, key, id);
  db.run("delete from partials where session = ?", key);
  db.run("delete from sessions where key = ?", key);
  db.run("insert into removed (key) values (?)", key);
  const lastKey = "insert into counters (name, value) values ('last_key', ?1)";
  db.run(`${lastKey} on conflict (name) do update set value = max(value, ?1)`, key);
}

/** Rows per transaction: results and pre-images may be megabytes each, and other writers wait at most `busySeconds`. */
const eventsAtOnce = 64;
const blobsAtOnce = 4;

/** Deletes rows of removed sessions in small steps, so that other processes get their turn; stops at the deadline. */
export function sweep(db: Connection, deadline: number): void {
  const keys = db.rows<[number]>("select key from removed").map(([key]) => key);
  if (keys.length === 0) return;
  erasing(db, () => {
    for (const key of keys) if (!sweepOne(db, key, deadline)) return;
  });
}

/** Deleted content must not remain readable in free pages. */
function erasing(db: Connection, work: () => void): void {
  db.order("pragma secure_delete = on");
  try {
    work();
  } finally {
    db.order("pragma secure_delete = off");
  }
}

function sweepOne(db: Connection, key: number, deadline: number): boolean {
  const all = (work: () => number): boolean => {
    while (performance.now() < deadline) if (db.transact(false, work) === 0) return true;
    return false;
  };
  const [from, to] = [key * idsPerSession, (key + 1) * idsPerSession];
  const events = "select id from events where id > ? and id < ? order by id limit ?";
  if (!all(() => db.run(`delete from events where id in (${events})`, from, to, eventsAtOnce))) return false;
  const messages = "select seq from messages where session = ?1 order by seq limit ?2";
  const some = `delete from messages where session = ?1 and seq in (${messages})`;
  if (!all(() => db.run(some, key, eventsAtOnce)) || !all(() => sweepBlobs(db, key))) return false;
  db.transact(false, () => {
    for (const table of Object.keys(owned)) db.run(`delete from ${table} where session = ?`, key);
    db.run("delete from removed where key = ?", key);
  });
  return true;
}

function sweepBlobs(db: Connection, key: number): number {
  const some = "select hash from session_blobs where session = ?1 order by hash limit ?2";
  const others = "select 1 from session_blobs o where o.hash = blobs.hash and o.session <> ?1";
  db.run(`delete from blobs where hash in (${some}) and not exists (${others})`, key, blobsAtOnce);
  return db.run(`delete from session_blobs where session = ?1 and hash in (${some})`, key, blobsAtOnce);
}

const dayMs = 86_400_000;

export function claimDay(db: Connection, now: number): boolean {
  return db.transact(false, () => {
    const last = db.rows<[number]>("select value from counters where name = 'retained_at'")[0]?.[0] ?? 0;
    // A clock that was set back must not stop retention forever.
    if (now >= last && now - last < dayMs) return false;
    db.run("insert or replace into counters (name, value) values ('retained_at', ?)", now);
    return true;
  });
}
