import type { Assessment, ComplexThresholds, Foreseen } from "../contract/task.ts";
import { isComplexTask } from "./complex.ts";
import { dangerIn, foreseenIn } from "./foreseen.ts";
import { intentOf } from "./intent.ts";
import { missingIn } from "./missing.ts";
import { ownWords, withoutPastes } from "./own-words.ts";

/** Verbs further on add nothing that is not foreseen by then. */
const longest = 8000;

/** SM-3: what a task is and needs, from its words alone. `isFirst`: nothing was said or done in the session before it. */
export function assessTask(text: string, thresholds: ComplexThresholds, isFirst: boolean): Assessment {
  const words = ownWords(text);
  const { complex, why } = isComplexTask(words, thresholds);
  const own = withoutPastes(words).slice(0, longest);
  const intent = intentOf(own);
  // Who only asks has nothing done, whatever the question is about.
  const foreseen = intent === "question" || intent === "review" ? [] : foreseenIn(own);
  return {
    kind: "task",
    intent,
    complexity: complex ? "complex" : "simple",
    why,
    riskLevel: riskOf(foreseen, own),
    foreseen,
    missing: isFirst ? missingIn(text) : [],
  };
}

function riskOf(foreseen: readonly Foreseen[], text: string): Assessment["riskLevel"] {
  if (foreseen.length === 0) return "low";
  return foreseen.includes("delete") || dangerIn(text) !== null ? "high" : "medium";
}
