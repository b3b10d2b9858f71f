import type { Assignment, Command } from "unbash";
import { phrase } from "../../../contract/text/catalogue.ts";
import type { Scope } from "../scope.ts";
import type { Word } from "../verdict/judgement.ts";
import { cut, leaveOpenNotWhole, notWhole } from "../verdict/tally.ts";
import { isHarmlessName, isHarmlessSetting, isHarmlessVariable } from "./variable-names.ts";
import { expandValue, expandWord } from "./word.ts";

/** Variables set before a command, for that command only, or for the shell if there is no command. */
export function judgeAssignments({ prefix, name, redirects }: Command, scope: Scope): void {
  const isMaybe = redirects.length > 0;
  for (const one of prefix) {
    if (one.type !== "Assignment") continue;
    const value = setTo(one, scope);
    const isFine =
      value !== null &&
      (name === undefined
        ? isHarmlessVariable(one.name, value.word, scope.facts)
        : isHarmlessSetting(one.name, value.word) || isSeparator(one.name, value.word, name.text));
    if (!isFine) {
      notWhole(scope.tally, phrase("shell.assignment", { part: cut(one.text) }));
      if (name === undefined) scope.variables.set(one.name, null);
      continue;
    }
    leaveOpenNotWhole(scope.tally, phrase("shell.assignment", { part: cut(one.text) }));
    const set = (): void => scope.variables.set(one.name, value.word);
    // An assignment before a command affects only the command's environment.
    if (name !== undefined) continue;
    if (isMaybe) scope.variables.maybe(set);
    else set();
  }
}

/** `IFS= read -r line`: only `read` sees it. */
function isSeparator(name: string, value: Word | null, command: string): boolean {
  return name === "IFS" && command === "read" && value?.kind === "literal";
}

/** `null` = an array, an element of one, or an appended value. */
function setTo({ value, index, append }: Assignment, scope: Scope): { readonly word: Word | null } | null {
  if (value.type === "ArrayValue" || index || append) {
    const words = value.type === "ArrayValue" ? value.elements : [value];
    for (const word of [...words, ...(index ? [index] : [])]) expandWord(word, scope);
    return null;
  }
  return { word: expandValue(value, scope) };
}

/** `export A=b C`; `false` = another form, judged like any command. */
export function judgeExport({ prefix, suffix, name }: Command, scope: Scope): boolean {
  if (name?.text !== "export" || prefix.length > 0 || suffix.length === 0) return false;
  const isFine = suffix.every((one) =>
    one.type === "Assignment"
      ? one.value.type === "Word" && !one.index && !one.append
      : one.type === "Word" && isHarmlessName(one.text) && one.parts === undefined,
  );
  if (!isFine) return false;
  for (const one of suffix) {
    if (one.type !== "Assignment") continue;
    const value = setTo(one, scope)?.word ?? null;
    const part = phrase("shell.assignment", { part: cut(one.text) });
    if (isHarmlessSetting(one.name, value)) leaveOpenNotWhole(scope.tally, part);
    else notWhole(scope.tally, part);
    scope.variables.set(one.name, value);
  }
  return true;
}
