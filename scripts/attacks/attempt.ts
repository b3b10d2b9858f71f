import type { Ground } from "./ground.ts";

/** One try to break a promise of docs/security.md. */
export interface Attempt {
  /** The promise, by its id there. */
  readonly promise: string;
  /** What the attacker does. */
  readonly name: string;
  readonly play: (ground: Ground) => Promise<Outcome>;
}

/** `held`: it came to nothing. `broken`: the attacker got what they wanted. `skipped`: it cannot be tried here. */
export interface Outcome {
  readonly is: "held" | "broken" | "skipped";
  /** How it ended, in a few words. */
  readonly how: string;
}

export const held = (how: string): Outcome => ({ is: "held", how });
export const broken = (how: string): Outcome => ({ is: "broken", how });
