import type { Effect } from "../contract/effect.ts";

/** A reducer's result. `accepted: false`: the event is kept for the record and changes nothing. */
export interface Step<S> {
  readonly state: S;
  readonly effects: readonly Effect[];
  readonly accepted: boolean;
}

export function to<S>(state: S, ...effects: Effect[]): Step<S> {
  return { state, effects, accepted: true };
}

/** Not in the transition table (SM-6): reported as an internal error, never dropped, never a crash. */
export function unexpected<S>(state: S, where: string, what: string): Step<S> {
  return { state, effects: [{ type: "report_internal", what: `${what} in ${where}` }], accepted: false };
}

/** A late answer, expected after a cancel or retry, without consequences. */
export function stale<S>(state: S): Step<S> {
  return { state, effects: [], accepted: false };
}
