import { estimateTokens } from "../../context/tokens.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import { noUsage, type Usage } from "../../contract/message.ts";
import type { ModelChoice, Price, Settings } from "../../contract/settings.ts";
import { dollars, inDollars } from "../../contract/show/money.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { currentTask, type SessionState } from "../../machine/state.ts";

export function priceOf({ price }: ModelChoice): Price | null {
  return price ?? null;
}

/** Anthropic's surcharge for its five-minute cache (documentation, "Prompt caching"); no other provider reports written tokens. */
const writeSurcharge = 0.25;

/** In whole micro-dollars, rounded up: better to reach a budget early than to exceed it. */
export function costOf({ input, output, cachedInput, writtenInput = 0 }: Usage, price: Price): number {
  // Provider numbers: cached and written tokens cannot exceed the input.
  const cached = Math.min(cachedInput, input);
  const written = Math.min(writtenInput, input - cached);
  const rate = price.long && input > price.long.over ? price.long : price;
  const read = input - cached + written * writeSurcharge;
  const exact = read * rate.input + cached * rate.cachedInput + output * rate.output;
  return Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(exact / 1_000_000));
}

/** A cost limit must work without reported usage too. `input`: our estimate. */
export function guessedUsage(input: number, written: string): Usage {
  return { ...noUsage, input: Math.round(input), output: estimateTokens(written) };
}

export function costLimit({ maxCost }: Settings, state: SessionState): number | null {
  return currentTask(state)?.limits.maxCost ?? maxCost;
}

/** BR-4: a cost limit without a known price is refused before anything begins. */
export function priceProblem(model: ModelChoice | null, maxCost: number | null): ErrorInfo | null {
  if (model === null || maxCost === null || priceOf(model) !== null) return null;
  return {
    code: "E_CONFIG",
    text: phrase("session.no_price", { max: dollars(inDollars(maxCost)), model: model.ref }),
    advice: phrase("session.no_price.advice", { model: JSON.stringify(model.ref) }),
  };
}
