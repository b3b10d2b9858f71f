import { describe, expect, test } from "bun:test";
import type { AskedNotes, Summary } from "../../src/contract/event.ts";
import { reduce } from "../../src/machine/session.ts";
import { emptySession } from "../../src/machine/state.ts";
import { after, event, limits, make, reply } from "./make.ts";
import { places } from "./places.ts";

const asked: AskedNotes = { text: "notes", usage: { input: 100, output: 20, cachedInput: 5, reasoning: 1 }, cost: 7 };
const summary: Summary = { text: "all of it", notes: "notes", by: "model" };
const calling = places["model_running, calling"];
const compaction = {
  stage: "summary",
  pruneBefore: 4,
  trimBefore: 2,
  tokensBefore: 9,
  tokensAfter: 5,
  summary,
} as const;

describe("notes of the model", () => {
  test("[CX-2] are kept for the compaction that is due, and paid for by session and run", () => {
    const state = after([...calling, make.overflowed({ notes: asked })]);
    expect(state.run).toMatchObject({ doing: "compacting", notes: "notes", run: { tokens: 120, cost: 7 } });
    expect([state.usage, state.cost]).toEqual([asked.usage, 7]);
    const next = reduce(state, make.compacted("summary", { compaction }));
    expect("notes" in next.state.run).toBe(false);
    expect(next.state.view).toEqual({ pruneBefore: 4, trimBefore: 2, summary });
    expect(next.effects).toEqual([{ type: "call_model", runId: "r1", index: 1, attempt: 2 }]);
  });

  test("[CX-2] of a price that nobody knows make the session's cost unknown", () => {
    const { cost: _, ...free } = asked;
    expect(after([...calling, make.overflowed({ notes: free })]).cost).toBeNull();
  });

  test("[CX-2] [BR-4] that use up a budget end the run before the call is repeated", () => {
    const started = make.started({ limits: { ...limits, maxTokens: 100 } });
    const begun = calling.map((one) => (one.type === "task.started" ? started : one));
    const { state, effects } = reduce(after([...begun, make.overflowed({ notes: asked })]), make.compacted("summary"));
    expect(state.run).toMatchObject({ phase: "completed", end: { stop: "BUDGET" } });
    expect(effects.some(({ type }) => type === "call_model")).toBe(false);
  });
});

describe("a compaction that the person asked for", () => {
  const own = event({ type: "context.compacted", compaction, notes: asked });

  test("[CX-2] changes the view between two tasks, and is paid for", () => {
    const idle = after([...calling, make.replied([]), make.checked(), make.summarized(), make.ended()]);
    const { state, accepted, effects } = reduce(idle, own);
    expect([accepted, effects]).toEqual([true, []]);
    expect(state).toEqual({
      ...idle,
      view: { pruneBefore: 4, trimBefore: 2, summary },
      usage: { input: 110, output: 25, cachedInput: 8, reasoning: 3 },
    });
    expect(reduce(emptySession, own).accepted).toBe(true);
  });

  test("[CX-2] comes too late once a task runs: it could cut into its steps", () => {
    for (const place of Object.keys(places) as (keyof typeof places)[]) {
      const state = after(places[place]);
      if (state.task.phase === "IDLE") continue;
      expect(reduce(state, own)).toEqual({ state, effects: [], accepted: false });
    }
  });
});

test("[CX-2] a log of an earlier version folds: a compaction without a summary leaves none behind", () => {
  const { summary: _, ...old } = compaction;
  const state = after([
    ...calling,
    make.overflowed(),
    make.compacted("trim", { compaction: { ...old, stage: "trim" } }),
  ]);
  expect(state.view).toEqual({ pruneBefore: 4, trimBefore: 2 });
  expect(reduce(state, make.replied([], { attempt: 2, reply: reply([]) })).accepted).toBe(true);
});
