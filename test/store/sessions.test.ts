import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { openStore } from "../../src/store/open.ts";
import { titleOf } from "../../src/store/project.ts";
import {
  accepted,
  admitted,
  call,
  event,
  faultOf,
  note,
  other,
  put,
  replied,
  settled,
  sid,
  started,
  tablesOf,
  useFolder,
} from "./sample.ts";

const home = useFolder();

const begun = event({
  type: "session.started",
  sessionId: sid,
  workspace: "/w",
  addDirs: [],
  model: "a/one",
  mode: "default",
  preset: "balanced",
  forkedFrom: null,
});

describe("the row of a session", () => {
  test("[PS-3] follows its events: title, model, count, time", () => {
    const store = openStore(home());
    const before = Date.now();
    const log = store.create(sid, "/w");
    const later = before + 1_000_000;
    put(log, 1, begun, admitted("i1", "first line\nsecond"), admitted("i2", "another"));
    put(log, 4, { ...event({ type: "model.changed", model: "b/two" }), at: later });
    const [row] = store.sessions({ limit: 10 });
    const { createdAt = 0, ...rest } = row ?? {};
    expect(rest).toEqual({
      id: sid,
      title: "first line",
      workspace: "/w",
      model: "b/two",
      updatedAt: later,
      events: 4,
    });
    expect(createdAt >= before && createdAt <= Date.now()).toBe(true);
    store.close();
  });

  test("[PS-3] the title is the first message; a command that was run or typed before it gives way", () => {
    const store = openStore(home());
    const log = store.create(sid, "/w");
    const input = (inputId: string, kind: "task" | "shell" | "tool", text: string, typed?: string) =>
      event({
        type: "input.admitted",
        inputId,
        kind,
        delivery: "now",
        text,
        ...(typed === undefined ? {} : { typed }),
      });
    const title = (): string => store.sessions({ limit: 1 })[0]?.title ?? "";
    const titles = [
      input("i1", "shell", "ls -la"),
      input("i2", "task", "Review the current changes and say …", "/review"),
      input("i3", "task", "repair the login"),
      input("i4", "task", "another"),
    ].map((one, at) => {
      put(log, at + 1, one);
      return title();
    });
    expect(titles).toEqual(["!ls -la", "!ls -la", "repair the login", "repair the login"]);
    store.close();
  });

  test("a resumed session shows the model it was resumed with", () => {
    const store = openStore(home());
    const log = store.create(sid, "/w");
    const resumed = { type: "session.resumed", pid: 1, mode: "default", preset: "balanced", model: "c/three" } as const;
    put(log, 1, begun, event(resumed));
    expect(store.sessions({ limit: 1 })[0]?.model).toBe("c/three");
    store.close();
  });

  test("events that were not accepted change neither title nor model nor any table", () => {
    const store = openStore(home());
    const log = store.create(sid, "/w");
    const events = [
      begun,
      admitted("i1", "no"),
      started("i1"),
      replied("no", [call("r1/1/0")]),
      settled("r1/1/0", "no"),
    ];
    log.append({
      from: 1,
      entries: events.map((each) => ({ event: each, accepted: false })),
      blobs: [],
      durable: false,
    });
    expect(store.sessions({ limit: 1 })).toMatchObject([{ id: sid, title: "", model: "", events: 5 }]);
    expect(tablesOf(home(), sid)).toEqual({ messages: [], todos: [], permission_log: [] });
    store.close();
  });

  test("the time of the last change never moves backwards when the clock does", () => {
    const store = openStore(home());
    const log = store.create(sid, "/w");
    const at = Date.now() + 5_000_000;
    put(log, 1, { ...note("a"), at });
    put(log, 2, { ...note("b"), at: 7 });
    expect(store.sessions({ limit: 1 })[0]?.updatedAt).toBe(at);
    expect([...log.read()].map(({ event: each }) => each.at)).toEqual([at, 7]);
    store.close();
  });

  test.each([
    ["one line", "one line"],
    ["  \n\t\n  padded  \nnext", "padded"],
    ["red \u001b[31mtext\u0000\u009b\u007f end", "red [31mtext end"],
    ["abc\u202egnp.exe\u2066 \u200fx", "abcgnp.exe x"],
    ["tab\there", "tab here"],
    ["修复登录的错误\r\n更多", "修复登录的错误"],
    ["😀".repeat(100), "😀".repeat(80)],
    [`${"x".repeat(79)} tail`, "x".repeat(79)],
    ["half \ud83d pair", "half \ufffd pair"],
    ["\u0007\u001b\n", ""],
    ["", ""],
  ])("the title of %j is %j", (text, title) => {
    expect(titleOf(text)).toBe(title);
  });
});

