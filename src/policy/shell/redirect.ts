import type { Redirect, Redirection } from "unbash";
import { phrase } from "../../contract/text/catalogue.ts";
import { anyOf, pathOf } from "./arguments.ts";
import { addReads, addWrite, type Input, type Scope } from "./scope.ts";
import type { Word } from "./verdict/judgement.ts";
import { against, alwaysAsk, cut, leaveOpen, notWhole, unread } from "./verdict/tally.ts";
import { enterText, expandWord } from "./word/word.ts";

// The shell itself takes these names for connections; as files they do not exist.
const connection = /^\/+dev\/+(?:tcp|udp)(?:\/|$)/;

/** Returns what the redirections feed to the command, or else its inherited input. */
export function judgeRedirects(redirects: readonly Redirection[], scope: Scope): Input | undefined {
  let { input } = scope;
  for (const redirect of redirects) input = inputAfter(redirect, judgeRedirection(redirect, scope), input);
  return input;
}

/** A program may read commands from any descriptor (`sh /dev/fd/3 3<<E`), but only the content of descriptor 0 is ever known. */
function inputAfter(redirect: Redirection, text: string | null, before: Input | undefined): Input | undefined {
  const { operator, descriptor } = redirect;
  const isStandard =
    (descriptor?.type === "FileDescriptor" ? descriptor.value : operator.startsWith("<") ? 0 : 1) === 0;
  if (isNullInput(redirect)) return isStandard && !before?.hasMore ? undefined : before;
  if (!isStandard) return operator.startsWith("<") ? { text: null, hasMore: true } : before;
  return before?.hasMore ? before : { text };
}

function judgeRedirection(redirect: Redirection, scope: Scope): string | null {
  if (redirect.descriptor?.type === "FileDescriptorVariable") {
    notWhole(scope.tally, phrase("shell.descriptor", { part: textOf(redirect, scope) }));
  }
  if (redirect.type === "HereDoc") {
    if (redirect.closing === undefined) notWhole(scope.tally, phrase("shell.construct", { part: "<<" }));
    const { parts, text } = redirect.body;
    return judgeInput(parts === undefined ? text : enterText(parts, scope), textOf(redirect, scope), scope);
  }
  if (redirect.target === undefined) {
    notWhole(scope.tally, phrase("shell.construct", { part: textOf(redirect, scope) }));
    return null;
  }
  if (redirect.type === "HereString") {
    return judgeInput(inputOf(expandWord(redirect.target, scope)), textOf(redirect, scope), scope);
  }
  judgeRedirect(redirect, expandWord(redirect.target, scope), scope);
  return null;
}

function isNullInput(redirect: Redirection): boolean {
  return redirect.type === "Redirect" && /^(?:\/dev\/null|-)$/.test(redirect.target?.text ?? "");
}

// The pipe capacity on every system: for larger input the shell creates a temporary file.
const maxInput = 4096;

/** `null` = unknown. */
function judgeInput(text: string | null, part: string, scope: Scope): string | null {
  if (text === null) against(scope.tally, phrase("shell.unsettled", { part }));
  else if (new TextEncoder().encode(text).length > maxInput) against(scope.tally, phrase("shell.write", { part }));
  return text;
}

/** Always one word, in which a wildcard is a plain character. */
function inputOf([word, second]: readonly Word[]): string | null {
  if (word === undefined || second !== undefined || word.kind === "any") return null;
  if (word.kind === "one") return word.isNumber ? "" : null;
  return word.kind === "literal" ? word.value : word.pattern;
}

function judgeRedirect(redirect: Redirect, words: readonly Word[], scope: Scope): void {
  const { tally } = scope;
  const part = textOf(redirect, scope);
  const [target, second] = words;
  const path = target && second === undefined ? pathOf(target) : null;
  if (isExpandedTwice(redirect, target)) unread(tally, phrase("shell.write_unknown", { part }));
  if (path === null) unknownTarget(redirect, second === undefined ? target : undefined, part, scope);
  else if (connection.test(path.path) || isConnectionGlob(target)) alwaysAsk(tally, phrase("shell.network", { part }));
  else if (isDescriptor(redirect, target)) {
    // Any other descriptor may lead anywhere.
    if (!/^(?:[012]|-)$/.test(path.path)) notWhole(tally, phrase("shell.descriptor", { part }));
  } else if (path.path === "/dev/null") return;
  else if (redirect.operator === "<") addReads(scope, [path]);
  else {
    against(tally, phrase("shell.write", { part }));
    addWrite(scope, { ...path, overwrites: !/>>|<>/.test(redirect.operator) });
  }
}

/** PO-5: the target may be an existing file or a path outside the workspace. */
function unknownTarget(redirect: Redirect, target: Word | undefined, part: string, scope: Scope): void {
  if (redirect.operator !== "<") alwaysAsk(scope.tally, phrase("shell.write_unknown", { part }));
  else if (target?.kind !== "one" && target?.kind !== "any") {
    against(scope.tally, phrase("shell.unknown_path", { part }));
  } else if (connection.test(target.kind === "one" ? target.start : target.text)) {
    alwaysAsk(scope.tally, phrase("shell.network", { part }));
  } else {
    // A sandbox, without which the call asks, has nothing to connect to.
    addReads(scope, [anyOf(target)]);
    leaveOpen(scope.tally, phrase("shell.unknown_path", { part }));
  }
}

/** bash expands the target of `>&` a second time after removing its quotes: `>& '$(rm a)'` runs the quoted text. */
function isExpandedTwice({ operator }: Redirect, target: Word | undefined): boolean {
  return operator === ">&" && !(target?.kind === "literal" && /^[\w./:@%+,=-]*$/.test(target.value));
}

/** `2>&1`; but `>&file` is a file. */
function isDescriptor(redirect: Redirect, target: Word | undefined): boolean {
  if (redirect.operator === "<&") return true;
  return redirect.operator === ">&" && target?.kind === "literal" && /^(?:[0-9]+-?|-)$/.test(target.value);
}

function isConnectionGlob(target: Word | undefined): boolean {
  return target?.kind === "glob" && /^\/+dev(?:\/|$)/.test(target.start);
}

function textOf(redirect: Redirection, scope: Scope): string {
  return cut(scope.source.slice(redirect.pos, redirect.end));
}
