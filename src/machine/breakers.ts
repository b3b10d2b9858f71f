import { type Phrase, phrase } from "../contract/text/catalogue.ts";

/** BR-2: more successive steps than this without progress stop the run. */
export const MAX_IDLE_STEPS = 20;
/** BR-3: a pair seen this often is not executed again. */
export const MAX_SAME_PAIR = 50;
const ADVISE_AT: readonly number[] = [3, 5, 8];
/** Bounds the work per step, whatever the length of the run; a longer loop meets the step limit. */
const REMEMBERED = 64;

interface Pair {
  readonly call: string;
  readonly result: string;
  readonly count: number;
}

export interface Breakers {
  /** Most recently used last. */
  readonly pairs: readonly Pair[];
  readonly idleSteps: number;
}

export const freshBreakers: Breakers = { pairs: [], idleSteps: 0 };

export interface StepCall {
  readonly call: string;
  readonly result: string;
  /** It changed a file, a todo or the plan. */
  readonly progress: boolean;
}

export function repeats(breakers: Breakers, call: string): number {
  let most = 0;
  const { pairs } = breakers;
  for (let at = 0; at < pairs.length; at++) {
    const pair = pairs[at];
    if (pair?.call === call && pair.count > most) most = pair.count;
  }
  return most;
}

export interface StepVerdict {
  readonly breakers: Breakers;
  readonly advice: readonly Phrase[];
  readonly noProgress: boolean;
}

/** A plain loop for speed: it runs for every step when a log is folded, before the JIT has compiled anything. */
function placeOf(pairs: readonly Pair[], { call, result }: StepCall): number {
  for (let at = pairs.length - 1; at >= 0; at--) {
    const pair = pairs[at];
    if (pair?.call === call && pair.result === result) return at;
  }
  return -1;
}

/** Counts one finished step. A new result for a known call is progress: re-running a test whose output changed is not a loop. */
export function afterStep(breakers: Breakers, calls: readonly StepCall[]): StepVerdict {
  let pairs = breakers.pairs;
  let progress = false;
  const advice: Phrase[] = [];
  for (const one of calls) {
    const at = placeOf(pairs, one);
    const count = (pairs[at]?.count ?? 0) + 1;
    if (at === -1 || one.progress) progress = true;
    if (ADVISE_AT.includes(count)) advice.push(phrase("run.repeat_advice", { n: count }));
    const others = at === -1 ? pairs : pairs.toSpliced(at, 1);
    pairs = others.slice(1 - REMEMBERED).concat({ call: one.call, result: one.result, count });
  }
  const idleSteps = progress ? 0 : breakers.idleSteps + 1;
  return { breakers: { pairs, idleSteps }, advice, noProgress: idleSteps > MAX_IDLE_STEPS };
}
