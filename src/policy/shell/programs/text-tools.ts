import type { Program } from "../verdict/judgement.ts";
import { list, plain, size, style, when, withHelp } from "./forms.ts";

/**
 * Without `-o` (writes), `--compress-program` (starts one), `-T` (chooses where it writes) and `--files0-from` (names other files). A small
 * buffer (`-S`) and many files (`-m`) would create temporary files.
 */
const sort: Program = {
  flags: "bdfgiMhnRrVcCsuz",
  valued: { k: /^[0-9.,bdfgiMhnRrVz]+$/, t: "text" },
  long: {
    ...plain("ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort"),
    ...plain("human-numeric-sort numeric-sort random-sort reverse version-sort check stable unique"),
    ...plain("zero-terminated debug"),
    "--key": /^[0-9.,bdfgiMhnRrVz]+$/,
    "--field-separator": "text",
    "--parallel": "number",
    "--sort": style,
  },
  attached: { "--check": style },
  rest: "read",
};

/** A second operand is written. */
const uniq: Program = {
  flags: "cdDiuz",
  valued: { f: "number", s: "number", w: "number" },
  long: {
    ...plain("count repeated all-repeated unique ignore-case zero-terminated group"),
    "--skip-fields": "number",
    "--skip-chars": "number",
    "--check-chars": "number",
  },
  attached: { "--all-repeated": style, "--group": style },
  operands: ["read"],
};

const cut: Program = {
  flags: "nsz",
  valued: { b: list, c: list, f: list, d: "text" },
  long: {
    ...plain("complement only-delimited zero-terminated"),
    "--bytes": list,
    "--characters": list,
    "--fields": list,
    "--delimiter": "text",
    "--output-delimiter": "text",
  },
  rest: "read",
  takesAnyWord: true,
};

const nl: Program = {
  flags: "p",
  valued: {
    b: "text",
    d: "text",
    f: "text",
    h: "text",
    i: "number",
    l: "number",
    n: style,
    s: "text",
    v: "number",
    w: "number",
  },
  long: {
    ...plain("no-renumber"),
    "--body-numbering": "text",
    "--number-format": style,
    "--number-separator": "text",
    "--number-width": "number",
    "--starting-line-number": "number",
    "--line-increment": "number",
  },
  rest: "read",
  takesAnyWord: true,
};

const column: Program = {
  flags: "txeJL",
  valued: { s: "text", o: "text", c: "number", N: "text", R: "text", H: "text" },
  long: {
    ...plain("table fillrows json keep-empty-lines table-header-repeat"),
    "--separator": "text",
    "--output-separator": "text",
    "--output-width": "number",
    "--table-columns": "text",
    "--table-right": "text",
    "--table-hide": "text",
    "--table-name": "text",
  },
  rest: "read",
  takesAnyWord: true,
};

/** `-l` starts pr. A directory in place of a file is walked, symlinks included. */
const diff: Program = {
  flags: "abBcdeEinNpPqrstTuwyZ",
  valued: { C: "number", U: "number", I: "text", W: "number", x: "text", X: "read", F: "text", L: "text" },
  long: {
    ...plain("normal brief report-identical-files ed rcs side-by-side left-column suppress-common-lines expand-tabs"),
    ...plain(
      "initial-tab no-dereference new-file unidirectional-new-file ignore-case ignore-tab-expansion text minimal",
    ),
    ...plain("ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines strip-trailing-cr"),
    ...plain("speed-large-files show-c-function context unified color recursive"),
    "--exclude": "text",
    "--exclude-from": "read",
    "--ignore-matching-lines": "text",
    "--label": "text",
    "--show-function-line": "text",
    "--tabsize": "number",
    "--width": "number",
    "--line-format": "text",
    "--old-line-format": "text",
    "--new-line-format": "text",
    "--unchanged-line-format": "text",
    "--changed-group-format": "text",
    "--unchanged-group-format": "text",
  },
  attached: { "--context": "number", "--unified": "number", "--color": when },
  follows: /^-(?!-)\w*r|^--recursive$/,
  hasCount: true,
  operands: ["file", "file"],
};

const join: Program = {
  flags: "iz",
  valued: {
    "1": "number",
    "2": "number",
    j: "number",
    t: "text",
    e: "text",
    o: /^[0-9., auto]+$/,
    a: "number",
    v: "number",
  },
  long: plain("ignore-case header check-order nocheck-order zero-terminated"),
  operands: ["read", "read"],
  takesAnyWord: true,
};

// A few pages. With far more, a `sort` in the pipe would create temporary files.
const maxLines = 100_000;
/** Not a number, so that the numbers among the words are the bounds of the sequence. */
const separator = /^(?![-+]?[0-9.]+$)[\s\S]{0,40}$/;

