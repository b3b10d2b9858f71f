// The English shapes of docs/guide/verification.md, built from the tables.

import { any, type Choice, type Shape, shape } from "../forms.ts";
import { once } from "../phrase-table.ts";
import { english } from "./check-words.ts";
import { testCommand } from "./clauses.ts";

const it = "(?:it|this|that|them|everything|all of it)";
const whose = "(?:your|the|my|these|this|those|all|all the|all your|that)";
const still = "(?:(?:all|still|do|also|really|actually|now|then|again) )*";
const goesOn =
  "(?=$| (?:and|again|works?|thoroughly|carefully|properly|too|after|afterwards|first|please|before|by|locally|when|once|for me)\\b)";
const gapStops =
  "on in for of that which against with without to from if or so about than when before after why how what whose into write add create update fix remove delete rename move refactor improve extend";

/** Words between the verb and the tests. */
const gap = once(() => `(?:(?!${any(gapStops.split(" "))}\\b)[\\w'/.-]+ ){0,5}?`);
/** Every name of tests contains one of these. */
const testWords = [testCommand, "test", "spec", "suite"];
const one = once((): Choice => {
  return { source: `(?:${any([...english().tests, "test"])}\\b|${testCommand})`, words: testWords };
});
/** A single `test` is a noun only if no noun follows that it could modify. */
const tests = once((): Choice => {
  const behind = "again|afterwards|after|now|first|once|and|to|too|please|before";
  const source = `(?:${any(english().tests)}\\b|${testCommand}|test(?= (?:${behind})\\b|$))`;
  return { source, words: testWords };
});
const pass = once((): Choice => {
  const words = english().pass;
  return { source: `${still}${any(words)}\\b`, words };
});

/** Verbs that count only as an order. */
export const orders = once((): readonly Shape[] => {
  const { run, make, verify, changes } = english();
  return [
    shape("\\b", run, " ", gap(), tests()),
    shape("\\b", run, " (?:all |the |all the |your )?", ["checks", "verification"], "(?= |$)"),
    shape("\\b", make, " ", gap(), one(), " ", pass()),
    shape("\\b", make, " (?:it|this|that|everything) pass (?:the|all|all the|our|my) ", gap(), one()),
    shape("\\b", verify, "(?=$| and\\b| by (?:re-?)?running\\b| (?:with|using) (?:the |all )?tests\\b)"),
    shape("\\b", verify, ` (?:${it}|thoroughly|carefully|properly|locally)`, goesOn),
    shape("\\b", verify, ` ${whose}(?: [\\w-]+){0,2}? `, changes, goesOn),
  ];
});

/** Verbs that count unless the sentence is a statement. */
export const wishes = once((): readonly Shape[] => {
  const { sure, verify, changes, works } = english();
  const passing = ["pass", "passes", "passing"];
  const broken = ["breaks", "broke", "is broken", "has broken", "fails", "regresses", "regressed"];
  return [
    shape("\\b", sure, " (?:that |if |whether )?", gap(), one(), " ", pass()),
    shape("\\b", sure, " ", gap(), passing, " (?:the|all|all the|our|your|my) ", gap(), one()),
    shape("\\b", sure, " (?:that )?no ", gap(), one(), " ", ["fail", "fails", "break", "breaks"], "\\b"),
    shape("\\b(?:i|we) ", ["want", "need"], " ", gap(), one(), " to ", ["pass", "succeed", "be green"], "\\b"),
    shape("\\b", ["so that"], " ", gap(), one(), " ", pass()),
    shape("\\b", sure, " (?:that )?", ["nothing"], "(?: else)? ", broken, "\\b"),
    shape(
      ...["\\b", [...sure, ...verify], " (?:that |if |whether )?"],
      `(?:${it}|all|(?:the|your|my)(?: [\\w-]+)? ${any(changes)}) ${still}`,
      ...[works, "\\b(?! (?:on|with|for|in|when|without|if|under|like|across|from)\\b)"],
    ),
  ];
});

/** Unambiguous. */
export const plain = once((): readonly Shape[] => [
  shape("\\b", ["until"], " ", gap(), one(), " ", pass()),
  shape("^", ["do", "does", "are", "is"], " ", gap(), one(), ` ${still}`, ["pass", "passing", "green"], "\\b"),
]);

export const must = once((): Shape => {
  const stays = ["pass", "succeed", "be green", "be passing", "stay green", "remain green", "keep passing"];
  return shape(one(), ` ${still}`, english().must, ` ${still}`, [...stays, "continue to pass"], "\\b");
});
export const runThem = once((): Shape => shape("\\b", english().run, " (?:them|those|these|it|it all)\\b"));

/** Tests themselves, not a thing for tests. */
export const ownTests = once(() => new RegExp(`${one().source}(?= (?:and|then|for|of)\\b|$)`));
export const otherThing = once(() => {
  const when = "when (?!you|done|finished|it|everything|ready|all|that)";
  return new RegExp(`^ (?:${any(english().otherThing)}|${when})\\b`);
});

export const refusals = once((): readonly Shape[] => {
  const { run, not } = english();
  const running = [...run, "running", "executing", "re-running", "rerunning", "starting"];
  const dont = ["don't", "dont", "do not", "never", "no need to", "needn't", "need not", "please don't"];
  const needNot = ["don't need to", "do not need to", "need not", "needn't", "don't have to", "shouldn't"];
  const adverbs = "bother|try|automatically|actually|even|ever|please";
  return [
    shape("\\b", ["i don't want you to"], " ", running, " ", gap(), tests()),
    shape(one(), " ", [...needNot, "should not", "must not"], " be run\\b"),
    shape("\\b", not, ` (?:(?:${adverbs}) )?`, running, " ", gap(), tests()),
    shape(
      ...["\\b", ["skip", "no", "without", "avoid", "no need for"], " (?:the |any |all |further )?"],
      ...[["testing", "verification", "verifying", "test run", "test runs"], "\\b"],
    ),
    shape("\\b", ["skip"], " (?:(?:the|all|any|all the|unit) ){0,2}", tests()),
    shape("\\b", dont, " ", ["verify", "test", "validate"], "(?= (?:it|this|anything|yet|that)$|$)"),
  ];
});
/** After a refusal: it refuses only a special kind of run. */
export const onlyThen = once(
  () =>
    /^ (?:until|unless|except|in parallel|in the ci|in ci|on ci|twice|more than|on every|every|that|which|if|marked|with)\b/,
);
