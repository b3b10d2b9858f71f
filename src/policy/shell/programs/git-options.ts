import type { Program, Role } from "../verdict/judgement.ts";
import { plain, style, when } from "./forms.ts";

const anyCount = "number";
const percent = /^[0-9]{1,3}%?$/;

/** `%G…` runs gpg and `%(describe)` starts git again; a bare name may come from the repository's config. */
const commitFormat =
  /^(?:|oneline|short|medium|full|fuller|reference|email|mboxrd|raw|t?format:(?:[^%]|%(?![-+ ]*(?:G|\(describe)))*|(?=.*%)(?:[^%]|%(?![-+ ]*(?:G|\(describe)))*)$/s;

/** The same for formats of references; `%(raw)` prints the file that a reference names. */
export const refFormat = /^(?:[^%]|%(?!\([^)]*(?:signature|describe|raw)))*$/i;

type GitOptions = Pick<Program, "flags" | "valued" | "long" | "attached">;

function join(...parts: readonly GitOptions[]): GitOptions {
  return {
    flags: parts.map(({ flags = "" }) => flags).join(""),
    valued: Object.assign({}, ...parts.map(({ valued }) => valued)) as Readonly<Record<string, Role>>,
    long: Object.assign({}, ...parts.map(({ long }) => long)) as Readonly<Record<string, Role | null>>,
    attached: Object.assign({}, ...parts.map(({ attached }) => attached)) as Readonly<Record<string, Role>>,
  };
}

/** How diffs are shown. Without `--ext-diff`, `--textconv`, `--output`, `--no-index`, `--submodule`, `-O`. */
export const diffOptions: GitOptions = {
  flags: "pusabBwzMCDRWcmrt",
  valued: { U: anyCount, S: "text", G: "text", I: "text", l: anyCount },
  long: {
    ...plain(
      "patch no-patch raw patch-with-raw patch-with-stat minimal patience histogram stat compact-summary numstat",
    ),
    ...plain("shortstat dirstat cumulative summary name-only name-status no-renames check full-index binary abbrev"),
    ...plain(
      "no-abbrev find-renames find-copies find-copies-harder irreversible-delete pickaxe-all pickaxe-regex text",
    ),
    ...plain("ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines cc"),
    ...plain("function-context exit-code quiet no-ext-diff no-textconv no-prefix no-color color word-diff color-words"),
    ...plain("color-moved no-color-moved indent-heuristic no-indent-heuristic relative no-relative"),
    "--unified": anyCount,
    "--inter-hunk-context": anyCount,
    "--diff-algorithm": style,
    "--diff-filter": /^[A-Za-z*]+$/,
    "--src-prefix": "text",
    "--dst-prefix": "text",
    "--line-prefix": "text",
    "--ignore-matching-lines": "text",
    "--anchored": "text",
    "--ignore-submodules": null,
    // Its value may be the next word.
    "--diff-merges": /^(?:off|none|first-parent|1|separate|combined|c|dense-combined|cc)$/,
  },
  attached: {
    "--stat": /^[0-9,]+$/,
    "--stat-width": anyCount,
    "--stat-name-width": anyCount,
    "--stat-count": anyCount,
    "--dirstat": /^[a-z0-9,.]+$/,
    "--abbrev": anyCount,
    "--find-renames": percent,
    "--find-copies": percent,
    "--color": when,
    "--word-diff": style,
    "--word-diff-regex": "text",
    "--color-words": "text",
    "--color-moved": style,
    "--ws-error-highlight": /^[a-z,]+$/,
    "--relative": "read",
    "--ignore-submodules": /^(?:all|dirty)$/,
  },
};

/** Which commits. Without `--stdin`, which reads more words from the input. */
const commitOptions: GitOptions = {
  flags: "iEFPg",
  valued: { n: anyCount },
  long: {
    ...plain("all branches tags remotes reverse merges no-merges first-parent topo-order date-order author-date-order"),
    ...plain("simplify-by-decoration full-history ancestry-path left-right left-only right-only cherry cherry-pick"),
    ...plain("cherry-mark boundary invert-grep all-match regexp-ignore-case extended-regexp fixed-strings perl-regexp"),
    ...plain("not walk-reflogs parents children no-walk dense sparse show-pulls simplify-merges remove-empty"),
    "--max-count": anyCount,
    "--skip": anyCount,
    "--since": "text",
    "--after": "text",
    "--until": "text",
    "--before": "text",
    "--author": "text",
    "--committer": "text",
    "--grep": "text",
    "--glob": "text",
    "--exclude": "text",
  },
  attached: {
    "--branches": "text",
    "--tags": "text",
    "--remotes": "text",
    "--min-parents": anyCount,
    "--max-parents": anyCount,
    "--no-walk": style,
  },
};

const shownOptions: GitOptions = {
  long: {
    ...plain(
      "oneline decorate no-decorate graph no-graph abbrev-commit no-abbrev-commit source relative-date no-notes",
    ),
    ...plain("follow full-diff log-size no-mailmap mailmap use-mailmap clear-decorations no-expand-tabs"),
    ...plain("no-show-signature"),
    "--decorate-refs": "text",
    "--decorate-refs-exclude": "text",
    "--date": "text",
  },
  attached: { "--decorate": style, "--format": commitFormat, "--pretty": commitFormat },
};

/** With these a list of commits or names shows file contents, or whether a text occurs in them (`-S`, `-G`). */
const withContent =
  /^-[SGL]|^-(?!-)\w*[puUWcmL]|^--(?:patch|unified|cc|binary|check|word-diff|color-words|function-context|diff-merges|anchored)/;
const namesOnly =
  /^--(?:stat|numstat|shortstat|dirstat|summary|compact-summary|name-only|name-status|raw|quiet|no-patch)(?:=|$)|^-s$/;

type Shown = NonNullable<Program["showsTracked"]>;

const hasContent = (options: readonly string[]) => options.some((option) => withContent.test(option));

/** For lists of commits: content only if an option asks for it. */
export const whenAsked: Shown = { isShown: hasContent, hasPaths: true };
/** Content, unless the options ask for names only. */
const unlessNames: Shown = {
  isShown: (options) => hasContent(options) || !options.some((option) => namesOnly.test(option)),
  hasPaths: true,
};
const always: Shown = { isShown: () => true, hasPaths: true };

const refOptions: GitOptions = {
  long: {
    ...plain("ignore-case no-color color no-column"),
    // The first two start a program, the last depends on a file's content.
    "--sort": /^-?(?!.*(?:signature|describe|raw))[A-Za-z:*._-]+$/is,
    "--format": refFormat,
    "--contains": "revision",
    "--no-contains": "revision",
    "--merged": "revision",
    "--no-merged": "revision",
    "--points-at": "revision",
  },
  attached: { "--color": when, "--abbrev": anyCount },
};

export const diff: Program = {
  ...join(diffOptions, { long: plain("cached staged merge-base") }),
  hasCount: true,
  rest: "revision",
  showsNames: true,
  showsTracked: { ...unlessNames, past: "none", staged: /^--(?:cached|staged|merge-base)$/ },
};

/** Two files, compared as by `diff`. A directory would be walked, with its symlinks. */
export const diffFiles: Program = { ...diffOptions, hasCount: true, operands: ["file", "file"], atLeast: 2 };

/** log, whatchanged, `reflog show`. In `-L`, the file whose lines are followed comes after the last colon. */
export const log: Program = {
  ...join(diffOptions, commitOptions, shownOptions, { valued: { L: "revision" } }),
  hasCount: true,
  rest: "revision",
  showsNames: true,
  showsTracked: whenAsked,
};

const { showsNames: _, ...shown } = log;

/** Named objects that are not commits are printed whole. */
export const show: Program = { ...shown, showsTracked: { ...unlessNames, printsObjects: true } };

/** `--stdin` would read more words from the input. */
export const diffTree: Program = {
  ...join(diffOptions, { flags: "vc", long: plain("root no-commit-id always merge-base no-notes") }),
  rest: "revision",
  showsTracked: whenAsked,
};

export const rangeDiff: Program = {
  ...join(diffOptions, {
    long: { ...plain("left-only right-only dual-color no-dual-color no-notes"), "--creation-factor": anyCount },
  }),
  rest: "revision",
  showsTracked: always,
};

export const revList: Program = {
  ...join(commitOptions, shownOptions, {
    long: plain("count objects objects-edge disk-usage timestamp header no-commit-header"),
    attached: { "--abbrev": anyCount },
  }),
  hasCount: true,
  rest: "revision",
};

export const shortlog: Program = {
  ...join(commitOptions, {
    flags: "nsec",
    long: { ...plain("numbered summary email committer"), "--group": /^[a-z:-]+$/i },
    attached: { "--format": commitFormat },
  }),
  // `-n` takes no value here.
  valued: {},
  rest: "revision",
};

export const branch: Program = {
  ...join(refOptions, { flags: "arvi", long: plain("all remotes verbose show-current") }),
};

export const branchList: Program = { ...branch, rest: "text" };

export const tag: Program = { ...join(refOptions, { flags: "in0123456789" }) };

export const tagList: Program = { ...tag, rest: "text" };

export const forEachRef: Program = {
  ...join(refOptions, { flags: "spP", long: { ...plain("shell perl python tcl"), "--count": anyCount } }),
  rest: "text",
};

export const grep: Program = {
  flags: "aEFGPHhIilLnoqrvwWcpz",
  valued: { e: "text", f: "read", A: anyCount, B: anyCount, C: anyCount, m: anyCount },
  long: {
    ...plain(
      "cached untracked no-exclude-standard exclude-standard text ignore-case word-regexp invert-match full-name",
    ),
    ...plain("extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only"),
    ...plain(
      "files-without-match null only-matching count color no-color break heading show-function function-context",
    ),
    ...plain("and or not all-match quiet recursive no-recursive no-textconv"),
    "--max-depth": anyCount,
    "--max-count": anyCount,
    "--after-context": anyCount,
    "--before-context": anyCount,
    "--context": anyCount,
    "--threads": anyCount,
  },
  attached: { "--color": when },
  hasCount: true,
  operands: ["text"],
  rest: "revision",
  readsBelow: /^/,
  firstBy: ["-e", "-f"],
  showsTracked: { ...always, past: "none" },
};

/** Without `--contents`, `-S` and `--ignore-revs-file`, which name other files. */
export const blame: Program = {
  flags: "bceflnpstwMC",
  valued: { L: "text" },
  long: {
    ...plain("root show-stats porcelain line-porcelain incremental show-name show-number show-email first-parent"),
    ...plain("color-lines color-by-age reverse minimal"),
    "--date": "text",
    "--since": "text",
    "--abbrev": anyCount,
    "--ignore-rev": "revision",
  },
  rest: "revision",
  showsTracked: { ...always, past: "head" },
};

/** `-uno` and `-uall` are one option with its value; here they parse as letters, none of which has another meaning. */
export const status: Program = {
  flags: "sbvzunoalrm",
  long: {
    ...plain("short branch no-branch show-stash long verbose null ahead-behind no-ahead-behind renames no-renames"),
    ...plain("porcelain untracked-files ignored ignore-submodules"),
  },
  attached: {
    "--porcelain": /^(?:v?[12])$/,
    "--untracked-files": /^(?:no|normal|all)$/,
    "--ignored": /^(?:traditional|no|matching)$/,
    "--ignore-submodules": /^(?:all|dirty)$/,
    "--find-renames": percent,
  },
  rest: "read",
  showsNames: true,
  showsTracked: {
    isShown: (options) => options.some((option) => /^-(?!-)\w*v|^--verbose/.test(option)),
    hasPaths: true,
    past: "head",
  },
};

export const revParse: Program = {
  flags: "q",
  long: {
    ...plain("show-toplevel show-prefix show-cdup git-dir git-common-dir absolute-git-dir is-inside-git-dir all short"),
    ...plain("is-inside-work-tree is-bare-repository is-shallow-repository abbrev-ref symbolic symbolic-full-name"),
    ...plain("verify quiet branches tags remotes revs-only no-revs flags no-flags sq not local-env-vars"),
    ...plain("show-object-format show-ref-format"),
    "--git-path": "text",
  },
  attached: {
    "--short": anyCount,
    "--abbrev-ref": style,
    "--path-format": style,
    "--branches": "text",
    "--tags": "text",
  },
  rest: "revision",
};

export const lsFiles: Program = {
  flags: "cdmoiskuvtfz",
  valued: { x: "text", X: "read" },
  long: {
    ...plain("cached deleted modified others ignored stage unmerged killed directory no-empty-directory"),
    ...plain("exclude-standard error-unmatch full-name abbrev deduplicate eol debug"),
    "--exclude": "text",
    "--exclude-from": "read",
  },
  attached: { "--abbrev": anyCount, "--format": refFormat },
  rest: "read",
  showsNames: true,
};
