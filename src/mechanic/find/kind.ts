import type { Routine, Source } from "../text/outline.ts";

/** The classes of small faults, with how often a fault is of each, roughly. The failures change these odds later. */
export const usual = {
  boundary: 1, // < for <=
  direction: 0.55, // < for >
  equality: 0.6, // == for !=
  arithmetic: 0.8, // + for -
  logic: 0.75, // and for or
  negation: 0.5, // an inverted condition
  step: 0.7, // off by one
  constant: 0.5, // another number
  text: 0.8, // another string
  truth: 0.6, // True for False
  name: 0.5, // another variable
  word: 0.7, // min for max
  arguments: 0.6, // arguments in the wrong order
  operands: 0.5, // b - a for a - b
  return: 0.5, // a missing or premature return
  await: 0.8,
  guard: 0.3, // an unhandled case
  assign: 0.55, // = for +=
  order: 0.45, // sorted the other way
  fallback: 0.3, // a missing key
  wrap: 0.25, // a missing conversion
  lines: 0.2, // two lines in the wrong order, or one too many
  flow: 0.6, // break for continue
  limit: 0.5, // a missing max or min
  start: 0.4, // an empty list for a list with an empty one
  missing: 0.12, // a missing statement
};

export type Kind = keyof typeof usual;

/** One small change of a source. `start` and `end` are offsets in its text. */
export interface Change {
  readonly kind: Kind;
  readonly source: Source;
  readonly routine: Routine | null;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Likelihood among changes of its kind; 1 is average. */
  readonly odds: number;
}
