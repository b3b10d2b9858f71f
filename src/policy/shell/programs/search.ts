import type { Program } from "../verdict/judgement.ts";
import { plain, size, style, when, withHelp } from "./forms.ts";

// Reading a named pipe would block forever.
const skip = /^skip$/;

const grep: Program = {
  flags: "EFGPabcHhIiLlnoqRrsTUvwxyzZ",
  valued: { e: "text", f: "read", m: "number", A: "number", B: "number", C: "number", d: style, D: skip },
  long: {
    ...plain(
      "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case word-regexp line-regexp",
    ),
    ...plain("null-data no-messages invert-match byte-offset line-number line-buffered with-filename no-filename"),
    ...plain("only-matching quiet silent text recursive files-without-match files-with-matches count initial-tab null"),
    ...plain("color colour binary dereference-recursive"),
    "--regexp": "text",
    "--file": "read",
    "--max-count": "number",
    "--label": "text",
    "--binary-files": style,
    "--directories": style,
    "--devices": skip,
    "--include": "text",
    "--exclude": "text",
    "--exclude-dir": "text",
    "--exclude-from": "read",
    "--after-context": "number",
    "--before-context": "number",
  },
  // BSD's --context may stand alone.
  attached: { "--color": when, "--colour": when, "--context": "number" },
  hasCount: true,
  operands: ["text"],
  rest: "read",
  firstBy: ["-e", "-f", "--regexp", "--file"],
  readsBelow: /^-(?!-)\w*[rRd]|^--(?:recursive|directories|dereference-recursive)/,
  follows: /^-(?!-)\w*R|^--dereference-recursive$/,
  takesAnyWord: true,
};

/** Without `--pre`, `--hostname-bin` and `-z`, which start programs. */
const rg: Program = {
  flags: "abcFHhIiLlNnoPpqSsUuVvwx0.",
  valued: {
    ...{ A: "number", B: "number", C: "number", m: "number", M: "number", j: "number", d: "number" },
    ...{ e: "text", f: "read", g: "text", t: style, T: style, r: "text", E: style },
  },
  long: {
    ...plain("ignore-case smart-case case-sensitive fixed-strings word-regexp line-regexp invert-match count"),
    ...plain("count-matches files files-with-matches files-without-match line-number no-line-number column no-column"),
    ...plain("heading no-heading hidden no-hidden no-ignore no-ignore-vcs no-ignore-parent no-ignore-dot"),
    ...plain("no-ignore-global no-ignore-exclude no-ignore-files no-messages no-config json multiline no-multiline"),
    ...plain("multiline-dotall only-matching passthru pcre2 no-pcre2 pretty quiet stats text trim no-trim type-list"),
    ...plain("unrestricted version vimgrep with-filename no-filename null null-data crlf byte-offset binary"),
    ...plain("one-file-system no-unicode glob-case-insensitive no-follow line-buffered no-mmap max-columns-preview"),
    ...plain("include-zero no-require-git ignore-file-case-insensitive follow"),
    "--after-context": "number",
    "--before-context": "number",
    "--context": "number",
    "--max-count": "number",
    "--max-columns": "number",
    "--max-depth": "number",
    "--max-filesize": size,
    "--threads": "number",
    "--glob": "text",
    "--iglob": "text",
    "--type": style,
    "--type-not": style,
    "--type-add": "text",
    "--regexp": "text",
    "--file": "read",
    "--ignore-file": "read",
    "--replace": "text",
    "--encoding": style,
    "--sort": style,
    "--sortr": style,
    "--color": when,
    "--colors": "text",
    "--engine": style,
    "--context-separator": "text",
    "--field-match-separator": "text",
  },
  readsBelow: /^/,
  follows: /^-(?!-)\w*L|^--follow$/,
  obeys: /^/,
  operands: ["text"],
  rest: "read",
  firstBy: ["-e", "-f", "--regexp", "--file", "--files", "--type-list"],
  hasLateOptions: true,
};

/** Without `-x`, `-X` and `-l`, which start programs. */
const fd: Program = {
  flags: "HIusigapFLq01",
  valued: { d: "number", t: style, e: "text", E: "text", S: /^[+-]?[0-9]+[a-zA-Z]*$/, c: when, j: "number" },
  long: {
    ...plain("hidden no-hidden no-ignore no-ignore-vcs no-ignore-parent unrestricted case-sensitive ignore-case glob"),
    ...plain(
      "regex absolute-path relative-path full-path fixed-strings quiet print0 prune show-errors one-file-system",
    ),
    ...plain("strip-cwd-prefix follow no-follow version"),
    "--and": "text",
    "--max-depth": "number",
    "--min-depth": "number",
    "--exact-depth": "number",
    "--max-results": "number",
    "--type": style,
    "--extension": "text",
    "--exclude": "text",
    "--size": /^[+-]?[0-9]+[a-zA-Z]*$/,
    "--changed-within": "text",
    "--changed-before": "text",
    "--color": when,
    "--threads": "number",
    "--ignore-file": "read",
    "--search-path": "read",
    "--base-directory": "read",
  },
  follows: /^-(?!-)\w*L|^--follow$/,
  obeys: /^/,
  operands: ["text"],
  rest: "read",
  hasLateOptions: true,
};

export const searchPrograms = withHelp({ grep, rg, fd, fdfind: fd });
