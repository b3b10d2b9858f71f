import {
  type ArithmeticExpression,
  forEachChild,
  type Word as SourceWord,
  type SyntaxNode,
  type WordPart,
} from "unbash";
import { phrase } from "../../../contract/text/catalogue.ts";
import { commitNamedBy, rangeNamedBy } from "../git/named-commit.ts";
import { escapeGlob, maxDepth, type Scope, subshell } from "../scope.ts";
import { readTwice } from "../second-reader/agree.ts";
import type { Word } from "../verdict/judgement.ts";
import { alwaysAsk, countWords, cut, leaveOpenAlways, notWhole, tooDeep } from "../verdict/tally.ts";
import { expandBraces } from "./brace.ts";
import { printsCount } from "./counts.ts";
import { isPlainArithmetic, partsOfParameter } from "./expansion.ts";

// Other escapes are read differently by shells: `\x{2d}`, `\c` before more than a letter, a backslash before a line end.
const plainEscapes = /^\$'(?:[^\\']|\\(?:[abeEfnrtv\\'"?]|[0-7]{1,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}))*'$/;

/** A piece of a word. `open`: unknown; quoted text is always one word, unquoted text may become any number. */
type WordPiece =
  | { readonly is: "plain"; readonly value: string }
  | { readonly is: "wild"; readonly pattern: string }
  | { readonly is: "number" }
  | { readonly is: "integer" }
  | { readonly is: "home" }
  | { readonly is: "known"; readonly word: Extract<Word, { kind: "glob" }> }
  | { readonly is: "open"; readonly isOne: boolean; readonly commit?: string; readonly isCount?: boolean };

/** Expands a word as the shell does. Commands inside it are judged on the way. */
export function expandWord(word: SourceWord, scope: Scope): readonly Word[] {
  const { text } = word;
  const raws = expandBraces(text);
  if (!countWords(scope.tally, raws?.length ?? 1)) {
    tooDeep(scope.tally, text);
    return [{ kind: "any", text }];
  }
  if (raws !== null && raws.length === 1 && raws[0] === text) return withoutBraces(word, scope);
  if (raws === null) {
    piecesOf(word, scope);
    return [{ kind: "any", text }];
  }
  return raws.flatMap((raw) => {
    if (raw === "") return [];
    const again = soleWord(raw);
    if (again) return withoutBraces(again, scope);
    // For deny rules, the commands inside still count.
    piecesOf(word, scope);
    notWhole(scope.tally, phrase("shell.unknown_word", { part: cut(text) }));
    return [{ kind: "any", text } as const];
  });
}

function soleWord(raw: string): SourceWord | null {
  const { script, isAgreed } = readTwice(`: ${raw}`);
  const command = script.commands[0]?.command;
  if (!isAgreed || script.errors?.length || script.commands.length !== 1 || command?.type !== "Command") return null;
  const [only, second] = command.suffix;
  return second === undefined && only?.type === "Word" && only.text === raw ? only : null;
}

function withoutBraces(word: SourceWord, scope: Scope): readonly Word[] {
  const { text } = word;
  if (text.startsWith("~")) return [tildeWord(word, scope)];
  const made = wordFrom(piecesOf(word, scope), text);
  // In an assignment, `a=~/x` expands tildes anywhere. As an argument (`env a=~/x`), its unquoted parts may split into words.
  if (made.kind === "any" || !/^\w+(?:\[[^\]]*\])?\+?=.*~/s.test(text)) return [made];
  return made.kind === "glob" ? [{ kind: "any", text }] : [{ kind: "one", start: /^[^=]*=/.exec(text)![0], text }];
}

/** The value of an assignment: always one word, without wildcards and braces. */
export function expandValue(word: SourceWord, scope: Scope): Word | null {
  const pieces = piecesOf(word, scope);
  const { text } = word;
  if (/~|\\\n/.test(text) || pieces.some(({ is }) => is === "wild" || is === "known")) return null;
  const value = wordFrom(
    pieces.map((piece) => (piece.is === "open" ? { ...piece, isOne: true } : piece)),
    text,
  );
  return value.kind === "any" ? null : value;
}

function tildeWord(word: SourceWord, scope: Scope): Word {
  const { text } = word;
  const made = wordFrom(piecesOf(word, scope), text);
  if (!/^~(?:\/|$)/.test(text)) return { kind: "any", text };
  return made.kind === "literal" ? { ...made, isHome: true } : { kind: "any", text };
}

function wordFrom(pieces: readonly WordPiece[], text: string): Word {
  const [only, second] = pieces;
  if (only === undefined) return { kind: "literal", value: "", text };
  if (second === undefined && only.is === "number") return { kind: "one", start: "", text, isNumber: true };
  if (second === undefined && only.is === "integer") return { kind: "one", start: "", text, isInteger: true };
  if (second === undefined && only.is === "open" && only.commit !== undefined) {
    return only.isOne
      ? { kind: "one", start: "", text, commit: only.commit }
      : { kind: "any", text, commit: only.commit };
  }
  if (second === undefined && only.is === "open" && only.isCount) {
    return only.isOne ? { kind: "one", start: "", text, isCount: true } : { kind: "any", text, isCount: true };
  }
  const range = rangeNamedBy(pieces);
  if (range !== null) return { kind: "one", start: "", text, commit: range };
  if (pieces.some((piece) => piece.is === "open" && !piece.isOne)) return { kind: "any", text };
  const start = plainStart(pieces);
  if (only.is === "home") return homeWord(pieces.slice(1), text);
  const isClosed = pieces.every(({ is }) => is === "plain" || is === "wild" || is === "known");
  const hasWild = pieces.some((piece) => piece.is === "wild");
  // A wildcard after an unknown value lists an unknown directory.
  if (!isClosed) return hasWild ? { kind: "any", text } : { kind: "one", start, text };
  const known = pieces.find((piece) => piece.is === "known");
  if (known && (known !== pieces.at(-1) || hasWild)) return { kind: "one", start, text };
  if (!known && !hasWild) return { kind: "literal", value: start, text };
  const knownStart = known ? known.word.start : "";
  return { kind: "glob", pattern: pieces.map(patternOf).join(""), start: start + knownStart, text };
}

/** Like a leading tilde, if certain. */
function homeWord(pieces: readonly WordPiece[], text: string): Word {
  const rest = plainStart(pieces);
  const isPlain = pieces.every(({ is }) => is === "plain") && /^(?:\/|$)/.test(rest);
  if (isPlain) return { kind: "literal", value: `~${rest}`, text, isHome: true };
  return pieces.some(({ is }) => is === "wild") ? { kind: "any", text } : { kind: "one", start: "/", text };
}

function plainStart(pieces: readonly WordPiece[]): string {
  let start = "";
  for (const piece of pieces) {
    if (piece.is !== "plain") break;
    start += piece.value;
  }
  return start;
}

function patternOf(piece: WordPiece): string {
  if (piece.is === "plain") return escapeGlob(piece.value);
  if (piece.is === "wild") return piece.pattern;
  return piece.is === "known" ? piece.word.pattern : "";
}

function piecesOf(word: SourceWord, scope: Scope): readonly WordPiece[] {
  if (scope.depth > maxDepth) {
    tooDeep(scope.tally, word.text);
    return [{ is: "open", isOne: false }];
  }
  if (word.parts === undefined) return unquotedPieces(word.text, word.value, scope);
  const pieces = word.parts.flatMap((part) => pieceOf(part, scope, false));
  return hasSplitBracket(word.parts) ? [open(false)] : pieces;
}

/** `["a"-z]` is one wildcard for the shell, but several parts here. */
function hasSplitBracket(parts: readonly WordPart[]): boolean {
  const bareText = parts.map((part) => (part.type === "Literal" ? part.text : ""));
  const first = bareText.findIndex((text) => /\[/.test(text));
  return first !== -1 && bareText.some((text, at) => at > first && text.includes("]"));
}

/** Unquoted text. The parser marks wildcards, but the shell may still treat a leftover bracket as one. */
function unquotedPieces(raw: string, value: string, { tally }: Scope): readonly WordPiece[] {
  // Not a plain word, whatever the parser says: bash ends words at these characters, or runs the text after them.
  if (/[<>();&|`]/.test(raw.replace(/\\[\s\S]/g, "")))
    notWhole(tally, phrase("shell.unknown_word", { part: cut(raw) }));
  const open = /(?<!\\)(?:\\\\)*[*?[]/.exec(raw);
  if (open === null || (open[0].endsWith("[") && !raw.includes("]", open.index))) return [{ is: "plain", value }];
  // The shell joins lines before it expands globs.
  return [{ is: "wild", pattern: raw.replace(/\\([\s\S])/g, (sign, escaped) => (escaped === "\n" ? "" : sign)) }];
}

function pieceOf(part: WordPart, scope: Scope, isQuoted: boolean): readonly WordPiece[] {
  switch (part.type) {
    case "Literal":
      return isQuoted ? [{ is: "plain", value: part.value }] : unquotedPieces(part.text, part.value, scope);
    case "SingleQuoted":
      return [{ is: "plain", value: part.value }];
    case "AnsiCQuoted":
      // The shell ends such a word at a zero byte, and counts bytes where this string counts characters.
      return plainEscapes.test(part.text) && !/[\0\u0080-\uffff]/.test(part.value)
        ? [{ is: "plain", value: part.value }]
        : [open(true)];
    case "DoubleQuoted":
      return part.parts.length === 0
        ? [{ is: "plain", value: "" }]
        : part.parts.flatMap((one) => pieceOf(one, scope, true));
    case "LocaleString":
      for (const one of part.parts) pieceOf(one, scope, true);
      // A translation may replace the text, and expansions in it are performed.
      notWhole(scope.tally, phrase("shell.construct", { part: cut(part.text) }));
      return [open(true)];
    case "Glob":
      for (const one of part.parts ?? []) pieceOf(one, scope, false);
      return /['"\\$`]/.test(part.text) ? [open(false)] : [{ is: "wild", pattern: part.text }];
    case "SimpleExpansion":
      return variablePieces(part.text.slice(1), scope, isQuoted);
    case "ParameterExpansion":
      return parameterPieces(part, scope, isQuoted);
    default:
      return nestedPieces(part, scope, isQuoted);
  }
}

function open(isOne: boolean): WordPiece {
  return { is: "open", isOne };
}

function variablePieces(name: string, scope: Scope, isQuoted: boolean): readonly WordPiece[] {
  if (/^(?:[?#$]|E?UID|PPID|LINENO|RANDOM|SECONDS)$/.test(name)) return [{ is: "number" }];
  if (name === "PWD") return folderPieces(scope, isQuoted);
  if (name === "HOME" && (isQuoted || isOneWord(scope.facts.home))) return [{ is: "home" }];
  // Any number of words, even in quotes.
  if (name === "@") return [open(false)];
  const word = scope.tally.hasUnknownVariables ? null : scope.variables.get(name);
  if (!word) return [open(isQuoted)];
  if (word.kind === "one") return valuePieces(word, isQuoted);
  if (word.kind === "literal" && !word.isHome) {
    const isPlain = isQuoted || /^[^\s*?[\]\\]+$/.test(word.value);
    return isPlain ? [{ is: "plain", value: word.value }] : [open(false)];
  }
  return isQuoted && word.kind === "glob" ? [{ is: "known", word }] : [open(isQuoted && word.kind !== "any")];
}

/** The working directory: known only until the shell changes it. */
function folderPieces({ facts, folders }: Scope, isQuoted: boolean): readonly WordPiece[] {
  const isHere = folders.length === 1 && folders[0] === "";
  if (isHere && facts.folder !== undefined && (isQuoted || isOneWord(facts.folder))) {
    return [{ is: "plain", value: facts.folder }];
  }
  return isQuoted ? [{ is: "plain", value: "/" }, open(true)] : [open(false)];
}

/** Unquoted, it is neither split nor globbed. */
function isOneWord(value: string | undefined): boolean {
  return value !== undefined && /^\/[\w./@%+,:-]*$/.test(value);
}

function valuePieces(word: Extract<Word, { kind: "one" }>, isQuoted: boolean): readonly WordPiece[] {
  if (word.isNumber) return [{ is: "number" }];
  if (word.isInteger) return [{ is: "integer" }];
  if (word.commit !== undefined) return [{ is: "open", isOne: isQuoted, commit: word.commit }];
  if (word.isCount) return [{ is: "open", isOne: isQuoted, isCount: true }];
  return isQuoted && word.start !== "" ? [{ is: "plain", value: word.start }, open(true)] : [open(isQuoted)];
}

function parameterPieces(
  part: Extract<WordPart, { type: "ParameterExpansion" }>,
  scope: Scope,
  isQuoted: boolean,
): readonly WordPiece[] {
  const { words, problem } = partsOfParameter(part);
  for (const word of words) piecesOf(word, { ...scope, depth: scope.depth + 1 });
  if (problem) notWhole(scope.tally, problem);
  if (part.prefix === "#") return [{ is: "number" }];
  const isList = part.parameter === "@" || part.index?.text === "@";
  if (isList) return [open(false)];
  if (part.operation || part.index || part.prefix) return [open(isQuoted)];
  return variablePieces(part.parameter, scope, isQuoted);
}

function nestedPieces(part: WordPart, scope: Scope, isQuoted: boolean): readonly WordPiece[] {
  const { tally } = scope;
  switch (part.type) {
    case "CommandExpansion":
    case "ProcessSubstitution":
      enterSubstitution(part, scope);
      return valueOfSubstitution(part, scope, isQuoted);
    case "ArithmeticExpansion":
      return [judgeArithmetic(part.expression, part.text, scope) ? { is: "integer" } : open(isQuoted)];
    default:
      // Braces that could not be expanded, and extended globs.
      for (const one of ("parts" in part && part.parts) || []) pieceOf(one, scope, isQuoted);
      if (part.type !== "BraceExpansion") notWhole(tally, phrase("shell.construct", { part: cut(part.text) }));
      return [open(false)];
  }
}

type WordSubstitution = Extract<
  SyntaxNode,
  { type: "CommandExpansion" | "ProcessSubstitution" | "ArithmeticCommandExpansion" }
>;

/** `<(…)` is the name of a descriptor: always one word. */
function valueOfSubstitution(part: WordPart, scope: Scope, isQuoted: boolean): readonly WordPiece[] {
  const { type, text } = part;
  if (text === "$(pwd)") return folderPieces(scope, isQuoted);
  // This repository was verified to be the workspace's own.
  if (text === "$(git rev-parse --show-toplevel)" && scope.facts.gitProblem === null)
    return folderPieces(scope, isQuoted);
  const commit = part.type === "CommandExpansion" ? commitNamedBy(part) : null;
  if (commit !== null) return [{ is: "open", isOne: isQuoted, commit }];
  if (part.type === "CommandExpansion" && printsCount(part)) return [{ is: "open", isOne: isQuoted, isCount: true }];
  if (type !== "ProcessSubstitution") return [open(isQuoted)];
  return isQuoted ? [open(true)] : [{ is: "plain", value: "/dev/fd/" }, { is: "number" }];
}

/** Its output is known only at run time; its commands are judged like all others. */
function enterSubstitution(part: WordSubstitution, scope: Scope): void {
  const reason = phrase("shell.substitution", { part: cut(part.text) });
  if (part.text.startsWith(">(") || !isReadAgain(part)) alwaysAsk(scope.tally, reason);
  else leaveOpenAlways(scope.tally, reason);
  if (part.script) scope.enter(part.script, subshell(scope));
  else notWhole(scope.tally, phrase("shell.construct", { part: cut(part.text) }));
}

/** Backticks contain a separate text that the second reader skipped; with backslashes inside, the text changes. */
function isReadAgain({ text }: WordSubstitution): boolean {
  if (!text.startsWith("`")) return true;
  const inner = text.slice(1, -1);
  return text.length > 1 && !inner.includes("\\") && readTwice(inner).isAgreed;
}

/** Whether it contains only numbers; commands inside are judged in any case. */
export function judgeArithmetic(expression: ArithmeticExpression | undefined, text: string, scope: Scope): boolean {
  if (isPlainArithmetic(expression, scope)) return true;
  notWhole(scope.tally, phrase("shell.arithmetic", { part: cut(text) }));
  if (expression) enterAll(expression, scope);
  return false;
}

function enterAll(node: SyntaxNode, scope: Scope): void {
  const isSubstitution =
    node.type === "CommandExpansion" ||
    node.type === "ProcessSubstitution" ||
    node.type === "ArithmeticCommandExpansion";
  if (isSubstitution) enterSubstitution(node, scope);
  else forEachChild(node, (child) => enterAll(child, scope));
}

/** The text of a here-document, which is only input; `null` = partly unknown. */
export function enterText(parts: readonly WordPart[], scope: Scope): string | null {
  const pieces = parts.flatMap((part) => pieceOf(part, scope, true));
  if (pieces.some(({ is }) => is === "open" || is === "known")) return null;
  return pieces.map((piece) => (piece.is === "plain" ? piece.value : "")).join("");
}
