import type { Question } from "../contract/task.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { isHan, isOneOf, wordAt } from "./letters.ts";
import { announced, attached, error, pronoun } from "./missing-forms.ts";

const kinds = [
  { forms: pronoun, question: "plan.missing.what", options: ["plan.missing.tests", "plan.missing.last"] },
  { forms: error, question: "plan.missing.error", options: ["plan.missing.tests", "plan.missing.build"] },
  { forms: attached, question: "plan.missing.file", options: [] },
  { forms: announced, question: "plan.missing.rest", options: [] },
] as const;
const longest = 120;

// A cheap precondition: a text with any other word, or without one of `things`, matches no form, so the forms need not be built.
const things =
  " it this that them these those attached enclosed attachment attachments screenshot following above issue problem bug thing ";
const otherWords = [
  " please pls can could would will you help me to i want need just now again for asap quickly then fix",
  " solve correct debug change modify edit redo repeat finish do one the error exception message stack",
  " trace traceback crash failure explain resolve handle look at into check with what does is s why get",
  " am getting how mean see read open use summarize summarise analyze analyse review translate describe",
  " my file files log logs image picture document code pdf ",
].join("");
const hanSigns =
  "请麻烦帮我忙给你能不可以再快赶紧先把将错误报异常问题修复改正解决处理搞定弄好调试更重做一下掉它们这个那些该东西吧了看释分析排查条上面的信息堆栈是什么意思怎办回事如何为会出现呢啊呀读取打开总结翻译参考见发所附件截图里内容文";

/** The question to ask before a first request can start; empty for nearly all texts. */
export function missingIn(text: string): readonly Question[] {
  const trimmed = text.trim();
  if (trimmed.length > longest || trimmed.includes("\n")) return [];
  const isOpen = trimmed.endsWith(":") || trimmed.endsWith("：");
  if (!isOpen && !isOfFormWords(trimmed)) return [];
  const kind = kinds.find(
    ({ forms }) => (forms === announced) === isOpen && forms().some((form) => form.test(trimmed)),
  );
  if (kind === undefined) return [];
  return [{ question: phrase(kind.question), options: kind.options.map((key) => phrase(key)) }];
}

function isOfFormWords(text: string): boolean {
  let hasThing = false;
  for (let at = 0; at < text.length; at++) {
    if (isHan(text.charCodeAt(at))) {
      if (!hanSigns.includes(text.charAt(at))) return false;
      hasThing = true;
      continue;
    }
    const word = wordAt(text, at);
    if (word === "") continue;
    if (isOneOf(things, word)) hasThing = true;
    else if (!isOneOf(otherWords, word)) return false;
    at += word.length - 1;
  }
  return hasThing;
}
