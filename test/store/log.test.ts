import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import type { Event } from "../../src/contract/event.ts";
import type { AppendEntry } from "../../src/contract/store.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { openStore } from "../../src/store/open.ts";
import {
  accepted,
  admitted,
  call,
  event,
  faultOf,
  note,
  put,
  recorded,
  replied,
  settled,
  sid,
  started,
  tablesFrom,
  tablesOf,
  useFolder,
} from "./sample.ts";

const home = useFolder();

describe("append and read", () => {
  test("[PS-1] what was appended is read back in order, by this store, by a peek, and by the next store", () => {
    const store = openStore(home());
    const log = store.create(sid, "/w");
    const entries: readonly AppendEntry[] = [
      ...accepted(admitted("i1", "fix it"), started("i1")),
      { event: note("stale"), accepted: false },
    ];
    log.append({ from: 1, entries: entries.slice(0, 2), blobs: [], durable: true });
    log.append({ from: 3, entries: entries.slice(2), blobs: [], durable: false });
    const expected = recorded(entries);
    expect([...log.read()]).toEqual([...expected]);
    expect([...(store.peek(sid) ?? [])]).toEqual([...expected]);
    store.close();
    const next = openStore(home());
    expect([...(next.peek(sid) ?? [])]).toEqual([...expected]);
    next.close();
  });

  test("[PS-1] reading from a number on leaves out what is before it, and nothing else", () => {
    const store = openStore(home());
    const log = store.create(sid, "/w");
    put(log, 1, ...Array.from({ length: 300 }, (_, index) => note(`n${index}`)));
    expect([...log.read(2)]).toEqual([...log.read()].slice(1));
    expect([...log.read(290)].map(({ seq }) => seq)).toEqual([290, 291, 292, 293, 294, 295, 296, 297, 298, 299, 300]);
    expect([...log.read(301)]).toEqual([]);
    store.close();
  });

  test("one answer of read can be walked twice, and walking it partly does not block later appends", () => {
    const store = openStore(home());
    const log = store.create(sid, "/w");
    put(log, 1, ...Array.from({ length: 300 }, (_, index) => note(`n${index}`)));
    const events = log.read();
    const half = events[Symbol.iterator]();
    expect(half.next().value).toEqual({ seq: 1, accepted: true, event: note("n0") });
    put(log, 301, note("last"));
    expect([...events].length).toBe(301);
    expect([...events].at(-1)).toEqual({ seq: 301, accepted: true, event: note("last") });
    store.close();
  });

  test("peek at a session that does not exist answers null, and open answers missing", () => {
    const store = openStore(home());
    expect(store.peek(sid)).toBeNull();
    expect(store.open(sid)).toEqual({ ok: false, reason: "missing" });
    store.close();
  });

  test("[PS-1] a batch that does not begin at the next number is refused and leaves no trace", () => {
    const store = openStore(home());
    const log = store.create(sid, "/w");
    put(log, 1, note("a"));
    for (const from of [0, 1, 3, 99]) {
      expect(faultOf(() => put(log, from, admitted("i1", "hello")))).toEqual({
        code: "E_STORE",
        text: phrase("store.out_of_order", { id: sid, from, next: 2 }),
        advice: phrase("advice.internal", { id: sid, from, next: 2 }),
      });
    }
    expect([...log.read()]).toEqual([{ seq: 1, accepted: true, event: note("a") }]);
    expect(tablesOf(home(), sid)).toEqual({ messages: [], todos: [], permission_log: [] });
    put(log, 2, note("b"));
    expect([...log.read()].length).toBe(2);
    store.close();
  });

  test("[PS-1] a batch whose last event cannot be stored leaves none of its events, projections or blobs", () => {
    const store = openStore(home());
    const log = store.create(sid, "/w");
    const broken = { ...settled("r1/1/0", "x"), result: { status: "done", output: null } } as unknown as Event;
    const entries = accepted(admitted("i1", "hello"), started("i1"), replied("yes", [call("r1/1/0")]), broken);
    const blobs = [{ hash: "ab", bytes: new Uint8Array([1]) }];
    expect(faultOf(() => log.append({ from: 1, entries, blobs, durable: false }))).toEqual({
      code: "E_STORE",
      text: phrase("store.failed", {
        path: join(home(), "coder.db"),
        code: "SQLITE_CONSTRAINT_NOTNULL",
        seconds: 5,
      }),
    });
    expect([...log.read()]).toEqual([]);
    expect(log.blob("ab")).toBeNull();
    expect(tablesOf(home(), sid)).toEqual({ messages: [], todos: [], permission_log: [] });
    expect(store.sessions({ limit: 10 })).toEqual([]);
    put(log, 1, note("works again"));
    expect([...log.read()].length).toBe(1);
    store.close();
  });

  test("blobs are kept once and come back byte for byte, an empty one too", () => {
    const store = openStore(home());
    const log = store.create(sid, "/w");
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
    const blobs = [
      { hash: "h1", bytes },
      { hash: "h2", bytes: new Uint8Array(0) },
    ];
    log.append({ from: 1, entries: accepted(note("a")), blobs, durable: true });
    log.append({ from: 2, entries: accepted(note("b")), blobs, durable: true });
    expect(log.blob("h1")).toEqual(bytes);
    expect(log.blob("h2")).toEqual(new Uint8Array(0));
    expect(log.blob("h3")).toBeNull();
    store.close();
  });

  test("an event whose text in the file is damaged is reported by its number, and the events before it are read", () => {
    const store = openStore(home());
    const log = store.create(sid, "/w");
    put(log, 1, note("a"), note("b"), note("c"));
    const raw = new Database(join(home(), "coder.db"));
    raw.run("update events set body = '{\"v\":' where seq = 2");
    raw.close(true);
    const read: number[] = [];
    const fault = faultOf(() => {
      for (const { seq } of log.read()) read.push(seq);
    });
    expect(read).toEqual([1]);
    const args = { path: join(home(), "coder.db"), id: sid, seq: 2 };
    expect(fault).toEqual({
      code: "E_STORE",
      text: phrase("store.damaged_event", args),
      advice: phrase("store.damaged.advice", args),
    });
    store.close();
  });

  test("a gap in the numbers of the file is reported, not read over", () => {
    const store = openStore(home());
    const log = store.create(sid, "/w");
    put(log, 1, note("a"), note("b"), note("c"));
    const raw = new Database(join(home(), "coder.db"));
    raw.run("delete from events where seq = 2");
    raw.close(true);
    const args = { path: join(home(), "coder.db"), id: sid, seq: 2 };
    expect(faultOf(() => [...log.read()])).toEqual({
      code: "E_STORE",
      text: phrase("store.damaged_event", args),
      advice: phrase("store.damaged.advice", args),
    });
    store.close();
  });

  test("creating a session under an id that exists is refused", () => {
    const store = openStore(home());
    store.create(sid, "/w");
    expect(faultOf(() => store.create(sid, "/elsewhere"))).toEqual({
      code: "E_STORE",
      text: phrase("store.exists", { id: sid }),
      advice: phrase("store.exists.advice", { id: sid }),
    });
    store.close();
  });
});

