// The verdict on what a call would do. The engine gathers the facts; all decisions about them are made here, in one order.
import type { PermissionRule } from "../contract/permission.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import type { PathFact, Rewritten } from "../contract/tool.ts";
import { against } from "./constraint/constraint.ts";
import { decide, type PolicyQuestion, type PolicyVerdict } from "./decide.ts";
import { alwaysRules, exactRules } from "./rule/always.ts";
import { allowFlag } from "./rule/text.ts";

/** Facts that cost something to gather are functions, called only where the answer can change the verdict. */
export interface DeedFacts {
  readonly question: PolicyQuestion;
  /** The call is a confined command that runs tests and nothing else, and the person has asked for the tests. */
  readonly isAskedFor?: () => boolean;
  /** What a command would show of git's history; `null` = nothing of it. */
  readonly past?: (question: PolicyQuestion) => PastFacts | null;
  /** Rules that the person's answers have added. They only allow. */
  readonly granted?: () => readonly PermissionRule[];
  /** The person has agreed to a plan step that lists this call. */
  readonly isAgreed?: (question: PolicyQuestion) => boolean;
  /** What the person has forbidden for this task, in their words. */
  readonly constraints?: readonly string[];
  readonly rewritten?: () => readonly Rewritten[];
  /** Names in the call that look like other names. */
  readonly lookAlikes?: () => readonly Phrase[];
}

export interface PastFacts {
  readonly paths: readonly PathFact[];
  readonly riskReasons: readonly Phrase[];
  /** Revisions that must be looked up in git before the call can be decided. */
  readonly unknownObjects?: readonly string[];
}

export interface DeedVerdict extends PolicyVerdict {
  readonly question: PolicyQuestion;
  /** Decided without git's history: these revisions have to be looked up first. */
  readonly unknownObjects?: readonly string[];
}

export function decideDeed(facts: DeedFacts): DeedVerdict {
  const verdict = grantedOrAsked({ ...facts, question: withOwnWords(facts) });
  const { constraints = [], rewritten = () => [] } = facts;
  if (verdict.unknownObjects || constraints.length === 0) return verdict;
  const reasons = against(constraints, verdict.question, rewritten);
  return reasons.length === 0 ? verdict : { ...verdict, ...decide({ ...verdict.question, against: reasons }) };
}

/** A person who asked for the tests does not have to allow the command that runs them (VF-1). */
function withOwnWords({ question, isAskedFor }: DeedFacts): PolicyQuestion {
  if (question.authority !== undefined || isAskedFor?.() !== true) return question;
  return { ...question, authority: "the person's words" };
}

/** By the configured rules first; the person's answers and the agreed plan are looked up only for what those do not allow. */
function grantedOrAsked(facts: DeedFacts): DeedVerdict {
  const { question, granted = () => [], isAgreed = () => false, lookAlikes = () => [] } = facts;
  const byRules = decideWithPast(facts, question);
  if (byRules.decision === "allow" || byRules.unknownObjects) return byRules;
  const answers = granted();
  const wider = { ...question, rules: [...question.rules, ...answers] };
  const verdict = answers.length === 0 ? byRules : decideWithPast(facts, wider);
  if (verdict.decision === "allow") return verdict;
  if (isAgreed(verdict.question)) {
    const planned = decideWithPast(facts, { ...wider, isPlanned: true });
    if (planned.decision === "allow") return planned;
  }
  return { ...verdict, reasons: [...verdict.reasons, ...lookAlikes()] };
}

/** History is looked at only for what would be allowed otherwise, and not where the person has allowed it in another way. */
function decideWithPast({ past }: DeedFacts, question: PolicyQuestion): DeedVerdict {
  const verdict = decide(question);
  const isDone = verdict.decision !== "allow" || question.mode === "yolo" || question.authority !== undefined;
  const found = isDone ? null : past?.(question);
  if (!found) return { ...verdict, question };
  const { unknownObjects } = found;
  const fuller = {
    ...question,
    paths: [...question.paths, ...found.paths],
    riskReasons: [...question.riskReasons, ...found.riskReasons],
  };
  return { ...decide(fuller), question: fuller, ...(unknownObjects ? { unknownObjects } : {}) };
}

/** What "always" would store for a call that is asked about; `null` = it is not offered. */
export function offeredAlways({ question, mayAlways, decision }: DeedVerdict): readonly PermissionRule[] | null {
  const rules = mayAlways && decision === "ask" ? alwaysRules(question) : null;
  if (!rules || !question.reach?.network) return rules;
  // The command may need more than the hosts that the rules name.
  return isAllowedBy(rules, question) ? rules : null;
}

/** What to tell where nobody is asked about a file that the person has named: the last reason says what would allow it. */
export function adviceOnNamed({ decision, reasons, question }: DeedVerdict): readonly Phrase[] {
  if (decision !== "ask") return reasons;
  const rules = exactRules(question) ?? [];
  const flags = rules.map(allowFlag).join(" ");
  return [...reasons, isAllowedBy(rules, question) ? phrase("attach.ask_or", { flags }) : phrase("attach.ask")];
}

/** The error of a change tells what is in the file: the model may see it where it could read the file unasked. */
export function mayReadUnasked({ question }: DeedVerdict): boolean {
  const { authority: _, isPlanned: __, ...rest } = question;
  return decide({ ...rest, tool: "read", access: "read", riskReasons: [] }).decision === "allow";
}

function isAllowedBy(rules: readonly PermissionRule[], question: PolicyQuestion): boolean {
  return decide({ ...question, rules: [...question.rules, ...rules] }).decision === "allow";
}