const seq: Program = {
  flags: "w",
  valued: { s: separator, f: /^[^%]{0,40}%[-+ #0']*[0-9]{0,4}(?:\.[0-9]{1,3})?[aefgAEFG][^%]{0,40}$/ },
  long: { ...plain("equal-width"), "--separator": separator },
  hasCount: true,
  rest: /^[-+]?[0-9.]{1,20}$/,
  fits(words) {
    const numbers = words.filter((word) => /^[-+]?[0-9.]+$/.test(word)).map(Number);
    const [first = 1, second = 1, third] = numbers;
    const count = numbers.length < 2 ? first : third === undefined ? second - first : (third - first) / second;
    return !(count > maxLines);
  },
};

/** `-i 1-9`, `-i1-9`, `--input-range=1-9`, or joined with other letters. */
function isLongRange(word: string): boolean {
  const [, first, last] = /([0-9]+)-([0-9]+)$/.exec(word) ?? [];
  return Number(last) - Number(first) > maxLines;
}

function isShortened(words: readonly string[]): boolean {
  const counts = words.flatMap((word) => /^(?:-n|--head-count=)?([0-9]+)$/.exec(word)?.[1] ?? []);
  const isAsked = words.some((word) => /^(?:-n|--head-count(?:=|$))/.test(word));
  return isAsked && counts.length > 0 && counts.every((count) => Number(count) <= maxLines);
}

export const textPrograms = withHelp({
  sort,
  uniq,
  cut,
  tr: {
    flags: "cCdstu",
    long: plain("complement delete squeeze-repeats truncate-set1"),
    operands: ["text", "text"],
    takesAnyWord: true,
  },
  rev: { rest: "read", takesAnyWord: true },
  // Piped input (`-`, or no operand) would be written to a temporary file.
  tac: { rest: "read", atLeast: 1, neverBegins: "-" },
  nl,
  paste: {
    flags: "sz",
    valued: { d: "text" },
    long: { ...plain("serial zero-terminated"), "--delimiters": "text" },
    rest: "read",
    takesAnyWord: true,
  },
  column,
  col: { flags: "bfhpx", valued: { l: "number" } },
  join,
  comm: {
    flags: "123iz",
    long: { ...plain("check-order nocheck-order total zero-terminated"), "--output-delimiter": "text" },
    operands: ["read", "read"],
  },
  // Without `-w` it only prints.
  gofmt: { flags: "ldes", operands: [], rest: "read" },
  diff,
  cmp: {
    flags: "bclsz",
    valued: { n: size, i: /^[0-9:kKMG]+$/ },
    long: { ...plain("print-bytes verbose quiet silent"), "--bytes": size },
    operands: ["read", "read", size, size],
  },
  fold: {
    flags: "bs",
    valued: { w: "number" },
    long: { ...plain("bytes spaces"), "--width": "number" },
    hasCount: true,
    rest: "read",
    takesAnyWord: true,
  },
  fmt: {
    flags: "cstu",
    // BSD's -p takes no value, and the word would be a file.
    valued: { w: "number", g: "number", p: /^[^\w.]{1,4}$/ },
    long: {
      ...plain("crown-margin split-only tagged-paragraph uniform-spacing"),
      "--width": "number",
      "--goal": "number",
    },
    hasCount: true,
    rest: "read",
  },
  expand: {
    flags: "i",
    valued: { t: list },
    long: { ...plain("initial"), "--tabs": list },
    hasCount: true,
    rest: "read",
    takesAnyWord: true,
  },
  unexpand: {
    flags: "a",
    valued: { t: list },
    long: { ...plain("all first-only"), "--tabs": list },
    rest: "read",
    takesAnyWord: true,
  },
  // `-o` writes.
  shuf: {
    flags: "ez",
    valued: { n: "number", i: /^[0-9]+-[0-9]+$/ },
    long: { ...plain("echo zero-terminated"), "--head-count": "number", "--input-range": /^[0-9]+-[0-9]+$/ },
    rest: "read",
    fits: (words) => !words.some(isLongRange) || isShortened(words),
  },
  tsort: { operands: ["read"] },
  // `-o` writes; an encoding name with a slash is first looked up as a file (`..//x`).
  iconv: {
    flags: "cls",
    valued: { f: /^[\w.:+-]+$/, t: /^[\w.:+-]+$/ },
    long: {
      ...plain("list silent"),
      "--from-code": /^[\w.:+-]+$/,
      "--to-code": /^[\w.:+-]+$/,
    },
    rest: "read",
  },
  seq,
  factor: { rest: "number" },
  // bc cannot start programs: it reads its files and its input, and prints.
  bc: { flags: "lqsw", long: plain("mathlib quiet standard warn"), rest: "read" },
});