describe("lists", () => {
  test("[PS-3] are ordered by the last append, newest first, whatever the clock said", () => {
    const store = openStore(home());
    const ids = ["aaaa-0001", "aaaa-0002", "bbbb-0003"];
    const logs = ids.map((id) => store.create(id, id.startsWith("a") ? "/a" : "/b"));
    for (const [index, log] of logs.entries()) put(log, 1, { ...note("x"), at: 9_000_000_000_000 - index });
    const listed = (filter: { workspace?: string; limit: number }) => store.sessions(filter).map(({ id }) => id);
    expect(listed({ limit: 10 })).toEqual(["bbbb-0003", "aaaa-0002", "aaaa-0001"]);
    if (logs[0] !== undefined) put(logs[0], 2, { ...note("old clock"), at: 5 });
    expect(listed({ limit: 10 })).toEqual(["aaaa-0001", "bbbb-0003", "aaaa-0002"]);
    expect(listed({ limit: 2 })).toEqual(["aaaa-0001", "bbbb-0003"]);
    expect(listed({ limit: 10, workspace: "/a" })).toEqual(["aaaa-0001", "aaaa-0002"]);
    expect(listed({ limit: 10, workspace: "/none" })).toEqual([]);
    store.close();
  });

  test("leave out a session that never got an event", () => {
    const store = openStore(home());
    store.create(sid, "/w");
    expect(store.sessions({ limit: 10 })).toEqual([]);
    expect(store.find("")).toEqual([]);
    store.close();
  });

  test("find answers what begins with the prefix, newest first, at most ten, and takes no wildcard", () => {
    const store = openStore(home());
    for (let n = 10; n < 22; n += 1) put(store.create(`aaaa-00${n}`, "/w"), 1, note("x"));
    put(store.create("bbbb-0001", "/w"), 1, note("x"));
    expect(store.find("aaaa").map(({ id }) => id)).toEqual(
      Array.from({ length: 10 }, (_, index) => `aaaa-00${21 - index}`),
    );
    expect(store.find("aaaa-001").length).toBe(10);
    expect(store.find("b").map(({ id }) => id)).toEqual(["bbbb-0001"]);
    expect(store.find("bbbb-0001").length).toBe(1);
    expect(store.find("%")).toEqual([]);
    expect(store.find("____")).toEqual([]);
    store.close();
  });
});

describe("tables beside the log", () => {
  test("[PS-1] [PO-6] a whole step leaves its messages, todos and one row for each decision and answer", () => {
    const store = openStore(home());
    const log = store.create(sid, "/w");
    const todo = { id: "1", content: "do it", status: "pending", priority: "high" } as const;
    const asked = { type: "tool.decided", runId: "r1", callId: "r1/1/0", decision: "ask", source: "preset" } as const;
    const reasons = [phrase("store.missing", { id: "x" })];
    const yes = {
      type: "approval.answered",
      runId: "r1",
      callId: "r1/1/0",
      answer: "edit",
      words: "rather so",
    } as const;
    put(
      log,
      1,
      begun,
      admitted("i1", "do it"),
      admitted("i2", "and that"),
      started("i1"),
      replied("I will", [call("r1/1/0", "bash")]),
      event({ ...asked, reasons }, 77),
      event({ ...yes, call: call("r1/1/0", "write"), by: "person" }, 78),
      settled("r1/1/0", "done so", [todo, { ...todo, id: "2" }]),
      event({ type: "input.delivered", runId: "r1", inputIds: ["i2"] }),
      settled("r9/1/0", "of an unknown call", [{ ...todo, id: "3" }]),
    );
    expect(tablesOf(home(), sid)).toEqual({
      messages: [
        [4, 0, "user", null, null, null, "do it"],
        [5, 0, "assistant", null, null, null, "I will"],
        [8, 0, "tool", "r1/1/0", "write", "done", "done so"],
        [9, 0, "user", null, null, null, "and that"],
        [10, 0, "tool", "r9/1/0", null, "done", "of an unknown call"],
      ],
      todos: [["3", "do it", "pending", "high"]],
      permission_log: [
        [6, 77, "r1/1/0", "bash", "ask", "preset", JSON.stringify(reasons), null, null, null],
        [7, 78, "r1/1/0", "write", null, null, null, "edit", "person", "rather so"],
      ],
    });
    store.close();
  });
});

