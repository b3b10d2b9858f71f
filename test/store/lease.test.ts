import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Store } from "../../src/contract/store.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { bootId, processIdentity } from "../../src/platform/identity.ts";
import { openStore } from "../../src/store/open.ts";
import { faultOf, note, put, sid, useFolder } from "./sample.ts";
import { startWriter } from "./writer.ts";

const home = useFolder();

function mustOpen(store: Store, id: string) {
  const opened = store.open(id);
  if (!opened.ok) throw new Error(`not opened: ${JSON.stringify(opened)}`);
  return opened.log;
}

function plant(sql: string): void {
  const raw = new Database(join(home(), "coder.db"));
  raw.run(sql);
  raw.close(true);
}

/** A session whose lease row is left behind, as after kill -9. */
function leaveLease(): void {
  const store = openStore(home());
  put(store.create(sid, "/w"), 1, note("a"));
  plant("create table kept as select * from leases");
  store.close();
  plant("insert into leases select * from kept");
}

describe("one process", () => {
  test("[PS-5] a session that is open is told to be held, by whom and since when, until it is closed", () => {
    const store = openStore(home());
    const before = Date.now();
    const log = store.create(sid, "/w");
    const answer = store.open(sid);
    if (answer.ok || answer.reason !== "held") throw new Error("it was not held");
    const { since, ...holder } = answer.holder;
    expect(holder).toEqual({ ...processIdentity() });
    expect(since >= before && since <= Date.now()).toBe(true);
    log.close();
    mustOpen(store, sid).close();
    store.close();
  });

  test("closing the store gives back the leases of its open logs", () => {
    const store = openStore(home());
    store.create(sid, "/w");
    store.close();
    const next = openStore(home());
    expect(next.open(sid).ok).toBe(true);
    next.close();
  });

  test("a closed log appends nothing and says that it is closed; closing it again does nothing", () => {
    const store = openStore(home());
    const log = store.create(sid, "/w");
    log.close();
    log.close();
    expect(faultOf(() => put(log, 1, note("late")))).toEqual({
      code: "E_STORE",
      text: phrase("store.lease_gone", { id: sid }),
      advice: phrase("store.lease_gone.advice", { id: sid }),
    });
    expect([...(store.peek(sid) ?? [])]).toEqual([]);
    store.close();
  });

  test("[PS-5] a log closed after its lease was taken over leaves the new holder's lease alone", () => {
    const first = openStore(home());
    const lost = first.create(sid, "/w");
    plant("delete from leases");
    const second = openStore(home());
    const log = mustOpen(second, sid);
    lost.close();
    put(log, 1, note("still mine"));
    expect([...log.read()].length).toBe(1);
    second.close();
    first.close();
  });
});

describe("a lease left behind", () => {
  test("[PS-5] is honoured while its holder runs", () => {
    leaveLease();
    const store = openStore(home());
    expect(store.open(sid)).toMatchObject({ ok: false, reason: "held" });
    store.close();
  });

  test.each([
    ["the machine was started again since", "update leases set boot_id = 'another boot'"],
    ["its pid now belongs to a process that started at another time", "update leases set start_time = '1'"],
    ["no process has its pid", "update leases set pid = 4194303"],
  ])("[PS-5] is taken over when %s", (_, change) => {
    leaveLease();
    plant(change);
    const store = openStore(home());
    const log = mustOpen(store, sid);
    put(log, 2, note("taken over"));
    expect([...log.read()].length).toBe(2);
    store.close();
  });
});

describe("two processes", () => {
  test("[PS-5] the second is told who holds the session, and takes over after kill -9", async () => {
    const store = openStore(home());
    store.create(sid, "/w").close();
    const first = startWriter("hold", home(), sid);
    expect(await first.next()).toEqual({ ok: true });
    const held = store.open(sid);
    if (held.ok || held.reason !== "held") throw new Error("it was not held");
    expect(held.holder.pid).toBe(first.pid);
    expect(held.holder.bootId).toBe(bootId());
    first.send("one");
    expect(await first.next()).toBe("no failure");
    await first.kill();
    const log = mustOpen(store, sid);
    put(log, 2, note("two"));
    expect([...log.read()].map(({ event }) => event)).toEqual([note("one"), note("two")]);
    store.close();
  });

  test("[PS-5] a living writer whose lease was taken over is refused with the new holder's name and writes nothing", async () => {
    const store = openStore(home());
    store.create(sid, "/w").close();
    const first = startWriter("hold", home(), sid);
    await first.next();
    // As another machine or container would see it: the holder looks dead and is not.
    plant("update leases set start_time = '1'");
    const log = mustOpen(store, sid);
    put(log, 1, note("mine"));
    first.send("theirs");
    const args = { id: sid, pid: process.pid };
    expect(await first.next()).toEqual({
      code: "E_STORE",
      text: phrase("store.lease_lost", args),
      advice: phrase("store.lease_lost.advice", args),
    });
    expect([...log.read()].map(({ event }) => event)).toEqual([note("mine")]);
    await first.kill();
    store.close();
  });
});
