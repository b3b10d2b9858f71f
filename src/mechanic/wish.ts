// What the person wants, from a table of forms in English and Chinese. Whatever fits none of them is refused, not guessed at.

export type Wish =
  | { readonly kind: "help" | "fix" | "explain" | "todos" | "format" | "lint" | "diff" | "unknown" }
  | { readonly kind: "definition" | "usages"; readonly name: string }
  | { readonly kind: "rename"; readonly from: string; readonly to: string };

const id = "[`'\"‘“「]?([\\p{L}_$][\\p{L}\\p{N}_$]*)[`'\"’”」]?(?:\\(\\))?";
const noun = "(?:the\\s+)?(?:function|method|class|variable|symbol|constant|name|函数|方法|类|变量|符号|常量)?\\s*";

interface Form {
  readonly pattern: RegExp;
  readonly wish: (match: RegExpExecArray) => Wish;
}

function form(text: string, wish: Form["wish"] | Wish): Form {
  return { pattern: new RegExp(text, "iu"), wish: typeof wish === "function" ? wish : () => wish };
}

const renamed = ([, from = "", to = ""]: RegExpExecArray): Wish => ({ kind: "rename", from, to });
const named =
  (kind: "definition" | "usages") =>
  ([, name = ""]: RegExpExecArray): Wish => ({ kind, name });

const failing = "\\b(?:fail\\w*|broken|errors?|not pass\\w*|wrong)\\b";
const test = "\\b(?:tests?|specs?|suite|build|ci)\\b";

/** A rename changes every file: what stands around it may say where, or ask for more, and then it is not this. */
const politely = "^\\s*(?:please|can you|could you|let['’]?s|now|请|帮我|麻烦|你|\\s|,)*";
const thatIsAll =
  "(?=(?:[\\s.!?。！？,，]|please\\b|thanks?\\b|thank you\\b|everywhere\\b|in all files\\b|吧|谢谢|好吗|一下)*$)";

/** In this order: the first that fits. */
const forms: readonly Form[] = [
  form("^(?:please\\s+)?(?:help|hi|hello|你好|帮助)[\\s!.?。！？]*$", { kind: "help" }),
  form("what can you do|who are you|what are you|how (?:do|can) i use|你能做什么|你会什么|你是谁|怎么用", {
    kind: "help",
  }),
  form(`${politely}rename\\s+${noun}${id}\\s+(?:to|into|as|->|→)\\s+${id}${thatIsAll}`, renamed),
  form(`${politely}(?:把|将)\\s*${noun}${id}\\s*(?:重命名|改名|更名|改)(?:为|成|叫)\\s*${id}${thatIsAll}`, renamed),
  form(`${politely}(?:重命名|改名)\\s*${noun}${id}\\s*(?:为|成|到)\\s*${id}${thatIsAll}`, renamed),
  form("\\b(?:list|find|show|what|which|any|where|search)\\b.*\\b(?:todos?|fixmes?)\\b|^\\s*todos?[?\\s]*$", {
    kind: "todos",
  }),
  form("(?:列出|查找|找出|显示|有哪些).*(?:todo|fixme|待办)", { kind: "todos" }),
  form(`\\bwhere\\s+(?:is|are)\\s+${noun}${id}\\s+(?:defined|declared|implemented)`, named("definition")),
  form(`\\bdefinitions?\\s+(?:of|for)\\s+${noun}${id}`, named("definition")),
  form(`${id}\\s*(?:是)?(?:在)?(?:哪里|哪儿|何处)(?:被)?(?:定义|声明|实现)`, named("definition")),
  form(`(?:查找|找到|找出|显示)\\s*${noun}${id}\\s*的?(?:定义|声明)`, named("definition")),
  form(`\\b(?:usages?|references?|uses|callers?|calls)\\s+(?:of|to|for)\\s+${noun}${id}`, named("usages")),
  form(`\\bwhere\\s+(?:is|are)\\s+${noun}${id}\\s+(?:used|called|referenced)`, named("usages")),
  form(`\\b(?:who|what)\\s+(?:calls|uses)\\s+${noun}${id}`, named("usages")),
  form(`(?:哪里|谁|何处)(?:使用|用到|调用|引用)了?\\s*${noun}${id}`, named("usages")),
  form(`${id}\\s*(?:的|被)?(?:用法|引用|调用处|在哪里(?:被)?(?:使用|用到|调用|引用))`, named("usages")),
  form(
    "\\b(?:summar\\w+|describe|explain|review|show|what)\\b.*\\b(?:diff|(?:my|the|these|uncommitted|current|local)?\\s*changes?d?)\\b",
    { kind: "diff" },
  ),
  form("(?:总结|概括|说明|描述|看看).*(?:改动|更改|变更|差异|diff)", { kind: "diff" }),
  form("\\b(?:fix|apply|run|auto-?fix)\\b.*\\blint(?:er|ing)?\\b|\\blint\\s+(?:and\\s+)?fix|^\\s*lint\\b", {
    kind: "lint",
  }),
  form("(?:修复|运行|修正).*(?:lint|静态检查)", { kind: "lint" }),
  form(
    "^(?:please\\s+)?(?:re)?format(?:\\s+(?:the|this|my|all|whole|code\\w*|project|files?|sources?|repo\\w*|everything|it))*[\\s.!]*$|\\b(?:run|apply|use)\\b.*\\bformatter\\b(?!\\s+(?:tests?|specs?))",
    { kind: "format" },
  ),
  form(
    "^(?:请|帮我|运行|执行|把|所有|全部|整个|代码|文件|项目|\\s)*格式化(?:一下|所有|全部|整个|代码|文件|项目|吧|\\s)*[。！!.]*$",
    {
      kind: "format",
    },
  ),
  form(`\\b(?:fix|repair|solve|resolve|correct)\\b.*(?:${test}|${failing}|\\bbugs?\\b|\\bfaults?\\b)`, {
    kind: "fix",
  }),
  form(`\\b(?:make|get)\\b.*${test}.*\\b(?:pass|green|work|run)`, { kind: "fix" }),
  form(
    `\\b(?:find|debug)\\b.*\\b(?:bugs?|faults?)\\b|\\bfix\\s+\\S+\\.(?:py|[cm]?[jt]sx?)\\b|^\\s*(?:please\\s+)?(?:fix|repair)(?:\\s+(?:it|this|that))?[\\s.!]*$`,
    { kind: "fix" },
  ),
  form("(?:修复|修好|修正|改好|解决|修一下).*(?:测试|错误|缺陷|bug|问题|失败)|让.*测试.*通过|^\\s*修复[。！\\s]*$", {
    kind: "fix",
  }),
  form(`\\b(?:run|execute|start|check)\\b.*${test}`, { kind: "explain" }),
  form(`\\b(?:why|explain|what|show|which)\\b.*(?:${test}|${failing})|\\bhow\\b.*${test}`, { kind: "explain" }),
  form(
    "(?:运行|跑|执行|检查).*测试|(?:为什么|为何).*(?:失败|不通过|报错|挂)|(?:解释|说明).*(?:失败|错误|测试)|哪些?测试",
    {
      kind: "explain",
    },
  ),
];

