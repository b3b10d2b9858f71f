// Returns unused pages to the file system while other processes keep writing.
import { statSync } from "node:fs";
import { CoderError } from "../contract/error.ts";
import type { Connection } from "./connection.ts";
import { busySeconds } from "./fault.ts";
import { liveHolder } from "./lease.ts";
import { numberOf, sweep, usedBytes } from "./remove.ts";

/** 2 MiB per transaction: others wait a few milliseconds. */
const pagesAtOnce = 500;
/** A rewrite of the file blocks everybody; this size takes well under a second. */
const maxRewrite = 64 * 1024 * 1024;
/** A checkpoint that waits for readers blocks writers, which wait at most `busySeconds`, so it must give up much earlier. */
const checkpointMs = 250;

export function shrink(db: Connection, patienceMs: number): { readonly before: number; readonly after: number } {
  const before = sizeOnDisk(db);
  try {
    const deadline = performance.now() + patienceMs;
    sweep(db, deadline);
    giveBack(db, deadline);
  } catch (error) {
    // Another process keeps the database busy: the space is reused later, or returned next time.
    if (!(error instanceof CoderError && error.info.text.key === "store.busy")) throw error;
  }
  checkpoint(db);
  return { before, after: sizeOnDisk(db) };
}

function sizeOnDisk({ path }: Connection): number {
  return ["", "-wal"].reduce((sum, end) => sum + (statSync(path + end, { throwIfNoEntry: false })?.size ?? 0), 0);
}

function giveBack(db: Connection, deadline: number): void {
  // A file of store version 1 must be rewritten once before it can return single pages.
  if (numberOf(db, "auto_vacuum") === 0) {
    if (usedBytes(db) > maxRewrite || isUsed(db)) return;
    db.order("pragma auto_vacuum = incremental");
    db.order("vacuum");
    return;
  }
  while (numberOf(db, "freelist_count") > 0 && performance.now() < deadline) {
    db.order(`pragma incremental_vacuum(${pagesAtOnce})`);
  }
}

function checkpoint(db: Connection): void {
  db.order(`pragma busy_timeout = ${checkpointMs}`);
  try {
    db.order("pragma wal_checkpoint(truncate)");
  } finally {
    db.order(`pragma busy_timeout = ${busySeconds * 1000}`);
  }
}

function isUsed(db: Connection): boolean {
  return db.rows<[number]>("select session from leases").some(([session]) => liveHolder(db, session) !== null);
}
