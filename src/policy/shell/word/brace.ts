/** A character of a word as written, and whether a quote or backslash escapes it. */
interface Sign {
  readonly text: string;
  readonly isQuoted: boolean;
}

// More words become `any`.
const maxWords = 64;

/**
 * The words that brace expansion makes of one word as written, with its quotes. `null` = not expanded: too many, nested, unbalanced, or
 * next to an expansion, where the shell's rules are more complex.
 */
export function expandBraces(raw: string): readonly string[] | null {
  if (!raw.includes("{")) return [raw];
  const signs = signsOf(raw);
  if (!signs.some((sign) => is(sign, "{"))) return [raw];
  // Without a comma or `..` nothing is expanded.
  const isPlain = !signs.some((sign) => is(sign, ",")) && !raw.includes("..");
  if (isPlain) return [raw];
  if (/[$`]|\\\n/.test(raw)) return null;
  return expandSigns(signs);
}

function is(sign: Sign | undefined, text: string): boolean {
  return sign !== undefined && !sign.isQuoted && sign.text === text;
}

function signsOf(raw: string): readonly Sign[] {
  const signs: Sign[] = [];
  let quote = "";
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at]!;
    if (char === "\\" && quote !== "'") {
      signs.push({ text: raw.slice(at, at + 2), isQuoted: true });
      at += 1;
    } else if (quote !== "") {
      signs.push({ text: char, isQuoted: true });
      if (char === quote) quote = "";
    } else {
      const isQuoted = char === "'" || char === '"';
      if (isQuoted) quote = char;
      signs.push({ text: char, isQuoted });
    }
  }
  return signs;
}

function expandSigns(signs: readonly Sign[]): readonly string[] | null {
  let words = [""];
  let at = 0;
  while (at < signs.length) {
    const sign = signs[at]!;
    if (is(sign, "}")) return null;
    let choices: readonly string[] | null = [sign.text];
    if (is(sign, "{")) {
      const end = signs.findIndex((other, index) => index > at && is(other, "}"));
      const inner = signs.slice(at + 1, end);
      if (end === -1 || inner.some((other) => is(other, "{"))) return null;
      choices = choicesOf(inner);
      at = end;
    }
    if (choices === null || words.length * choices.length > maxWords) return null;
    words = words.flatMap((word) => choices.map((choice) => word + choice));
    at += 1;
  }
  return words;
}

function choicesOf(inner: readonly Sign[]): readonly string[] | null {
  const text = inner.map((sign) => sign.text).join("");
  if (inner.some((sign) => is(sign, ","))) {
    const choices = [""];
    for (const sign of inner) {
      if (is(sign, ",")) choices.push("");
      else choices[choices.length - 1] += sign.text;
    }
    return choices;
  }
  if (!text.includes("..")) return [`{${text}}`];
  const [from, to, step] = /^(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})(?:\.\.([0-9]{1,9}))?$/.exec(text)?.slice(1) ?? [];
  if (from !== undefined && to !== undefined) return numbers(from, to, Number(step ?? 1));
  const letters = /^([a-z])\.\.([a-z])$|^([A-Z])\.\.([A-Z])$/.exec(text);
  if (!letters) return null;
  const [first, last] = [letters[1] ?? letters[3]!, letters[2] ?? letters[4]!].map((letter) => letter.charCodeAt(0));
  return range(first!, last!, 1)?.map((code) => String.fromCharCode(code)) ?? null;
}

function numbers(from: string, to: string, step: number): readonly string[] | null {
  const isPadded = [from, to].some((text) => /^-?0[0-9]/.test(text));
  const width = isPadded ? Math.max(from.length, to.length) : 0;
  return range(Number(from), Number(to), step === 0 ? 1 : step)?.map((value) => padded(value, width)) ?? null;
}

function padded(value: number, width: number): string {
  return value < 0 ? `-${String(-value).padStart(width - 1, "0")}` : String(value).padStart(width, "0");
}

function range(from: number, to: number, step: number): readonly number[] | null {
  const count = Math.floor(Math.abs(to - from) / step) + 1;
  if (count > maxWords) return null;
  return Array.from({ length: count }, (_, at) => (from <= to ? from + at * step : from - at * step));
}
