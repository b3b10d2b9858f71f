import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventBody, Recorded } from "../../../src/contract/event.ts";
import type { SessionLog, Store } from "../../../src/contract/store.ts";
import { LogPlaces, recentEvents } from "../../../src/engine/loop/log-tail.ts";
import { openStore } from "../../../src/store/open.ts";
import { event, limits } from "../../machine/make.ts";
import { Bench, type Seat } from "../../support/engine.ts";

const done = { text: "done" };
const list = { calls: [{ tool: "list", input: {} }] };
const seen = (seat: Seat): readonly Recorded[] =>
  seat.published.flatMap((one) => (one.kind === "event" && one.recorded.accepted ? [one.recorded] : []));
const tasksIn = (past: readonly Recorded[]) =>
  past.flatMap(({ event: one }) => (one.type === "task.started" ? [one.taskId] : []));

describe("[PS-3] the past of a resumed session", () => {
  test("is what was published of its newest tasks, from the end of the task before them", async () => {
    await using bench = new Bench([
      [list, done],
      [list, done],
      [list, done],
    ]);
    const first = bench.open();
    expect(first.engine.past(3)).toEqual([]);
    for (const text of ["one", "two", "three"]) await first.run(text);
    const all = seen(first);
    expect(first.engine.past(9)).toEqual(all);
    const ends = all.filter(({ event: one }) => one.type === "task.ended").map(({ seq }) => seq);
    const lastTwo = all.filter(({ seq }) => seq > (ends[0] ?? 0));
    expect(first.engine.past(2)).toEqual(lastTwo);
    expect([tasksIn(lastTwo), lastTwo[0]?.event.type]).toEqual([["t2", "t3"], "input.admitted"]);
    const { id } = first.engine.state();
    await first.close();
    const later = bench.open();
    let shown: readonly Recorded[] = [];
    later.engine.subscribe((one) => {
      if (one.kind === "session") shown = later.engine.past(2);
    });
    await later.engine.resume(id);
    await later.event("session.resumed");
    // Together with what is published from there on: everything, once.
    expect([...shown, ...seen(later)].map(({ seq }) => seq)).toEqual([
      ...lastTwo.map(({ seq }) => seq),
      ...seen(later).map(({ seq }) => seq),
    ]);
    expect(shown).toEqual(lastTwo);
    expect(seen(later)[0]?.seq).toBe((lastTwo.at(-1)?.seq ?? 0) + 1);
  });

  test("holds the inputs of its tasks, also those that were sent long before they began", async () => {
    await using bench = new Bench([
      { when: "one", steps: [{ text: "1", delayMs: 50 }] },
      { when: "two", steps: [done] },
      { when: "three", steps: [done] },
    ]);
    const seat = bench.open();
    await seat.engine.runInput("one");
    await seat.engine.runInput("two", { delivery: "queue" });
    await seat.engine.runInput("three", { delivery: "queue" });
    await seat.engine.idle();
    const past = seat.engine.past(1);
    expect(tasksIn(past)).toEqual(["t3"]);
    const admitted = seen(seat).filter(({ event: one }) => one.type === "input.admitted");
    expect(past[0]).toEqual(admitted[2] as Recorded);
    expect(past.filter(({ event: one }) => one.type === "input.admitted").length).toBe(1);
    expect(past.map(({ seq }) => seq)).toEqual(past.map(({ seq }) => seq).toSorted((a, b) => a - b));
  });
});

describe("[PS-3] the end of a long log", () => {
  let folder: string;
  let store: Store;
  let log: SessionLog;
  const places = () => {
    const found = new LogPlaces();
    for (const one of log.read()) found.note(one);
    return found;
  };
  const put = (from: number, bodies: readonly EventBody[]): number => {
    const entries = bodies.map((body) => ({ event: event(body), accepted: body.type !== "retry.due" }));
    log.append({ from, entries, blobs: [], durable: false });
    return from + bodies.length;
  };
  const admitted = (inputId: string): EventBody => ({
    type: "input.admitted",
    ...{ inputId, kind: "task", delivery: "queue", text: inputId },
  });
  const started = (n: number): EventBody => ({
    type: "task.started",
    ...{ taskId: `t${n}`, runId: `r${n}`, inputId: `i${n}`, limits },
  });
  const notices = (n: number): EventBody[] =>
    Array.from({ length: n }, () => ({ type: "notice.given", text: { key: "cancel.line2" } }));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "coder-recent-"));
    store = openStore(folder);
    log = store.create("abcd-efgh", "/w");
  });
  afterEach(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("of a task with ten thousand events: how it began, with its input, and the last two thousand", () => {
    const next = put(1, [
      ...[admitted("i1"), started(1), { type: "task.ended", taskId: "t1" } as const],
      ...[admitted("i2"), admitted("i3"), started(2), ...notices(5_000)],
      ...[{ type: "input.delivered", runId: "r2", inputIds: ["i4"] } as const, ...notices(3_000), admitted("i5")],
      ...[...notices(1_500), { type: "input.delivered", runId: "r2", inputIds: ["i3", "i5"] } as const],
      { type: "retry.due", runId: "r2", index: 1, attempt: 1 },
    ]);
    const past = recentEvents(log, places(), 1, next);
    expect(past.slice(0, 3).map(({ seq, event: one }) => [seq, one.type])).toEqual([
      [4, "input.admitted"],
      [5, "input.admitted"],
      [6, "task.started"],
    ]);
    expect([past[3]?.seq, past.length, past.at(-1)?.event.type]).toEqual([next - 2_000, 2_002, "input.delivered"]);
  });

  test("a log without a task, and an empty one, are shown as they are", () => {
    expect(recentEvents(log, places(), 1, 1)).toEqual([]);
    const next = put(1, notices(3));
    expect(recentEvents(log, places(), 1, next).length).toBe(3);
    expect(recentEvents(log, places(), 0, next).length).toBe(3);
  });
});
