// What was committed last, so that it can be set again at another width.
import { unlikeCard } from "../panels/card.ts";
import { refit } from "../terminal/fit.ts";
import type { Told } from "../terminal/reflow.ts";

/** More than this is on no screen. */
const mostLines = 300;

export class ToldLines {
  private all: Told[] = [];

  /** Returns the lines, none of which looks like a panel. */
  add(told: readonly Told[]): readonly string[] {
    const safe = told.map((one) => ({ ...one, lines: one.lines.map(unlikeCard) }));
    this.all.push(...safe);
    let count = this.all.reduce((sum, { lines }) => sum + lines.length, 0);
    while (count > mostLines) count -= this.all.shift()?.lines.length ?? count;
    return safe.flatMap(({ lines }) => lines);
  }

  /** `old`: the last lines before `after` others. What is only half of what was told at once stays as it is. */
  again(old: readonly string[], after: number, width: number): readonly string[] {
    let [at, behind] = [this.all.length, after];
    while (at > 0 && behind > 0) behind -= this.all[--at]?.lines.length ?? 0;
    let [left, from] = [old.length, at];
    if (behind !== 0) return old;
    for (; from > 0; from--) {
      const { lines } = this.all[from - 1] ?? { lines: [] };
      const own = old.slice(Math.max(0, left - lines.length), left);
      if (lines.length > left || own.some((line, index) => line !== lines[index])) break;
      left -= lines.length;
    }
    const set = this.all
      .slice(from, at)
      .map((one) => ({ ...one, lines: refit(one.again?.() ?? one.lines, width).map(unlikeCard) }));
    this.all.splice(from, at - from, ...set);
    return [...old.slice(0, left), ...set.flatMap(({ lines }) => lines)];
  }
}
