// PL-3: constraints in the user's own words. Only clear orders to us count, since a false constraint asks about work that the user wants:
// the order must begin a clause, and its object must end it. Requirements of a program, quoted text and conditional orders do not count.

import { formsOf } from "./forms.ts";

type Kind = "network" | "api" | "delete" | "packages" | "publish" | "tests" | "files" | "commands" | "path" | "only";

export interface Constraint {
  readonly kind: Kind;
  /** In the user's words. */
  readonly text: string;
  readonly paths: readonly string[];
}

const labels =
  "constraints?|rules?|requirements?|limits?|limitations?|conditions?|important|note|nb|hint|warning|reminder";
/** Words that may precede the order itself. */
const lead = `^(?:(?:please|pls|kindly|also|and|but|so|just|then|however|again|ok|note that|remember(?: that)?|remember to|make sure(?: that)?(?: to| you)?|ensure(?: that)?(?: you)?|be sure to|be careful to|i want you to|(?:${labels})(?=:))[ ,:]+)*`;
const modal = "(?:must|may|should|shall)(?: not|n['’]t| never)";
const no = `(?:do not|don['’]?t|never|avoid|not(?= \\w+ing\\b)|under no circumstances|not allowed to|(?:(?:you|we|this) )?${modal}|you (?:cannot|can['’]t|are not (?:allowed|permitted|supposed) to)|i (?:do not|don['’]?t) want you to)(?: (?:ever|please|even|also|try to|attempt to))*`;
/** In "Refactor it without touching …" the constraint is on our work, not on the result of "make" or "add". */
const reworks =
  "(?:re(?:factor|work|write|structure|name|organi[sz]e|format|pair)|simplify|split|move|clean|tidy|fix|solve|do|optimi[sz]e|improve|speed|change|update|migrate|port|convert|extract|finish|complete|upgrade)";
const without = `(?:(?:${reworks}\\b(?:(?!\\b(?:where|when|that|which|whose|if)\\b)[^:]){0,120}? )?without(?: ever)?)`;
const denied = `(?:${no}|${without})`;
/** Any verb: nobody builds a thing that changes the API, the tests or the packages. */
const deniedOfWork = `(?:${no}|(?:\\w+\\b(?:(?!\\b(?:where|when|that|which|whose|if)\\b)[^:]){0,120}? )?without(?: ever)?)`;
const duty = "(?:(?:(?:you|we|i) )?(?:must|should|shall|need to|have to|(?:want|would like) (?:you )?to) )?";
const keep = `${duty}(?:keep(?:ing)?|preserv(?:e|ing)|retain(?:ing)?|maintain(?:ing)?|leav(?:e|ing))`;
const none =
  "(?:any|all|the|our|its|your|my|new|more|other|further|extra|additional|external|third-party|existing|present)";
const changes = "(?:touch|chang|modif|edit|alter|rewrit|adapt|updat|mess with)(?:e|y|ing|ying)?";
const tail =
  "(?=\\s*(?:$|[(–—:]|-\\s|(?:please|at all|anywhere|in any way|for (?:this|now|it)|during|while|as|yet|ever|again|here|or|nor|and|to do|when you|until|unless (?:i|you)|before (?:i|you)|without (?:asking|my)|either|because|since|(?:in|from|of) (?:this|the|my|our) (?:repo\\w*|project|workspace|folder|directory|codebase|code base|task))\\b))";
const asItIs =
  "(?:alone|untouched|unchanged|intact|stable|(?:backwards?[- ])?compatible|the same|as[ -]is|as (?:it|they) (?:is|are))";
const publicApi = "(?:public|exported|external)(?: (?!file)\\w+)? ?(?:API|APIs|interfaces?|signatures?|exports?)";
const anyApi = `(?:${publicApi}|APIs?)`;

