import type { Foreseen } from "../contract/task.ts";
import { actionWords, codeNouns, dangerWords, diskNouns } from "./action-words.ts";
import { isHan } from "./letters.ts";
import { isNegated } from "./negation.ts";
import { isChineseOrder, isEnglishOrder, isNamedByVerb } from "./order-place.ts";
import { hasPath } from "./paths.ts";
import { finderOf } from "./phrase-table.ts";

/** In the order in which they are told. */
const all: readonly Foreseen[] = ["write", "delete", "exec", "network"];
const lookBack = 40;
const lookAhead = 60;

const verbsIn = finderOf(...actionWords.map(({ words }) => words));
const nounsIn = finderOf(codeNouns, diskNouns);
const dangersIn = finderOf(dangerWords);

/** What carrying out these words will need, as far as they say; what they forbid is not foreseen. */
export function foreseenIn(text: string): readonly Foreseen[] {
  const found = actionsIn(text);
  if (!text.includes("://") || !hasAddress(text)) return found;
  return all.filter((one) => one === "network" || found.includes(one));
}

function hasAddress(text: string): boolean {
  return /\bhttps?:\/\//i.test(text);
}

/** What the verbs of a text order to be done. */
export function actionsIn(text: string): readonly Foreseen[] {
  const found = new Set<Foreseen>();
  for (const { index, word, table } of verbsIn(text)) {
    const foresees = actionWords[table]?.foresees ?? [];
    const behind = text.slice(index + word.length, index + word.length + lookAhead);
    if (!isOrder(text.slice(Math.max(0, index - lookBack), index), behind, word, foresees)) continue;
    if (isNegated(text, index)) continue;
    for (const one of foresees) found.add(one === "delete" && isInCode(behind) ? "write" : one);
  }
  return all.filter((one) => found.has(one));
}

/** The first thing named that cannot be taken back, or reaches others; `null` where none is, or it is forbidden. */
export function dangerIn(text: string): string | null {
  return dangersIn(text).find(({ index }) => !isNegated(text, index))?.word ?? null;
}

function isOrder(before: string, behind: string, word: string, foresees: readonly Foreseen[]): boolean {
  if (!isHan(word.charCodeAt(0))) return isEnglishOrder(before, behind);
  return isChineseOrder(before, behind, word) && (foresees.includes("write") || !isNamedByVerb(behind));
}

function isInCode(behind: string): boolean {
  const [clause = ""] = behind.split(/[.;\n，。；]\s/);
  const [first] = nounsIn(clause);
  if (first === undefined || first.table === 1) return false;
  return !hasPath(clause.slice(0, first.index));
}
