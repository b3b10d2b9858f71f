import type { Foreseen } from "../contract/task.ts";
import { actionWords, codeNouns, dangerWords, diskNouns } from "./action-words.ts";
import { isHan } from "./letters.ts";
import { isNegated } from "./negation.ts";
import { isChineseOrder, isEnglishOrder, isNamedByVerb } from "./order-place.ts";
import { hasPath } from "./paths.ts";
import { finderOf } from "./phrase-table.ts";

/** In display order. */
const all: readonly Foreseen[] = ["write", "delete", "exec", "network"];
const lookBack = 40;
const lookAhead = 60;

const verbsIn = finderOf(...actionWords.map(({ words }) => words));
const nounsIn = finderOf(codeNouns, diskNouns);
const dangersIn = finderOf(dangerWords);

/** The needs of carrying out these words; forbidden actions are not included. */
export function foreseenIn(text: string): readonly Foreseen[] {
  const found = actionsIn(text);
  if (!text.includes("://") || !hasAddress(text)) return found;
  return all.filter((one) => one === "network" || found.includes(one));
}

function hasAddress(text: string): boolean {
  return /\bhttps?:\/\//i.test(text);
}

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

/** The first irreversible or far-reaching action named; `null` if there is none, or it is forbidden. */
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