const chineseLabels = "注意|要求|约束|限制|重要|提醒|条件|规则|前提";
const chineseLead = `^(?:(?:请|也|另外|还有|同时|并且?|但|不过|且|你|我们|记住|记得|务必|千万|绝对|一定|全程|始终|一律|(?:修改|重构|修复|实现|开发|完成|执行|任务|整个)*(?:过程中?|期间|之后|后)|(?:本次?|此次?|这个|这次)(?:任务|工作|改动|修改|操作)中?|(?:${chineseLabels})[：:]) *)*`;
/** 不能 can also report a failure, so it counts only for objects of which nobody would report one. */
const chineseDenied =
  "(?:不要再?|不得|不许|不准|不应该?|不应当?|请勿|切勿|勿|禁止|严禁|别|避免|(?<=你|我们|绝对|千万|一定|务必)(?:不能|不可以?)|在?不(?=.{1,40}(?:前提|情况)下))(?:去|再|擅自|随意)?";
const chineseNo = `(?:${chineseDenied}|(?:不能|不可以?)(?:再|随意)?)`;
const chineseChange = "(?:修改|改动|更改|改变|改写|编辑|触碰|碰|动|改)";
const chineseTail = "(?= *(?:$|了$|[哦吧啊哈（(、]|或|和|及|以及|与|即可|就行|的?(?:前提|情况)下))";
const chineseApi = "(?:公共|公开|对外|导出|外部)[^。；，,]{0,4}(?:API|接口|签名)";

const publishObject =
  "(?: (?:any|all|the|your|my|these|those|this|our|it|them|that)(?: of)?)*(?: (?:changes?|code|commits?|branch(?:es)?|files?|work|packages?|releases?|anything|tags?))?(?: (?:to|into|on) (?:the |my |our )?(?:main|master|origin|remote|git\\w*|upstream|npm|prod\\w*|staging|server|registry|pypi|repo\\w*|branch)\\b)?";

