import { type Effort, type EffortUse, efforts } from "../../contract/settings.ts";

/** Tokens to think with; Anthropic takes no fewer than 1,024, and counts them besides those of the reply. */
const budgets: Readonly<Record<Effort, number>> = {
  minimal: 1_024,
  low: 4_096,
  medium: 10_000,
  high: 20_000,
  xhigh: 32_000,
  max: 48_000,
};

/** OpenAI's chat completions; a budget has no place there. */
export function chatEffort(effort: EffortUse | undefined): { readonly reasoning_effort?: string } {
  return effort === undefined || effort.by === "budget" ? {} : { reasoning_effort: effort.level };
}

/** `undefined` = nothing is asked for. With an effort a summary is asked for, too: of which kind, the profile says. */
export function responsesEffort(effort: EffortUse | undefined, summary: "auto" | undefined) {
  if (effort?.by === "level") return { effort: effort.level, summary: summary ?? "detailed" };
  return summary === undefined ? undefined : { summary };
}

/** Newer models take a word and think as they see fit; older ones a budget, which must leave room in the reply. */
export function anthropicEffort(effort: EffortUse | undefined, maxOutput: number) {
  if (effort === undefined) return { budget: 0, fields: {} };
  if (effort.by === "level") {
    const level = effort.level === "minimal" ? "low" : effort.level;
    return { budget: 0, fields: { thinking: { type: "adaptive" }, output_config: { effort: level } } };
  }
  const budget = Math.max(1_024, Math.min(budgets[effort.level], Math.floor(maxOutput / 2)));
  return { budget, fields: { thinking: { type: "enabled", budget_tokens: budget } } };
}

/** Its words end at `high`. */
const googleLevels: readonly Effort[] = ["minimal", "low", "medium", "high"];

export function googleEffort(effort: EffortUse | undefined) {
  if (effort === undefined) return {};
  if (effort.by === "budget") return { thinkingBudget: Math.min(budgets[effort.level], 24_576) };
  const at = Math.min(efforts.indexOf(effort.level), googleLevels.length - 1);
  return { thinkingLevel: googleLevels[at] };
}
