import { parseArgs } from "node:util";
import { nearest } from "../../config/file/nearest.ts";
import type { FlagValues } from "../../config/load.ts";
import { CoderError } from "../../contract/error.ts";
import { type Phrase, phrase, type TextKey } from "../../contract/text/catalogue.ts";

/** `value`: the placeholder in help; `null` = takes no value. */
export interface Flag {
  readonly name: string;
  readonly value: string | null;
  readonly about: TextKey;
  readonly isList?: true;
  readonly short?: string;
  readonly choices?: readonly string[];
}

/** Keyed in camel case; `config/` validates the values. */
export interface Flags extends FlagValues {
  readonly output?: string;
  readonly input?: string;
  readonly resume?: string;
  readonly continue?: boolean;
  readonly fork?: boolean;
  readonly fromSnapshot?: boolean;
  readonly jsonl?: boolean;
  readonly explain?: boolean;
  readonly trust?: boolean;
  readonly show?: boolean;
  readonly revoke?: boolean;
  readonly json?: boolean;
  readonly user?: boolean;
  readonly project?: boolean;
  readonly online?: boolean;
  readonly live?: boolean;
  readonly outputSchema?: string;
  readonly format?: string;
  readonly outputFile?: string;
  readonly html?: boolean;
  readonly all?: boolean;
  readonly unclear?: boolean;
  readonly limit?: string;
  readonly olderThan?: string;
  readonly from?: string;
  readonly keep?: string;
  readonly maxSize?: string;
  readonly yes?: boolean;
  readonly parse?: string;
  readonly exitCode?: string;
  readonly count?: string;
  readonly redo?: boolean;
  readonly help?: boolean;
  readonly version?: boolean;
}

export const helpFlag: Flag = { name: "help", value: null, about: "cli.flag.help" };
export const versionFlag: Flag = { name: "version", value: null, about: "cli.flag.version" };
const SHORT: Readonly<Record<string, Flag>> = { h: helpFlag, V: versionFlag, v: versionFlag };

export function parseFlags(args: readonly string[], known: readonly Flag[]): { flags: Flags; words: string[] } {
  const tokens = tokensOf(args, known);
  const flags: Record<string, string | boolean | string[]> = {};
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const flag = known.find((one) => one.name === token.name) ?? SHORT[token.name];
    if (!flag) throw usage(unknown(token.rawName, known));
    const key = flag.name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    flags[key] = valueFor(flag, token.rawName, token.value, token.inlineValue === true, flags[key]);
  }
  if (flags.sandbox && flags.noSandbox) throw usage(phrase("cli.sandbox_or_not"));
  return { flags: flags as Flags, words };
}

function tokensOf(args: readonly string[], known: readonly Flag[]) {
  const options = Object.fromEntries(
    known.map(({ name, value, short }) => {
      const option = { type: value === null ? ("boolean" as const) : ("string" as const), multiple: true };
      return [name, short === undefined ? option : { ...option, short }];
    }),
  );
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

/** The indices of arguments that are neither flags nor their values; `-p` counts as a word. */
export function wordPlaces(args: readonly string[], known: readonly Flag[]): readonly number[] {
  const isWord = (token: { kind: string; name?: string }) => token.kind === "positional" || token.name === "p";
  return tokensOf(args, known)
    .filter(isWord)
    .map((token) => token.index);
}

function valueFor(flag: Flag, raw: string, value: string | undefined, isInline: boolean, before: unknown) {
  if (flag.value === null) {
    if (value !== undefined) throw usage(phrase("cli.flag_takes_none", { flag: raw }));
    return true;
  }
  // `--cwd --mode yolo` is a forgotten value, not a folder named --mode.
  if (value === undefined || value === "" || (!isInline && value.startsWith("-"))) {
    throw usage(phrase("cli.flag_needs_value", { flag: raw, value: flag.value }));
  }
  if (flag.isList) return [...(Array.isArray(before) ? before : []), value];
  if (before !== undefined) throw usage(phrase("cli.flag_twice", { flag: raw }));
  return value;
}

function unknown(raw: string, known: readonly Flag[]): Phrase {
  const near = nearest(
    raw.replace(/^-+/, ""),
    known.map((flag) => flag.name),
  );
  return near
    ? phrase("cli.unknown_flag_near", { flag: raw, near: `--${near}` })
    : phrase("cli.unknown_flag", { flag: raw });
}

export function oneOf<T extends string>(flag: string, given: string, choices: readonly T[]): T {
  const found = choices.find((one) => one === given);
  if (found) return found;
  throw usage(phrase("cli.bad_choice", { flag, given, choices: choices.join(", ") }));
}

export function usage(text: Phrase, advice: Phrase = phrase("cli.usage.advice")): CoderError {
  return new CoderError({ code: "E_INVALID_ARGS", text, advice });
}
