// PL-3: what the person has forbidden in words of their own, and which calls go against it. What is not clearly said is not
// taken: a false constraint would stop work that was asked for.
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { visible } from "../contract/visible.ts";
import { dropped } from "./constraint-api.ts";
import type { PolicyQuestion } from "./decide.ts";

type Kind = "network" | "api" | "delete" | "packages" | "publish" | "tests" | "files" | "commands" | "path" | "only";

interface Constraint {
  readonly kind: Kind;
  /** As the person said it. */
  readonly text: string;
  readonly paths: readonly string[];
}

const no =
  "(?<!why )(?:do not|don['’]?t|never|must not|mustn['’]t|may not|should not|shouldn['’]t|shall not|cannot|can['’]t|avoid|without|not allowed to)(?: (?:ever|please|even|also|try to|attempt to))*";
const none = "(?:any|all|the|our|its|new|more|other|further|extra|additional|external|third-party|existing|present)";
const changes = "(?:touch|chang|modif|edit|alter|rewrit|adapt|updat|mess with)(?:e|y|ing|ying)?";
const chineseNo =
  "(?:不要再?|不得|不能|不可以?|不许|不准|不应该?|不应当?|请勿|切勿|勿|禁止|严禁|别|避免)(?:去|再|擅自|随意)?";
const chineseChange = "(?:修改|改动|更改|改变|改写|编辑|触碰|碰|动|改)";
const end =
  "(?![\\w-]|\\s+(?:module|layer|code|stack|config\\w*|settings?|tab|file|files|class|test|tests|package|folder|client|page|section)\\b)";

/** The first that fits says what is meant. */
const kinds: readonly (readonly [kind: Kind, said: RegExp])[] = [
  [
    "network",
    rule(
      `${no} (?:touch|access|us|mak|do|perform|open|reach|hit|contact|connect to|go (?:to|on|onto)|call|need|rely on)(?:e|ing)?(?: ${none})* (?:network|internet|web|network (?:access|calls?|requests?|connections?))${end}`,
      `\\b(?:no|without)(?: ${none})* (?:network|internet)(?: (?:access|calls?|requests?|connections?|traffic|use))?${end}`,
      "\\b(?:work|stay|remain|keep it|do it|do this) offline\\b",
      `${chineseNo}(?:访问|使用|连接|接入|调用|触碰|碰|请求|用)?(?:任何|外部)?(?:网络|互联网|外网|因特网|联网|上网)(?!模块|层|代码|配置|请求库|文件)`,
      "不联网|不上网|断网(?:进行|完成|操作)|离线(?:进行|完成|操作|工作)",
    ),
  ],
  [
    "api",
    rule(
      "\\b(?:keep|preserve|retain|maintain|leave)\\b[^.;,]{0,20}\\b(?:public|exported|external)\\b[^.;,]{0,20}\\b(?:API|APIs|interfaces?|signatures?|exports?)\\b",
      `${no} (?:${changes}|break(?:ing)?)(?: ${none})* (?:public|exported|external)(?: \\w+)? ?(?:API|APIs|interfaces?|signatures?|exports?)\\b`,
      "\\b(?:public|exported) (?:API|interface)s? (?:must|should|shall|has to|stays?|remains?|is to)\\b[^.;,]{0,30}\\b(?:same|stay|stays|unchanged|stable|remain|not change)",
      `(?:保持|保留|维持)[^。；，,]{0,6}(?:公共|公开|对外|导出|外部)[^。；，,]{0,4}(?:API|接口|签名)`,
      `${chineseNo}${chineseChange}?(?:破坏)?[^。；，,]{0,4}(?:公共|公开|对外|导出|外部)[^。；，,]{0,4}(?:API|接口|签名)`,
      `(?:公共|公开|对外|导出|外部)[^。；，,]{0,4}(?:API|接口|签名)[^。；，,]{0,6}(?:不变|不要改|不得|不能|别动|别改|不许)`,
    ),
  ],
  [
    "packages",
    rule(
      `${no} (?:add|install|introduc|us|pull in|bring in|creat)(?:e|ing)?(?: ${none})* (?:dependenc(?:y|ies)|packages?|librar(?:y|ies))\\b`,
      `\\b(?:no|without)(?: (?:new|extra|additional|further|more|external|third-party))+ (?:dependenc(?:y|ies)|packages?|librar(?:y|ies))\\b`,
      `${chineseNo}(?:添加|新增|引入|安装|增加|加入|使用|加)(?:任何)?(?:新的?|额外的?|第三方的?|外部的?|其他的?)*(?:依赖|软件包|包|库)`,
    ),
  ],
  [
    "delete",
    rule(
      `${no} (?:delet|remov|eras)(?:e|ing)?(?: ${none})* (?:files?|folders?|director(?:y|ies)|data|anything)${end}`,
      `${chineseNo}(?:删除|移除|删掉|删)(?:任何|现有的?|已有的?)*(?:文件|数据|目录|文件夹|东西|内容)`,
    ),
  ],
  [
    "publish",
    rule(
      `${no} (?:git )?(?:commit|push|publish|releas|deploy)(?:e|t?ing)?\\b(?! (?:message|hook)s?\\b)`,
      `${chineseNo}(?:git ?)?(?:提交|推送|发布|部署)(?!信息|说明)`,
    ),
  ],
  [
    "tests",
    rule(
      `${no} ${changes}(?: ${none})* (?:unit )?(?:tests?|test files?|specs?|test suite)${end.replace("|test|tests", "")}`,
      `${chineseNo}${chineseChange}(?:任何|现有的?|已有的?|单元)*测试(?!数据|环境|服务)`,
    ),
  ],
  [
    "commands",
    rule(
      `${no} (?:run|execut)(?:e|ning|ing)?(?: ${none})* (?:commands?|scripts?|programs?|anything)\\b`,
      `${chineseNo}(?:运行|执行)任?何?(?:命令|脚本|程序)`,
    ),
  ],
  [
    "files",
    rule(
      `${no} ${changes}(?: ${none})* (?:files?|code|source(?: code)?|anything)(?= *$)`,
      `${chineseNo}${chineseChange}(?:任何|现有的?)*(?:文件|代码|源码|东西)(?:$|[。；，,])`,
    ),
  ],
  [
    "only",
    rule(
      `^(?:[\\w ,]{0,30}\\b)?only ${changes}(?: the)?(?: files?)? (?=[\`'"“]?[\\w@.]*[./])`,
      `(?:只|仅)(?:能|许|可以?|允许)?${chineseChange}`,
    ),
  ],
  [
    "path",
    rule(
      `${no} (?:${changes}|delet(?:e|ing)|remov(?:e|ing)|renam(?:e|ing)|mov(?:e|ing)|writ(?:e|ing) to|overwrit(?:e|ing))\\b`,
      `${chineseNo}(?:${chineseChange}|删除|移动|重命名|覆盖|写入)`,
    ),
  ],
];

