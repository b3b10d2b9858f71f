import type { Recorded } from "../../contract/event.ts";
import { emptySession } from "../../machine/state.ts";
import type { Published } from "../port.ts";
import { transitions } from "./loop.ts";
import { tried } from "./replay.ts";

/** Publishes a stored log as it was published live: each event with its state and transitions. */
export function* follow(log: Iterable<Recorded>): Generator<Extract<Published, { kind: "event" }>> {
  let state = emptySession;
  for (const recorded of log) {
    const step = recorded.accepted ? tried(state, recorded) : null;
    const before = state;
    if (step?.accepted) state = step.state;
    yield { kind: "event", recorded, state, transitions: transitions(before, state) };
  }
}
