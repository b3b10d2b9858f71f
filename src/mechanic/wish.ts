// The user's wish, from a table of English and Chinese forms. A request that fits no form is refused, not guessed.
import { formsOf } from "../words/forms.ts";

export type Wish =
  | { readonly kind: "help" | "fix" | "explain" | "todos" | "format" | "lint" | "diff" | "unknown" }
  | { readonly kind: "definition" | "usages"; readonly name: string }
  | { readonly kind: "rename"; readonly from: string; readonly to: string };

const id = "[`'\"‘“「]?([\\p{L}_$][\\p{L}\\p{N}_$]*)[`'\"’”」]?(?:\\(\\))?";
const noun = "(?:the\\s+)?(?:function|method|class|variable|symbol|constant|name|函数|方法|类|变量|符号|常量)?\\s*";

const failing = "\\b(?:fail\\w*|broken|errors?|not pass\\w*|wrong)\\b";
const test = "\\b(?:tests?|specs?|suite|build|ci)\\b";

/** A rename changes every file: other words around it may restrict or extend the request, so it must stand alone. */
const politely = "^\\s*(?:please|can you|could you|let['’]?s|now|请|帮我|麻烦|你|\\s|,)*";
const thatIsAll =
  "(?=(?:[\\s.!?。！？,，]|please\\b|thanks?\\b|thank you\\b|everywhere\\b|in all files\\b|吧|谢谢|好吗|一下)*$)";

/** The first match wins. */
const formsIn = formsOf<Exclude<Wish["kind"], "unknown">>({
  help: [
    "^(?:please\\s+)?(?:help|hi|hello|你好|帮助)[\\s!.?。！？]*$",
    "what can you do|who are you|what are you|how (?:do|can) i use|你能做什么|你会什么|你是谁|怎么用",
  ],
  rename: [
    `${politely}rename\\s+${noun}${id}\\s+(?:to|into|as|->|→)\\s+${id}${thatIsAll}`,
    `${politely}(?:把|将)\\s*${noun}${id}\\s*(?:重命名|改名|更名|改)(?:为|成|叫)\\s*${id}${thatIsAll}`,
    `${politely}(?:重命名|改名)\\s*${noun}${id}\\s*(?:为|成|到)\\s*${id}${thatIsAll}`,
  ],
  todos: [
    "\\b(?:list|find|show|what|which|any|where|search)\\b.*\\b(?:todos?|fixmes?)\\b|^\\s*todos?[?\\s]*$",
    "(?:列出|查找|找出|显示|有哪些).*(?:todo|fixme|待办)",
  ],
  definition: [
    `\\bwhere\\s+(?:is|are)\\s+${noun}${id}\\s+(?:defined|declared|implemented)`,
    `\\bdefinitions?\\s+(?:of|for)\\s+${noun}${id}`,
    `${id}\\s*(?:是)?(?:在)?(?:哪里|哪儿|何处)(?:被)?(?:定义|声明|实现)`,
    `(?:查找|找到|找出|显示)\\s*${noun}${id}\\s*的?(?:定义|声明)`,
  ],
  usages: [
    `\\b(?:usages?|references?|uses|callers?|calls)\\s+(?:of|to|for)\\s+${noun}${id}`,
    `\\bwhere\\s+(?:is|are)\\s+${noun}${id}\\s+(?:used|called|referenced)`,
    `\\b(?:who|what)\\s+(?:calls|uses)\\s+${noun}${id}`,
    `(?:哪里|谁|何处)(?:使用|用到|调用|引用)了?\\s*${noun}${id}`,
    `${id}\\s*(?:的|被)?(?:用法|引用|调用处|在哪里(?:被)?(?:使用|用到|调用|引用))`,
  ],
  diff: [
    "\\b(?:summar\\w+|describe|explain|review|show|what)\\b.*\\b(?:diff|(?:my|the|these|uncommitted|current|local)?\\s*changes?d?)\\b",
    "(?:总结|概括|说明|描述|看看).*(?:改动|更改|变更|差异|diff)",
  ],
  lint: [
    "\\b(?:fix|apply|run|auto-?fix)\\b.*\\blint(?:er|ing)?\\b|\\blint\\s+(?:and\\s+)?fix|^\\s*lint\\b",
    "(?:修复|运行|修正).*(?:lint|静态检查)",
  ],
  format: [
    "^(?:please\\s+)?(?:re)?format(?:\\s+(?:the|this|my|all|whole|code\\w*|project|files?|sources?|repo\\w*|everything|it))*[\\s.!]*$|\\b(?:run|apply|use)\\b.*\\bformatter\\b(?!\\s+(?:tests?|specs?))",
    "^(?:请|帮我|运行|执行|把|所有|全部|整个|代码|文件|项目|\\s)*格式化(?:一下|所有|全部|整个|代码|文件|项目|吧|\\s)*[。！!.]*$",
  ],
  fix: [
    `\\b(?:fix|repair|solve|resolve|correct)\\b.*(?:${test}|${failing}|\\bbugs?\\b|\\bfaults?\\b)`,
    `\\b(?:make|get)\\b.*${test}.*\\b(?:pass|green|work|run)`,
    `\\b(?:find|debug)\\b.*\\b(?:bugs?|faults?)\\b|\\bfix\\s+\\S+\\.(?:py|[cm]?[jt]sx?)\\b|^\\s*(?:please\\s+)?(?:fix|repair)(?:\\s+(?:it|this|that))?[\\s.!]*$`,
    "(?:修复|修好|修正|改好|解决|修一下).*(?:测试|错误|缺陷|bug|问题|失败)|让.*测试.*通过|^\\s*修复[。！\\s]*$",
  ],
  explain: [
    `\\b(?:run|execute|start|check)\\b.*${test}`,
    `\\b(?:why|explain|what|show|which)\\b.*(?:${test}|${failing})|\\bhow\\b.*${test}`,
    "(?:运行|跑|执行|检查).*测试|(?:为什么|为何).*(?:失败|不通过|报错|挂)|(?:解释|说明).*(?:失败|错误|测试)|哪些?测试",
  ],
});

