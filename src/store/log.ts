import type { CoderError } from "../contract/error.ts";
import type { Event, Recorded } from "../contract/event.ts";
import type { SessionId } from "../contract/ids.ts";
import { type Append, holderText, type PartialText, type SessionLog } from "../contract/store.ts";
import type { Connection } from "./connection.ts";
import { storeFault } from "./fault.ts";
import { holderOf, releaseLease } from "./lease.ts";
import { withRoles } from "./older-calls.ts";
import { project } from "./project.ts";
import { idsPerSession } from "./schema.ts";

const maxPageRows = 128;
/** A result may be megabytes long: then the next page has fewer rows, so that memory stays bounded. */
const pageChars = 4_000_000;

export interface Held {
  readonly id: SessionId;
  readonly key: number;
  readonly token: string;
}

type SessionKey = Pick<Held, "id" | "key">;

export function sessionLog(db: Connection, held: Held, onClose: (log: SessionLog) => void): SessionLog {
  let isOpen = true;
  const log: SessionLog = {
    id: held.id,
    append: (batch) => append(db, held, batch),
    read: (from) => readEvents(db, held, from),
    blob: (hash) => readBlob(db, hash),
    keepPartial: (partial) => keepPartial(db, held, partial),
    partial: () => partialOf(db, held),
    forget: (hashes) => forget(db, held, hashes),
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      onClose(log);
      releaseLease(db, held.key, held.token);
    },
  };
  return log;
}

export function readBlob(db: Connection, hash: string): Uint8Array | null {
  return db.rows<[Uint8Array]>("select bytes from blobs where hash = ?", hash)[0]?.[0] ?? null;
}

/** No-op when the lease was lost: the text would be taken for part of the new holder's reply. */
function keepPartial(db: Connection, { key, token }: Held, { runId, index, attempt, text }: PartialText): void {
  const sql = `insert or replace into partials (session, run, step, attempt, text)
     select session, ?, ?, ?, ? from leases where session = ? and token = ?`;
  db.transact(false, () => db.run(sql, runId, index, attempt, text.toWellFormed(), key, token));
}

function partialOf(db: Connection, { key }: Held): PartialText | null {
  const sql = "select run, step, attempt, text from partials where session = ?";
  const [row] = db.rows<[string, number, number, string]>(sql, key);
  return row === undefined ? null : { runId: row[0], index: row[1], attempt: row[2], text: row[3] };
}

/** Per transaction: blobs may be megabytes each, and other writers wait. */
const forgottenAtOnce = 16;

function forget(db: Connection, { key }: Held, hashes: readonly string[]): void {
  for (let at = 0; at < hashes.length; at += forgottenAtOnce) {
    db.transact(false, () => {
      for (const hash of hashes.slice(at, at + forgottenAtOnce)) {
        db.run("delete from session_blobs where session = ? and hash = ?", key, hash);
        db.run("delete from blobs where hash = ?1 and not exists (select 1 from session_blobs where hash = ?1)", hash);
      }
    });
  }
}

function append(db: Connection, held: Held, batch: Append): void {
  db.transact(batch.durable, () => {
    claimPlace(db, held, batch);
    for (const { hash, bytes } of batch.blobs) {
      db.run("insert or ignore into blobs (hash, bytes) values (?, ?)", hash, bytes);
      db.run("insert or ignore into session_blobs (session, hash) values (?, ?)", held.key, hash);
    }
    const sql = "insert into events (id, type, v, at, accepted, body) values (?, ?, ?, ?, ?, ?)";
    for (const [index, { event, accepted }] of batch.entries.entries()) {
      const seq = batch.from + index;
      const id = held.key * idsPerSession + seq;
      // Serialised here, so that it is freed at once: it is megabytes long for a command that changed 50,000 files.
      db.run(sql, id, event.type, event.v, event.at, accepted ? 1 : 0, JSON.stringify(event));
      if (accepted) project({ db, session: held.key, seq }, event);
    }
  });
}

/** Call it inside the transaction; otherwise two writers could both succeed. */
function claimPlace(db: Connection, held: Held, batch: Append): void {
  const at = batch.entries.reduce((latest, { event }) => Math.max(latest, event.at), 0);
  // Ordered by a counter instead of the clock. The most recent session keeps its value.
  const sql = `update sessions set events = events + ?1, updated_at = max(updated_at, ?2),
       touched = case when touched < (select max(touched) from sessions) then 1 + (select max(touched) from sessions) else touched end
     where key = ?3 and events = ?4 and exists (select 1 from leases where session = ?3 and token = ?5)`;
  const claimed = db.run(sql, batch.entries.length, at, held.key, batch.from - 1, held.token);
  if (claimed === 0) throw whyRefused(db, held, batch.from);
}

function whyRefused(db: Connection, { id, key, token }: Held, from: number): Error {
  const [row] = db.rows<[string]>("select token from leases where session = ?", key);
  const holder = holderOf(db, key);
  if (row === undefined || holder === null) return storeFault("store.lease_gone", { id }, "store.lease_gone.advice");
  if (row[0] !== token)
    return storeFault("store.lease_lost", { id, who: holderText(holder) }, "store.lease_lost.advice");
  const [count] = db.rows<[number]>("select events from sessions where key = ?", key);
  return storeFault("store.out_of_order", { id, from, next: (count?.[0] ?? 0) + 1 }, "advice.internal");
}

/** In pages: a half-read statement would keep its view of the database, and the WAL could not shrink. */
export function readEvents(db: Connection, session: SessionKey, from = 1): Iterable<Recorded> {
  return { [Symbol.iterator]: () => eventsOf(db, session, from) };
}

function* eventsOf(db: Connection, { id, key }: SessionKey, from: number): Generator<Recorded> {
  const base = key * idsPerSession;
  const [session] = db.rows<[number]>("select events from sessions where key = ?", key);
  let seq = from - 1;
  let pageRows = 16;
  for (;;) {
    const limit = pageRows;
    const sql = "select id, accepted, body from events where id > ? and id < ? order by id limit ?";
    const page = db.rows<[number, number, string]>(sql, base + seq, base + idsPerSession, limit);
    let chars = 0;
    // Indexed instead of destructured: this runs for every event of a session that is opened.
    for (const row of page) {
      const body = row[2];
      chars += body.length;
      seq += 1;
      const event = row[0] === base + seq ? decode(body) : null;
      if (event === null) throw whyMissing(db, { id, key }, seq);
      yield { seq, accepted: row[1] === 1, event };
    }
    pageRows = Math.max(1, Math.min(maxPageRows, Math.floor((limit * pageChars) / (chars + 1))));
    if (page.length === limit) continue;
    // Another process may add events meanwhile, or remove the session; otherwise none may be missing.
    if (seq < (session?.[0] ?? 0)) throw whyMissing(db, { id, key }, seq + 1);
    return;
  }
}

function whyMissing(db: Connection, { id, key }: SessionKey, seq: number): CoderError {
  const [still] = db.rows("select 1 from sessions where key = ?", key);
  if (still === undefined) return storeFault("store.removed", { id }, "store.missing.advice");
  return storeFault("store.damaged_event", { path: db.path, id, seq }, "store.damaged.advice");
}

function decode(body: string): Event | null {
  try {
    return withRoles(JSON.parse(body) as Event);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
