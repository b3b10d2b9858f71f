// Whether an action named in a text is forbidden there: "do not delete", "without deleting", "不要删除".
import { hasHan } from "./letters.ts";

const reachWords = 6;
const reachHan = 14;
/** Length of the shortest English negation, with its blank. */
const shortest = 4;
/** Longer clauses are cut. */
const window = 160;

export function isNegated(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - window), at);
  if (!mayNegate(before) || (before.length < shortest && !hasHan(before))) return false;
  const clause = before.slice(lastClause(before));
  return isNegatedInEnglish(clause) || isNegatedInChinese(clause);
}

/** Fragments of the words below: a cheap precondition. */
const parts = ["no", "nt", "n't", "n’t", "never", "without", "avoid", "instead", "rather", "refrain"];
const chineseParts = ["不", "无", "勿", "别", "禁", "避"];

function mayNegate(text: string): boolean {
  if (text === "") return false;
  const small = text.toLowerCase();
  for (const part of parts) if (small.includes(part)) return true;
  for (const part of chineseParts) if (small.includes(part)) return true;
  return false;
}

/** A negation reaches to the end of its clause. `、` joins several forbidden things. */
function lastClause(text: string): number {
  return lastEnd(
    text,
    /[.,:](?=\s|$)|[;!?，。；：！？\n]|\b(?:but|instead,|just|only)\b|但是?|而是|只要|只需|只(?=[修改加删运])/gi,
  );
}

function isNegatedInEnglish(clause: string): boolean {
  const english =
    /\b(?:do\s+not|does\s+not|did\s+not|must\s+not|should\s+not|shall\s+not|will\s+not|can\s*not|don['’]?t|doesn['’]?t|mustn['’]?t|shouldn['’]?t|won['’]?t|can['’]t|never|without|avoid|not|no\s+need\s+to|instead\s+of|rather\s+than|refrain\s+from|nor)\b/gi;
  const from = clause.length < shortest ? 0 : lastEnd(clause, english);
  if (from === 0) return false;
  const between = clause.slice(from);
  /** "Do not forget to run the tests" asks for it. */
  const isUndone = /^\s*(?:forget|hesitate|fail|only|just|be\s+afraid)\b/i.test(between);
  return !isUndone && (between.match(/[\w'’-]+/g) ?? []).length < reachWords;
}

function isNegatedInChinese(clause: string): boolean {
  return hasHan(clause) && isNegatedInHan(clause);
}

function isNegatedInHan(clause: string): boolean {
  const chinese =
    /不要|不能|不得|不许|不准|不可以?|不用|不必|不需要|不想|不希望|无需|无须|切勿|请勿|勿|别|禁止|避免|而不是|先不|不再/g;
  /** Questions of the form "can or cannot", and words in which the negation denies nothing. */
  const harmless =
    /能不能|可不可以|要不要|是不是|会不会|用不用|不要忘|别忘|不能忘|特别|区别|分别|类别|级别|个别|识别|别名|别的|别人|不可或缺/g;
  const cleaned = clause.replace(harmless, (word) => "＿".repeat(word.length));
  const from = lastEnd(cleaned, chinese);
  return from > 0 && cleaned.length - from < reachHan;
}

function lastEnd(text: string, pattern: RegExp): number {
  let end = 0;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}
