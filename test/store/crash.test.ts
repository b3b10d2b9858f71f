import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Recorded } from "../../src/contract/event.ts";
import { openStore } from "../../src/store/open.ts";
import { accepted, note, sid, tablesFrom, tablesOf, useFolder } from "./sample.ts";
import { startWriter, stepEvents } from "./writer.ts";

const home = useFolder();
const rounds = 12;
const isLong = process.env.CODER_TEST_LONG === "1";

describe("kill -9", () => {
  test("[PS-1] every acknowledged append is there afterwards, without a gap, and the tables agree with the events", async () => {
    const store = openStore(home());
    store.create(sid, "/w").close();
    for (let round = 0; round < (isLong ? rounds * 20 : rounds); round += 1) {
      const writer = startWriter("pour", home(), sid);
      let last = 0;
      const wanted = 1 + Math.floor(Math.random() * 60);
      for (let n = 0; n < wanted; n += 1) last = Number(await writer.next());
      await writer.kill();
      const next = openStore(home());
      const events = [...(next.peek(sid) ?? [])];
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(events.length).toBeGreaterThanOrEqual(last);
      expect(events.length % stepEvents(1).length).toBe(0);
      expect(tablesOf(home(), sid)).toEqual(tablesFrom(events));
      expect(next.sessions({ limit: 1 })[0]?.events).toBe(events.length);
      next.close();
    }
    store.close();
  });
});

interface Poured {
  /** How long the WAL was after each append. */
  readonly sizes: readonly number[];
  readonly events: readonly Recorded[];
}

/** A store as a power cut leaves it: copied while it is open, so that the WAL still holds everything. */
function pourInto(folder: string): Poured {
  const live = join(folder, "live");
  const store = openStore(live);
  const log = store.create(sid, "/w");
  const sizes: number[] = [];
  let next = 1;
  for (let step = 1; step <= 12; step += 1) {
    const entries = accepted(...stepEvents(step));
    log.append({ from: next, entries, blobs: [], durable: true });
    next += entries.length;
    sizes.push(statSync(join(live, "coder.db-wal")).size);
  }
  mkdirSync(join(folder, "copy"));
  for (const name of ["coder.db", "coder.db-wal"]) cpSync(join(live, name), join(folder, "copy", name));
  const events = [...log.read()];
  store.close();
  return { sizes, events };
}

function readDamaged(folder: string, damage: (wal: string) => void): { home: string; events: readonly Recorded[] } {
  const damaged = join(folder, "damaged");
  rmSync(damaged, { recursive: true, force: true });
  cpSync(join(folder, "copy"), damaged, { recursive: true });
  damage(join(damaged, "coder.db-wal"));
  const store = openStore(damaged);
  const events = [...(store.peek(sid) ?? [])];
  store.close();
  return { home: damaged, events };
}

/** The copy says that this very process holds the session, which here runs on. */
function dropLease(folder: string): void {
  const raw = new Database(join(folder, "coder.db"));
  raw.run("delete from leases");
  raw.close(true);
}

describe("a torn WAL", () => {
  test("[PS-1] cut at any byte, gives back a prefix that holds every durable append before the cut, and can be continued", () => {
    const { sizes, events } = pourInto(home());
    const perStep = stepEvents(1).length;
    const whole = sizes.at(-1) ?? 0;
    const cuts = [0, 1, 31, 32, whole, ...Array.from({ length: 60 }, () => Math.floor(Math.random() * whole))];
    for (const cut of [...cuts, ...sizes, ...sizes.map((size) => size - 1)]) {
      const read = readDamaged(home(), (wal) => truncateSync(wal, cut));
      expect(read.events).toEqual(events.slice(0, read.events.length));
      const safe = sizes.filter((size) => size <= cut).length * perStep;
      expect(read.events.length).toBeGreaterThanOrEqual(safe);
      if (read.events.length > 0) expect(tablesOf(read.home, sid)).toEqual(tablesFrom(read.events));
      dropLease(read.home);
      const store = openStore(read.home);
      const opened = store.open(sid);
      const log = opened.ok ? opened.log : store.create(sid, "/w");
      log.append({ from: read.events.length + 1, entries: accepted(note("on")), blobs: [], durable: true });
      expect([...log.read()].length).toBe(read.events.length + 1);
      store.close();
    }
  });

  test("[PS-1] with its tail overwritten by garbage, gives back a prefix that holds every append before the garbage", () => {
    const { sizes, events } = pourInto(home());
    const perStep = stepEvents(1).length;
    const whole = sizes.at(-1) ?? 0;
    for (let round = 0; round < 40; round += 1) {
      const from = Math.floor(Math.random() * whole);
      const read = readDamaged(home(), (wal) => {
        const bytes = readFileSync(wal);
        crypto.getRandomValues(bytes.subarray(from, Math.min(from + 512, bytes.length)));
        writeFileSync(wal, bytes);
      });
      expect(read.events).toEqual(events.slice(0, read.events.length));
      const safe = sizes.filter((size) => size <= from).length * perStep;
      expect(read.events.length).toBeGreaterThanOrEqual(safe);
    }
  });
});
