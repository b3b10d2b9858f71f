// What Anthropic's models refuse (its documentation, "Models overview" and "Extended thinking", October 2026).

/** Longest reply, thinking included, by what the name holds; the first that fits counts. */
const longest: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/claude-(sonnet|opus|haiku)-4-5/, 64_000],
  [/claude-(opus-4-[678]|sonnet-4-6|(sonnet|opus|haiku|fable)-5)/, 128_000],
  [/claude-opus-4(-|@)/, 32_000],
  [/claude-sonnet-4(-|@)/, 64_000],
  [/claude-3-haiku/, 4_096],
];

/** What is asked for, as far as the model can give it; of a model that we do not know all of it. */
export function withinLongest(model: string, tokens: number): number {
  const most = longest.find(([name]) => name.test(model))?.[1];
  return most === undefined ? tokens : Math.min(most, tokens);
}

/** Those that think as they see fit and take no budget for it. */
export function takesBudget(model: string): boolean {
  return !/claude-((sonnet|opus|haiku)-5-5|fable-5)/.test(model);
}
