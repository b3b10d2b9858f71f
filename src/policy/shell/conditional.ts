import type { Word as SourceWord, TestExpression } from "unbash";
import { phrase } from "../../contract/text/catalogue.ts";
import { anyOf, pathOf } from "./arguments.ts";
import { addReads, type Scope, subshell } from "./scope.ts";
import type { Word } from "./verdict/judgement.ts";
import { cut, leaveOpen, notWhole } from "./verdict/tally.ts";
import { substitutionsIn } from "./word/evaluated.ts";
import { judgeSource } from "./word/source.ts";
import { expandWord } from "./word/word.ts";

const ofText = new Set(["-n", "-z"]);
const ofFile = new Set([..."abcdefgGhkLNOprsSuwx"].map((letter) => `-${letter}`));
const comparing = new Set(["=", "==", "!=", "=~", "<", ">"]);
const comparingNumbers = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
const comparingFiles = new Set(["-nt", "-ot", "-ef"]);

/** `[[ … ]]`. Its numbers are arithmetic, and `-v` evaluates a name: both can run commands. */
export function judgeConditional(expression: TestExpression, scope: Scope): void {
  switch (expression.type) {
    case "TestLogical":
      for (const operand of expression.operands) judgeConditional(operand, scope);
      return;
    case "TestNot":
      judgeConditional(expression.operand, scope);
      return;
    case "TestGroup":
      judgeConditional(expression.expression, scope);
      return;
    case "TestUnary":
      judgeUnary(expression, scope);
      return;
    case "TestBinary":
      judgeBinary(expression, scope);
  }
}

function judgeUnary(expression: Extract<TestExpression, { type: "TestUnary" }>, scope: Scope): void {
  const { operator, operand } = expression;
  if (ofFile.has(operator)) {
    readsFile(operand, scope);
    return;
  }
  const words = expandWord(operand, scope);
  if (!ofText.has(operator)) refuse(expression, [words], scope);
}

function judgeBinary(expression: Extract<TestExpression, { type: "TestBinary" }>, scope: Scope): void {
  const { operator, left, right } = expression;
  if (comparingFiles.has(operator)) {
    for (const word of [left, right]) readsFile(word, scope);
    return;
  }
  const words = [left, right].map((word) => expandWord(word, scope));
  if (comparing.has(operator)) return;
  const areNumbers = words.every(
    ([word, second]) =>
      second === undefined &&
      ((word?.kind === "literal" && /^-?[0-9]{1,15}$/.test(word.value)) ||
        (word?.kind === "one" && word.isNumber) ||
        ((word?.kind === "one" || word?.kind === "any") && word.isCount)),
  );
  if (!comparingNumbers.has(operator) || !areNumbers) refuse(expression, words, scope);
}

function readsFile(word: SourceWord, scope: Scope): void {
  const [only, second] = expandWord(word, scope);
  // Neither split nor globbed here: always one word.
  const path = only && second === undefined ? pathOf(only) : null;
  addReads(scope, [path ? { ...path, isNamed: true } : anyOf(word)]);
  if (path === null) leaveOpen(scope.tally, phrase("shell.unsettled", { part: cut(word.text) }));
}

function refuse(expression: TestExpression, words: readonly (readonly Word[])[], scope: Scope): void {
  const { pos, end } = expression;
  for (const word of words.flat()) {
    const scripts = word.kind === "literal" ? substitutionsIn(word.value) : [];
    for (const { script } of scripts) judgeSource(script, subshell(scope));
  }
  notWhole(scope.tally, phrase("shell.arithmetic", { part: cut(scope.source.slice(pos, end)) }));
}
