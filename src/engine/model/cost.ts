import { estimateTokens } from "../../context/tokens.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import { noUsage, type Usage } from "../../contract/message.ts";
import type { ModelChoice, Price, Settings } from "../../contract/settings.ts";
import { dollars, inDollars } from "../../contract/show/money.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { SessionState } from "../../machine/state.ts";

/** What a model's tokens cost, whoever has said it; `null` = not known. */
export function priceOf({ price }: ModelChoice): Price | null {
  return price ?? null;
}

/** Anthropic, for a cache of five minutes (its documentation, "Prompt caching"); nobody else counts it. */
const writeSurcharge = 0.25;

/** In whole micro-dollars, rounded up: a budget is rather reached early than passed over. */
export function costOf({ input, output, cachedInput, writtenInput = 0 }: Usage, price: Price): number {
  // Numbers from outside: no more can have come from a cache, or gone into it, than was read.
  const cached = Math.min(cachedInput, input);
  const written = Math.min(writtenInput, input - cached);
  const rate = price.long && input > price.long.over ? price.long : price;
  const read = input - cached + written * writeSurcharge;
  const exact = read * rate.input + cached * rate.cachedInput + output * rate.output;
  return Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(exact / 1_000_000));
}

/** Where a provider counts nothing, a budget of money still has to end. `input`: by our own estimate. */
export function guessedUsage(input: number, written: string): Usage {
  return { ...noUsage, input: Math.round(input), output: estimateTokens(written) };
}

/** What the open task was started with; else what the next one would be. */
export function costLimit({ maxCost }: Settings, { task }: SessionState): number | null {
  return task.phase === "IDLE" ? maxCost : (task.task.limits.maxCost ?? maxCost);
}

/** BR-4: a budget that nothing could be counted against is told before anything begins. */
export function priceProblem(model: ModelChoice | null, maxCost: number | null): ErrorInfo | null {
  if (model === null || maxCost === null || priceOf(model) !== null) return null;
  return {
    code: "E_CONFIG",
    text: phrase("session.no_price", { max: dollars(inDollars(maxCost)), model: model.ref }),
    advice: phrase("session.no_price.advice", { model: JSON.stringify(model.ref) }),
  };
}
