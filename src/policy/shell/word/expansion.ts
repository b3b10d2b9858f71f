import type { ArithmeticExpression, ParameterExpansionPart, ParameterOperation, Word as SourceWord } from "unbash";
import { type Phrase, phrase } from "../../../contract/text/catalogue.ts";
import type { Scope } from "../scope.ts";
import { cut } from "../verdict/tally.ts";
import { isHarmlessName } from "./variable-names.ts";
import { isCountWord, isNumberWord } from "./variables.ts";

// `P` expands the value as a prompt, which runs commands.
const quietTransforms = new Set(["Q", "U", "u", "L"]);
const assigning = new Set(["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|=", "**="]);

/** Words inside the expansion that are expanded in turn, and why the expansion may do more than yield a value. */
export interface ExpansionParts {
  readonly words: readonly SourceWord[];
  readonly problem: Phrase | null;
}

export function partsOfParameter(part: ParameterExpansionPart): ExpansionParts {
  const words = [...(part.index ? [part.index] : []), ...(part.operation ? operands(part.operation) : [])];
  const isQuiet = part.prefix !== "!" && isPlainIndex(part.index) && isQuietOperation(part.operation);
  return { words, problem: isQuiet ? null : phrase("shell.expansion", { part: cut(part.text) }) };
}

/** Any other subscript is arithmetic, which runs commands. */
function isPlainIndex(index: SourceWord | undefined): boolean {
  return index === undefined || /^(?:[@*]|[0-9]{1,9})$/.test(index.text);
}

function isQuietOperation(operation: ParameterOperation | undefined): boolean {
  switch (operation?.type) {
    case undefined:
    case "Remove":
    case "Replace":
    case "CaseModification":
      return true;
    case "Default":
      return operation.operator !== "=" && operation.operator !== ":=";
    case "Slice":
      return isOffset(operation.offset) && (operation.length === undefined || isLength(operation.length));
    case "Transform":
      return quietTransforms.has(operation.operand.text);
    default:
      return false;
  }
}

/** A length counted from the end may become negative, which is an error. */
function isLength(word: SourceWord): boolean {
  return /^\s*[0-9]{1,15}\s*$/.test(word.text);
}

function isOffset(word: SourceWord): boolean {
  return /^\s*-?[0-9]{1,15}\s*$/.test(word.text);
}

function isNumber(value: string): boolean {
  return isNumberWord({ kind: "literal", value, text: value });
}

function operands(operation: ParameterOperation): readonly SourceWord[] {
  switch (operation.type) {
    case "Default":
    case "Remove":
      return [operation.operand];
    case "CaseModification":
      return operation.operand ? [operation.operand] : [];
    case "Replace":
      return [operation.pattern, operation.replacement];
    case "Slice":
      return operation.length ? [operation.offset, operation.length] : [operation.offset];
    default:
      return [];
  }
}

/**
 * Whether the expression contains only numbers. A variable's value is evaluated as arithmetic again, and `a[$(id)]` in it runs `id`: so a
 * variable counts only if the line has set it to a number.
 */
export function isPlainArithmetic(expression: ArithmeticExpression | undefined, scope: Scope): boolean {
  switch (expression?.type) {
    case "ArithmeticBinary":
      if (assigning.has(expression.operator)) return isCounting(expression, scope);
      return (
        isDefined(expression) && isPlainArithmetic(expression.left, scope) && isPlainArithmetic(expression.right, scope)
      );
    case "ArithmeticUnary":
      if (/^(?:\+\+|--)$/.test(expression.operator)) return isCounter(expression.operand, scope);
      return /^[-+!~]$/.test(expression.operator) && isPlainArithmetic(expression.operand, scope);
    case "ArithmeticTernary":
      return [expression.test, expression.consequent, expression.alternate].every((one) =>
        isPlainArithmetic(one, scope),
      );
    case "ArithmeticGroup":
      return isPlainArithmetic(expression.expression, scope);
    case "ArithmeticWord":
      return isNumber(expression.value) || isCountedVariable(expression.value, scope);
    default:
      return false;
  }
}

type Binary = Extract<ArithmeticExpression, { type: "ArithmeticBinary" }>;

/** An arithmetic error ends the line but not the script: an assignment after it on the line is skipped. */
function isDefined({ operator, right }: Binary): boolean {
  if (!/^(?:[/%]|\*\*)$/.test(operator)) return true;
  return right.type === "ArithmeticWord" && /^\s*[1-9][0-9]{0,9}\s*$/.test(right.value);
}

/** `i=i+1` and the like keep the variable a number. */
function isCounting(expression: Binary, scope: Scope): boolean {
  const plain = { ...expression, operator: expression.operator.slice(0, -1) };
  return isDefined(plain) && isPlainArithmetic(expression.right, scope) && isCounter(expression.left, scope);
}

function isCounter(expression: ArithmeticExpression, scope: Scope): boolean {
  const name = expression.type === "ArithmeticWord" ? expression.value.trim() : "";
  if (!isHarmlessName(name) || !isNumberWord(scope.variables.get(name))) return false;
  scope.variables.set(name, { kind: "one", start: "", text: name, isInteger: true });
  return true;
}

/** A bare name of an empty variable is 0; an empty `$n` would be an error, which ends the line. */
function isCountedVariable(text: string, scope: Scope): boolean {
  const [, sign, name] = /^(\$?)([A-Za-z_]\w*)$/.exec(text.trim()) ?? [];
  const value = name === undefined ? null : scope.variables.get(name);
  return sign === "" ? isCountWord(value) : isNumberWord(value);
}