describe("fork", () => {
  function fill(store: ReturnType<typeof openStore>) {
    const log = store.create(sid, "/w");
    const todo = { id: "1", content: "do it", status: "pending", priority: "high" } as const;
    const decided = { type: "tool.decided", runId: "r1", callId: "r1/1/0", decision: "allow", source: "s" } as const;
    const blobs = [{ hash: "h1", bytes: new Uint8Array([1, 2]) }];
    const events = [begun, admitted("i1", "go"), started("i1"), replied("ok", [call("r1/1/0")])];
    const more = [event({ ...decided, reasons: [] }), settled("r1/1/0", "out", [todo]), admitted("i2", "waiting")];
    log.append({ from: 1, entries: accepted(...events, ...more), blobs, durable: true });
    return log;
  }

  test("[PS-5] of the beginning has the events before a number, and in every table what follows from them", () => {
    const store = openStore(home());
    const log = fill(store);
    const fork = store.fork(sid, other, 4);
    expect([...fork.read()]).toEqual([...log.read()].slice(0, 3));
    expect(tablesOf(home(), other)).toEqual({
      messages: [[3, 0, "user", null, null, null, "go"]],
      todos: [],
      permission_log: [],
    });
    expect(fork.blob("h1")).toEqual(new Uint8Array([1, 2]));
    put(fork, 4, admitted("i2", "another way"));
    const [row] = store.sessions({ limit: 1 });
    expect([row?.id, row?.title, row?.events]).toEqual([other, "go", 4]);
    store.close();
  });

  test("[PS-5] copies events and every table of a session that another holds, and both then go their own way", () => {
    const store = openStore(home());
    const log = fill(store);
    const fork = store.fork(sid, other);
    expect([...fork.read()]).toEqual([...log.read()]);
    expect(tablesOf(home(), other)).toEqual(tablesOf(home(), sid));
    expect(tablesOf(home(), other).messages.length).toBe(3);
    expect(fork.blob("h1")).toEqual(new Uint8Array([1, 2]));
    // The input that waited in the source is known to the fork.
    put(fork, 8, started("i2"));
    put(log, 8, note("source"));
    expect(tablesOf(home(), other).messages.at(-1)).toEqual([8, 0, "user", null, null, null, "waiting"]);
    expect(tablesOf(home(), sid).messages.length).toBe(3);
    expect([...fork.read()].length).toBe(8);
    expect(
      store.sessions({ limit: 5 }).map(({ id, title, model, workspace }) => [id, title, model, workspace]),
    ).toEqual([
      [sid, "go", "a/one", "/w"],
      [other, "go", "a/one", "/w"],
    ]);
    store.close();
    const raw = new Database(join(home(), "coder.db"), { readonly: true });
    expect(raw.prepare("select id, forked_from from sessions order by key").values()).toEqual([
      [sid, null],
      [other, sid],
    ]);
    raw.close(true);
  });

  test("forgets no table: each one with a session column, but for what belongs to the process that has it open, has as many rows for the copy as for the source", () => {
    const store = openStore(home());
    fill(store);
    store.fork(sid, other);
    const raw = new Database(join(home(), "coder.db"), { readonly: true });
    const tables = raw
      .prepare<{ name: string }, []>(
        `select m.name from sqlite_schema m, pragma_table_xinfo(m.name) c
         where m.type = 'table' and c.name = 'session' and m.name not in ('leases', 'partials')`,
      )
      .all();
    const counts = tables.map(({ name }) => [
      name,
      ...raw.prepare(`select count(*) from ${name} group by session order by session`).values().flat(),
    ]);
    expect(Object.fromEntries(counts.map(([name, ...rest]) => [name, rest]))).toEqual({
      events: [7, 7],
      inputs: [1, 1],
      calls: [1, 1],
      messages: [3, 3],
      todos: [1, 1],
      permission_log: [1, 1],
      session_blobs: [1, 1],
    });
    raw.close(true);
    store.close();
  });

  test("of a session that is not there, or onto one that is, is refused and changes nothing", () => {
    const store = openStore(home());
    const log = fill(store);
    expect(faultOf(() => store.fork("none-0001", other))).toEqual({
      code: "E_STORE",
      text: phrase("store.missing", { id: "none-0001" }),
      advice: phrase("store.missing.advice", { id: "none-0001" }),
    });
    expect(faultOf(() => store.fork(sid, sid))).toEqual({
      code: "E_STORE",
      text: phrase("store.exists", { id: sid }),
      advice: phrase("store.exists.advice", { id: sid }),
    });
    expect(store.sessions({ limit: 5 }).map(({ id }) => id)).toEqual([sid]);
    put(log, 8, note("still open"));
    store.close();
  });
});
