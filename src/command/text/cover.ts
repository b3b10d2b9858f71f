import type { Listed } from "../../contract/grant.ts";
import type { Plan } from "../../contract/plan.ts";
import { spelledOut } from "../../contract/show/visible.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import { listedIn } from "../../machine/grant.ts";
import type { SessionState } from "../../machine/state.ts";

/** Lists the calls that a yes to the plan covers, and those that are asked about anyway. */
export function coverLines(plan: Plan, covered: readonly Listed[], lang: Lang): readonly string[] {
  const isCovered = (one: Listed): boolean => covered.some((other) => JSON.stringify(other) === JSON.stringify(one));
  const rest = listedIn(plan).filter((one) => !isCovered(one));
  const section = (key: "workflow.cover.yes" | "workflow.cover.asked", listed: readonly Listed[]): readonly string[] =>
    listed.length === 0 ? [] : [say(lang, phrase(key)), ...listed.map((one) => `  ${listedText(one, lang)}`)];
  return [...section("workflow.cover.yes", covered), ...section("workflow.cover.asked", rest)];
}

/** The same as counts in our own words, which the text of a plan cannot fake. */
export function coverHead(plan: Plan, covered: readonly Listed[], lang: Lang): string {
  const all = listedIn(plan).length;
  return say(
    lang,
    all === 0 ? phrase("workflow.cover.none") : phrase("workflow.cover.head", { n: covered.length, all }),
  );
}

/** On one line: text of a model must not pass for another entry. */
function listedText(one: Listed, lang: Lang): string {
  const text = one.kind === "file" ? fileText(one, lang) : `${one.tool} ${argsText(one.args)}`;
  return `${one.step}. ${spelledOut(text).replaceAll("\n", "\\n")}`;
}

function fileText({ path, change }: Extract<Listed, { kind: "file" }>, lang: Lang): string {
  return change === "modify" ? path : say(lang, phrase(`plan.shown.${change}`, { path }));
}

/** A lone command stands for itself; anything else is JSON. */
function argsText(args: unknown): string {
  const { command, ...more } = (args ?? {}) as Readonly<Record<string, unknown>>;
  const isAlone = typeof command === "string" && Object.keys(more).length === 0;
  return isAlone ? command : JSON.stringify(args);
}

export function grantLines(
  { grant, plan }: SessionState,
  lang: Lang,
  ruleText: (at: number) => string,
): readonly string[] {
  if (grant === null) return [];
  const head = say(lang, phrase("workflow.cover.holds", { scope: phrase(`workflow.scope.${grant.scope}`) }));
  const covered = grant.listed.filter(({ step }) => grant.steps.includes(step));
  const isDropped = (one: Listed): boolean => plan?.steps.find(({ id }) => id === one.step)?.status === "skipped";
  const lines = covered.filter((one) => !isDropped(one)).map((one) => `  ${listedText(one, lang)}`);
  const rules = grant.rules.map((_, at) => `  ${ruleText(at)}`);
  const none = lines.length + rules.length === 0 ? [`  ${say(lang, phrase("workflow.cover.nothing_yet"))}`] : [];
  return [head, ...lines, ...rules, ...none, ""];
}
