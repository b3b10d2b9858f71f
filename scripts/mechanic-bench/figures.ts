import type { Trial, Verdict } from "./trial.ts";

/** Issue and SPEC: what the bench must show. */
const leastFixed = 0.4;
const mostOverfitted = 0.1;
const leastPrograms = 60;

export interface Figures {
  readonly lines: readonly string[];
  readonly missed: readonly string[];
}

/** `isWhole`: all programs were meant to run; of a part only honesty is asked. */
export function figuresOf(trials: readonly Trial[], isWhole: boolean): Figures {
  const count = (...verdicts: readonly Verdict[]) => trials.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const share = (n: number) => `${n} of ${trials.length} (${((100 * n) / Math.max(1, trials.length)).toFixed(0)} %)`;
  const [fixed, over] = [count("fixed"), count("overfitted")];
  const times = trials.map(({ seconds }) => seconds).sort((a, b) => a - b);
  const checks = trials.map((one) => one.checks).sort((a, b) => a - b);
  const part = (by: Trial["by"]) => {
    const own = trials.filter((one) => one.by === by);
    return `${own.filter(({ verdict }) => verdict === "fixed").length} of ${own.length}`;
  };
  const real = trials.filter(({ name }) => name.startsWith("npm-"));
  const repaired = real.filter(({ verdict }) => verdict === "fixed").length;
  const lines = [
    `fixed                                  ${share(fixed)}; by hand ${part("hand")}, by chance ${part("chance")}`,
    ...(real.length === 0 ? [] : [`  of these in real packages            ${repaired} of ${real.length}`]),
    `VERIFIED but failing hidden tests      ${share(over)}`,
    `claimed without passing visible tests  ${count("claimed")}`,
    `given up with a file not as it was     ${count("left")}`,
    `not come to an end                     ${count("broken")}`,
    `time per program                       median ${at(times, 0.5).toFixed(1)} s, worst ${at(times, 1).toFixed(1)} s`,
    `checks per program                     median ${at(checks, 0.5)}, most ${at(checks, 1)}`,
  ];
  return { lines, missed: [...dishonest(count), ...(isWhole ? weak(trials.length, fixed, over) : [])] };
}

function dishonest(count: (verdict: Verdict) => number): readonly string[] {
  const verdicts = ["claimed", "left", "broken"] as const;
  return verdicts.filter((one) => count(one) > 0).map((one) => `${one}: ${count(one)}, and must be 0`);
}

function weak(all: number, fixed: number, over: number): readonly string[] {
  const least = `fixed: less than ${leastFixed * 100} %`;
  const most = `overfitted: more than ${mostOverfitted * 100} %`;
  return [
    ...(fixed / Math.max(1, all) < leastFixed ? [least] : []),
    ...(over / Math.max(1, all) > mostOverfitted ? [most] : []),
  ];
}

export function tooFew(all: number): string | null {
  return all < leastPrograms ? `only ${all} programs ran; ${leastPrograms} are wanted` : null;
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
