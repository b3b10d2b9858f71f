import type {
  AndOr,
  Case,
  Command,
  For,
  If,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Redirected,
  Redirection,
  Word as SourceWord,
  Statement,
  SyntaxNode,
} from "unbash";
import { phrase } from "../../contract/text/catalogue.ts";
import { listedBy } from "./arguments.ts";
import { judgeConditional } from "./conditional.ts";
import { commitListedBy } from "./git/named-commit.ts";
import { judgeRedirects } from "./redirect.ts";
import { addReads, adoptFolders, type Feed, maxDepth, type Scope, subshell, unknownInput } from "./scope.ts";
import { judgeSimple } from "./simple.ts";
import { baseName } from "./verdict/destructive.ts";
import { isEndless } from "./verdict/endless.ts";
import type { Word } from "./verdict/judgement.ts";
import { against, countStep, cut, notWhole, tooDeep, unread } from "./verdict/tally.ts";
import { judgeAssignments, judgeExport } from "./word/assignment.ts";
import { readsPiped, readsScripts, textsFor } from "./word/evaluated.ts";
import { judgeSource } from "./word/source.ts";
import { isHarmlessName } from "./word/variable-names.ts";
import { Variables } from "./word/variables.ts";
import { expandWord, judgeArithmetic } from "./word/word.ts";

export function judgeScript(script: ParsedScript, outer: Scope): void {
  const scope = script.source === undefined ? outer : { ...outer, source: script.source };
  if (scope.depth > maxDepth) {
    tooDeep(scope.tally, scope.source.slice(script.pos, script.end));
    return;
  }
  const [error] = script.errors ?? [];
  if (error) {
    scope.tally.isWhole = false;
    const part = cut(scope.source.slice(error.pos)) || cut(scope.source);
    unread(scope.tally, phrase("shell.syntax", { part, message: error.message }));
  }
  judgeList(script.commands, scope);
}

function judgeList(statements: readonly Statement[], scope: Scope): void {
  for (const statement of statements) {
    if (statement.background) {
      against(scope.tally, phrase("shell.background", { part: textOf(statement, scope) }));
      judgeNode(statement.command, subshell(scope), null);
    } else judgeNode(statement.command, scope, null);
  }
}

/** Returns the names that the node prints, if it prints a list of names. */
function judgeNode(node: PipelineNode | AndOr, scope: Scope, feed: Feed | null): Feed | null {
  if (scope.depth > maxDepth || !countStep(scope.tally)) {
    tooDeep(scope.tally, textOf(node, scope));
    return null;
  }
  switch (node.type) {
    case "AndOr":
      judgeAndOr(node, scope);
      return null;
    case "Pipeline":
      return judgePipeline(node, scope, feed);
    case "Command":
      return judgeCommandNode(node, scope, feed);
    default:
      judgeCompound(node, { ...scope, depth: scope.depth + 1 }, scope);
      return null;
  }
}

function judgeAndOr({ commands, operators }: AndOr, scope: Scope): void {
  const [first, ...rest] = commands;
  // Joined by `&&` only, each command runs only after all before it.
  const isAllAnd = operators.every((one) => one === "&&");
  let all = scope.folders;
  const judgePart = (node: AndOr["commands"][number], at: number): void => {
    const before = scope.folders;
    if (isAllAnd || at === 0) judgeNode(node, scope, null);
    else scope.variables.maybe(() => judgeNode(node, scope, null));
    const after = scope.folders;
    all = [...new Set([...all, ...after])];
    // A `cd` yields both directories; after `&&` only the new one remains. After `||` the `cd` may not have run.
    const isCd = node.type === "Command" && changesFolder(node) && after.length > before.length;
    const isDone = isCd && operators[at] === "&&" && operators[at - 1] !== "||";
    scope.folders = isDone ? after.slice(before.length) : operators[at] === "||" ? all : after;
  };
  if (first) judgePart(first, 0);
  scope.variables.maybe(() => {
    for (const [at, node] of rest.entries()) judgePart(node, at + 1);
  });
  scope.folders = all;
}

