import { expect, test } from "bun:test";
import type { Event } from "../../../src/contract/event.ts";
import { crashEvents } from "../../../src/engine/loop/crash.ts";
import { reduce } from "../../../src/machine/session.ts";
import { after } from "../../machine/make.ts";
import { places } from "../../machine/places.ts";

test("[SM-6] a fault of ours while a task is summed up ends the task, with exit code 70, and the session goes on", () => {
  const effect = { type: "summarize_task", taskId: "t1" } as const;
  const bodies = crashEvents({ effect, error: new Error("x"), traceId: "trace", settle: null });
  let state = after(places.SUMMARIZING);
  for (const body of bodies) state = reduce(state, { v: 1, at: 1, ...body } as Event).state;
  expect(bodies.map(({ type }) => type)).toEqual(["internal.reported", "task.summarized"]);
  expect(state.task).toMatchObject({ phase: "DONE", summary: { outcome: "FAILED", exit_code: 70 } });
});
