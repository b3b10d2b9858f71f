import type { SessionId } from "../contract/ids.ts";
import type { Connection } from "./connection.ts";
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

/** Call it inside a transaction. Another process may be using the source: its committed rows are copied. */
export function copySession(db: Connection, source: number, to: SessionId): void {
  const session = `insert into sessions (key, id, workspace, title, model, forked_from, created_at, updated_at, events, touched, head)
     select ${nextKey}, ?1, workspace, title, model, id, ?2, max(updated_at, ?2), events, 1 + (select max(touched) from sessions), head
     from sessions where key = ?3`;
  db.run(session, to, Date.now(), source);
  const key = db.rows<[number]>("select key from sessions where id = ?", to)[0]?.[0] ?? 0;
  const events = `insert into events (id, type, v, at, accepted, body)
     select id - ?1 + ?2, type, v, at, accepted, body from events where id > ?1 and id < ?1 + ?3 order by id`;
  db.run(events, source * idsPerSession, key * idsPerSession, idsPerSession);
  for (const [table, columns] of Object.entries(owned)) {
    const rows = `insert into ${table} (session, ${columns}) select ?1, ${columns} from ${table} where session = ?2`;
    db.run(rows, key, source);
  }
}
