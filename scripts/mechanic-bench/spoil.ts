// Makes a fault in a correct program: one place, chosen by chance, of the kinds that people get wrong. It knows nothing of
// how the mechanic repairs programs.
import type { Program } from "./program.ts";

export type Chance = () => number;

/** The same numbers for the same seed. */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(all: readonly T[], chance: Chance): T {
  return all[Math.floor(chance() * all.length)]!;
}

interface Spot {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

type Kind = (code: Code, chance: Chance) => readonly Spot[];

interface Code {
  readonly text: string;
  /** The same length, with blanks in place of what strings and comments hold. */
  readonly bare: string;
  readonly isPython: boolean;
}

export interface Spoilt {
  readonly kind: string;
  readonly line: number;
  readonly text: string;
}

/** `null`: there is no place for the kind that chance has chosen. */
export function spoil({ source, language }: Program, chance: Chance): Spoilt | null {
  const isPython = language === "python";
  const code = { text: source, bare: withoutTexts(source, isPython), isPython };
  const [kind, find] = pick(Object.entries(kinds), chance);
  const spots = find(code, chance).filter(({ start, end, text }) => source.slice(start, end) !== text);
  if (spots.length === 0) return null;
  const { start, end, text } = pick(spots, chance);
  return {
    kind,
    line: source.slice(0, start).split("\n").length,
    text: source.slice(0, start) + text + source.slice(end),
  };
}

function withoutTexts(source: string, isPython: boolean): string {
  const texts = isPython
    ? /#.*|"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g
    : /\/\/.*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/(?![*/ ])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;
  return source.replace(texts, (all) => all.replace(/[^\n]/g, " "));
}

/** Each match of a pattern in what is code, replaced by one of several texts. */
function swaps(pattern: RegExp, to: (found: string, chance: Chance, code: Code) => readonly string[]): Kind {
  return (code, chance) =>
    [...code.bare.matchAll(pattern)].flatMap((match) => {
      // With the texts in it, which are blank in what is matched.
      const found = code.text.slice(match.index, match.index + match[0].length);
      const choices = to(found, chance, code).filter((one) => one !== found);
      return choices.length === 0
        ? []
        : [{ start: match.index, end: match.index + match[0].length, text: pick(choices, chance) }];
    });
}

const comparisons = ["<", "<=", ">", ">="];
const names = "[A-Za-z_]\\w*";
const words: readonly (readonly string[])[] = [
  ["min", "max"],
  ["lower", "upper"],
  ["toLowerCase", "toUpperCase"],
  ["push", "unshift"],
  ["pop", "shift"],
  ["floor", "ceil"],
  ["startswith", "endswith"],
  ["startsWith", "endsWith"],
  ["some", "every"],
  ["any", "all"],
  ["keys", "values"],
  ["indexOf", "lastIndexOf"],
  ["lstrip", "rstrip"],
  ["append", "extend"],
];
const reserved = new Set(
  `and or not in is if else elif for while return def class import from as try except raise pass break continue lambda None True
  False self const let var function new typeof of switch case default throw null undefined true false this await async export
  extends super get set static print range len sum Math Number String Array Object`.split(/\s+/),
);

const kinds: Readonly<Record<string, Kind>> = {
  comparison: swaps(/(?<=\s)(?:<=|>=|<|>)(?=\s)/g, () => comparisons),
  equality: swaps(/(?<=\s)(?:===|!==|==|!=)(?=\s)/g, (found) => [
    found.startsWith("!") ? found.replace("!", "=") : found.replace("=", "!"),
  ]),
  arithmetic: swaps(/(?<=[\w)\]] )(?:\+|-|\*|\/\/|\/|%)(?= [\w(])/g, (_, __, { isPython }) => [
    "+",
    "-",
    "*",
    isPython ? "//" : "/",
  ]),
  update: swaps(/(?<=\s)(?:\+=|-=)(?=\s)/g, (found) => (found === "+=" ? ["-=", "="] : ["+="])),
  logic: swaps(/\b(?:and|or)\b|&&|\|\|/g, (found) => [
    { and: "or", or: "and", "&&": "||", "||": "&&" }[found] ?? found,
  ]),
  number: swaps(/(?<![\w.])\d+(?![\w.])/g, (found) => [
    String(Number(found) + 1),
    String(Math.max(0, Number(found) - 1)),
  ]),
  truth: swaps(/\b(?:True|False|true|false)\b/g, (found) => [
    { True: "False", False: "True", true: "false", false: "true" }[found] ?? found,
  ]),
  one: swaps(/ [+-] 1\b(?!\.)/g, () => [""]),
  negation: swaps(/\bnot (?!in\b)|!(?=[\w(])/g, () => [""]),
  condition: swaps(
    /(?<=\bif )[^:\n]+(?=:\n)|(?<=\bif \()[^\n]+?(?=\) (?:return|\{|throw|\w))/g,
    (found, _, { isPython }) => [isPython ? `not (${found})` : `!(${found})`],
  ),
  waiting: swaps(/\bawait (?!asyncio)/g, () => [""]),
  result: swaps(/\breturn (?=[^\n]*\n)/g, () => [""]),
  word: swaps(
    new RegExp(`\\b(?:${words.flat().join("|")})(?=\\()`, "g"),
    (found) => words.find((group) => group.includes(found)) ?? [],
  ),
  name: swaps(new RegExp(`(?<![.\\w])${names}(?![\\w(=:])(?! =[^=])`, "g"), (found, chance, code) =>
    reserved.has(found) ? [] : [pick(namesAround(code), chance)],
  ),
  arguments: swaps(new RegExp(`(?<=${names}\\()(${names}), (${names})(?=[,)])`, "g"), (found) => [
    found.split(", ").reverse().join(", "),
  ]),
  text: (code) =>
    [...code.text.matchAll(/(["'])([^"'\n\\]{1,12})\1/g)].flatMap((match) => {
      const [all, quote = "", inner = ""] = match;
      const other = inner.length > 1 ? inner.slice(0, -1) : inner === " " ? "" : `${inner} `;
      return [{ start: match.index, end: match.index + all.length, text: quote + other + quote }];
    }),
  line: (code) =>
    [
      ...code.text.matchAll(
        /^([ \t]+)(?!return|def|class|if|el|for|while|try|except|raise|with|const|let|import|from|@|\}|\)|\]|\/\/|#|"|throw)([^\n]*[\w);\]])$/gm,
      ),
    ].map((match) => ({
      start: match.index + (match[1]?.length ?? 0),
      end: match.index + match[0].length,
      text: code.isPython ? "pass" : ";",
    })),
};

/** Names of local things: short words that occur more than once. */
function namesAround({ bare }: Code): readonly string[] {
  const found = [...bare.matchAll(new RegExp(`(?<![.\\w])${names}(?![\\w(])`, "g"))].map(([name]) => name);
  const local = found.filter((name, at) => !reserved.has(name) && found.indexOf(name) !== at);
  return local.length === 0 ? [""] : local;
}
