import type { Word } from "./verdict/judgement.ts";

export interface OptionForm {
  readonly flags?: string;
  readonly valued?: string;
  readonly long?: string;
  /** Long options with a value, after `=` or as the next word. */
  readonly longValued?: string;
  /** `-5`. */
  readonly hasCount?: boolean;
}

export interface Options {
  /** In order: letters and long names without dashes, with their values. */
  readonly given: readonly (readonly [name: string, value: Word | null])[];
  readonly rest: readonly Word[];
}

/** Options up to the first other word. `null` = one is not in the form, or unknown before the command runs. */
export function takeOptions(args: readonly Word[], form: OptionForm): Options | null {
  const given: (readonly [string, Word | null])[] = [];
  let at = 0;
  while (at < args.length) {
    const word = args[at]!;
    if (word.kind !== "literal") {
      return word.kind !== "any" && /^[^-]/.test(word.start) ? { given, rest: args.slice(at) } : null;
    }
    const arg = word.value;
    if (arg === "--") return { given, rest: args.slice(at + 1) };
    if (!arg.startsWith("-") || arg === "-") break;
    at += 1;
    if (form.hasCount && /^-[0-9]+$/.test(arg)) {
      given.push(["count", { kind: "literal", value: arg.slice(1), text: arg }]);
      continue;
    }
    const taken = arg.startsWith("--") ? takeLong(arg, args[at], form) : takeShort(arg, args[at], form);
    if (taken === null) return null;
    given.push(...taken.given);
    at += taken.used;
  }
  return { given, rest: args.slice(at) };
}

type Taken = { readonly given: Options["given"]; readonly used: 0 | 1 } | null;

function takeLong(arg: string, next: Word | undefined, form: OptionForm): Taken {
  const equals = arg.indexOf("=");
  const name = arg.slice(2, equals === -1 ? undefined : equals);
  const isValued = names(form.longValued).includes(name);
  if (equals !== -1) return isValued ? { given: [[name, text(arg.slice(equals + 1))]], used: 0 } : null;
  if (names(form.long).includes(name)) return { given: [[name, null]], used: 0 };
  return isValued && next ? { given: [[name, next]], used: 1 } : null;
}

function takeShort(arg: string, next: Word | undefined, form: OptionForm): Taken {
  const given: (readonly [string, Word | null])[] = [];
  for (let at = 1; at < arg.length; at++) {
    const letter = arg[at]!;
    if (form.flags?.includes(letter)) given.push([letter, null]);
    else if (!form.valued?.includes(letter)) return null;
    else if (at + 1 < arg.length) return { given: [...given, [letter, text(arg.slice(at + 1))]], used: 0 };
    else return next ? { given: [...given, [letter, next]], used: 1 } : null;
  }
  return { given, used: 0 };
}

function names(list: string | undefined): readonly string[] {
  return list?.split(" ") ?? [];
}

function text(value: string): Word {
  return { kind: "literal", value, text: value };
}

/** Words that are not options, as far as known. */
export function operandsOf(args: readonly Word[]): readonly Word[] {
  const end = args.findIndex((word) => word.kind === "literal" && word.value === "--");
  const isOption = (word: Word, at: number): boolean =>
    (end === -1 || at < end) && word.kind === "literal" && word.value.startsWith("-");
  return args.filter((word, at) => at !== end && !isOption(word, at));
}

export function hasOption(args: readonly Word[], form: RegExp): boolean {
  return args.some((word) => word.kind === "literal" && form.test(word.value));
}
