import type { Routine, Source } from "../text/outline.ts";

/** The classes of small faults that people make. */
export type Kind =
  | "boundary" // < for <=
  | "direction" // < for >
  | "equality" // == for !=
  | "arithmetic" // + for -
  | "logic" // and for or
  | "negation" // an inverted condition
  | "step" // off by one
  | "constant" // another number
  | "text" // another string
  | "truth" // True for False
  | "name" // another variable
  | "word" // min for max
  | "arguments" // arguments in the wrong order
  | "operands" // b - a for a - b
  | "return" // a missing or premature return
  | "await"
  | "guard" // an unhandled case
  | "assign" // = for +=
  | "order" // sorted the other way
  | "fallback" // a missing key
  | "wrap" // a missing conversion
  | "lines" // two lines in the wrong order, or one too many
  | "flow"; // break for continue

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

/** How often a fault is of this kind, roughly. The failures change these odds later. */
export const usual: Readonly<Record<Kind, number>> = {
  boundary: 1,
  direction: 0.55,
  equality: 0.6,
  arithmetic: 0.8,
  logic: 0.75,
  negation: 0.5,
  step: 0.7,
  constant: 0.5,
  text: 0.8,
  truth: 0.6,
  name: 0.5,
  word: 0.7,
  arguments: 0.6,
  operands: 0.5,
  return: 0.5,
  await: 0.8,
  guard: 0.3,
  assign: 0.55,
  order: 0.45,
  fallback: 0.3,
  wrap: 0.25,
  lines: 0.2,
  flow: 0.6,
};
