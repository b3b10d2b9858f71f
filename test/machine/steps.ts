// What the tests of single steps compare: whole states of a task, a run and its calls, and all orders.
import { expect } from "bun:test";
import type { Effect } from "../../src/contract/effect.ts";
import type { Event, EventType } from "../../src/contract/event.ts";
import type { Access, Call } from "../../src/contract/message.ts";
import { followUp } from "../../src/machine/follow-up.ts";
import {
  openCalls,
  type RunCore,
  type RunState,
  type SessionState,
  type TaskCore,
  type TaskState,
} from "../../src/machine/state.ts";
import type { Step } from "../../src/machine/step.ts";
import { assessment, call, limits, make, move } from "./make.ts";
import { type Place, places } from "./places.ts";

export const startCore: TaskCore = {
  id: "t1",
  input: { inputId: "i1", kind: "task", delivery: "now", text: "text of i1" },
  runId: "r1",
  limits,
  startedAt: "1970-01-01T00:00:00.001Z",
  assessment: null,
  refusals: 0,
  unsound: 0,
  checks: null,
  rounds: [],
  rungs: [],
};
export const taskCore = (more: Partial<TaskCore> = {}): TaskCore => ({
  ...startCore,
  assessment: assessment(),
  ...more,
});

/** An order, or the event that follows from the state by itself. */
type Next = Effect | { readonly follows: EventType };

/** Plays one event and compares the whole task state, all orders, and what follows by itself. */
export function expectTask(place: Place | readonly Event[], event: Event, task: TaskState, ...next: Next[]): void {
  const { step } = move(typeof place === "string" ? places[place] : place, event);
  expect({ task: step.state.task, next: nextOf(step), accepted: step.accepted }).toEqual({
    task,
    next,
    accepted: true,
  });
}

function nextOf({ state, effects }: Step<SessionState>): readonly Next[] {
  const event = followUp(state);
  return event ? [...effects, { follows: event.type }] : effects;
}

export const runCore = (more: Partial<RunCore> = {}): RunCore => ({
  id: "r1",
  withModel: true,
  limits,
  index: 1,
  breakers: { pairs: [], idleSteps: 0 },
  tokens: 0,
  cost: 0,
  lastText: "",
  planning: false,
  unanswered: false,
  denied: false,
  stopping: "no",
  ...more,
});
/** After one reply of 15 tokens. */
export const spent = (more: Partial<RunCore> = {}) => runCore({ tokens: 15, lastText: "text", ...more });

export const model = (index: number, attempt = 1): Effect => ({ type: "call_model", runId: "r1", index, attempt });

export function expectRun(path: readonly Event[], event: Event, run: RunState, ...next: Next[]): void {
  const { step } = move(path, event);
  expect({ run: step.state.run, next: nextOf(step), accepted: step.accepted }).toEqual({ run, next, accepted: true });
}

export const calling = places["model_running, calling"];
const toolsOf = (...accesses: Access[]): readonly Call[] => accesses.map((access, at) => call(at + 1, { access }));
export const inTools = (...accesses: Access[]) => [...calling, make.replied(toolsOf(...accesses))];
export const id = (ordinal: number) => ({ runId: "r1", callId: call(ordinal).id });
export const statuses = (state: SessionState) =>
  openCalls(state.run)
    .map((one) => one.status)
    .join(" ");

export function ordered(path: readonly Event[], event: Event): { effects: readonly Effect[]; calls: string } {
  const { step } = move(path, event);
  expect(step.accepted).toBe(true);
  return { effects: step.effects, calls: statuses(step.state) };
}
