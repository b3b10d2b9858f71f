// The title of a change: from what the model says it did, else from its files. The request does not count: it does not tell what was
// done.

import { visible } from "../../contract/show/visible.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { FileStat } from "../../platform/git/stat.ts";

const fillers =
  /^(?:(?:all )?(?:done|finished|complete[d]?)|ok(?:ay)?|sure|great|perfect|certainly|summary|here(?:'s| is| are) [^.:]*|what (?:i )?changed|changes?(?= *:)|好的|可以|完成了?|已完成|搞定了?|总结|修改如下)(?=[^\p{L}\p{N}]|$)[\s.:!,;，。：！；–—-]*/iu;
const firstPerson =
  /^(?:(?:i|we)(?:'ve| have)? +(?:(?:just|now|also|successfully) +)*|(?:我(?:们)?)?(?:已经|已)|我(?:们)?)/i;
/** Sentences about undone work, checks or the request. */
const besides =
  /^(?:could(?: not|n't)\b|can(?:not|'t| not)\b|(?:(?:am|are|was|were) )?(?:unable|not able)\b|(?:was|were)n't able\b|did(?: not|n't)\b|have(?: not|n't)\b|you (?:asked|wanted|requested)\b|as (?:you )?(?:asked|requested)\b|the (?:user|person) (?:asked|wants|wanted|requested)\b|(?:the )?(?:task|request|goal)(?: (?:is|was)\b|:)|(?:all |the |all the )?tests? (?:still )?(?:pass|fail)|无法|未能|没能|没有|不能|[您你]要求|用户|(?:所有)?测试(?:全部|都|均|已)*(?:通过|失败|未))/iu;
const sentence = /^(.*?(?:[。！？]|[.!?](?=\s|$)))|^.+$/s;

const imperatives: Readonly<Record<string, string>> = {
  ...{ fixed: "fix", added: "add", changed: "change", updated: "update", removed: "remove", renamed: "rename" },
  ...{ replaced: "replace", moved: "move", implemented: "implement", created: "create", refactored: "refactor" },
  ...{ made: "make", corrected: "correct", rewrote: "rewrite", deleted: "delete", extracted: "extract" },
  ...{ wrote: "write", introduced: "introduce", improved: "improve", simplified: "simplify", adjusted: "adjust" },
};

/** A summary comes within these limits. */
const maxChars = 4_000;
const maxSentences = 6;

/** The first thing the model says it did; "" if none. `asked`: the user's request. */
export function saidChange(answer: string, asked: string): string {
  let rest = withoutCode(answer.slice(0, maxChars));
  const wish = plainly(asked);
  for (let at = 0; at < maxSentences && rest !== ""; at++) {
    const bare = rest.replace(fillers, "");
    if (bare !== rest) {
      rest = bare.trimStart();
      continue;
    }
    const [found = ""] = sentence.exec(rest.split("\n", 1)[0] ?? "") ?? [];
    rest = rest.slice(Math.max(1, found.length)).trimStart();
    const title = asOrder(found);
    const isAsked = plainly(title) === wish || (wish.includes(plainly(found)) && plainly(found) !== "");
    if (title !== "" && !/[?？]\s*$/.test(found) && !isAsked && !besides.test(title)) return title;
  }
  return "";
}

function withoutCode(text: string): string {
  return text
    .replace(/^ *(`{3,}|~{3,})[\s\S]*?(?:^ *\1|$(?![\s\S]))/gm, "")
    .replace(/^[ \t]*(?:#{1,6}|[-*+>]|\d+[.)])[ \t]+/gm, "")
    .replace(/\*\*|__|`/g, "")
    .trim();
}

/** Turns "I fixed the total." into "Fix the total". */
function asOrder(text: string): string {
  const bare = text.replace(firstPerson, "").replace(/[\s.。!！?？…,，;；:：]+$/u, "");
  const [first = ""] = bare.split(" ", 1);
  const order = imperatives[first.toLowerCase()] ?? first;
  const whole = `${order}${bare.slice(first.length)}`;
  // A single word is no title, but four Chinese characters can be.
  const isTelling = /\s/.test(whole.trim()) || (whole.match(/\p{Script=Han}/gu)?.length ?? 0) >= 4;
  if (!isTelling) return "";
  // Identifiers and paths keep their case: `calc.js: …`, `parseAll takes …`.
  return /^\p{Ll}[\p{Ll}'’-]*(?:[,:;]? |$)/u.test(whole) ? whole.charAt(0).toUpperCase() + whole.slice(1) : whole;
}

function plainly(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** `Add src/a.ts`, `Change 3 files in src`. */
export function filesChange(stats: readonly FileStat[], lang: Lang): string {
  const kinds = new Set(stats.map(({ change }) => change));
  const [only] = kinds.size === 1 ? kinds : ["modify" as const];
  const [first] = stats;
  if (first === undefined) return say(lang, phrase("git.untitled"));
  return say(lang, phrase(`git.subject.${only ?? "modify"}`, { files: filesIn(stats, lang) }));
}

function filesIn(stats: readonly FileStat[], lang: Lang): string {
  const paths = stats.map(({ path }) => visible(path));
  const [one = "", two] = paths;
  if (two === undefined) return one;
  if (paths.length === 2) return say(lang, phrase("git.subject.two", { one, two }));
  const folder = commonFolder(stats.map(({ path }) => path));
  const n = paths.length;
  return say(
    lang,
    folder === "" ? phrase("git.subject.many", { n }) : phrase("git.subject.in", { n, folder: visible(folder) }),
  );
}

function commonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split("/").slice(0, -1));
  const end = first.findIndex((name, at) => others.some((other) => other[at] !== name));
  return first.slice(0, end === -1 ? first.length : end).join("/");
}
