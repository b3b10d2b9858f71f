import type { ComplexThresholds } from "../contract/task.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { complexWords } from "./complex-words.ts";
import { goalsIn } from "./enumeration.ts";
import { isNegated } from "./negation.ts";
import { withoutPaths } from "./paths.ts";
import { finderOf } from "./phrase-table.ts";
import { codePoints, wordCount } from "./word-count.ts";

const keywordsIn = finderOf(complexWords);

/** PL-1, in its order: the first rule that holds is the reason. `words`: the person's own. */
export function isComplexTask(words: string, most: ComplexThresholds): { complex: boolean; why: Phrase } {
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
