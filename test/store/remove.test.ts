import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "../../src/contract/store.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { openStore } from "../../src/store/open.ts";
import { accepted, admitted, faultOf, note, other, put, sid, tablesFrom, tablesOf, useFolder } from "./sample.ts";
import { startWriter, stepEvents } from "./writer.ts";

const home = useFolder();
const noFiles = (): void => {};
const bytesOf = (text: string): { hash: string; bytes: Uint8Array } => {
  const bytes = new TextEncoder().encode(text);
  return { hash: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"), bytes };
};

/** A session of some steps with its own blobs; returns how many events it has. */
function fill(store: Store, id: string, steps: number, blobs: readonly string[] = []): number {
  const log = store.create(id, "/w");
  let next = 1;
  for (let step = 1; step <= steps; step += 1) {
    const entries = accepted(...stepEvents(step));
    log.append({ from: next, entries, blobs: step === 1 ? blobs.map(bytesOf) : [], durable: false });
    next += entries.length;
  }
  log.close();
  return next - 1;
}

/** Rows per table that has a session column, read past our own code. */
function rowsOf(key: number): Readonly<Record<string, number>> {
  const db = new Database(join(home(), "coder.db"), { readonly: true });
  try {
    const names = db
      .prepare(
        "select m.name from sqlite_schema m, pragma_table_xinfo(m.name) c where m.type = 'table' and c.name = 'session'",
      )
      .values()
      .map(([name]) => String(name));
    const count = (name: string): number =>
      Number(db.prepare(`select count(*) from ${name} where session = ?`).values(key)[0]?.[0]);
    return Object.fromEntries(names.map((name) => [name, count(name)]));
  } finally {
    db.close(true);
  }
}

describe("removing a session", () => {
  test("[PS-5] leaves no row of it in any table, and every other session as it was", () => {
    const store = openStore(home());
    fill(store, sid, 3, ["mine"]);
    fill(store, other, 2, ["theirs"]);
    const before = [...(store.peek(other) ?? [])];
    expect(rowsOf(1)).toMatchObject({ events: 12, calls: 3, messages: 9, todos: 1, session_blobs: 1 });
    expect(store.remove(sid, noFiles)).toEqual({ ok: true });
    store.shrink(5_000);
    expect(Object.values(rowsOf(1)).filter((count) => count > 0)).toEqual([]);
    expect(store.find("").map(({ id }) => id)).toEqual([other]);
    expect([...(store.peek(other) ?? [])]).toEqual(before);
    expect(tablesOf(home(), other)).toEqual(tablesFrom(before));
    expect(store.blob(bytesOf("mine").hash)).toBeNull();
    expect(store.blob(bytesOf("theirs").hash)).toEqual(bytesOf("theirs").bytes);
    store.close();
  });

  test("[PS-5] keeps the pre-images that a copy still needs, and lets them go with the last one", () => {
    const store = openStore(home());
    fill(store, sid, 1, ["shared"]);
    store.fork(sid, other).close();
    const { hash, bytes } = bytesOf("shared");
    const told: boolean[] = [];
    store.remove(sid, (_, hasCopies) => void told.push(hasCopies));
    store.shrink(5_000);
    expect(store.blob(hash)).toEqual(bytes);
    store.remove(other, (_, hasCopies) => void told.push(hasCopies));
    store.shrink(5_000);
    expect(store.blob(hash)).toBeNull();
    expect(told).toEqual([true, false]);
    store.close();
  });

  test("a copy of a removed copy still counts as a copy of the first", () => {
    const store = openStore(home());
    fill(store, sid, 1);
    store.fork(sid, other).close();
    store.fork(other, "cccc-0003").close();
    store.remove(other, noFiles);
    let hasCopies = false;
    store.remove(sid, (_, has) => {
      hasCopies = has;
    });
    expect(hasCopies).toBe(true);
    store.close();
  });

  test("[PS-5] is refused with the holder's name while the session is open, and for one that is not there", () => {
    const store = openStore(home());
    put(store.create(sid, "/w"), 1, note("a"));
    expect(store.remove(sid, noFiles)).toMatchObject({ ok: false, reason: "held", holder: { pid: process.pid } });
    expect(store.remove("zzzz-9999", noFiles)).toEqual({ ok: false, reason: "missing" });
    expect([...(store.peek(sid) ?? [])].length).toBe(1);
    store.close();
  });

  test("a failure to remove its files keeps the session, and nobody holds it afterwards", () => {
    const store = openStore(home());
    const events = fill(store, sid, 2);
    const failing = (): void => {
      throw new Error("disk on fire");
    };
    expect(() => store.remove(sid, failing)).toThrow("disk on fire");
    expect([...(store.peek(sid) ?? [])].length).toBe(events);
    expect(store.holdings()[0]?.holder).toBeNull();
    store.close();
  });

  test("nobody can open the session while its files are being removed", () => {
    const store = openStore(home());
    fill(store, sid, 1);
    const second = openStore(home());
    let opened: unknown = null;
    store.remove(sid, () => {
      opened = second.open(sid);
    });
    expect(opened).toMatchObject({ ok: false, reason: "held" });
    second.close();
    store.close();
  });

  test("[PS-5] is at once for everybody, however much is still to be deleted, and what is left waits for the next time", () => {
    const store = openStore(home());
    fill(store, sid, 100);
    fill(store, other, 1);
    expect(store.remove(sid, noFiles)).toEqual({ ok: true });
    expect([store.peek(sid), store.open(sid).ok, store.find("").length]).toEqual([null, false, 1]);
    store.shrink(0);
    expect([countOf("events"), countOf("removed")]).toEqual([404, 1]);
    store.close();
    const next = openStore(home());
    next.shrink(5_000);
    expect([countOf("events"), countOf("removed")]).toEqual([4, 0]);
    next.close();
  });

  test("a reader that is in the middle is told that it was removed, and never reads another session's events", () => {
    const store = openStore(home());
    fill(store, sid, 100);
    const reading = store.peek(sid)?.[Symbol.iterator]();
    expect(reading?.next().value?.seq).toBe(1);
    store.remove(sid, noFiles);
    store.shrink(5_000);
    // Under a key of its own, or the reader would go on with these.
    fill(store, other, 100);
    const rest = (): void => {
      for (let step = reading?.next(); step && !step.done; step = reading?.next());
    };
    const fault = faultOf(rest);
    const expected = {
      text: phrase("store.removed", { id: sid }),
      advice: phrase("store.missing.advice", { id: sid }),
    };
    expect(fault).toEqual({ code: "E_STORE", ...expected });
    expect(reading?.next().done).toBe(true);
    store.close();
  });

  test("a reader that comes upon the gap of a removal that is under way is told so, and not of damage", () => {
    const store = openStore(home());
    fill(store, sid, 100);
    const reading = store.peek(sid)?.[Symbol.iterator]();
    reading?.next();
    store.remove(sid, noFiles);
    const db = new Database(join(home(), "coder.db"));
    db.run("delete from events where seq between 2 and 64");
    db.close(true);
    const fault = faultOf(() => {
      for (let step = reading?.next(); step && !step.done; step = reading?.next());
    });
    expect(fault).toMatchObject({ code: "E_STORE", text: phrase("store.removed", { id: sid }) });
    store.close();
  });

  test("what was removed is not in the file any more, not even in its gaps", () => {
    const store = openStore(home());
    const word = "unforgettable-words";
    for (const [at, id] of ["aaaa-0001", "aaaa-0002", "aaaa-0003"].entries()) {
      const log = store.create(id, "/w");
      for (let n = 1; n <= 40; n += 1) put(log, n, admitted(`i${n}`, at === 1 ? `${word} ${n}` : `harmless ${n}`));
      log.close();
    }
    store.remove("aaaa-0002", noFiles);
    store.shrink(5_000);
    const files = ["coder.db", "coder.db-wal"].map((name) => join(home(), name)).filter((path) => existsSync(path));
    for (const path of files) expect(readFileSync(path, "latin1").includes(word)).toBe(false);
    expect([...(store.peek("aaaa-0003") ?? [])].length).toBe(40);
    store.close();
  });
});

describe("the file", () => {
  test("[PS-1] shrinks after a removal, also while another process has a session open, and stays sound", async () => {
    const first = openStore(home());
    fill(first, "aaaa-0001", 400);
    fill(first, "aaaa-0002", 4);
    first.close();
    const size = (): number => statSync(join(home(), "coder.db")).size;
    const full = size();
    const writer = startWriter("hold", home(), "aaaa-0002");
    expect(await writer.next()).toEqual({ ok: true });
    const store = openStore(home());
    store.remove("aaaa-0001", noFiles);
    expect(store.shrink(10_000).after).toBe(size());
    expect(size()).toBeLessThan(full / 3);
    writer.send("still here");
    expect(await writer.next()).toBe("no failure");
    await writer.kill();
    expect(checked(home())).toEqual(["ok"]);
    store.close();
  });

  test("a session in another process goes on writing while others are removed and the file shrinks", async () => {
    const store = openStore(home());
    const ids = Array.from({ length: 12 }, (_, n) => `aaaa-${String(n).padStart(4, "0")}`);
    for (const id of ids) fill(store, id, 60);
    store.create("wwww-0001", "/w").close();
    const writer = startWriter("pour", home(), "wwww-0001");
    let acknowledged = Number(await writer.next());
    for (const id of ids) {
      expect(store.remove(id, noFiles)).toEqual({ ok: true });
      store.shrink(2_000);
      acknowledged = Number(await writer.next());
    }
    // It prints a number only after an append has succeeded, and ends when one fails.
    for (let n = 0; n < 20; n += 1) acknowledged = Number(await writer.next());
    await writer.kill();
    const events = [...(store.peek("wwww-0001") ?? [])];
    expect(events.length).toBeGreaterThanOrEqual(acknowledged);
    expect(tablesOf(home(), "wwww-0001")).toEqual(tablesFrom(events));
    store.close();
  }, 120_000);
});

function countOf(table: string): number {
  const db = new Database(join(home(), "coder.db"), { readonly: true });
  try {
    return Number(db.prepare(`select count(*) from ${table}`).values()[0]?.[0]);
  } finally {
    db.close(true);
  }
}

/** What SQLite says about the file. */
function checked(folder: string): readonly unknown[] {
  const db = new Database(join(folder, "coder.db"), { readonly: true });
  try {
    return db.prepare("pragma integrity_check").values().flat();
  } finally {
    db.close(true);
  }
}

test("[PS-1] kill -9 in the middle of removing leaves each session whole or gone, and the database sound", async () => {
  const store = openStore(home());
  const ids = Array.from({ length: 40 }, (_, n) => `aaaa-${String(n).padStart(4, "0")}`);
  const events = fill(store, ids[0] ?? "", 30, ["kept"]);
  for (const id of ids.slice(1)) store.fork(ids[0] ?? "", id).close();
  store.close();
  let rounds = 0;
  let left = ids.length;
  while (left > 0 && rounds < 12) {
    rounds += 1;
    const remover = startWriter("remove", home(), "");
    const wanted = Math.floor(Math.random() * 4);
    for (let n = 0; n < wanted; n += 1) await remover.next().catch(() => null);
    await Bun.sleep(Math.random() * 3);
    await remover.kill();
    const next = openStore(home());
    // Finishes what the killed one had begun.
    next.shrink(1_000);
    const rows = next.holdings();
    for (const { id, holder } of rows) {
      expect(holder).toBeNull();
      const log = [...(next.peek(id) ?? [])];
      expect(log.length).toBe(events);
      expect(tablesOf(home(), id)).toEqual(tablesFrom(log));
    }
    expect(next.blob(bytesOf("kept").hash) !== null).toBe(rows.length > 0);
    left = rows.length;
    next.close();
    expect(countOf("events")).toBe(rows.length * events);
    expect([countOf("session_blobs"), countOf("removed")]).toEqual([rows.length, 0]);
    expect(checked(home())).toEqual(["ok"]);
  }
  expect(left).toBeLessThan(ids.length);
}, 120_000);

describe("what each session takes", () => {
  test("adds up to what the file uses, counts a shared pre-image once, and tells who holds it", () => {
    const store = openStore(home());
    fill(store, sid, 50, ["x".repeat(200_000)]);
    store.fork(sid, other).close();
    const open = store.create("cccc-0003", "/elsewhere");
    const found = store.holdings();
    expect(found.map(({ id, events, workspace }) => [id, events, workspace])).toEqual([
      ["cccc-0003", 0, "/elsewhere"],
      [other, 200, "/w"],
      [sid, 200, "/w"],
    ]);
    expect(found.map(({ holder }) => holder?.pid ?? null)).toEqual([process.pid, null, null]);
    const [, copy, first] = found;
    expect((copy?.bytes ?? 0) - (first?.bytes ?? 0)).toBeGreaterThan(200_000);
    open.close();
    store.close();
    const used = statSync(join(home(), "coder.db")).size;
    const sum = found.reduce((all, { bytes }) => all + bytes, 0);
    expect(Math.abs(sum - used) / used).toBeLessThan(0.1);
  });
});

test("a day is claimed once over all processes, again the next day, and after the clock was set back", () => {
  const store = openStore(home());
  const second = openStore(home());
  const now = 1_800_000_000_000;
  const hour = 3_600_000;
  expect([store.claimDay(now), second.claimDay(now), store.claimDay(now + 23 * hour)]).toEqual([true, false, false]);
  expect([second.claimDay(now + 25 * hour), store.claimDay(now)]).toEqual([true, true]);
  second.close();
  store.close();
});
