import type { SessionId } from "../contract/ids.ts";
import type { Removal, SessionLog, SessionRow, Store } from "../contract/store.ts";
import { attend } from "../platform/presence.ts";
import { dropRule, keepRules, keptRules } from "./allow.ts";
import { type Connection, connect } from "./connection.ts";
import { storeFault } from "./fault.ts";
import { copyBeginning, copySession } from "./fork.ts";
import { liveHolder, releaseLease, takeLease } from "./lease.ts";
import { type Held, readBlob, readEvents, sessionLog } from "./log.ts";
import { claimDay, holdings, removeRow } from "./remove.ts";
import { idsPerSession, nextKey } from "./schema.ts";
import { shrink } from "./shrink.ts";

/** Throws CoderError(E_STORE) when the database is unusable. */
export function openStore(home: string): Store {
  const db = connect(home);
  const open = new Set<SessionLog>();
  let leave: (() => void) | null = null;
  /** A lease may be taken only while others can see that its holder lives. */
  const leasing = <T>(work: () => T): T =>
    db.transact(false, () => {
      leave ??= attend(home);
      return work();
    });
  const logOf = (held: Held): SessionLog => {
    const log = sessionLog(db, held, (closed) => open.delete(closed));
    open.add(log);
    return log;
  };
  return {
    create: (id, workspace, head = "") => logOf(leasing(() => createSession(db, id, workspace, head))),
    open: (id) => {
      const opened = leasing(() => openSession(db, id));
      return opened.ok ? { ok: true, log: logOf(opened.held) } : opened;
    },
    peek: (id) => {
      const key = keyOf(db, id);
      return key === null ? null : readEvents(db, { id, key });
    },
    sessions: ({ workspace, limit }) =>
      workspace === undefined ? list(db, "true", limit) : list(db, "workspace = ?2", limit, workspace),
    elsewhere: (workspace) => elsewhere(db, workspace),
    find: (prefix) => list(db, "substr(id, 1, length(?2)) = ?2", 10, prefix),
    fork: (from, to, before) => logOf(leasing(() => forkSession(db, from, to, before))),
    isBeingStarted: (id) => isBeingStarted(db, id),
    blob: (hash) => readBlob(db, hash),
    holdings: () => holdings(db),
    remove: (id, files) => {
      const opened = leasing(() => openSession(db, id));
      return removeSession(db, opened, files);
    },
    shrink: (patienceMs) => shrink(db, patienceMs),
    rulesOf: (workspace) => keptRules(db, workspace),
    addRules: (workspace, rules) => keepRules(db, workspace, rules, Date.now()),
    removeRule: (workspace, id) => dropRule(db, workspace, id),
    // Durable, because a refusal must not be asked about again after a power failure (VF-2).
    keepRefused: (workspace, command) =>
      db.transact(true, () => {
        const sql = "insert or ignore into offers (workspace, command, at) values (?, ?, ?)";
        db.run(sql, workspace, command, Date.now());
      }),
    isRefused: (workspace, command) =>
      db.rows("select 1 from offers where workspace = ? and command = ?", workspace, command).length > 0,
    claimDay: (now) => claimDay(db, now),
    close: () => {
      try {
        for (const log of open) log.close();
      } finally {
        db.close();
        leave?.();
        leave = null;
      }
    },
  };
}

function createSession(db: Connection, id: SessionId, workspace: string, head: string): Held {
  if (keyOf(db, id) !== null) throw storeFault("store.exists", { id }, "store.exists.advice");
  const sql = `insert into sessions (key, id, workspace, created_at, updated_at, touched, head)
     values (${nextKey}, ?1, ?2, ?3, ?3, 1 + (select coalesce(max(touched), 0) from sessions), ?4)`;
  db.run(sql, id, workspace, Date.now(), head);
  return heldNew(db, id);
}

function forkSession(db: Connection, from: SessionId, to: SessionId, before?: number): Held {
  const source = keyOf(db, from);
  if (source === null) throw storeFault("store.missing", { id: from }, "store.missing.advice");
  if (keyOf(db, to) !== null) throw storeFault("store.exists", { id: to }, "store.exists.advice");
  if (before === undefined) copySession(db, source, to);
  else copyBeginning(db, source, to, before);
  return heldNew(db, to);
}

function isBeingStarted(db: Connection, id: SessionId): boolean {
  const [row] = db.rows<[number, string | null]>("select key, forked_from from sessions where id = ?", id);
  if (row === undefined || liveHolder(db, row[0]) === null) return false;
  const [from, to] = [row[0] * idsPerSession, (row[0] + 1) * idsPerSession];
  const reply = "select 1 from events where id > ? and id < ? and type = 'model.replied' limit 1";
  return row[1] !== null || db.rows(reply, from, to).length === 0;
}

/** Under its lease, so that nobody opens it meanwhile. If killed before the end, the whole session remains, with a stale lease. */
function removeSession(db: Connection, opened: Opened, files: Parameters<Store["remove"]>[1]): Removal {
  if (!opened.ok) return opened;
  const { id, key, token } = opened.held;
  try {
    const row = db.rows<Listed>(`select ${listedColumns} from sessions where key = ?`, key)[0];
    const [copies] = db.rows("select 1 from sessions where forked_from = ? limit 1", id);
    if (row !== undefined) files(rowOf(row), copies !== undefined);
  } catch (error) {
    releaseLease(db, key, token);
    throw error;
  }
  removeRow(db, opened.held);
  return { ok: true };
}

/** The lease of a session created in this transaction: nobody else can hold it. */
function heldNew(db: Connection, id: SessionId): Held {
  const opened = openSession(db, id);
  if (!opened.ok) throw new Error(`session ${id} was made and is ${opened.reason} in one transaction`);
  return opened.held;
}

type Opened = { readonly ok: true; readonly held: Held } | Exclude<ReturnType<Store["open"]>, { readonly ok: true }>;

function openSession(db: Connection, id: SessionId): Opened {
  const key = keyOf(db, id);
  if (key === null) return { ok: false, reason: "missing" };
  const lease = takeLease(db, key);
  if (!lease.ok) return { ok: false, reason: "held", holder: lease.holder };
  return { ok: true, held: { id, key, token: lease.token } };
}

function keyOf(db: Connection, id: SessionId): number | null {
  return db.rows<[number]>("select key from sessions where id = ?", id)[0]?.[0] ?? null;
}

const listedColumns = "id, title, workspace, model, created_at, updated_at, events";
type Listed = [string, string, string, string, number, number, number];

/** Skips sessions that were killed before their first event: there is nothing to show or resume. */
function list(db: Connection, condition: string, ...values: [limit: number] | [limit: number, value: string]) {
  const sql = `select ${listedColumns}
    from sessions where events > 0 and ${condition} order by touched desc limit ?1`;
  return db.rows<Listed>(sql, ...values).map(rowOf);
}

function elsewhere(db: Connection, workspace: string): ReturnType<Store["elsewhere"]> {
  const sql = `select ${listedColumns}, head from sessions where events > 0 and workspace <> ? order by touched desc`;
  return db.rows<[...Listed, string]>(sql, workspace).map((row) => {
    const [id, title, from, model, createdAt, updatedAt, events, head] = row;
    return { ...rowOf([id, title, from, model, createdAt, updatedAt, events]), head };
  });
}

function rowOf([id, title, workspace, model, createdAt, updatedAt, events]: Listed): SessionRow {
  return { id, title, workspace, model, createdAt, updatedAt, events };
}