/** At the start of a sentence or clause they ask for what only a model can do. */
const beyond =
  /(?:^|[.;,，。；、]|\b(?:and|then|also|please)\b|(?:并且?|然后|再|请|同时))\s*(?:please\s+|also\s+|then\s+)?(?:(?:add|implement|write|create|build|design|refactor|rewrite|translate|upgrade|update|bump|migrate|document|optimi[sz]e|improve|remove|delete|replace|change|move|convert|generate|deploy|send|commit|push|publish|release|merge|install)\s+(?![(.])|添加|增加|实现|编写|创建|重构|翻译|升级|更新|优化|删除|替换|生成|部署|提交|发布|安装)|\b(?:and|then)\s+(?:also\s+)?rename\b|(?:并且?|然后|再|同时)(?:把|将|重命名)/iu;

/** What must not be done. It cannot promise to keep to that, unless it changes nothing anyway. */
const limit =
  /\b(?:do not|don['’]?t|never|without|except(?: for)?)\b(?!\s+(?:pass|work|compile|succeed)\b|\s+(?:any\s+)?(?:errors?|failures?)\b)[^.;,!?]*|(?:不要|(?<![类识特区级性分个告差])别|勿|不用|无需|除了)[^。；，,.!？]*/giu;
/** In the person's own words these are limits too; in a log they are words like others. */
const ownLimit =
  /\bonly\b(?!\s+(?:failing|broken|red|test))|\bleave\b|\bkeeps?\b(?!\s+(?:fail|break|crash)ing)|\b(?:must|should|may)(?:\s+not|n['’]?t)\b(?!\s+(?:fail|throw|crash|pass|work)\b)|\bby\s+\w+ing\b|\bunchanged\b|只(?!有)|仅|保持|保留|不变|不能(?!通过|运行|工作)|不得|不可|不许|不准/iu;
const changing: ReadonlySet<Wish["kind"]> = new Set(["fix", "rename", "format", "lint"]);

/** The forms look back and forth: a text of any length would keep them busy for hours. */
const mostRead = 1_000;

/**
 * What stands behind an empty line may be a log or a file that was piped in: it says nothing about what is wanted. What it
 * forbids or asks for on top counts all the same, because it may be the person's.
 */
export function wishOf(request: string): Wish {
  const said = request.replace(/```[\s\S]*?```/g, " ").trim();
  const whole = said.replace(/\s+/g, " ");
  const text = whole.replace(limit, " ");
  const own = (said.split(/\n\s*\n/, 1)[0] ?? "").replace(/\s+/g, " ");
  const head = spaced(own.replace(limit, " ").slice(0, mostRead));
  const isLimited = text !== whole || ownLimit.test(own);
  for (const { pattern, wish } of forms) {
    const match = pattern.exec(head);
    if (match === null) continue;
    const found = wish(match);
    return beyond.test(text) || (isLimited && changing.has(found.kind)) ? { kind: "unknown" } : found;
  }
  return { kind: "unknown" };
}

/** Chinese puts no blank around a name, and its characters are letters too. */
function spaced(text: string): string {
  return text.replace(/(?<=[\w$)])(?=\p{Script=Han})|(?<=\p{Script=Han})(?=[\w$])/gu, " ");
}

/** Chinese for whoever writes Chinese. */
export function langOf(request: string): "en" | "zh" {
  return /\p{Script=Han}/u.test(request) ? "zh" : "en";
}