const anyText = fc.string({ unit: "binary", maxLength: 40 });
const anyCallId = fc.integer({ min: 0, max: 3 }).map((n) => `r1/1/${n}` as const);
const anyInput = fc.constantFrom("i1", "i2", "i3");
const anyTodo = fc.record({
  id: fc.constantFrom("1", "2"),
  content: anyText,
  status: fc.constantFrom("pending", "in_progress", "completed"),
  priority: fc.constantFrom("high", "medium", "low"),
});
const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  fc.tuple(anyInput, anyText).map(([id, text]) => admitted(id, text)),
  anyInput.map(started),
  fc.array(anyInput, { maxLength: 3 }).map((inputIds) => event({ type: "input.delivered", runId: "r1", inputIds })),
  anyInput.map((id) => event({ type: "input.returned", inputIds: [id] })),
  fc.tuple(anyText, fc.array(anyCallId, { maxLength: 3 }), fc.json()).map(([text, ids, json]) =>
    replied(
      text,
      ids.map((id) => call(id, `tool-${id}`, JSON.parse(json))),
    ),
  ),
  fc.tuple(anyCallId, anyText).map(([id, text]) => settled(id, text)),
  fc
    .tuple(anyCallId, anyText, fc.array(anyTodo, { maxLength: 4 }))
    .map(([id, text, todos]) => settled(id, text, todos)),
  fc.tuple(anyCallId, fc.constantFrom("allow", "ask", "deny")).map(([callId, decision]) => {
    const reasons = [phrase("store.missing", { id: "x" })];
    return event({ type: "tool.decided", runId: "r1", callId, decision, reasons, source: "preset" });
  }),
  fc.tuple(anyCallId, anyText, fc.option(anyCallId)).map(([callId, words, changed]) => {
    const edited = changed === null ? null : call(changed, "edited");
    return event({
      type: "approval.answered",
      runId: "r1",
      callId,
      answer: "edit",
      words,
      call: edited,
      by: "person",
    });
  }),
  anyText.map(note),
);
const anyBatch = fc.record({
  entries: fc.array(fc.record({ event: anyEvent, accepted: fc.boolean() }), { maxLength: 6 }),
  durable: fc.boolean(),
});

test("[PS-1] any batches are read back equal, and the tables hold exactly what the accepted events say", () => {
  const store = openStore(home());
  let count = 0;
  const property = fc.property(fc.array(anyBatch, { maxLength: 12 }), (batches) => {
    count += 1;
    const id = `prop-${String(count).padStart(4, "0")}`;
    const log = store.create(id, "/w");
    const all: AppendEntry[] = [];
    for (const { entries, durable } of batches) {
      log.append({ from: all.length + 1, entries, blobs: [], durable });
      all.push(...entries);
    }
    expect([...log.read()]).toEqual([...recorded(all)]);
    expect(tablesOf(home(), id)).toEqual(tablesFrom(recorded(all)));
    log.close();
  });
  fc.assert(property, { numRuns: 150 });
  store.close();
});