const ordersIn = formsOf<Kind>({
  network: inBoth(
    [
      `${denied} (?:touch|access|us|mak|do|perform|open|reach|hit|contact|connect to|go (?:to|on|onto)|call|need|rely on)(?:e|ing)?(?: ${none})* (?:network|internet|web)(?: (?:access|calls?|requests?|connections?|traffic))?${tail}`,
      `(?:no|without)(?: ${none})* (?:network|internet)(?: (?:access|calls?|requests?|traffic|use))?(?: (?:is |are )?(?:allowed|permitted))?(?=\\s*(?:$|(?:please|at all|or|and|for (?:this|now))\\b))`,
      `(?:the )?(?:network|internet)(?: (?:access|use|calls?))? (?:is|are|must not be) (?:forbidden|prohibited|off limits|not allowed|not permitted|used|accessed|touched)${tail}`,
      `(?:you (?:must|should|have to) )?(?:work|stay|remain|keep it|do it|do this) (?:completely |fully |strictly )?offline(?: only)?${tail}`,
      `offline only${tail}`,
      `${no} go(?:ing)? online${tail}`,
      `${no} download(?:ing)? (?:anything|any(?: \\w+)? (?:files?|packages?|data))${tail}`,
      `(?:do|make|build|write|finish|complete) (?:it|this|that|everything) without(?: ${none})* (?:network|internet)(?: access)?${tail}`,
    ],
    [
      `(?:${chineseDenied}|不允许|不可以?)(?:访问|使用|连接|接入|调用|触碰|碰|请求|用|进行|发起|发送|产生|有)?(?:任何|外部)*(?:网络|互联网|外网|因特网|联网|上网)(?:访问|请求|连接|调用|操作)?${chineseTail}`,
      `(?:不联网|不上网|(?:断网|离线)(?:进行|完成|操作|工作|执行)|(?<=全程|请)(?:断网|离线))${chineseTail}`,
    ],
  ),
  api: inBoth(
    [
      `${keep}(?: (?:all|the|our|its|every|existing|current|whole|entire|same|of))* (?:${publicApi}(?: ${asItIs}|${tail})|APIs? ${asItIs})`,
      `${deniedOfWork} (?:${changes}|break(?:ing)?)(?: ${none})* ${anyApi}${tail}`,
      `(?:no|without)(?: any)? (?:(?:breaking )?changes? (?:to|in|of)(?: ${none})* ${publicApi}|(?:${anyApi} |breaking (?:API )?)changes?)${tail}`,
      `(?:the |our |all |every )*${publicApi} (?:must|should|shall|has to|have to|stays?|remains?|is to|are to|may|can)\\b[^.;,]{0,30}\\b(?:same|stay|stays|unchanged|stable|remain|not (?:be )?(?:chang|br[eo]ak|alter|modif))`,
    ],
    [
      `(?:保持|保留|维持)(?:所有|现有)*${chineseApi}(?: ?的?(?:不变|稳定|兼容|原样|一致)|${chineseTail})`,
      `(?:保持|维持)(?:所有|现有的?|原有的?)* ?(?:API|接口)(?:签名)? ?的?(?:不变|稳定|兼容|原样|一致)`,
      `(?:所有|现有的?|原有的?)*(?:API|接口)(?:签名)? ?保持不变`,
      `${chineseNo}(?:${chineseChange}|破坏)(?:任何|所有|现有的?)*${chineseApi}${chineseTail}`,
      `(?:所有|现有)*${chineseApi}[^。；，,]{0,4}(?:不变|(?:不要|不得|不能|别|不许|不可)(?:再|随意)?(?:变|破坏|${chineseChange}))`,
    ],
  ),
  packages: inBoth(
    [
      `${deniedOfWork} (?:add|install|introduc|us|pull in|bring in)(?:e|ing)?(?: ${none})* (?:dependenc(?:y|ies)|deps|packages?|librar(?:y|ies))(?:${tail}| to\\b)`,
      `${denied} install(?:ing)? anything${tail}`,
      `(?:no|without)(?: (?:new|extra|additional|further|more|external|third-party))+ (?:dependenc(?:y|ies)|deps|packages?|librar(?:y|ies))${tail}`,
    ],
    [
      `(?:${chineseNo}|不(?=引入|新增|添加|安装|增加))(?:添加|新增|引入|安装|增加|加入|使用|加)(?:任何)?(?:新的?|额外的?|第三方的?|外部的?|其他的?)*(?:依赖|软件包|包|库)${chineseTail}`,
    ],
  ),
  delete: inBoth(
    [
      `${denied} (?:delet|remov|eras)(?:e|ing)?(?: ${none})* (?:files?|folders?|director(?:y|ies)|data|anything)${tail}`,
    ],
    [`${chineseDenied}(?:删除|移除|删掉|删)(?:任何|现有的?|已有的?)*(?:文件|数据|目录|文件夹|东西|内容)${chineseTail}`],
  ),
  publish: inBoth(
    [`${denied} (?:git )?(?:commit|push|publish|releas|deploy)(?:e|t?ing)?${publishObject}${tail}`],
    [
      `${chineseDenied} ?(?:git ?)?(?:提交|推送|发布|部署|commit|push)(?:任何|这些|你的)*(?:代码|改动|更改|修改|变更|东西)?(?:到 ?[\\w/-]+)?${chineseTail}`,
    ],
  ),
  tests: inBoth(
    [
      `${deniedOfWork} ${changes}(?: ${none})* (?:unit |integration )?(?:tests?|test files?|specs?|test suite)(?:${tail}| (?:for|of)\\b)`,
      `(?:leave|keep)(?: ${none})* (?:unit )?(?:tests?|test files?|specs?|test suite) ${asItIs}`,
    ],
    [
      `${chineseNo}${chineseChange}(?:任何|现有的?|已有的?|单元)*测试(?:文件|用例|代码)?${chineseTail}`,
      `(?:现有的?|已有的?|单元)*测试(?:文件|用例|代码)?(?:都)?(?:不要|不得|别|不许|请勿)${chineseChange}${chineseTail}`,
    ],
  ),
  commands: inBoth(
    [
      `${denied} (?:run|execut)(?:e|ning|ing)?(?: ${none})* (?:shell )?(?:commands?|scripts?|programs?|anything)${tail}`,
    ],
    [`${chineseDenied}(?:运行|执行)(?:任何)?(?:命令|脚本|程序)${chineseTail}`],
  ),
  files: inBoth(
    [`${denied} ${changes}(?: ${none})* (?:files?|code|source(?: code)?|anything)${tail}`],
    [`${chineseDenied}${chineseChange}(?:任何|现有的?)*(?:文件|代码|源码|东西)${chineseTail}`],
  ),
  only: inBoth(
    [
      `(?:you (?:may|should|must|can|shall) )?only ${changes}(?: the)?(?: files?)?(?: (?:in|under|inside|below))?(?= [\`'"“]?[\\w@.]*[./])`,
    ],
    [`(?:只|仅)(?:能|许|可以?|允许)?${chineseChange}`],
  ),
  path: inBoth(
    [
      `${denied} (?:${changes}|delet(?:e|ing)|remov(?:e|ing)|renam(?:e|ing)|mov(?:e|ing)|writ(?:e|ing) to|overwrit(?:e|ing))\\b`,
      `leave(?= .* ${asItIs})`,
      "no changes? (?:to|in)\\b",
      `(?=[\`'"“]?[\\w@.*-]*[./][^ ]* (?:must|should|may|shall)(?:(?: not| never) be (?:touch|chang|modifi|edit|alter|delet|remov|mov|renam)| (?:stay|remain|be left) ${asItIs}))`,
    ],
    [
      `${chineseNo}(?:${chineseChange}|删除|移动|重命名|覆盖|写入)`,
      `(?=[\`'"“]?[\\w@.*-]*[./][\\w@.*/-]*[\`'"”]? ?(?:目录|文件夹?)?(?:不要|不得|别|不许|请勿)(?:再|去)?(?:${chineseChange}|删除|移动)${chineseTail})`,
    ],
  ),
});

