import { expect, test } from "bun:test";
import { answerNow, type EffectTable, effects } from "../../../src/engine/effect/effects.ts";
import type { EffectPorts } from "../../../src/engine/effect/row.ts";
import { HistoryFold } from "../../../src/machine/history/history.ts";
import { emptySession } from "../../../src/machine/state.ts";

test("every effect has one row, which answers it at once, carries it out, or does either", () => {
  for (const [type, row] of Object.entries(effects)) {
    const ways = [row.now, "later" in row ? row.later : undefined].filter((way) => way !== undefined);
    expect([type, ways.length > 0]).toEqual([type, true]);
  }
});

test("an effect without a row, and a row without an effect, do not compile", () => {
  const { start_task: _, ...without } = effects;
  // @ts-expect-error: the row of start_task is missing
  const missing: EffectTable = without;
  // @ts-expect-error: nothing orders this
  const planted: EffectTable = { ...effects, planted_effect: effects.start_task };
  expect([Object.keys(missing).length + 1, Object.keys(planted).length - 1]).toEqual([
    Object.keys(effects).length,
    Object.keys(effects).length,
  ]);
});

test("what has to be carried out has no answer at once", () => {
  const order = { type: "end_job", jobId: "j1" } as const;
  expect(answerNow({} as EffectPorts, order, { state: emptySession, history: new HistoryFold() })).toBeNull();
});
