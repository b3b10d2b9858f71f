import type { Foreseen, TaskIntent } from "../contract/task.ts";
import { actionsIn } from "./foreseen.ts";
import { isAnyOf, isBlank, isOneOf, skipBlanks, wordAt } from "./letters.ts";
import { withoutCourtesy } from "./polite.ts";

const ranked: readonly TaskIntent[] = ["change", "run", "review", "question"];

/** The strongest intent in the text: a question followed by an order is a change. */
export function intentOf(text: string): TaskIntent {
  const intents = new Set(sentencesOf(text).map(intentOfSentence));
  return ranked.find((one) => intents.has(one)) ?? "other";
}

/** Splits after a stop and its blanks, and at semicolons that do not follow a stop. */
function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  let start = 0;
  let before = "";
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    const isBehindStop = before !== "" && ".!?。！？\n".includes(before);
    before = sign;
    if (!isBehindStop && sign !== ";" && sign !== "；") continue;
    sentences.push(text.slice(start, at));
    start = isBehindStop ? skipBlanks(text, at) : at + 1;
    at = Math.max(at, start - 1);
    before = text.charAt(at);
  }
  return [...sentences, text.slice(start)];
}

function intentOfSentence(sentence: string): TaskIntent {
  const trimmed = sentence.trim();
  const bare = withoutCourtesy(trimmed);
  const isAsked = bare === trimmed && endsAsQuestion(trimmed);
  if (beginsAsQuestion(bare) || isWondered(bare) || isAsked) return endsInOrder(bare) ?? "question";
  const order = orderIn(bare);
  if (order !== "change" && asksReview(bare)) return "review";
  return order ?? (endsAsQuestion(bare) ? "question" : "other");
}

const questionWords =
  " what why how where which who whose when is are was were does did has should explain describe summarize summarise list find compare ";
/** "I want to know", after the courtesy "I want to" is removed. */
const wishes = " know understand learn ";
const wonders = " wonder wondering ";
/** Answers that are told, not made, whatever the verb: "give me an overview", "write a short summary of". */
const tellers = " give write make create show draw ";
const answers =
  " overview summary explanation description example examples idea comparison introduction breakdown list rundown walkthrough ";
const articles = " a an the some ";
const questionVerbs = " do have can could would ";
const questionSubjects = " i you we they it the this that these those any ";
const chineseQuestions =
  "什么 为什么 为何 怎么 怎样 如何 哪 谁 何时 是否 有没有 解释 说明 介绍 讲讲 讲解 描述 总结 列出 查找 比较 对比 告诉我 看看 分析 知道 了解 理解 弄清 想问";

function beginsAsQuestion(text: string): boolean {
  const word = wordAt(text, 0);
  if (word === "") return chineseQuestions.split(" ").some((start) => text.startsWith(start));
  const end = endOfQuestionWord(text, word);
  return end > 0 && !isAnyOf("'’", text, end);
}

/** 0 = the word does not begin a question. */
function endOfQuestionWord(text: string, word: string): number {
  if (isOneOf(questionWords, word)) {
    const isShort = word === "what" && isAnyOf("'’", text, 4) && wordAt(text, 5) === "s";
    return word.length + (isShort ? 2 : 0);
  }
  if (isOneOf(wishes, word)) return word.length;
  const from = skipBlanks(text, word.length);
  const next = from === word.length ? "" : wordAt(text, from);
  if (word === "walk" && next === "me") return from + next.length;
  if (isOneOf(tellers, word)) return endOfTold(text, from);
  const isBegun =
    word === "tell" || word === "show"
      ? next === "me"
      : isOneOf(questionVerbs, word) && isOneOf(questionSubjects, next);
  return isBegun ? from + next.length : 0;
}

/** After a word such as "give": "me a short overview". Without "me" the overview may belong in a file. */
function endOfTold(text: string, from: number): number {
  if (wordAt(text, from) !== "me") return 0;
  let at = skipBlanks(text, from + 2);
  if (!isOneOf(articles, wordAt(text, at))) return 0;
  for (let words = 0; words < 4; words++) {
    const word = wordAt(text, at);
    if (word === "") return 0;
    at += word.length;
    if (isOneOf(answers, word)) return at;
    at = skipBlanks(text, at);
  }
  return 0;
}

/** "I wonder", "I'm wondering", "just wondering". */
function isWondered(text: string): boolean {
  let at = 0;
  for (let words = 0; words < 5; words++) {
    const word = wordAt(text, at);
    if (word === "") return false;
    if (isOneOf(wonders, word)) return true;
    if (!isOneOf(" i m am was just ", word)) return false;
    at += word.length;
    while (isAnyOf("'’", text, at) || isBlank(text.charCodeAt(at))) at++;
  }
  return false;
}

/** Ignores trailing stops and blanks. */
function endsAsQuestion(text: string): boolean {
  let end = text.length;
  while (end > 0 && (isBlank(text.charCodeAt(end - 1)) || isAnyOf("。.！!", text, end - 1))) end--;
  if (isAnyOf("?？吗呢", text, end - 1)) return true;
  return text.startsWith("什么", end - 2) || text.startsWith("多少", end - 2);
}

function asksReview(text: string): boolean {
  const small = text.toLowerCase();
  if (["审查", "评审", "审阅", "代码检查"].some((word) => small.includes(word))) return true;
  return small.includes("review") && hasReviewWord(text);
}

function hasReviewWord(text: string): boolean {
  return /\breview\b|code\s*review/i.test(text);
}

/** "Find out why it fails and fix it" is a question followed by an order. */
function endsInOrder(sentence: string): TaskIntent | null {
  const small = sentence.toLowerCase();
  const hasJoint = ["and", "then", "并", "然后", "再"].some((word) => small.includes(word));
  if (!hasJoint || endsAsQuestion(sentence)) return null;
  const behind = behindLastJoint(sentence);
  return behind === null ? null : orderIn(behind);
}

function behindLastJoint(sentence: string): string | null {
  const last = [...sentence.matchAll(/\band\b|\bthen\b|并且?|然后|再/gi)].at(-1);
  return last === undefined ? null : sentence.slice(last.index + last[0].length);
}

function orderIn(sentence: string): TaskIntent | null {
  const foreseen = actionsIn(sentence);
  const has = (...some: readonly Foreseen[]): boolean => some.some((one) => foreseen.includes(one));
  if (has("write", "delete")) return "change";
  return has("exec", "network") ? "run" : null;
}
