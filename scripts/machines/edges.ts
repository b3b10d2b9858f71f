// The transitions of both machines, asked of the machines themselves: from every place that the table of the tests knows, every event.
import type { Event } from "../../src/contract/event.ts";
import { transitions } from "../../src/engine/loop/loop.ts";
import { reduce } from "../../src/machine/session.ts";
import { emptySession, type SessionState } from "../../src/machine/state.ts";
import { type Place, places } from "../../test/machine/places.ts";
import { samples } from "../../test/machine/samples.ts";

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** The events that lead there. */
  readonly on: readonly string[];
}

export function edgesOf(machine: "task" | "run"): readonly Edge[] {
  const found = new Map<string, Set<string>>();
  const step = (before: SessionState, event: Event): SessionState => {
    const { state } = reduce(before, event);
    for (const one of transitions(before, state)) {
      if (one.machine !== machine) continue;
      const key = `${one.from} ${one.to}`;
      found.set(key, (found.get(key) ?? new Set()).add(event.type));
    }
    return state;
  };
  for (const place of Object.keys(places) as Place[]) {
    const state = places[place].reduce(step, emptySession);
    for (const event of Object.values(samples) as readonly Event[]) step(state, event);
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, on]) => {
      const [from = "", to = ""] = key.split(" ");
      return { from, to, on: [...on].sort() };
    });
}
