/** A program that only reads, with everything it may be given. What is not listed here is not allowed. */
export interface Program {
  /** Short options without a value; may be joined (`-la`). */
  readonly flags?: string;
  /** Long options, exactly as written: abbreviations are not recognised. */
  readonly long?: readonly string[];
  /** Short options with a value, attached or as the next word, and the form of the value. */
  readonly valued?: Readonly<Record<string, RegExp>>;
  /** `-5` for `-n 5`. */
  readonly hasCount?: boolean;
  /** `paths` are judged like any path that is read; `words` are only text; a RegExp is the form of the only operand. */
  readonly operands: "paths" | "words" | "none" | RegExp;
  /** Part of the shell itself: no file in PATH can take its place. */
  readonly isBuiltin?: boolean;
}

const count = /^[+-]?[0-9]{1,15}$/;

/** No git: repository config can run helpers. No `-L`, `-H` or `--files0-from`: they reach files that were not named. */
const programs: Readonly<Record<string, Program>> = {
  pwd: { flags: "LP", operands: "none", isBuiltin: true },
  true: { operands: "none", isBuiltin: true },
  echo: { operands: "words", isBuiltin: true },
  ls: {
    flags: "aAlhrtSR1dFisnpgocux",
    long: ["--all", "--almost-all", "--human-readable", "--recursive", "--reverse", "--directory", "--color=never"],
    operands: "paths",
  },
  cat: { flags: "nbsAETvet", long: ["--number", "--show-all"], operands: "paths" },
  head: { flags: "qv", valued: { n: count, c: count }, hasCount: true, operands: "paths" },
  // Without -f, -F and --follow, which wait for ever.
  tail: { flags: "qv", valued: { n: count, c: count }, hasCount: true, operands: "paths" },
  wc: { flags: "lwcmL", long: ["--lines", "--words", "--bytes", "--chars"], operands: "paths" },
  du: {
    flags: "shackmbx",
    long: ["--summarize", "--human-readable"],
    valued: { d: /^[0-9]{1,4}$/ },
    operands: "paths",
  },
  stat: { valued: { c: /^.*$/ }, operands: "paths" },
  // Any other operand sets the clock.
  date: { flags: "u", operands: /^\+.*$/ },
  uname: { flags: "asnrvmpio", operands: "none" },
  id: { flags: "ugGnr", operands: "none" },
  whoami: { operands: "none" },
  dirname: { operands: "words" },
  basename: { operands: "words" },
};

export function programNamed(name: string): Program | null {
  return Object.hasOwn(programs, name) ? (programs[name] ?? null) : null;
}
