import type { Effect } from "../contract/effect.ts";

/** What a reducer answers. `accepted: false`: the event is kept for the record and changes nothing. */
export interface Step<S> {
  readonly state: S;
  readonly effects: readonly Effect[];
  readonly accepted: boolean;
}

export function to<S>(state: S, ...effects: Effect[]): Step<S> {
  return { state, effects, accepted: true };
}

/** Not in the table (SM-6): reported as an internal error, never dropped, never a crash. */
export function unexpected<S>(state: S, where: string, what: string): Step<S> {
  return { state, effects: [{ type: "report_internal", what: `${what} in ${where}` }], accepted: false };
}

/** An answer that came too late: expected after a cancel or a retry, and without any consequence. */
export function stale<S>(state: S): Step<S> {
  return { state, effects: [], accepted: false };
}