/** At the start of a sentence or clause these ask for work that needs a model. */
const beyond =
  /(?:^|[.;,，。；、]|\b(?:and|then|also|please)\b|(?:并且?|然后|再|请|同时))\s*(?:please\s+|also\s+|then\s+)?(?:(?:add|implement|write|create|build|design|refactor|rewrite|translate|upgrade|update|bump|migrate|document|optimi[sz]e|improve|remove|delete|replace|change|move|convert|generate|deploy|send|commit|push|publish|release|merge|install)\s+(?![(.])|添加|增加|实现|编写|创建|重构|翻译|升级|更新|优化|删除|替换|生成|部署|提交|发布|安装)|\b(?:and|then)\s+(?:also\s+)?rename\b|(?:并且?|然后|再|同时)(?:把|将|重命名)/iu;

/** Prohibitions. The player cannot promise to respect them, unless the wish changes nothing anyway. */
const prohibition =
  /\b(?:do not|don['’]?t|never|without|except(?: for)?)\b(?!\s+(?:pass|work|compile|succeed)\b|\s+(?:any\s+)?(?:errors?|failures?)\b)[^.;,!?]*|(?:不要|(?<![类识特区级性分个告差])别|勿|不用|无需|除了)[^。；，,.!？]*/giu;
/** These also limit the request in the user's own words; in a log they are ordinary words. */
const ownLimit =
  /\bonly\b(?!\s+(?:failing|broken|red|test))|\bleave\b|\bkeeps?\b(?!\s+(?:fail|break|crash)ing)|\b(?:must|should|may)(?:\s+not|n['’]?t)\b(?!\s+(?:fail|throw|crash|pass|work)\b)|\bby\s+\w+ing\b|\bunchanged\b|只(?!有)|仅|保持|保留|不变|不能(?!通过|运行|工作)|不得|不可|不许|不准/iu;
const changing: ReadonlySet<Wish["kind"]> = new Set(["fix", "rename", "format", "lint"]);

/** The forms backtrack: a text of unlimited length would take hours. */
const maxLength = 1_000;

/**
 * Text after an empty line may be a log or a piped file, so it does not decide the wish. Prohibitions and further orders in
 * it still count, because they may be the user's.
 */
export function wishOf(request: string): Wish {
  const prose = request.replace(/```[\s\S]*?```/g, " ").trim();
  const whole = prose.replace(/\s+/g, " ");
  const text = whole.replace(prohibition, " ");
  const own = (prose.split(/\n\s*\n/, 1)[0] ?? "").replace(/\s+/g, " ");
  const head = spaced(own.replace(prohibition, " ").slice(0, maxLength));
  const isLimited = text !== whole || ownLimit.test(own);
  const [first] = formsIn(head);
  if (first === undefined || beyond.test(text) || (isLimited && changing.has(first.kind))) return { kind: "unknown" };
  const { kind, match } = first;
  const [, name = "", to = ""] = match;
  if (kind === "rename") return { kind, from: name, to };
  return kind === "definition" || kind === "usages" ? { kind, name } : { kind };
}

/** Chinese puts no blanks around a name, and its characters count as letters. */
function spaced(text: string): string {
  return text.replace(/(?<=[\w$)])(?=\p{Script=Han})|(?<=\p{Script=Han})(?=[\w$])/gu, " ");
}

export function langOf(request: string): "en" | "zh" {
  return /\p{Script=Han}/u.test(request) ? "zh" : "en";
}
