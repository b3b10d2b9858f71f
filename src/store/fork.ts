import type { SessionId } from "../contract/ids.ts";
import type { Connection } from "./connection.ts";
import { readEvents } from "./log.ts";
import { project } from "./project.ts";
import { idsPerSession, nextKey } from "./schema.ts";

/** Tables whose rows belong to one session, with the columns beside `session`. */
export const owned = {
  inputs: "input, text",
  calls: "call, seq, tool",
  messages: "seq, part, role, call, tool, status, text",
  todos: "position, id, content, status, priority",
  permission_log: "seq, at, call, tool, decision, source, reasons, answer, by, words",
  session_blobs: "hash",
} as const;

const tables = Object.keys(owned) as readonly (keyof typeof owned)[];

/** Call it inside a transaction. Another process may be using the source: its committed rows are copied. */
export function copySession(db: Connection, source: number, to: SessionId): void {
  const key = copyRow(db, { source, to, title: "title", events: "events" });
  copyEvents(db, { source, key, before: idsPerSession });
  for (const table of tables) copyTable(db, source, key, table);
}

/** The same up to an event. What stands in the other tables follows from the events. */
export function copyBeginning(db: Connection, source: number, to: SessionId, before: number): void {
  const key = copyRow(db, { source, to, title: "''", events: String(before - 1) });
  copyEvents(db, { source, key, before });
  copyTable(db, source, key, "session_blobs");
  for (const { seq, accepted, event } of readEvents(db, { id: to, key }))
    if (accepted) project({ db, session: key, seq }, event);
}

interface NewRow {
  readonly source: number;
  readonly to: SessionId;
  /** In SQL. */
  readonly title: string;
  readonly events: string;
}

function copyRow(db: Connection, { source, to, title, events }: NewRow): number {
  const session = `insert into sessions (key, id, workspace, title, model, forked_from, created_at, updated_at, events, touched, head)
     select ${nextKey}, ?1, workspace, ${title}, model, id, ?2, max(updated_at, ?2), ${events}, 1 + (select max(touched) from sessions), head
     from sessions where key = ?3`;
  db.run(session, to, Date.now(), source);
  return db.rows<[number]>("select key from sessions where id = ?", to)[0]?.[0] ?? 0;
}

interface Copied {
  readonly source: number;
  readonly key: number;
  readonly before: number;
}

function copyEvents(db: Connection, { source, key, before }: Copied): void {
  const events = `insert into events (id, type, v, at, accepted, body)
     select id - ?1 + ?2, type, v, at, accepted, body from events where id > ?1 and id < ?1 + ?3 order by id`;
  db.run(events, source * idsPerSession, key * idsPerSession, before);
}

function copyTable(db: Connection, source: number, key: number, table: keyof typeof owned): void {
  const columns = owned[table];
  db.run(
    `insert into ${table} (session, ${columns}) select ?1, ${columns} from ${table} where session = ?2`,
    key,
    source,
  );
}