function inBoth(english: readonly string[], chinese: readonly string[]): readonly string[] {
  return [`${lead}(?:${english.join("|")})|${chineseLead}(?:${chinese.join("|")})`];
}

const hasWord =
  /\b(?:not|don['’]?t|never|no|avoid|without|can['’]t|mustn|shouldn|only|keep|preserve|retain|maintain|leave|unchanged|untouched|offline|API|interface|forbidden|prohibited)\b|不|勿|禁|别|避免|只|仅|保持|保留|维持|离线|断网|接口/iu;
const longest = 8000;
const mostKept = 12;

export function constraintsIn(text: string): readonly string[] {
  return [...new Set(constraintsFrom(text).map((one) => one.text))].slice(0, mostKept);
}

export function constraintsFrom(text: string): readonly Constraint[] {
  const head = text.slice(0, longest);
  if (!hasWord.test(head)) return [];
  return clausesOf(head).flatMap((clause) => (clause.length <= 300 ? (constraintIn(clause) ?? []) : []));
}

/** Quoted words are somebody else's, except a quoted name. */
const quoted =
  /"[^"\n]{1,400}"|(?<!\w)'[^'\n]{1,400}'(?!\w)|“[^”\n]{1,400}”|‘[^’\n]{1,400}’|「[^」\n]{1,400}」|『[^』\n]{1,400}』|`[^`\n]{1,400}`/gu;