function rule(...forms: readonly string[]): RegExp {
  return new RegExp(forms.join("|"), "iu");
}

/** Whole sentences, and their parts: a full stop inside a name does not end one. */
const parting =
  /[.!?;](?=\s|$)|[。！？；，\n]|,\s|\bbut\b|\band\b(?= (?:do not|don['’]?t|never|keep|only|without|no|preserve)\b)|但是?|而且/iu;
const hasWord =
  /\b(?:not|don['’]?t|never|no|avoid|without|can['’]t|mustn|shouldn|only|keep|preserve|retain|maintain|leave|offline|API|interface)\b|不|勿|禁|别|避免|只|仅|保持|保留|维持|离线|断网|接口/iu;
const longest = 8000;
const mostKept = 12;

/** What the person forbids, each in their own words. */
export function constraintsIn(text: string): readonly string[] {
  const said = text.slice(0, longest);
  if (!hasWord.test(said)) return [];
  const clauses = said.split(parting).map((one) => one.trim());
  return [...new Set(clauses.filter((one) => one.length <= 300 && ruleOf(one) !== null))].slice(0, mostKept);
}

function ruleOf(text: string): Constraint | null {
  if (/\?|？|吗$|\bwhy\b|为什么/iu.test(text)) return null;
  for (const [kind, said] of kinds) {
    const found = said.exec(text);
    if (!found) continue;
    const paths = kind === "path" || kind === "only" ? pathsIn(text.slice(found.index + found[0].length)) : [];
    if ((kind === "path" || kind === "only") && paths.length === 0) continue;
    return { kind, text, paths };
  }
  return null;
}

const pathWord =
  /[`'"“‘]?((?:\.{0,2}\/)?[\w@.*-]+(?:\/[\w@.*-]*)+|[\w@-][\w@.-]*\.[A-Za-z]\w{0,7}|\.[A-Za-z][\w.-]+)[`'"”’]?/gu;

function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(pathWord)]
    .map(([, path = ""]) => path.replace(/^\.\//, "").replace(/[/.]+$/, ""))
    .filter((one) => one !== "");
}

/** Of a call: what it would put in the place of what. */
export interface Rewritten {
  readonly before: string;
  readonly after: string;
  /** A whole file goes. */
  readonly deletes?: true;
}

/** Why a call goes against what the person has said; empty where it does not. */
export function against(
  constraints: readonly string[],
  question: PolicyQuestion,
  rewritten: () => readonly Rewritten[],
): readonly Phrase[] {
  const rules = constraints.flatMap((text) => ruleOf(text) ?? []);
  const broken = rules.filter((one) => isAgainst(one, question, rewritten));
  return broken.map(({ text }) => phrase("policy.constraint", { text: visible(text.slice(0, 200)) }));
}

function isAgainst(
  { kind, paths }: Constraint,
  question: PolicyQuestion,
  rewritten: () => readonly Rewritten[],
): boolean {
  const { access, reach } = question;
  const written = writtenIn(question);
  switch (kind) {
    case "network":
      return access === "network" || reach?.network === true || runs(question, dials);
    case "packages":
      return (
        runs(question, installs) ||
        written.some((path) =>
          /(?:^|\/)(?:package\.json|[\w-]*requirements[\w-]*\.txt|Cargo\.toml|go\.mod|pyproject\.toml|Gemfile|pom\.xml|build\.gradle(?:\.kts)?)$/.test(
            path,
          ),
        )
      );
    case "publish":
      return runs(question, publishes);
    case "delete":
      return runs(question, deletes) || rewritten().some(({ deletes }) => deletes);
    case "commands":
      return access === "exec";
    case "tests":
      return written.some((path) =>
        /(?:^|\/)(?:tests?|specs?|__tests__)\/|(?:^|\/)(?:test_[^/]*|[^/]*[._-](?:test|spec))\.\w+$/i.test(path),
      );
    case "files":
      return access === "write" || (access === "exec" && written.length > 0);
    case "path":
      return written.some((path) => paths.some((one) => isBelow(path, one)));
    case "only":
      return written.some((path) => !paths.some((one) => isBelow(path, one)));
    case "api":
      return access === "write" && rewritten().some(({ before, after }) => dropped(before, after).length > 0);
  }
}

/** Relative to the workspace. A command's words count where it does more than read. */
function writtenIn({
  access,
  paths,
  writes = [],
  mentions = [],
  judgement,
  workspace,
}: PolicyQuestion): readonly string[] {
  const facts =
    access === "write"
      ? paths
      : access === "exec" && !judgement?.isReadOnly
        ? [...writes, ...mentions.map(({ fact }) => fact)]
        : [];
  return facts.map(({ given, real }) =>
    real?.startsWith(`${workspace}/`) ? real.slice(workspace.length + 1) : (real ?? given),
  );
}

function isBelow(path: string, place: string): boolean {
  if (place.includes("*"))
    return new RegExp(
      `^${place
        .split("*")
        .map((one) => one.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
        .join(".*")}`,
    ).test(path);
  return path === place || path.startsWith(`${place}/`) || (!place.includes("/") && path.split("/").includes(place));
}

const dials =
  /^(?:curl|wget|ssh|scp|sftp|rsync|ftp|telnet|nc|ncat|netcat|dig|nslookup|host|ping|http|https|aria2c|npx|bunx|pipx|uvx)(?: |$)|^git (?:clone|fetch|pull|push|ls-remote|submodule)\b|^(?:npm|pnpm|yarn|bun) (?:i|install|add|ci|update|publish|view|outdated|audit|dlx|create|x)\b|^(?:pip|pip3) (?:install|download)\b|^python3? -m pip (?:install|download)\b|^uv (?:add|pip|sync|tool)\b|^(?:cargo) (?:install|add|update|fetch|publish)\b|^go (?:get|install)\b|^go mod (?:download|tidy)\b|^(?:apt|apt-get|brew|dnf|yum|apk|gem|composer|poetry|docker|gh)\b/;
const installs =
  /^(?:npm|pnpm|yarn|bun) (?:i|install|add)\b|^(?:pip|pip3) install\b|^python3? -m pip install\b|^uv (?:add|pip)\b|^poetry add\b|^cargo (?:add|install)\b|^go get\b|^(?:apt|apt-get|brew|dnf|yum|apk|gem|bundle) (?:install|add)\b|^composer require\b/;
const publishes =
  /^git (?:commit|push|tag)\b|^(?:npm|pnpm|yarn|bun|cargo) publish\b|^gh (?:pr|release)\b|^twine upload\b/;
const deletes = /^(?:rm|rmdir|unlink|shred)\b|^git (?:rm|clean)\b|^find .* -delete\b/;

function runs({ judgement }: PolicyQuestion, what: RegExp): boolean {
  const told = (judgement?.commands ?? []).map(({ argv, text }) => argv?.join(" ") ?? text);
  return told.some((command) => what.test(command.replace(/^\S*\//, "")));
}
