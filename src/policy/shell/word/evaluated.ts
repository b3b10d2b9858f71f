import type { Command, Pipeline, Word as SourceWord, SyntaxNode } from "unbash";
import type { Scope } from "../scope.ts";
import type { Word } from "../verdict/judgement.ts";
import type { StartedCommand } from "../wrapper/handled.ts";
import { shells } from "../wrapper/wrappers.ts";
import { expandWord } from "./word.ts";

/** Builtins that evaluate a word as an expression: a subscript in it runs commands, even if quoted. */
const evaluating = new Set(
  "let declare typeset local export readonly printf read unset test [ mapfile readarray wait getopts".split(" "),
);
const calling = new Set("mapfile readarray compgen complete".split(" "));

const setting = new Set("source . exec enable shopt set alias shift".split(" "));

/** Whether variables, or the meaning of later commands, may change. A program outside this shell changes neither. */
export function mayChangeVariables(name: string): boolean {
  return evaluating.has(name) || calling.has(name) || setting.has(name);
}

/** Further commands that such a builtin may start: for deny and ask rules, so it over-approximates. */
export function evaluatedBy(name: string, args: readonly Word[]): readonly StartedCommand[] {
  const values = args.map((word) => (word.kind === "literal" ? word.value : ""));
  const after = (option: string) => args.slice(values.indexOf(option) + 1);
  if (name === "alias") return args.flatMap(({ text }) => scriptIn(/^[^=]+=(['"]?)(.*)\1$/s.exec(text)?.[2]));
  if (name === "hash" && values.includes("-p")) {
    return [{ words: [...after("-p").slice(0, 1), { kind: "any", text: "" }], isGuess: true }];
  }
  if (name === "jobs" && values.includes("-x")) return [{ words: after("-x"), isGuess: true }];
  const called = calling.has(name) && values.includes("-C") ? scriptIn(values[values.indexOf("-C") + 1]) : [];
  return [...called, ...(evaluating.has(name) ? values.flatMap(substitutionsIn) : [])];
}

function scriptIn(text = ""): readonly StartedCommand[] {
  return text === "" ? [] : [{ script: text }];
}

/** Substitutions in a text that the shell evaluates as an expression. */
export function substitutionsIn(text: string): readonly Extract<StartedCommand, { script: string }>[] {
  return /\$\(|`/.test(text) ? [{ script: `: ${text}` }] : [];
}

export const readsScripts = (name: string | undefined): boolean =>
  name !== undefined && (shells.has(name) || name === "source" || name === ".");

/** Whether the command runs its piped input as a script. */
export function readsPiped(node: SyntaxNode): boolean {
  if (node.type !== "Command") return false;
  const { name, suffix } = node as Command;
  const words = suffix.flatMap((one) => (one.type === "Word" ? [one.text] : []));
  const operands = words.filter((text) => !/^[-+]/.test(text));
  const namesStdin = words.some((text) => /^-\w*s|^\/(?:dev\/(?:stdin|fd\/)|proc\/)/.test(text));
  return readsScripts(name?.text.replace(/^.*\//s, "")) && (operands.length === 0 || namesStdin);
}

/** Texts that a shell receives through a pipe or `<(…)`, if the line itself contains them. */
export function textsFor(node: SyntaxNode, scope: Scope): readonly string[] {
  if (node.type === "Pipeline") return (node as Pipeline).commands.flatMap((one) => textsFor(one, scope));
  if (node.type !== "Command") return [];
  const { name, suffix, redirects } = node as Command;
  const bodies = redirects.flatMap((one) => (one.type === "HereDoc" ? [one.body.text] : []));
  if (name?.text !== "echo" && name?.text !== "printf") return bodies;
  const words = suffix.flatMap((one) => (one.type === "Word" ? expandWord(one as SourceWord, scope) : []));
  const values = words.flatMap((word) =>
    word.kind === "literal" && !/^-[neE]+$/.test(word.value) ? [word.value] : [],
  );
  return [values.join(" ").replaceAll("\\n", "\n"), ...bodies].filter((text) => text !== "");
}
