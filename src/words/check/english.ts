import { any, found, type Shape } from "../forms.ts";
import { once } from "../phrase-table.ts";
import { english } from "./check-words.ts";
import type { Clause } from "./clauses.ts";
import { must, onlyThen, orders, otherThing, ownTests, plain, refusals, runThem, wishes } from "./patterns.ts";

export type Wish = "asked" | "declined";

export function wishInEnglish({ text, next }: Clause): Wish | null {
  const positive = text.includes("forget to") || text.includes("skip") ? withoutDoubleNegation(text) : text;
  if (isDeclined(positive)) return "declined";
  return isAsked(positive, next) ? "asked" : null;
}

function withoutDoubleNegation(text: string): string {
  return text
    .replace(/\b(?:don't|dont|do not|never) forget to\b/g, "please")
    .replace(/\b(?:don't|dont|do not|never) skip (?:running )?/g, "please run ");
}

type Fits = (before: string, after: string) => boolean;

function isAsked(text: string, next: string): boolean {
  // Users often type just this first, to see what happens.
  if (text === "test") return false;
  const isOrder: Fits = (before, after) => isOrderAfter(before) && !otherThing().test(after);
  const isWished: Fits = (before, after) => !isStated(before) && !/^ (?:in|on) ci\b/.test(after);
  const isNeeded: Fits = (before, after) => !isQuestion(before) && !isDoubted(after, next);
  return (
    orders().some((one) => isIn(text, one, isOrder)) ||
    wishes().some((one) => isIn(text, one, isWished)) ||
    plain().some((one) => isIn(text, one, () => true)) ||
    isIn(text, runThem(), (before) => isOrderAfter(before) && ownTests().test(before)) ||
    isIn(text, must(), isNeeded)
  );
}

function isDeclined(text: string): boolean {
  const isRefusal: Fits = (before, after) => {
    const isOrder = before === "you" || (!isStated(before) && !/\b(?:to|should|will|can|could|would)$/.test(before));
    return isOrder && !onlyThen().test(after) && !otherThing().test(after);
  };
  return refusals().some((one) => isIn(text, one, isRefusal));
}

function isIn(text: string, one: Shape, fits: Fits): boolean {
  return found(text, one, (before, after) => fits(before.trim(), after));
}

const extra = ["again", "if possible", "if needed"];
const strong = once((): readonly string[] =>
  english().lead.filter((lead) => lead.includes(" ") || /^(?:please|pls|let's)$/.test(lead)),
);
const connectors = ["and", "then", "&"];
const leadEnd = once(() => new RegExp(`(?:^| )(${any([...english().lead, ...connectors, ...extra])})$`));
const leadStart = once(() => new RegExp(`^${any([...english().lead, ...extra])}(?: |$)`));
const afterwards = once(
  () => /^(?:after (?:that|this|each|every|the|your|all|[\w-]+ing)|once (?:fixed|that|this|it|everything|all))\b/,
);

/** Whether the words before a verb leave it an order. */
function isOrderAfter(before: string): boolean {
  let rest = before;
  let isLinked = false;
  for (let end = leadEnd().exec(rest); end; end = leadEnd().exec(rest)) {
    const lead = end[1] ?? "";
    if (strong().includes(lead)) return !negated().test(rest.slice(0, end.index));
    isLinked ||= connectors.includes(lead);
    rest = rest.slice(0, end.index).trim();
  }
  if (rest === "" || (afterwards().test(rest) && !/\b(?:i|we|you|they|to|that|who)$/.test(rest))) return true;
  return isLinked && !isStated(rest);
}

/** Too common in task descriptions: they count only directly before the verb. */
const nearNots: readonly string[] = ["no", "not", "stop", "skip", "can't", "cannot", "won't"];
const negated = once(() => {
  return new RegExp(`\\b${any(english().not.filter((word) => !nearNots.includes(word)))}\\b`);
});
const statement = once(() => {
  const wants = "i(?:'d| would)? (?:want|need|like)\\b|we (?:want|need|must)\\b";
  return new RegExp(`^(?!${wants})${any(english().statement)}\\b`);
});
const builds = once(() => {
  return new RegExp(`\\b${any(english().builds)}\\b.*\\b(?:to|that|which|for|will|should|can|must)\\b`);
});

function isStated(before: string): boolean {
  let rest = before;
  for (let start = leadStart().exec(rest); start; start = leadStart().exec(rest)) rest = rest.slice(start[0].length);
  return statement().test(rest) || negated().test(rest) || builds().test(rest);
}

function isQuestion(before: string): boolean {
  return /^(?:why|how|what|when|if|whether|did|do|does)\b/.test(before) || builds().test(before);
}

function isDoubted(after: string, next: string): boolean {
  return /^ (?:now|already|anyway|on|in)\b/.test(after) || /^(?:but|yet|however|though|although)\b/.test(next);
}
