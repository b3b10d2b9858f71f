// The rules of .gitignore. Git matches bytes, so strings here are Latin-1, one character per byte.

export interface Pattern {
  readonly regex: RegExp;
  readonly isNegated: boolean;
  readonly isFolderOnly: boolean;
}

export function readPatterns(text: string): readonly Pattern[] {
  return asBytes(text)
    .split(/\r?\n/)
    .flatMap((line) => patternOf(line) ?? []);
}

/** The verdict of the last matching pattern; `null`: none matches. */
export function verdictOf(patterns: readonly Pattern[], path: string, isFolder: boolean): "out" | "in" | null {
  if (patterns.length === 0) return null;
  const bytes = asBytes(path);
  const last = patterns.findLast(({ regex, isFolderOnly }) => (isFolder || !isFolderOnly) && regex.test(bytes));
  if (last === undefined) return null;
  return last.isNegated ? "in" : "out";
}

function asBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function patternOf(line: string): Pattern | null {
  if (line.startsWith("#")) return null;
  const isNegated = line.startsWith("!");
  const bare = (isNegated ? line.slice(1) : line).replace(/(?<!\\) +$/, "");
  const isFolderOnly = bare.endsWith("/");
  const path = isFolderOnly ? bare.slice(0, -1) : bare;
  if (path === "") return null;
  const body = regexOf(path.startsWith("/") ? path.slice(1) : path);
  if (body === null) return null;
  const start = path.includes("/") ? "" : "(?:.*/)?";
  return { regex: new RegExp(`^${start}${body}$`, "s"), isNegated, isFolderOnly };
}

function regexOf(glob: string): string | null {
  let out = "";
  for (let rest = glob; rest !== ""; ) {
    const isStart = rest.length === glob.length;
    const step = stars(rest, isStart) ?? bracket(rest) ?? single(rest);
    if (step === "useless") return null;
    out += step.regex;
    rest = rest.slice(step.length);
  }
  return out;
}

interface Piece {
  readonly regex: string;
  readonly length: number;
}

/** Two stars cross folders only where they are a whole name. */
function stars(rest: string, isStart: boolean): Piece | undefined {
  if (isStart && rest === "**") return { regex: ".*", length: 2 };
  const leading = isStart ? /^(?:\*\*\/)+/.exec(rest)?.[0].length : undefined;
  if (leading !== undefined) return { regex: "(?:.*/)?", length: leading };
  if (rest === "/**") return { regex: "/.+", length: 3 };
  // Keeps the second slash, which may begin the next pair of stars.
  if (rest.startsWith("/**/")) return { regex: "(?:/.*)?", length: 3 };
  const run = /^\*+/.exec(rest)?.[0].length;
  return run === undefined ? undefined : { regex: "[^/]*", length: run };
}

const posix: Readonly<Record<string, string>> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  punct: "!-\\/:-@\\[-`\\{-~",
  xdigit: "0-9A-Fa-f",
};

/** An unclosed bracket is an ordinary character. */
function bracket(rest: string): Piece | "useless" | undefined {
  const found = /^\[([!^]?)(\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]/s.exec(rest);
  if (found === null) return undefined;
  const [whole, not, body = ""] = found;
  const set = body.replace(/\[:([a-z]+):\]|\\(.)|([^-])/gs, (_, name?: string, escaped?: string, char?: string) =>
    name === undefined ? escapeChar(escaped ?? char ?? "") : (posix[name] ?? ""),
  );
  const regex = `(?!/)[${not === "" ? "" : "^"}${set}]`;
  return isRegex(regex) ? { regex, length: whole.length } : "useless";
}

/** A reversed range invalidates the pattern, not the search. */
function isRegex(text: string): boolean {
  try {
    return new RegExp(text) !== null;
  } catch {
    return false;
  }
}

function single(rest: string): Piece | "useless" {
  if (rest.startsWith("?")) return { regex: "[^/]", length: 1 };
  if (rest === "\\") return "useless";
  const isEscaped = rest.startsWith("\\");
  const char = rest.charAt(isEscaped ? 1 : 0);
  return { regex: escapeChar(char), length: isEscaped ? 2 : 1 };
}

function escapeChar(char: string): string {
  return /[\\^$.*+?()[\]{}|/-]/.test(char) ? `\\${char}` : char;
}