/** Not `cd -`: it may lead to a directory that the shell may already be in. */
function changesFolder({ name, suffix: [first] }: Command): boolean {
  return /^(?:cd|pushd)$/.test(name?.text ?? "") && first?.type === "Word" && !/^["'\\]*-/.test(first.text);
}

function judgePipeline({ commands, operators }: Pipeline, scope: Scope, feed: Feed | null): Feed | null {
  if (commands.length === 1) return judgeNode(commands[0]!, scope, feed);
  let printed = feed;
  for (const [at, command] of commands.entries()) {
    const own = judgeNode(command, subshell(scope, at === 0 ? {} : { input: unknownInput }), printed);
    // With `|&`, error messages mix with the names.
    printed = operators[at] === "|" ? own : null;
  }
  const reader = commands.findIndex((one, at) => at > 0 && readsPiped(one));
  if (reader > 0) for (const node of commands.slice(0, reader)) judgeTexts(node, scope);
  return printed;
}

/** Text piped into a shell is a script. */
function judgeTexts(node: SyntaxNode, scope: Scope): void {
  for (const text of textsFor(node, scope)) judgeSource(text, subshell(scope, { variables: new Variables() }));
}

function judgeCommandNode(node: Command, scope: Scope, feed: Feed | null): Feed | null {
  judgeAssignments(node, scope);
  if (judgeExport(node, scope)) {
    const words = [node.name, ...node.suffix].map((one): Word => ({ kind: "any", text: textOf(one!, scope) }));
    words[0] = { kind: "literal", value: "export", text: "export" };
    scope.tally.commands.push({
      words,
      argv: null,
      text: textOf(node, scope),
      through: scope.through,
      isReadOnly: false,
    });
    judgeRedirects(node.redirects, scope);
    return null;
  }
  judgeSuffix(node, scope);
  const words = node.name ? [...expandWord(node.name, scope)] : [];
  for (const one of node.suffix) {
    if (one.type === "Word") words.push(...expandWord(one, scope));
    else if (one.type === "Assignment") words.push({ kind: "any", text: one.text });
  }
  const within = { ...scope, input: judgeRedirects(node.redirects, scope) };
  const [name] = words;
  if (name === undefined) return null;
  const printed = judgeSimple(words, scope.source.slice(node.pos, node.end), within, isFed(node) ? feed : null);
  adoptFolders(scope, within);
  if (name.kind === "literal") judgeInput(name.value, node, scope);
  return node.redirects.every(isQuiet) ? printed : null;
}

/** Assignments as arguments: `declare a=b`. */
function judgeSuffix({ suffix }: Command, scope: Scope): void {
  for (const one of suffix) {
    if (one.type !== "Assignment") continue;
    notWhole(scope.tally, phrase("shell.assignment", { part: cut(one.text) }));
    const values = one.value.type === "ArrayValue" ? one.value.elements : [one.value];
    for (const word of [...values, ...(one.index ? [one.index] : [])]) expandWord(word, scope);
    scope.variables.set(one.name, null);
  }
}

/** Whether the command reads the pipe, not a file in its place. */
function isFed({ redirects }: Command): boolean {
  return redirects.every((one) => one.type === "Redirect" && one.operator.includes(">") && one.operator !== "<>");
}

/** `2>/dev/null` */
function isQuiet(redirect: Redirection): boolean {
  const { descriptor, target } = redirect.type === "Redirect" ? redirect : {};
  return descriptor?.type === "FileDescriptor" && descriptor.value === 2 && target?.text === "/dev/null";
}

/** A here-document or here-string for a shell is a script. */
function judgeInput(name: string, { suffix, redirects }: Command, scope: Scope): void {
  if (!readsScripts(baseName(name))) return;
  for (const part of suffix.flatMap((one) => (one.type === "Word" ? (one.parts ?? []) : []))) {
    if (part.type !== "ProcessSubstitution") continue;
    for (const { command } of part.script?.commands ?? []) judgeTexts(command, scope);
  }
  for (const one of redirects) {
    const source = one.type === "HereDoc" ? one.body.text : one.type === "HereString" ? textIn(one, scope) : null;
    if (source === null) continue;
    const through = [...scope.through, baseName(name)];
    judgeSource(source, subshell(scope, { through, variables: new Variables() }));
  }
}

function textIn(redirect: Extract<Redirection, { type: "HereString" }>, scope: Scope): string | null {
  const [word] = redirect.target ? expandWord(redirect.target, scope) : [];
  return word?.kind === "literal" ? word.value : null;
}

type Compound = Exclude<PipelineNode, Pipeline | Command>;

/** `inner` is one level deeper; changes to the shell itself go to `scope`. */
function judgeCompound(node: Compound, inner: Scope, scope: Scope): void {
  switch (node.type) {
    case "Redirected":
      judgeRedirected(node, inner, scope);
      return;
    case "Subshell":
      judgeList(node.body.commands, subshell(scope));
      return;
    case "BraceGroup":
      judgeList(node.body.commands, inner);
      break;
    case "If":
      judgeIf(node, inner);
      break;
    case "While":
      if (isEndless(node)) against(scope.tally, phrase("shell.endless", { part: textOf(node, scope) }));
      judgeLoop(inner, () => judgeList([...node.clause.commands, ...node.body.commands], inner));
      break;
    case "For":
      judgeFor(node, inner);
      break;
    case "Case":
      judgeCase(node, inner);
      break;
    case "TestCommand":
      judgeConditional(node.expression, scope);
      return;
    case "ArithmeticCommand":
      judgeArithmetic(node.expression, textOf(node, scope), scope);
      return;
    default:
      judgeOther(node, scope);
      return;
  }
  adoptFolders(scope, inner);
}

function judgeIf(node: If, scope: Scope): void {
  judgeList(node.clause.commands, scope);
  scope.variables.maybe(() => judgeList(node.then.commands, scope));
  for (const { clause, then } of node.elif) {
    scope.variables.maybe(() => judgeList(clause.commands, scope));
    scope.variables.maybe(() => judgeList(then.commands, scope));
  }
  scope.variables.maybe(() => judgeList(node.else?.commands ?? [], scope));
}

function judgeRedirected({ redirects, command }: Redirected, inner: Scope, scope: Scope): void {
  const input = judgeRedirects(redirects, scope);
  const within = { ...scope, input };
  judgeCompound(command, { ...inner, input }, within);
  adoptFolders(scope, within);
}

/** If the body changes the directory, its second pass would start there. */
function judgeLoop(scope: Scope, body: () => void): void {
  const { folders, tally } = scope;
  const wasBlurred = tally.hasUnknownVariables;
  scope.variables.loop(body);
  // The variables may have become unknown after the point where the body read them.
  if (tally.hasUnknownVariables && !wasBlurred) scope.variables.loop(body);
  if (scope.folders.length !== folders.length) {
    notWhole(scope.tally, phrase("shell.directory", { part: "cd" }));
  }
}

function judgeFor({ name, wordlist, body }: For, scope: Scope): void {
  const words = wordlist?.flatMap((word) => loopValuesOf(word, scope)) ?? [];
  if (!isHarmlessName(name.text)) notWhole(scope.tally, phrase("shell.loop_variable", { part: cut(name.text) }));
  addReads(
    scope,
    words.flatMap((word) => (word.kind === "glob" ? listedBy(word.pattern) : [])),
  );
  const known = words.filter((word) => word.kind === "literal" || word.kind === "glob" || isCommit(word));
  const isAllKnown = wordlist !== undefined && known.length === words.length && known.length > 0;
  const values: readonly (Word | null)[] = isAllKnown ? known : [...known, null];
  judgeLoop(scope, () => {
    for (const value of values) {
      scope.variables.maybe(() => {
        scope.variables.set(name.text, value);
        judgeList(body.commands, scope);
      });
    }
  });
}

/** The possible values of the loop variable, if known. */
function loopValuesOf(word: SourceWord, scope: Scope): readonly Word[] {
  const words = expandWord(word, scope);
  const commit = commitListedBy(word);
  return commit === null ? words : [{ kind: "one", start: "", text: word.text, commit }];
}

function isCommit(word: Word): boolean {
  return word.kind === "one" && word.commit !== undefined;
}

function judgeCase({ word, items }: Case, scope: Scope): void {
  expandWord(word, scope);
  for (const item of items) {
    for (const pattern of item.pattern) expandWord(pattern, scope);
    scope.variables.maybe(() => judgeList(item.body.commands, scope));
  }
}

type Other = Extract<Compound, { type: "Function" | "ArithmeticFor" | "Select" | "Coproc" }>;

function judgeOther(node: Other, scope: Scope): void {
  const part = textOf(node, scope);
  notWhole(scope.tally, phrase(node.type === "Function" ? "shell.function" : "shell.construct", { part }));
  if (node.type === "ArithmeticFor") {
    for (const one of [node.initialize, node.test, node.update]) judgeArithmetic(one, part, scope);
  }
  if (node.type === "Select") for (const word of node.wordlist ?? []) expandWord(word, scope);
  // Runs later or never: its variables and directory are unknown.
  const later = subshell(scope, { variables: new Variables() });
  const { body } = node;
  if (body.type === "CompoundList") judgeList(body.commands, later);
  else judgeNode(body, later, null);
}

function textOf({ pos, end }: SyntaxNode, scope: Scope): string {
  return cut(scope.source.slice(pos, end));
}