const mask = "\ue000";
/** A full stop inside a name does not end a sentence. */
const stops = /([.!?;]+(?=\s|$|[一-鿿])|[。！？；\n])/u;
const joints =
  /，|,\s|[（(）)]|\s[-–—]+\s|——|\bwhile\b(?= (?:keeping|preserving|leaving|not)\b)|\bbut\b|\band\b(?= (?:do not|don['’]?t|never|keep|leave|only|without|no|preserve|avoid)\b)|但是?|而且|并且/iu;
const condition =
  /^(?:and |but |so )?(?:if|when|whenever|once|in case|while|where|as long as|unless)\b(?! (?:you|i|we)\b)|^(?:如果|若|当|假如|要是|一旦|每当)|(?:时|的时候|的话|情况下)$(?<!前提下)/iu;
/** The following lines are text to be written, not orders. */
const announces =
  /\.(?:md|txt|rst|json|ya?ml)\b|\b(?:lines?|sentences?|text|paragraph|section|messages?|says?|rules?|bullets?|docs?|document|translat\w+|write|print|show)\b|加入|写入|添加|文案|提示|翻译|文档|句/iu;

/** Clauses that could be orders to us, as written. */
function clausesOf(text: string): readonly string[] {
  const masked = text.replace(quoted, (one) => (/\s|[一-鿿]/u.test(one.slice(1, -1)) ? mask.repeat(one.length) : one));
  const found: string[] = [];
  let at = 0;
  let isText = false;
  const parts = masked.split(stops);
  for (let n = 0; n < parts.length; n += 2) {
    const [sentence = "", stop = ""] = [parts[n], parts[n + 1]];
    const isItem = /^\s*(?:[-*+•>]|\d{1,2}[.)、]?\s?|$)/u.test(sentence);
    isText &&= isItem && sentence.trim() !== "";
    if (!isText && !/^\s*>/.test(sentence) && !/[?？]/.test(stop) && !/吗\s*$/u.test(sentence))
      found.push(...clausesIn(sentence, text.slice(at, at + sentence.length)));
    if (/[:：]\s*$/u.test(sentence) && stop === "\n") isText = announces.test(sentence) && !isLabel(sentence);
    at += sentence.length + stop.length;
  }
  return found;
}

function isLabel(line: string): boolean {
  return new RegExp(`^\\W*(?:the |some )?(?:${labels}|${chineseLabels})\\s*[:：]\\s*$`, "iu").test(line);
}

function clausesIn(sentence: string, original: string): readonly string[] {
  const found: string[] = [];
  let at = 0;
  for (const clause of sentence.split(joints)) {
    const start = sentence.indexOf(clause, at);
    at = start + clause.length;
    if (condition.test(clause.trim())) return found;
    const bare = withoutMark(clause);
    if (!bare.includes(mask)) found.push(withoutMark(original.slice(start, at)));
  }
  return found;
}

function withoutMark(clause: string): string {
  return clause.replace(/^\s*(?:(?:[-*+•]|\d{1,2}[.)、])\s+)?/u, "").trim();
}

const whenever = /\b(?:when|whenever|if|once|twice)\b(?! (?:you|i|we)\b)|如果|时候|两次/iu;
const beyond =
  /\b(?:outside(?: of)?|other than|except(?: for| in)?|besides|apart from)\b(.*)$|(?:除了?)(.*)$|^(.*?)(?:以外|之外)/iu;

function constraintIn(text: string): Constraint | null {
  if (/\bwhy\b|为什么/iu.test(text)) return null;
  for (const { kind, match } of ordersIn(text)) {
    if (kind !== "path" && kind !== "only") return { kind, text, paths: [] };
    const [about = ""] = text.slice(match.index + match[0].length).split(/[:：]\s/u);
    const rest = beyond.exec(about);
    const paths = pathsIn(rest ? (rest[1] ?? rest[2] ?? rest[3] ?? "") : about);
    const isMeant = rest !== null || (isObject.test(about) && !isWithin.test(about));
    if (paths.length > 0 && isMeant && !whenever.test(text)) return { kind: rest ? "only" : kind, text, paths };
  }
  return null;
}

const pathWord =
  /[`'"“‘]?((?:\.{0,2}\/)?[\w@.*-]+(?:\/[\w@.*-]*)+|[\w@-][\w@.-]*\.[A-Za-z]\w{0,7}|\.[A-Za-z][\w.-]+)[`'"”’]?/gu;

/** The file itself, not something in it: "do not remove the comments in a.ts" is about comments. */
const isObject = new RegExp(
  `^\\s*(?:(?:any|the|all|our|your|(?:(?:test|spec|config|configuration|source|lock|data) )?(?:files?|folders?)|director(?:y|ies)|anything|code|of|existing|generated|either|in|under|inside|below|within|to|or|and|delete|remove|rename|move|edit|modify|change|touch|overwrite)\\s+)*(?:(?:[、或和])?(?:任何|现有的?|修改|改动|删除|移动|重命名|覆盖|(?:测试|配置|源|锁|数据)?文件|目录|到|掉))*\\s*${pathWord.source}`,
  "iu",
);
const isWithin = /^(?:\p{Script=Han}*文件)?[^\u4e00-\u9fff]*(?:中|里|内)(?:面)?的?(?!文件|代码|内容|任何|所有)/u;

function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(pathWord)]
    .map(([, path = ""]) => path.replace(/^\.\//, "").replace(/[/.]+$/, ""))
    .filter((one) => one !== "");
}
