import { describe, expect, test } from "bun:test";
import type { Effect } from "../../src/contract/effect.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { callState, openCalls } from "../../src/machine/state.ts";
import { after, make, move } from "./make.ts";
import { places } from "./places.ts";
import { id, inTools, ordered } from "./steps.ts";

describe("cancel in the middle of calls", () => {
  const closed = (
    ordinal: number,
    key: "run.cancelled_call" | "run.never_started",
    sideEffect: "none" | "unknown",
  ): Effect => ({
    type: "settle_call",
    ...id(ordinal),
    status: "cancelled",
    error: { code: "E_CANCELLED", text: phrase(key), sideEffect },
  });
  const executing = [...inTools("write", "write"), make.decided(1, "allow"), make.intended(1), make.cancel()];

  test("[CAN-2] [TP-4] when all has stopped, every open call gets a cancelled result that says whether it had begun", () => {
    const { before, step } = move(executing, make.stopped());
    expect(step.effects).toEqual([closed(1, "run.cancelled_call", "unknown"), closed(2, "run.never_started", "none")]);
    const run = before.run.phase === "tool_running" ? { ...before.run.run, stopping: "closing" as const } : null;
    expect(step.state.run).toEqual({ phase: "tool_running", run: run!, calls: openCalls(before.run) });
  });

  test("[CAN-2] a result that comes before the stop is kept, and its call is not cancelled", () => {
    const path = [...executing, make.settled(1)];
    expect(callState(after(path).run, "r1/1/1")?.result?.status).toBe("done");
    expect(move(path, make.stopped()).step.effects).toEqual([closed(2, "run.never_started", "none")]);
  });

  test("[CAN-2] when nothing is open at the stop, the run is over at once", () => {
    const path = [...inTools("write"), make.cancel(), make.settled(1)];
    expect(after(path).run.phase).toBe("tool_running");
    const { step } = move(path, make.stopped());
    expect(step.state.run.phase).toBe("aborted");
    expect(step.effects).toEqual([{ type: "summarize_task", taskId: "t1" }]);
  });

  test("[CAN-2] the last cancelled result ends the run, and then the summary is ordered", () => {
    const path = [...executing, make.stopped(), make.settled(1, { status: "cancelled" })];
    expect(after(path).run.phase).toBe("tool_running");
    const { before, step } = move(path, make.settled(2, { status: "cancelled" }));
    const run = before.run.phase === "tool_running" ? before.run.run : null;
    expect(step.state.run).toEqual({ phase: "aborted", run: run! });
    expect(step.effects).toEqual([{ type: "summarize_task", taskId: "t1" }]);
  });

  test("[CAN-1] while stopping, results count and nothing new is ordered", () => {
    const asking = [
      ...inTools("read", "read", "read", "write"),
      make.decided(1, "ask"),
      make.decided(2, "ask"),
      make.cancel(),
    ];
    expect(ordered(asking, make.settled(1))).toEqual({ effects: [], calls: "settled waiting deciding queued" });
    expect(ordered(asking, make.settled(3))).toEqual({ effects: [], calls: "asking waiting settled queued" });
    expect(after([...asking, make.settled(3)]).run.phase).toBe("awaiting_human");
    for (const late of [make.approval(1, "yes"), make.decided(3, "ask"), make.decided(3, "allow")]) {
      const { before, step } = move(asking, late);
      expect(step).toEqual({ state: before, effects: [], accepted: false });
    }
  });

  test("[CAN-1] a cancel at a prompt is no answer: the call is cancelled, not denied", () => {
    const { step } = move([...places.awaiting_human, make.cancel()], make.stopped());
    expect(step.effects).toEqual([closed(1, "run.never_started", "none"), closed(2, "run.never_started", "none")]);
  });

  test("[CAN-1] a prompt that a cancel has closed does not open again while the calls are settled", () => {
    const asking = [...inTools("read", "read"), make.decided(2, "ask"), make.cancel(), make.stopped()];
    expect(after(asking).run.phase).toBe("tool_running");
    expect(after([...asking, make.settled(1, { status: "cancelled" })]).run.phase).toBe("tool_running");
  });

  test("[CAN-2] the pid of a process that starts while stopping is kept", () => {
    expect(callState(after([...executing, make.spawned(1)]).run, "r1/1/1")?.spawned).toEqual({
      pid: 7,
      startTime: "99",
    });
  });

  test("[CAN-2] a time-out closes the open calls in the same way", () => {
    const path = [...inTools("write", "write"), make.decided(1, "allow"), make.intended(1), make.timedOut()];
    expect(move(path, make.stopped()).step.effects).toEqual([
      closed(1, "run.cancelled_call", "unknown"),
      closed(2, "run.never_started", "none"),
    ]);
  });
});
