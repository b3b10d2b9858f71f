import type { Decision } from "../../contract/event.ts";
import type { Plan, PlanStep, Risk } from "../../contract/plan.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { dangerIn, foreseenIn } from "../../words/foreseen.ts";
import { openSteps } from "./progress.ts";
import { riskier } from "./read.ts";

interface PlanRisk {
  readonly level: Risk;
  /** The user must confirm first: the plan holds dangerous actions that no rule allows in advance. */
  readonly needsConfirmation: boolean;
  readonly reasons: readonly Phrase[];
}

interface Danger {
  readonly step: PlanStep;
  readonly why: Phrase;
}

/** Assumed for a step that names no tool: a command can do anything. */
const anything = "bash";

/**
 * SM-3: risk from the words of the steps and the policy for their tools. Confirmation up front is only for deletions, irreversible actions,
 * or a plan that calls itself high-risk: any other tool asks when it is called.
 */
export function planRisk(plan: Plan, expected: (tool: string) => Decision): PlanRisk {
  const steps = openSteps(plan);
  const isAllowed = (step: PlanStep): boolean => toolsOf(step).every((tool) => expected(tool) === "allow");
  const dangers = steps.flatMap(dangersOf);
  const stated = plan.risk_level === "high" ? steps.flatMap((step) => statedRisk(step, expected)).slice(0, 1) : [];
  const open = [...dangers.filter(({ step }) => !isAllowed(step)), ...stated];
  const acts = steps.some((step) => step.expected_artifacts.length > 0 || foreseenIn(wordsOf(step)).length > 0);
  const found: Risk = dangers.length > 0 ? "high" : acts || !steps.every(isAllowed) ? "medium" : "low";
  return {
    level: riskier(found, plan.risk_level),
    needsConfirmation: open.length > 0,
    reasons: open.map(({ why }) => why),
  };
}

/** PL-6: whether the plan will write, run or use the network, judging by its words and the tools that `asks` names. */
export function isActing(plan: Plan, asks: (tool: string) => boolean): boolean {
  return openSteps(plan).some((step) => {
    const { tools_expected, tool_calls = [], expected_artifacts } = step;
    if (expected_artifacts.length > 0 && asks("write")) return true;
    if (tools_expected.length + tool_calls.length > 0) return toolsOf(step).some(asks);
    return foreseenIn(wordsOf(step)).length > 0 && asks(anything);
  });
}

function dangersOf(step: PlanStep): readonly Danger[] {
  const { id } = step;
  const gone = step.expected_artifacts.filter(({ change }) => change === "delete").map(({ path }) => path);
  if (gone.length > 0) return [{ step, why: phrase("plan.risk.delete", { id, what: gone.join(", ") }) }];
  const words = wordsOf(step);
  const danger = dangerIn(words);
  if (danger !== null) return [{ step, why: phrase("plan.risk.danger", { id, what: danger }) }];
  if (!foreseenIn(words).includes("delete")) return [];
  return [{ step, why: phrase("plan.risk.deletes", { id, what: step.title }) }];
}

function statedRisk(step: PlanStep, expected: (tool: string) => Decision): readonly Danger[] {
  const tool = toolsOf(step).find((one) => expected(one) !== "allow");
  return tool === undefined ? [] : [{ step, why: phrase("plan.risk.stated", { id: step.id, tool }) }];
}

function toolsOf({ tools_expected, tool_calls = [] }: PlanStep): readonly string[] {
  const named = [...new Set([...tools_expected, ...tool_calls.map(({ tool }) => tool)])];
  return named.length > 0 ? named : [anything];
}

function wordsOf({ title, description, tool_calls = [] }: PlanStep): string {
  const commands = tool_calls.flatMap(({ args }) => {
    const command = typeof args === "object" && args !== null && "command" in args ? args.command : null;
    return typeof command === "string" ? [command] : [];
  });
  return [title, description, ...commands].join("\n");
}
