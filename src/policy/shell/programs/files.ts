import type { Program } from "../verdict/judgement.ts";
import { amount, plain, size, style, when, withHelp } from "./forms.ts";

const ls: Program = {
  flags: "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1",
  // BSD's -I and -T take no value: there the word would be a path, so it must not contain a slash.
  valued: { I: /^[^/]+$/, w: "number", T: "number" },
  long: {
    ...plain("all almost-all author escape ignore-backups directory classify file-type group-directories-first"),
    ...plain(
      "no-group human-readable si inode kibibytes numeric-uid-gid literal hide-control-chars show-control-chars",
    ),
    ...plain("quote-name reverse recursive size context zero full-time color dereference"),
    "--block-size": size,
    "--format": style,
    "--hide": "text",
    "--ignore": "text",
    "--indicator-style": style,
    "--quoting-style": style,
    "--sort": style,
    "--tabsize": "number",
    "--time": style,
    "--time-style": "text",
    "--width": "number",
  },
  attached: { "--color": when, "--classify": when },
  follows: /^-(?!-)\w*[HL]|^--dereference$/,
  listsUnless: /^-(?!-)\w*[RHL]|^--(?:recursive|dereference)$/,
  showsNames: true,
  rest: "read",
  takesAnyWord: true,
};

const lines: Program = {
  valued: { n: amount, c: amount },
  long: { ...plain("quiet silent verbose zero-terminated"), "--lines": amount, "--bytes": amount },
  hasCount: true,
  rest: "read",
};

/** `-f`, `-F`, `--follow` and the old `+1f` wait forever. `-r` is BSD's. */
const tail: Program = {
  ...lines,
  flags: "qrvz",
  fits: (words) => !words.some((word) => /^\+[0-9]*[bcl]?f/.test(word)),
};

const du: Program = {
  flags: "abcDhHklLmPsSx0",
  valued: { d: "number", B: size, t: amount },
  long: {
    ...plain("all apparent-size bytes total human-readable inodes count-links no-dereference null separate-dirs si"),
    ...plain("summarize one-file-system time dereference"),
    "--max-depth": "number",
    "--block-size": size,
    "--exclude": "text",
    "--threshold": amount,
    "--time-style": "text",
  },
  attached: { "--time": style },
  follows: /^-(?!-)\w*[DHL]|^--dereference$/,
  showsNames: true,
  rest: "read",
  takesAnyWord: true,
};

/** `--sync` flushes to the disk. */
const df: Program = {
  flags: "ahHiklmPT",
  valued: { B: size, t: style, x: style },
  long: {
    ...plain("all human-readable si inodes local no-sync portability print-type total output"),
    "--block-size": size,
    "--type": style,
    "--exclude-type": style,
  },
  attached: { "--output": /^[a-z,]+$/ },
  rest: "read",
};

/**
 * `-p` sets access times, `-z` starts programs, `-s` reads devices, `-C` writes, `-m` and `-f` name other files. A file that comes through
 * a pipe is written to a temporary file.
 */
const file: Program = {
  flags: "bEhiIkLNnr0",
  valued: { F: "text", e: style },
  long: {
    ...plain("brief mime mime-type mime-encoding dereference no-dereference no-pad no-buffer raw print0 keep-going"),
    ...plain("extension"),
    "--separator": "text",
    "--exclude": style,
  },
  follows: /^-(?!-)\w*L|^--dereference$/,
  rest: "read",
  needsFiles: true,
};

/** `-o` writes, also after a letter with a value; `-R` writes with `-H`. */
const tree: Program = {
  flags: "aAcCdDfFghiJlnNpqQrsStuUvxX",
  valued: { L: "number", P: "text", I: "text" },
  joins: "flags",
  long: {
    ...plain("noreport dirsfirst filesfirst du prune si inodes device matchdirs ignore-case gitignore"),
    "--filelimit": "number",
    "--charset": style,
    "--timefmt": "text",
  },
  attached: { "--sort": style },
  follows: /^-(?!-)\w*l/,
  obeys: /^--gitignore$/,
  showsNames: true,
  rest: "read",
};

const stat: Program = {
  // BSD's -f and -t take a value; here it counts as one more path, which is stricter.
  flags: "fLtlnqrsx",
  valued: { c: "text" },
  long: { ...plain("dereference file-system terse"), "--format": "text", "--printf": "text" },
  follows: /^-(?!-)\w*L|^--dereference$/,
  showsNames: true,
  rest: "read",
  takesAnyWord: true,
};

const realpath: Program = {
  flags: "emPLqsz",
  long: {
    ...plain("canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero"),
    "--relative-to": "read",
    "--relative-base": "read",
  },
  showsNames: true,
  rest: "read",
  takesAnyWord: true,
};

/** Pagers print without paging when the output is not a terminal. `+` introduces a pager command, `-o` writes. */
const pager: Program = {
  neverBegins: "+",
  rest: "read",
};

export const filePrograms = withHelp({
  ls,
  dir: ls,
  cat: {
    flags: "AbeEnstTuv",
    long: plain("show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting"),
    rest: "read",
    takesAnyWord: true,
  },
  head: { ...lines, flags: "qvz", takesAnyWord: true },
  tail,
  wc: {
    flags: "clmwL",
    long: { ...plain("bytes chars lines words max-line-length"), "--total": style },
    rest: "read",
    takesAnyWord: true,
  },
  stat,
  file,
  du,
  df,
  tree,
  realpath,
  readlink: {
    flags: "femnqsvz",
    long: plain("canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero"),
    showsNames: true,
    rest: "read",
    takesAnyWord: true,
  },
  basename: {
    flags: "az",
    valued: { s: "text" },
    long: { ...plain("multiple zero"), "--suffix": "text" },
    rest: "text",
    takesAnyWord: true,
  },
  dirname: { flags: "z", long: plain("zero"), rest: "text", takesAnyWord: true },
  // Debian's is a shell script, which starts nothing else.
  which: { flags: "as", long: plain("all"), rest: "text", takesAnyWord: true },
  // `hardening` disables the variables that make it start programs or write.
  less: {
    ...pager,
    flags: "eEFgGiIJLmMnNqQrRsSuUwWXV",
    valued: { x: "number", z: "number", j: "number" },
    long: {
      ...plain("quit-if-one-screen no-init RAW-CONTROL-CHARS raw-control-chars chop-long-lines LINE-NUMBERS"),
      ...plain("line-numbers quit-at-eof ignore-case IGNORE-CASE squeeze-blank-lines no-lessopen"),
    },
  },
  more: { ...pager, flags: "dfpcsuel", valued: { n: "number" }, hasCount: true },
  // An operand is written, even `-`.
  tee: { flags: "aip", long: plain("append ignore-interrupts"), rest: /^\/dev\/null$/ },
  // FreeBSD's puts the name into a shell command.
  whereis: { flags: "bmsu", rest: /^[\w.+-]+$/ },
});
