import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { type Program, programNamed } from "./programs.ts";

export interface CommandFacts {
  /** PATH leads into the workspace, so that a file there could stand in for a listed program. */
  readonly isPathShadowed: boolean;
}

export interface CommandJudgement {
  /** Proved to have no effect, provided that every path in `paths` may be read. */
  readonly readOnly: boolean;
  readonly reason: Phrase;
  /** Path operands, relative to the folder the command runs in; empty when not read-only. */
  readonly paths: readonly string[];
}

type Token = { readonly operator: "|" | "&&" } | { readonly word: string };
type Checked = { readonly paths: readonly string[] } | { readonly problem: Phrase };

// Longer commands are not looked at: analysis never gives up half-way and allows.
const maxLength = 4096;
// Characters that mean only themselves in every position of a word. `#`, `~`, `=` first, globs and braces do not.
const plainWord = /^[A-Za-z0-9_./:,@%+-][A-Za-z0-9_./:,@%+=-]*$/;

/** Whether a shell command plainly only reads. Whatever is not understood is "no", never "yes". */
export function judgeCommand(command: string, facts: CommandFacts = { isPathShadowed: false }): CommandJudgement {
  const tokens = tokenize(command);
  if (tokens === null) return no(phrase("policy.command.shape"));
  const paths: string[] = [];
  for (const words of simpleCommands(tokens)) {
    const checked = checkSimple(words, facts);
    if ("problem" in checked) return no(checked.problem);
    paths.push(...checked.paths);
  }
  return { readOnly: true, reason: phrase("policy.command.reads"), paths };
}

/** Whether PATH has a relative entry or one inside `roots` (both resolved), where a file may pose as a program. */
export function isPathShadowed(path: string, roots: readonly string[]): boolean {
  const within = (entry: string, root: string) => `${entry}/`.startsWith(root.endsWith("/") ? root : `${root}/`);
  return path
    .split(":")
    .some((entry) => !entry.startsWith("/") || entry.includes("/..") || roots.some((root) => within(entry, root)));
}

function no(reason: Phrase): CommandJudgement {
  return { readOnly: false, reason, paths: [] };
}

/** Plain words, single-quoted printable text, `|` and `&&`, one space between them; `null` for anything else. */
function tokenize(command: string): readonly Token[] | null {
  if (command.length > maxLength) return null;
  const tokens: Token[] = [];
  let rest = command;
  while (true) {
    const quoted = /^'([\x20-\x26\x28-\x7e]*)'(?= |$)/.exec(rest);
    const piece = quoted?.[0] ?? /^[^ ]*/.exec(rest)?.[0] ?? "";
    if (quoted) tokens.push({ word: quoted[1] ?? "" });
    else if (piece === "|" || piece === "&&") tokens.push({ operator: piece });
    else if (plainWord.test(piece)) tokens.push({ word: piece });
    else return null;
    if (piece.length === rest.length) return tokens;
    rest = rest.slice(piece.length + 1);
  }
}

function simpleCommands(tokens: readonly Token[]): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const token of tokens) {
    if ("operator" in token) commands.push([]);
    else commands.at(-1)?.push(token.word);
  }
  return commands;
}

function checkSimple(words: readonly string[], facts: CommandFacts): Checked {
  const [name, ...args] = words;
  if (name === undefined) return { problem: phrase("policy.command.shape") };
  const program = programNamed(name);
  if (program === null) return { problem: phrase("policy.command.program", { program: name }) };
  if (facts.isPathShadowed && !program.isBuiltin)
    return { problem: phrase("policy.command.shadowed", { program: name }) };
  if (name === "echo") return { paths: [] };
  const split = splitOptions(program, args);
  if ("badOption" in split) {
    return { problem: phrase("policy.command.option", { program: name, option: split.badOption }) };
  }
  return checkOperands(name, program, split.operands);
}

/** Options end at the first operand: where getopt does not reorder, a later `-n` is the file of that name. */
function splitOptions(
  program: Program,
  args: readonly string[],
): { readonly operands: readonly string[] } | { readonly badOption: string } {
  let at = 0;
  while (at < args.length) {
    const arg = args[at] ?? "";
    if (arg === "--") return { operands: args.slice(at + 1) };
    if (!isOption(arg)) break;
    const used = optionWords(program, arg, args[at + 1]);
    if (used === 0) return { badOption: arg };
    at += used;
  }
  const operands = args.slice(at);
  const late = operands.find(isOption);
  return late === undefined ? { operands } : { badOption: late };
}

function isOption(arg: string): boolean {
  return arg.length > 1 && arg.startsWith("-");
}

/** How many words the option takes up: 0 when it is not allowed. */
function optionWords(program: Program, arg: string, next: string | undefined): 0 | 1 | 2 {
  if (arg.startsWith("--")) return program.long?.includes(arg) ? 1 : 0;
  if (program.hasCount && /^-[0-9]{1,15}$/.test(arg)) return 1;
  const form = program.valued && Object.hasOwn(program.valued, arg[1] ?? "") ? program.valued[arg[1] ?? ""] : undefined;
  if (form && arg.length > 2) return form.test(arg.slice(2)) ? 1 : 0;
  if (form) return next !== undefined && form.test(next) ? 2 : 0;
  return [...arg.slice(1)].every((letter) => program.flags?.includes(letter)) ? 1 : 0;
}

function checkOperands(name: string, program: Program, operands: readonly string[]): Checked {
  const form = program.operands;
  if (form === "paths") return { paths: operands };
  if (form === "words") return { paths: [] };
  const isFine = form === "none" ? operands.length === 0 : operands.length <= 1 && operands.every((o) => form.test(o));
  return isFine
    ? { paths: [] }
    : { problem: phrase("policy.command.operand", { program: name, operand: operands.at(-1) ?? "" }) };
}
