import type { Assessment, ComplexThresholds, Foreseen } from "../contract/task.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { complexWords } from "./complex-words.ts";
import { goalsIn } from "./enumeration.ts";
import { dangerIn, foreseenIn } from "./foreseen.ts";
import { intentOf } from "./intent.ts";
import { missingIn } from "./missing.ts";
import { isNegated } from "./negation.ts";
import { ownWords, withoutPastes } from "./own-words.ts";
import { withoutPaths } from "./paths.ts";
import { finderOf } from "./phrase-table.ts";
import { codePoints, wordCount } from "./word-count.ts";

/** Verbs further on rarely add a need that is not foreseen by then. */
const longest = 8000;

/** SM-3: the kind and needs of a task, from its words alone. `isFirst`: the session is still empty. */
export function assessTask(text: string, thresholds: ComplexThresholds, isFirst: boolean): Assessment {
  const words = ownWords(text);
  const { complex, why } = isComplexTask(words, thresholds);
  const own = withoutPastes(words).slice(0, longest);
  const intent = intentOf(own);
  // A question or review causes no action, whatever it is about.
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

const keywordsIn = finderOf(complexWords);

/** PL-1, in its order: the first rule that holds is the reason. `words`: the user's own. */
function isComplexTask(words: string, most: ComplexThresholds): { complex: boolean; why: Phrase } {
  const goals = goalsIn(words).length;
  if (goals >= most.goals) return complex(phrase("plan.complex.goals", { n: goals }));
  const counted = withoutPaths(words).trim();
  const chars = counted.length < most.chars ? counted.length : codePoints(counted);
  if (chars >= most.chars) return complex(phrase("plan.complex.chars", { n: chars, least: most.chars }));
  const word = keywordsIn(counted).find(({ index }) => !isNegated(counted, index))?.word;
  if (word !== undefined) return complex(phrase("plan.complex.keyword", { word }));
  const separators = separatorsIn(counted);
  if (separators >= most.separators) {
    return complex(phrase("plan.complex.separators", { n: separators, least: most.separators }));
  }
  const count = wordCount(counted);
  if (count >= most.words) return complex(phrase("plan.complex.words", { n: count, least: most.words }));
  return { complex: false, why: phrase("plan.simple") };
}

function complex(why: Phrase): { complex: boolean; why: Phrase } {
  return { complex: true, why };
}

function separatorsIn(text: string): number {
  let count = 0;
  for (const sign of "，,;；") count += text.split(sign).length - 1;
  return count;
}
