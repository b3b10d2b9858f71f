import type { RunShare } from "../contract/event.ts";
import { dollars, inDollars } from "../contract/show/money.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { coreOf, openCalls, type RunCore, type SessionState } from "./state.ts";

/** What the other runs of the task have used. */
export interface Spent {
  readonly steps: number;
  readonly tokens: number;
  /** Micro-dollars. */
  readonly cost: number;
}

export const nothingSpent: Spent = { steps: 0, tokens: 0, cost: 0 };

type Budgets = Pick<RunCore, "limits" | "share" | "cost" | "tokens">;

/** BR-4: says that a cost limit is reached, of the task or of this run's share; `null` = none is. */
export function costSpent({ limits, share, cost }: Omit<Budgets, "tokens">, others = nothingSpent): Phrase | null {
  return overCost(limits.maxCost, cost + others.cost) ?? overCost(share?.maxCost, cost);
}

export function budgetSpent(run: Budgets, others = nothingSpent): Phrase | null {
  const { limits, share, tokens } = run;
  const over = overTokens(limits.maxTokens, tokens + others.tokens) ?? overTokens(share?.maxTokens ?? null, tokens);
  return over ?? costSpent(run, others);
}

/** BR-1 */
export function stepsSpent({ limits, share, index, innerSteps = 0 }: RunCore, others = nothingSpent): Phrase | null {
  if (index + innerSteps + others.steps >= limits.maxSteps) return phrase("run.step_limit", { n: limits.maxSteps });
  return share && index >= share.maxSteps ? phrase("run.step_limit", { n: share.maxSteps }) : null;
}

function overTokens(max: number | null, used: number): Phrase | null {
  return max !== null && used >= max ? phrase("run.tokens", { used, max }) : null;
}

function overCost(max: number | undefined, used: number): Phrase | null {
  if (max === undefined || used < max) return null;
  return phrase("run.cost", { used: dollars(inDollars(used)), max: dollars(inDollars(max)) });
}

/** BR-4: an equal part of what nobody has used or been promised, for each sub-agent of a reply that has not begun; none for a single one. */
export function shareFor({ run, subs }: Pick<SessionState, "run" | "subs">): { readonly share?: RunShare } {
  const main = coreOf(run);
  const begun = new Set(subs.map(({ callId }) => callId));
  const calls = openCalls(run).filter(({ call, status }) => call.role === "delegates" && status !== "settled");
  const waiting = calls.filter(({ call }) => !begun.has(call.id)).length;
  if (!main || calls.length < 2) return {};
  const { maxSteps, maxTokens, maxCost } = main.limits;
  const running = subs.flatMap((sub) => coreOf(sub.run) ?? []);
  const part = (max: number, used: (core: RunCore) => number, promised: (share: RunShare) => number | null): number => {
    const taken = running.reduce(
      (sum, one) => sum + Math.max(used(one), (one.share && promised(one.share)) ?? 0),
      used(main),
    );
    return Math.max(1, Math.floor((max - taken) / Math.max(1, waiting)));
  };
  const share: RunShare = {
    maxSteps: part(
      maxSteps,
      ({ index, innerSteps = 0 }) => index + innerSteps,
      (one) => one.maxSteps,
    ),
    maxTokens:
      maxTokens === null
        ? null
        : part(
            maxTokens,
            ({ tokens }) => tokens,
            (one) => one.maxTokens,
          ),
  };
  if (maxCost === undefined) return { share };
  return {
    share: {
      ...share,
      maxCost: part(
        maxCost,
        ({ cost }) => cost,
        (one) => one.maxCost ?? 0,
      ),
    },
  };
}
