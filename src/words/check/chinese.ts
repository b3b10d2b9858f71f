import { any, type Choice, found, type Shape, shape } from "../forms.ts";
import { hasHan } from "../letters.ts";
import { once } from "../phrase-table.ts";
import { chinese } from "./check-words.ts";
import { testCommand } from "./clauses.ts";
import type { Wish } from "./english.ts";

const which =
  "(?:任何|所有|全部|全量|单元|集成|相关|现有|整个|完整|项目|这些|这个|那些|对应|一下|一遍|一次|下|的|你|我|新|旧|已有|端到端|自动化|回归|后端|前端|全套|[a-z0-9_-]+| )";
const lead = "(?:并且?|然后|再|最后|接着|之后|后|请|帮我|同时|记得|务必|^)";
const whose = "(?:你的|这个|这些|该|所有|全部|本次|一下|下| )*";
const adverb = "(?:再|去|自动|帮我|给我|替我|急着|忙着|着急|先|现在){0,2}";

const tests = once((): Choice => {
  const words = [...chinese().tests, testCommand];
  return { source: `(?:${any(chinese().tests)}|${testCommand})`, words };
});
const verify = once((): Choice => {
  const clear = any(chinese().verify.filter((word) => word !== "验证"));
  // Every match contains one of these.
  return { source: `(?:${lead}(?:进行|做)?(?:验证|测试|自测)|${clear})`, words: ["验", "测", "回归"] };
});

const asking = once((): readonly Shape[] => {
  const { run, sure, pass, must, changes } = chinese();
  const passed = ["通过", "过", "全绿", "跑通"];
  return [
    shape(run, `${which}{0,6}?`, tests(), "(?:用例|套件)?"),
    shape(tests(), ".{0,10}?(?:并|然后|再|后|并且|接着)", run, "(?:它们|起来|一遍)?$"),
    shape(sure, "[^为怎如]{0,10}?", tests(), "[^不没未无]{0,6}?", pass, "(?!率|代理|接口)"),
    shape(tests(), "[^不没未无]{0,3}?", must, "[^不没未无]{0,4}?", passed, "(?=$|后|再|才|了|吧|即可|为止)"),
    shape(tests(), "[^不没未无]{0,4}?", ["通过才"]),
    shape(verify(), `(?:$|(?=吧|看|再|后|没问题)|${whose}(?:$|(?:代码的?)?${any(changes)}))`),
  ];
});

const declining = once((): readonly Shape[] => {
  const { not, run } = chinese();
  const dont = ["不要", "别", "不用", "无需", "无须", "不需要", "不必", "先别", "先不", "没必要"];
  return [
    shape(not, adverb, run, `${which}{0,6}?`, tests()),
    shape(["跳过"], `${which}{0,3}?`, ["测试", "单测", "验证"], "(?=$|吧|直接|即可)"),
    shape(dont, `${adverb}(?:做|进行)?`, ["验证", "测试"], "(?=$|了|它|吧|这个?$)"),
  ];
});

const otherThing = once(() => new RegExp(`^${any(chinese().otherThing)}`));
/** Before the match: a question, a statement, or something to be built. */
const notAnOrder = once(() => {
  const me = "(?<!帮|给|替|为|和)我(?!希望你|想让你|要你|想请你|需要你)";
  return new RegExp(`${any(chinese().statement)}|时(?!间)|${me}`);
});
const not = once(() => new RegExp(any(chinese().not)));

export function wishInChinese(text: string): Wish | null {
  // Every shape contains a Chinese character.
  if (!hasHan(text)) return null;
  const plain = text
    .replace(/能不能|可不可以|能否|可否/g, "请")
    .replace(/别忘记?了?|不要忘[记了]?了?|不能忘[记了]?|勿忘/g, "记得")
    .replace(/(?:不要|别|不能|不可以?|请勿)跳过(?=.{0,4}(?:测试|单测))/g, "跑");
  const orders = (before: string, after: string) => !notAnOrder().test(before) && !otherThing().test(after);
  if (declining().some((one) => found(plain, one, orders))) return "declined";
  const asks = (before: string, after: string) => orders(before, after) && !isNegated(before);
  return asking().some((one) => found(plain, one, asks)) ? "asked" : null;
}

/** Only the part after the last word that starts a new thought counts. */
function isNegated(before: string): boolean {
  const parts = before.split(/然后|接着|最后|之后|再/);
  return not().test(parts.at(-1) ?? "");
}
