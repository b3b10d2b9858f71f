import { phrase } from "../../../contract/text/catalogue.ts";
import { type Options, takeOptions } from "../options.ts";
import type { Word } from "../verdict/judgement.ts";
import { cut } from "../verdict/tally.ts";
import { isHarmlessSetting } from "../word/variable-names.ts";
import type { Handled, StartedCommand } from "./handled.ts";
import { shells, type Wrapper, wrappers } from "./wrappers.ts";

/** The command that a wrapper starts; `null` = not a wrapper. */
export function unwrap(name: string, args: readonly Word[]): Handled | null {
  if (shells.has(name)) return unwrapShell(name, args);
  if (name === "eval" || name === "trap") return unwrapText(name, name === "eval" ? args : args.slice(0, 1), args);
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  return wrapper ? unwrapWords(name, wrapper, args) : null;
}

function unwrapWords(name: string, wrapper: Wrapper, args: readonly Word[]): Handled {
  const options = takeOptions(args, wrapper);
  const names = wrapper.scripts?.split(" ") ?? [];
  const script = options?.given.find(([option]) => names.includes(option))?.[1];
  if (script) return unwrapText(name, [script], args);
  if (!options) return unclear(name, args, possibleCommands(args));
  if (options.given.some(([option]) => wrapper.asks?.split(" ").includes(option))) return { problems: [] };
  const rest = options.rest.slice(wrapper.operands ?? 0);
  const skipped = wrapper.hasAssignments ? rest.findIndex((word) => !isAssignment(word)) : 0;
  const words = skipped === -1 ? [] : rest.slice(skipped);
  if (wrapper.isText && words.length > 0) return unwrapText(name, words, args);
  const areHarmless = name === "env" && rest.slice(0, Math.max(0, skipped)).every(isHarmless);
  const isFine =
    words.length > 0
      ? (skipped === 0 || areHarmless) && isPlain(wrapper, options)
      : wrapper.isFineAlone && args.length === 0;
  const problems = isFine ? [] : [phrase("shell.wrapper", { program: name, part: cut(textOf(name, args)) })];
  const far = names.includes("c") ? laterScripts(args) : [];
  // A rule that allows the started command does not cover the variables set for it.
  const open =
    isFine && skipped > 0 ? { open: phrase("shell.wrapper", { program: name, part: cut(textOf(name, args)) }) } : {};
  return { problems, ...open, starts: [...(words.length > 0 ? [{ words }] : []), ...far], isUnclear: far.length > 0 };
}

/** Operands before the command must have the expected form: a duration, a priority. */
function isPlain(wrapper: Wrapper, { given, rest }: Options): boolean {
  if (wrapper.isClean !== "counted") return wrapper.isClean === "bare" && given.length === 0;
  const form = /^[+-]?[0-9][0-9.]*[smhdL]?$|^L$|^[A-Z][A-Z0-9]*$/;
  const before = rest.slice(0, wrapper.operands ?? 0);
  return [...given.flatMap(([, value]) => value ?? []), ...before].every(
    (word) => word.kind === "literal" && form.test(word.value),
  );
}

/** Also after other words (`su me -c TEXT`). In `flock x gcc -c a` the option is gcc's, so the text is only one more candidate. */
function laterScripts(args: readonly Word[]): readonly StartedCommand[] {
  return args.flatMap((word, at) => {
    const value = word.kind === "literal" ? word.value : "";
    const attached = /^--command=(.*)$/s.exec(value)?.[1];
    const next = /^-\w*c$|^--command$/.test(value) ? args[at + 1] : undefined;
    const script = attached ?? (next?.kind === "literal" ? next.value : "");
    return script === "" ? [] : [{ script }];
  });
}

/** Text that a shell parses. If its end is unknown, its beginning still tells which commands run. */
function unwrapText(name: string, text: readonly Word[], args: readonly Word[]): Handled {
  const script = knownText(text);
  const starts = script === "" ? [] : [{ script }];
  if (text.some((word) => word.kind !== "literal")) return unclear(name, args, starts);
  return {
    problems: [phrase("shell.wrapper", { program: name, part: cut(textOf(name, args)) })],
    starts,
    // `eval` may change the meaning of later commands; `env -S` splits its text by rules of its own.
    isUnclear: name === "eval" || name === "trap" || name === "env",
  };
}

function knownText(words: readonly Word[]): string {
  const end = words.findIndex((word) => word.kind !== "literal");
  const known = words.slice(0, end === -1 ? undefined : end + 1);
  return known.map((word) => (word.kind === "literal" ? word.value : word.kind === "any" ? "" : word.start)).join(" ");
}

/** `bash -c TEXT NAME WORD…`; without -c it runs a file, or its input. */
function unwrapShell(name: string, args: readonly Word[]): Handled {
  const problem = phrase("shell.wrapper", { program: name, part: cut(textOf(name, args)) });
  let hasText = false;
  let isBare = true;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const value = word.kind === "literal" ? word.value : null;
    if (value !== null && /^[-+]/.test(value)) {
      hasText ||= /^-[A-Za-z]*c/.test(value);
      isBare &&= value === "-c";
      if (/^[-+][A-Za-z]*[oO]$|^--(?:rcfile|init-file)$/.test(value)) at += 1;
      continue;
    }
    if (!hasText) return { problems: [problem] };
    if (value === null) return unwrapText(name, [word], args);
    // Other shells read the same text differently: not all of them know `$'…'`, `&>` and braces.
    const isClean = name === "bash" && isBare;
    return { problems: isClean ? [] : [problem], starts: [{ script: value }] };
  }
  return { problems: [problem] };
}

function unclear(program: string, args: readonly Word[], starts: readonly StartedCommand[]): Handled {
  return {
    problems: [phrase("shell.wrapper_unknown", { program, part: cut(textOf(program, args)) })],
    starts,
    isUnclear: true,
  };
}

function isAssignment(word: Word): boolean {
  const start = word.kind === "literal" ? word.value : word.kind === "any" ? "" : word.start;
  // A lone dash stands for an empty environment.
  return /^[A-Za-z_][A-Za-z0-9_]*=|^-$/.test(start);
}

function isHarmless(word: Word): boolean {
  const start = word.kind === "literal" ? word.value : word.kind === "one" ? word.start : "";
  const equals = start.indexOf("=");
  if (equals === -1) return false;
  const value: Word | null = word.kind === "literal" ? { ...word, value: start.slice(equals + 1) } : null;
  return isHarmlessSetting(start.slice(0, equals), value);
}

// Limits how many words of a command may each start another one.
const maxGuesses = 8;

/** A command may begin at any of these words: deny rules need an over-approximation. */
export function possibleCommands(args: readonly Word[]): readonly StartedCommand[] {
  const places = args.flatMap((word, at) => (word.kind === "literal" && /^[^-]/.test(word.value) ? [at] : []));
  return places.slice(0, maxGuesses).map((at, index) => ({ words: args.slice(at), isGuess: index > 0 }));
}

function textOf(name: string, args: readonly Word[]): string {
  return [name, ...args.map(({ text }) => text)].join(" ");
}
