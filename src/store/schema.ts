import type { Database } from "bun:sqlite";
import { storeFault } from "./fault.ts";

/** `session key × 2^32 + seq` keeps a session's events adjacent on disk; JavaScript represents it exactly up to two million sessions. */
export const idsPerSession = 2 ** 32;

const first = `
create table sessions (
  key integer primary key, id text not null unique, workspace text not null,
  title text not null default '', model text not null default '', forked_from text,
  created_at integer not null, updated_at integer not null,
  events integer not null default 0, touched integer not null);
create index sessions_touched on sessions (touched);
create table events (
  id integer primary key,
  session integer generated always as (id >> 32) virtual,
  seq integer generated always as (id & 4294967295) virtual,
  type text not null, v integer not null, at integer not null, accepted integer not null, body text not null);
create table inputs (
  session integer not null, input text not null, text text not null,
  primary key (session, input)) without rowid;
create table calls (
  session integer not null, call text not null, seq integer not null, tool text not null,
  primary key (session, call)) without rowid;
create table messages (
  session integer not null, seq integer not null, part integer not null,
  role text not null, call text, tool text, status text, text text not null,
  primary key (session, seq, part)) without rowid;
create table todos (
  session integer not null, position integer not null,
  id text not null, content text not null, status text not null, priority text not null,
  primary key (session, position)) without rowid;
create table permission_log (
  session integer not null, seq integer not null, at integer not null, call text not null, tool text,
  decision text, source text, reasons text, answer text, by text, words text,
  primary key (session, seq)) without rowid;
create table blobs (hash text primary key, bytes blob not null);
create table session_blobs (
  session integer not null, hash text not null,
  primary key (session, hash)) without rowid;
create table leases (
  session integer primary key, token text not null,
  pid integer not null, start_time text not null, boot_id text not null, since integer not null);
`;

/**
 * counters: `last_key`, so that no key is reused: a reader of a removed session would find another session under it.
 * removed: keys of removed sessions whose rows are still being deleted.
 */
const second = `
create table counters (name text primary key, value integer not null) without rowid;
create table removed (key integer primary key);
create index session_blobs_hash on session_blobs (hash);
`;

/**
 * rules: stored "always" answers of a workspace; ids are not reused, so that a displayed list stays valid. trust: the hash of the
 * configuration that the user trusted in a workspace.
 */
const third = `
create table rules (
  id integer primary key autoincrement, workspace text not null, rule text not null, at integer not null,
  unique (workspace, rule));
create table trust (workspace text primary key, hash text not null, at integer not null) without rowid;
`;

/** offers: verification commands that the user was asked about and has answered. */
const fourth = `
create table offers (
  workspace text not null, command text not null, at integer not null,
  primary key (workspace, command)) without rowid;
`;

/**
 * leases: evidence that a holder lives, for other PID namespaces and machines too. partials: the beginning of the pending reply, saved
 * from time to time. sessions.head: the workspace's commit at the start of the session; it identifies the repository wherever it is moved.
 */
const fifth = `
alter table leases add column live text not null default '';
alter table leases add column pid_namespace text not null default '';
alter table leases add column host text not null default '';
create table partials (
  session integer primary key, run text not null, step integer not null, attempt integer not null, text text not null);
alter table sessions add column head text not null default '';
`;

/** Step n leads from version n to n + 1. Released steps never change: a database may be at any version. */
export const steps: readonly string[] = [first, second, third, fourth, fifth];

/** Reads the version without writing to the file. Throws when the file is not ours. */
export function checkVersion(db: Database, path: string, known: number): number {
  const found = versionOf(db);
  if (found > known) throw storeFault("store.newer", { path, found, known }, "store.newer.advice");
  // Asked again: another process may have created the tables, and then the version, meanwhile.
  const hasTables = (): boolean => db.prepare("select 1 from sqlite_schema limit 1").get() !== null;
  if (found === 0 && hasTables() && versionOf(db) === 0)
    throw storeFault("store.foreign", { path }, "store.foreign.advice");
  return found;
}

export const nextKey = `1 + max((select coalesce(max(key), 0) from sessions),
  (select coalesce(max(value), 0) from counters where name = 'last_key'))`;

/** All missing steps in one transaction: a file is always at a released version, never in between. */
export function migrate(db: Database, path: string, list: readonly string[]): void {
  db.run("begin immediate");
  try {
    // Another process may have taken steps while we waited for the lock.
    const missing = list.slice(checkVersion(db, path, list.length));
    if (missing.length > 0) db.run(`${missing.join(";")}; pragma user_version = ${list.length}`);
    db.run("commit");
  } catch (error) {
    if (db.inTransaction) db.run("rollback");
    throw error;
  }
}

function versionOf(db: Database): number {
  return db.prepare<{ user_version: number }, []>("pragma user_version").get()?.user_version ?? 0;
}
