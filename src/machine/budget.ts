import { dollars, inDollars } from "../contract/show/money.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import type { RunCore } from "./state.ts";

/** BR-4: says that the task's cost limit is reached; `null` = it is not. */
export function costSpent({ limits: { maxCost }, cost }: Pick<RunCore, "limits" | "cost">): Phrase | null {
  if (maxCost === undefined || cost < maxCost) return null;
  return phrase("run.cost", { used: dollars(inDollars(cost)), max: dollars(inDollars(maxCost)) });
}

export function budgetSpent(run: Pick<RunCore, "limits" | "cost" | "tokens">): Phrase | null {
  const { maxTokens } = run.limits;
  if (maxTokens !== null && run.tokens >= maxTokens) return phrase("run.tokens", { used: run.tokens, max: maxTokens });
  return costSpent(run);
}
