import type { Usage } from "../../contract/message.ts";
import type { Failure } from "../fault/fault.ts";

/** A provider's counts, unchecked; lists are summed. */
export interface Counts {
  readonly input: readonly unknown[];
  readonly output: readonly unknown[];
  readonly cachedInput: unknown;
  readonly writtenInput?: unknown;
  readonly reasoning: unknown;
}

const odd: Failure = { kind: "unreadable", detail: "a count of tokens is no number" };

/** `null` if nothing was counted. Some protocols always send numbers, so zero input and output count as nothing too. */
export function countTokens({ input, output, cachedInput, writtenInput, reasoning }: Counts): Usage | Failure | null {
  if (![...input, ...output, cachedInput, writtenInput, reasoning].every(isNumber)) return odd;
  const [read, wrote, cached, written] = [sum(input), sum(output), sum([cachedInput]), sum([writtenInput])];
  if (read === 0 && wrote === 0) return null;
  return {
    input: count(read),
    output: count(wrote),
    cachedInput: count(cached),
    ...(count(written) > 0 ? { writtenInput: count(written) } : {}),
    reasoning: count(sum([reasoning])),
  };
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || value === undefined || value === null;
}

function sum(values: readonly unknown[]): number {
  let all = 0;
  for (const value of values) if (typeof value === "number") all += value;
  return all;
}

/** Sanitises numbers from outside, because budgets depend on them. */
function count(value: number): number {
  return value > 0 && value <= Number.MAX_SAFE_INTEGER ? Math.round(value) : 0;
}
