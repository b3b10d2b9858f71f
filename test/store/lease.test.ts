import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import type { Store } from "../../src/contract/store.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { bootId, processIdentity } from "../../src/platform/identity.ts";
import { ownAttendance } from "../../src/platform/presence.ts";
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

/** A session whose writer was killed: its lease row and the file that showed that it lived are left. Answers with the file. */
async function leaveLease(): Promise<string> {
  const store = openStore(home());
  put(store.create(sid, "/w"), 1, note("a"));
  store.close();
  const writer = startWriter("hold", home(), sid);
  await writer.next();
  await writer.kill();
  const [name = ""] = readdirSync(join(home(), "live"));
  return join(home(), "live", name);
}

/** What a coder before version 5 of the store left. */
async function leaveOldLease(pid = process.pid, startTime = processIdentity().startTime): Promise<void> {
  rmSync(await leaveLease());
  plant(`update leases set live = '', pid_namespace = '', host = '', pid = ${pid}, start_time = '${startTime}'`);
}

describe("one process", () => {
  test("[PS-5] a session that is open is told to be held, by whom and since when, until it is closed", () => {
    const store = openStore(home());
    const before = Date.now();
    const log = store.create(sid, "/w");
    const answer = store.open(sid);
    if (answer.ok || answer.reason !== "held") throw new Error("it was not held");
    const { since, ...holder } = answer.holder;
    const { pid, startTime, bootId: boot } = processIdentity();
    expect(holder).toEqual({ pid, startTime, bootId: boot, elsewhere: null });
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
  const taken = (): void => {
    const store = openStore(home());
    const log = mustOpen(store, sid);
    put(log, 2, note("taken over"));
    expect([...log.read()].length).toBe(2);
    store.close();
  };
  const refused = (): unknown => {
    const store = openStore(home());
    try {
      const opened = store.open(sid);
      return opened.ok || opened.reason;
    } finally {
      store.close();
    }
  };

  test("[PS-5] is taken over at once when its holder was killed, and nothing of the holder is left", async () => {
    const file = await leaveLease();
    expect(existsSync(file)).toBe(true);
    taken();
    expect(readdirSync(join(home(), "live"))).toEqual([]);
  });

  test("[PS-5] is taken over when somebody has removed the file that would show its holder", async () => {
    rmSync(await leaveLease());
    taken();
  });

  test("[PS-5] of a living holder is honoured although somebody has removed its file", async () => {
    const store = openStore(home());
    store.create(sid, "/w").close();
    const writer = startWriter("hold", home(), sid);
    await writer.next();
    rmSync(join(home(), "live"), { recursive: true });
    expect(refused()).toBe("held");
    await writer.kill();
    store.close();
  });

  test("[PS-5] of an earlier version is honoured while its holder runs, and only that long", async () => {
    await leaveOldLease();
    expect(refused()).toBe("held");
  });

  test.each([
    ["the machine was started again since", () => plant("update leases set boot_id = 'another boot'")],
    [
      "its pid now belongs to a process that started at another time",
      () => plant("update leases set start_time = '1'"),
    ],
    ["no process has its pid", () => plant("update leases set pid = 4194303")],
  ])("[PS-5] of an earlier version is taken over when %s", async (_, change) => {
    await leaveOldLease();
    change();
    taken();
  });
});

describe("a holder on another machine that shares the home", () => {
  const minute = 60_000;
  /** As the other machine would have written it: the lock cannot be seen from here, but the file can. */
  async function elsewhere(host = "other"): Promise<string> {
    const file = await leaveLease();
    const token = `ffffffff-${basename(file).slice(9)}`;
    const moved = join(home(), "live", token);
    renameSync(file, moved);
    plant(`update leases set live = '${token}', boot_id = 'ffffffff-another', host = '${host}'`);
    return moved;
  }
  const openable = (): boolean => {
    const store = openStore(home());
    try {
      return store.open(sid).ok;
    } finally {
      store.close();
    }
  };
  const silentFor = (file: string, ms: number): void => {
    const then = new Date(Date.now() - ms);
    utimesSync(file, then, then);
  };

  test("[PS-5] that was heard of lately is not taken over, not removed, and named", async () => {
    await elsewhere();
    const store = openStore(home());
    expect(store.open(sid)).toMatchObject({ ok: false, reason: "held", holder: { elsewhere: "other" } });
    expect(store.remove(sid, () => {})).toMatchObject({ ok: false, reason: "held" });
    expect(store.holdings()).toMatchObject([{ holder: { elsewhere: "other" } }]);
    store.close();
  });

  test("[PS-5] that was silent for minutes is not taken over, and after five is", async () => {
    const file = await elsewhere();
    silentFor(file, 4 * minute);
    expect(openable()).toBe(false);
    silentFor(file, 6 * minute);
    expect(openable()).toBe(true);
  });

  test("[PS-5] whose clock goes ahead of ours is not taken over", async () => {
    silentFor(await elsewhere(), -60 * minute);
    expect(openable()).toBe(false);
  });

  test("[PS-5] that calls itself as this machine does is one from before its last start, once it is silent", async () => {
    const file = await elsewhere(processIdentity().host);
    expect(openable()).toBe(false);
    silentFor(file, 2 * minute);
    expect(openable()).toBe(true);
  });

  test("[PS-5] that lives behind a lock that can be seen is alive however silent it is and whatever boot it names", async () => {
    const store = openStore(home());
    store.create(sid, "/w").close();
    const writer = startWriter("hold", home(), sid);
    await writer.next();
    const [name = ""] = readdirSync(join(home(), "live")).filter((one) => one !== ownAttendance().token);
    silentFor(join(home(), "live", name), 24 * 60 * minute);
    plant("update leases set boot_id = 'ffffffff-another', pid_namespace = 'pid:[1]', host = 'other'");
    expect(openable()).toBe(false);
    await writer.kill();
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
    // As after a pause of minutes on another machine: the holder looked dead and is not.
    plant("delete from leases");
    const log = mustOpen(store, sid);
    put(log, 1, note("mine"));
    first.send("theirs");
    const args = { id: sid, who: phrase("store.holder.here", { pid: process.pid }) };
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
