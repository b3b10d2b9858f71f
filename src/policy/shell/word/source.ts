import { type ParsedScript, parse } from "unbash";
import { phrase } from "../../../contract/text/catalogue.ts";
import { adoptFolders, type Scope, subshell } from "../scope.ts";
import { readTwice } from "../second-reader/agree.ts";
import { countStep, cut, emptyTally, unread } from "../verdict/tally.ts";
import { Variables } from "./variables.ts";

/** Judges a text that a shell parses: the command line itself, the words of `bash -c`, a here-document for a shell. */
export function judgeSource(source: string, outer: Scope): ParsedScript {
  const scope = { ...outer, source };
  const { script, isAgreed } = readTwice(source);
  scope.enter(script, scope);
  adoptFolders(outer, scope);
  if (isAgreed) return script;
  scope.tally.isWhole = false;
  if (!script.errors?.length) unread(scope.tally, phrase("shell.two_readings", { part: cut(source) }));
  guessCommands(source, scope);
  return script;
}

const separators = /[;&|\n(){}`]+/;
const leadingWords = /^\s*(?:(?:if|then|elif|else|while|until|do|time|!)\s+)*/;

/** Wherever bash may start a command, there may be one that a deny rule names. */
function guessCommands(source: string, scope: Scope): void {
  const { tally } = scope;
  for (const part of source.split(separators)) {
    const text = part.replace(leadingWords, "");
    if (text === "" || !countStep(tally)) continue;
    const guesses = emptyTally();
    scope.enter(parse(text), subshell(scope, { tally: guesses, source: text, variables: new Variables() }));
    tally.commands.push(...guesses.commands);
    tally.mentions.push(...guesses.mentions);
  }
}
