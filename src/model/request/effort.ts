import { type Effort, type EffortUse, efforts } from "../../contract/settings.ts";

/** Thinking tokens. Anthropic's minimum is 1,024, and it counts them besides those of the reply. */
const budgets: Readonly<Record<Effort, number>> = {
  minimal: 1_024,
  low: 4_096,
  medium: 10_000,
  high: 20_000,
  xhigh: 32_000,
  max: 48_000,
};

/** OpenAI's chat completions have no field for a budget. */
export function chatEffort(effort: EffortUse | undefined): { readonly reasoning_effort?: string } {
  return effort === undefined || effort.by === "budget" ? {} : { reasoning_effort: effort.level };
}

/** `undefined`: no request. An effort always requests a summary too; the profile gives its kind. */
export function responsesEffort(effort: EffortUse | undefined, summary: "auto" | undefined) {
  if (effort?.by === "level") return { effort: effort.level, summary: summary ?? "detailed" };
  return summary === undefined ? undefined : { summary };
}

/** Newer models take a level and decide themselves; older ones take a budget, which must leave room for the reply. */
export function anthropicEffort(effort: EffortUse | undefined, maxOutput: number) {
  if (effort === undefined) return { budget: 0, fields: {} };
  if (effort.by === "level") {
    const level = effort.level === "minimal" ? "low" : effort.level;
    return { budget: 0, fields: { thinking: { type: "adaptive" }, output_config: { effort: level } } };
  }
  const budget = Math.max(1_024, Math.min(budgets[effort.level], Math.floor(maxOutput / 2)));
  return { budget, fields: { thinking: { type: "enabled", budget_tokens: budget } } };
}

const googleLevels: readonly Effort[] = ["minimal", "low", "medium", "high"];

export function googleEffort(effort: EffortUse | undefined) {
  if (effort === undefined) return {};
  if (effort.by === "budget") return { thinkingBudget: Math.min(budgets[effort.level], 24_576) };
  const at = Math.min(efforts.indexOf(effort.level), googleLevels.length - 1);
  return { thinkingLevel: googleLevels[at] };
}
