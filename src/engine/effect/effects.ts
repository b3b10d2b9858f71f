import type { Effect } from "../../contract/effect.ts";
import type { EffectAnswer } from "../loop/loop.ts";
import { callRows } from "./call-rows.ts";
import { checkRows } from "./check-rows.ts";
import { modelRows } from "./model-rows.ts";
import { planRows } from "./plan-rows.ts";
import type { EffectPorts, EffectRow, Moment } from "./row.ts";
import { runRows } from "./run-rows.ts";
import { taskRows } from "./task-rows.ts";

/** Typed so that an effect without a row does not compile. */
export type EffectTable = { readonly [T in Effect["type"]]: EffectRow<Extract<Effect, { type: T }>> };

/** The one place where effects are performed. */
export const effects: EffectTable = {
  ...taskRows,
  ...planRows,
  ...runRows,
  ...modelRows,
  ...callRows,
  ...checkRows,
};

function rowOf(effect: Effect): EffectRow<Effect> {
  // TypeScript cannot correlate the key with the row of this effect.
  return effects[effect.type] as EffectRow<Effect>;
}

/** `null`: `carryOut` has to do it. */
export function answerNow(ports: EffectPorts, effect: Effect, at: Moment): EffectAnswer | null {
  return rowOf(effect).now?.(ports, effect, at) ?? null;
}

/** Whether cancelling the run does not wait for this effect. */
export function outlivesRun(effect: Effect): boolean {
  const row = rowOf(effect);
  return "outlivesRun" in row && row.outlivesRun === true;
}

export async function carryOut(ports: EffectPorts, effect: Effect, signal: AbortSignal): Promise<void> {
  const bodies = (await rowOf(effect).later?.(ports, effect, signal)) ?? [];
  for (const body of bodies) ports.loop.push(body);
}
