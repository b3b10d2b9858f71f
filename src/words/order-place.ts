// Whether a verb is an order, judged by the text before and after it.
import { isAnyOf, isBlank, isOneOf, skipBlanks, wordAt, wordBefore } from "./letters.ts";

/** After these words an English verb can be an order. */
const leads =
  " and then to please also you just should must now or first next finally lets will we i so but step need want help me by not never dont go again run execute ";
const stops = '.,;:!?()\n"“”，。；：！？、';
const chineseLeads = ["请", "并", "然后", "再", "先", "帮我", "给我"];

/** An English verb is an order at the start, or after a stop, a lead word or a list marker. */
function isEnglishPlace(before: string): boolean {
  let end = before.length;
  while (end > 0 && (isBlank(before.charCodeAt(end - 1)) || isAnyOf("*_`-", before, end - 1))) {
    end--;
    if (before.charAt(end) === "\n") return true;
  }
  if (end === 0 || isAnyOf(stops, before, end - 1)) return true;
  if (isOneOf(leads, leadBefore(before, end))) return true;
  const trimmed = before.trim();
  return trimmed === "+" || trimmed === "•" || chineseLeads.some((lead) => before.trimEnd().endsWith(lead));
}

/** The word that ends here; "let's" and "don't" count as one word. */
function leadBefore(text: string, end: number): string {
  const word = wordBefore(text, end);
  const from = end - word.length;
  if ((word !== "s" && word !== "t") || !isAnyOf("'’", text, from - 1)) return word;
  const first = wordBefore(text, from - 1);
  return first === (word === "s" ? "let" : "don") ? first + word : word;
}

const subjects = " i we you ";
const joints =
  " when whenever if whether while where why how which what that because as before after until unless once since ";

/** "When I start the app", "whether we should migrate": describes what is or may be done. */
function isDescription(before: string): boolean {
  let at = before.trimEnd().length;
  let word = wordBefore(before, at);
  if (word === "should" || word === "must" || word === "can") {
    at = before.slice(0, at - word.length).trimEnd().length;
    word = wordBefore(before, at);
  }
  if (!isOneOf(subjects, word)) return false;
  return isOneOf(joints, wordBefore(before, before.slice(0, at - word.length).trimEnd().length));
}

const nounBehind = " is are was were fail fails failed does do has have time times coverage ";

/** Not "Test coverage is low" or "run time": a compound noun, or a noun with its own verb. */
export function isEnglishOrder(before: string, behind: string): boolean {
  if (!isEnglishPlace(before) || isDescription(before)) return false;
  const from = skipBlanks(behind, 0);
  return from === 0 || !isOneOf(nounBehind, wordAt(behind, from));
}

/** Verbs of one character are parts of many other words: they count only where an order can begin. */
export function isChineseOrder(before: string, behind: string, word: string): boolean {
  if (["怎么", "怎样", "如何", "怎么样", "为什么"].some((asked) => before.endsWith(asked))) return false;
  // "Yesterday's fix", unlike "fix what has to be", which continues differently.
  if (before.endsWith("的") && word.length > 1 && !["一下", "掉", "好"].some((more) => behind.startsWith(more)))
    return false;
  // Describes what was done, or when.
  if (word.length > 1) return !isAnyOf("的了时后过", behind, 0);
  return isShortVerbPlace(before) && !isAnyOf("载密速议饰法权时行步了", behind, 0) && !behind.startsWith("变量");
}

function isShortVerbPlace(before: string): boolean {
  const last = before.length - 1;
  if (last < 0 || isBlank(before.charCodeAt(last))) return true;
  if (isAnyOf("，。；：！？、,;:!?)）.请并再后来去只先要", before, last)) return true;
  return before.endsWith("帮我") || before.endsWith("给我") || isBehindObject(before);
}

/** 把 and 将 put the object before its verb. */
function isBehindObject(before: string): boolean {
  for (let back = 1; back <= 20; back++) {
    const at = before.length - back;
    if (isAnyOf("\n\r\u2028\u2029", before, at)) return false;
    if (isAnyOf("把将", before, at - 1)) return true;
  }
  return false;
}

const named = "按钮 功能 接口 操作 页面 逻辑 命令行 选项 事件 权限 时间 结果 失败 错误 报错 异常";

/** A verb before these nouns only names a thing: the delete button, the run command. */
export function isNamedByVerb(behind: string): boolean {
  return named.split(" ").some((noun) => behind.startsWith(noun));
}
