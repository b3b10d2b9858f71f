import { RE2JS } from "re2js";

/** RE2 takes linear time; the runtime's own engine can take years for (a+)+$. */
export interface Pattern {
  readonly test: (text: string) => boolean;
  /** Upper bound of states it can be in at once. */
  readonly size: number;
  /** The library identifies patterns by their source. */
  readonly toString: () => string;
}

/** Longer patterns are machine-made. */
const maxSource = 2_000;
const space = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const noSpace = [
  String.raw`\x00-\x08\x0e-\x1f!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}`,
  String.raw`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`,
].join("");

/** Refuses invalid patterns and features that RE2 lacks. */
export function compilePattern(source: string): Pattern | { readonly problem: string } {
  if (source.length > maxSource) return { problem: `the pattern is longer than ${maxSource} characters` };
  try {
    new RegExp(source, "u");
    const compiled = RE2JS.compile(RE2JS.translateRegExp(asRe2(source)));
    return { size: compiled.programSize(), test: (text) => compiled.test(text), toString: () => source };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { problem: error.message };
  }
}

const signs =
  /\(\?<?[=!]|\\u(?<high>[dD][89abAB]\w{2})\\u(?<low>[dD][c-fC-F]\w{2})|\\[pP]\{\w+=(?<script>\w+)\}|\\[\s\S]|\[\^?\]|\[\^?|[\s\S]/gu;

/** Translates from JavaScript syntax, which JSON Schema uses, where RE2 reads it differently. */
function asRe2(source: string): string {
  let isInList = false;
  return source.replace(signs, (sign: string, ...rest: unknown[]) => {
    const { high, low, script } = rest.at(-1) as Record<"high" | "low" | "script", string | undefined>;
    if (high && low) return `\\u{${pairOf(high, low).toString(16)}}`;
    if (script) return `${sign.slice(0, 2)}{${script}}`;
    if (sign === "\\s") return isInList ? space : `[${space}]`;
    if (sign === "\\S") return isInList ? noSpace : `[^${space}]`;
    if (!isInList) {
      if (sign.startsWith("(?")) throw new SyntaxError("looking ahead or behind is not supported");
      if (/^\\[1-9k]/.test(sign)) throw new SyntaxError("references back to a group are not supported");
      isInList = sign === "[" || sign === "[^";
      if (sign === "[]") return String.raw`[^\x00-\x{10ffff}]`;
      return sign === "." ? String.raw`[^\n\r\x{2028}\x{2029}]` : sign;
    }
    isInList = sign.startsWith("\\") || !sign.endsWith("]");
    if (sign === "\\b") return "\\x08";
    return sign.startsWith("[") ? `\\${sign}` : sign;
  });
}

function pairOf(high: string, low: string): number {
  return 0x10000 + ((Number.parseInt(high, 16) - 0xd800) << 10) + Number.parseInt(low, 16) - 0xdc00;
}
