import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventBody, Recorded } from "../../../../src/contract/event.ts";
import { callId } from "../../../../src/contract/ids.ts";
import type { SessionLog, Store } from "../../../../src/contract/store.ts";
import { LogPlaces, pageOf } from "../../../../src/engine/loop/log-tail.ts";
import { openStore } from "../../../../src/store/open.ts";
import { Pager } from "../../../../src/surface/tui/panels/pager.ts";
import { transcript } from "../../../../src/surface/tui/story/transcript.ts";
import { lookIn, shown, type } from "../frames.ts";

const limits = { maxSteps: 9, maxTokens: null, maxAttempts: 1 };
const usage = { input: 1, output: 1, cachedInput: 0, reasoning: 0 };
const rule = { complexity: "simple", riskLevel: "low", foreseen: [], missing: [] } as const;
const [tasks, steps] = [20, 40];

function task(t: number): readonly EventBody[] {
  const [taskId, runId, inputId] = [`t${t}`, `r${t}`, `i${t}`];
  return [
    { type: "input.admitted", inputId, kind: "task", delivery: "now", text: `message ${t}` },
    { type: "task.started", taskId, runId, inputId, limits },
    { type: "task.assessed", taskId, assessment: { kind: "task", intent: "run", ...rule } },
    ...Array.from({ length: steps }, (_, s): readonly EventBody[] => {
      const id = callId(`r${t}`, s + 1, 1);
      const call = { id, key: "k", providerId: null, tool: "bash", input: { command: `seq ${s}` } };
      const how = { access: "exec", afterCrash: "unknown", role: "runs" } as const;
      const reply = {
        text: `Reply ${s} of task ${t}.`,
        thinking: "",
        usage,
        finish: "tool_calls",
        calls: [{ ...call, ...how }],
      } as const;
      const output = Array.from({ length: 125 }, (_, n) => `task ${t} step ${s} line ${n}`).join("\n");
      return [
        { type: "model.replied", runId, index: s + 1, attempt: 1, reply },
        { type: "tool.intended", runId, callId: id, intent: { changes: [], text: "" } },
        { type: "tool.settled", runId, callId: id, result: { status: "done", key: "k", ms: 5, output } },
      ];
    }).flat(),
    { type: "task.ended", taskId },
  ];
}

/** A session of 100,000 lines. */
describe("the transcript of a long session", () => {
  let folder: string;
  let store: Store;
  let log: SessionLog;
  const places = new LogPlaces();
  const read: number[] = [];
  const pages = {
    get pageCount() {
      return places.pages.length;
    },
    page: (page: number): readonly Recorded[] => {
      read.push(page);
      return pageOf(log, places, page);
    },
  };
  const open = (): Pager => {
    read.length = 0;
    return new Pager(lookIn(), transcript(lookIn(), { title: () => "it", structured: () => null }, pages), () => {});
  };
  const rows = (pager: Pager, width = 80): readonly string[] => {
    const frame = (): readonly string[] => shown(pager, width);
    let last = frame();
    while (pager.isUnfinished) last = frame();
    return last;
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "coder-transcript-"));
    store = openStore(folder);
    log = store.create("abcd-efgh", "/w");
    const bodies = Array.from({ length: tasks }, (_, t) => task(t + 1)).flat();
    const entries = bodies.map((body) => ({ event: { v: 1 as const, at: 0, ...body }, accepted: true }));
    log.append({ from: 1, entries, blobs: [], durable: false });
    for (const one of log.read()) places.note(one);
  });
  afterAll(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("[PS-3] [SU-3] begins at its end, and reads no more of the log than it shows", () => {
    const pager = open();
    expect(rows(pager)).toContain(`task ${tasks} step ${steps - 1} line 124`);
    expect(Math.min(...read)).toBeGreaterThanOrEqual(pages.pageCount - 2);
    expect(rows(pager).at(-1)).toMatch(/ of \d+\+ /);
  });

  test("[PS-3] [SU-3] is searched as a whole, every call with its whole output once, and keeps its place at another width", () => {
    const pager = open();
    rows(pager);
    pager.handle("/");
    type(pager, "task 1 step 0 line 7");
    pager.handle("\r");
    const found = rows(pager);
    expect(found[1]).toBe("task 1 step 0 line 7");
    expect(Number(/ of (\d+) /.exec(found.at(-1) ?? "")?.[1])).toBeGreaterThan(100_000);
    expect([...read].sort((a, b) => a - b)).toEqual(Array.from({ length: pages.pageCount }, (_, n) => n));
    expect(rows(pager, 60)[1]).toBe("task 1 step 0 line 7");
    for (const key of ["g", "G"]) pager.handle(key);
    expect(rows(pager, 60)).toContain(`task ${tasks} step ${steps - 1} line 124`);
    pager.handle("g");
    expect(rows(pager, 60).join("\n")).toContain("> message 1");
  });

  test("[PS-3] its pages have every event once, beside the start of a task that an earlier page began", () => {
    const all = Array.from({ length: pages.pageCount }, (_, n) => pageOf(log, places, n));
    const own = all.flatMap((events, n) => events.filter(({ seq }) => seq >= (places.pages[n] ?? 1)));
    expect(own.map(({ seq }) => seq)).toEqual([...log.read()].map(({ seq }) => seq));
    for (const events of all) {
      const settled = new Set(events.flatMap(({ event }) => (event.type === "tool.settled" ? [event.callId] : [])));
      const made = events.flatMap(({ event }) => (event.type === "model.replied" ? event.reply.calls : []));
      expect(made.filter(({ id }) => !settled.has(id))).toEqual([]);
    }
  });
});
