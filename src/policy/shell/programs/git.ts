import type { Program } from "../verdict/judgement.ts";
import { plain } from "./forms.ts";
import {
  blame,
  branch,
  branchList,
  diff,
  diffFiles,
  diffOptions,
  diffTree,
  forEachRef,
  grep,
  log,
  lsFiles,
  rangeDiff,
  refFormat,
  revList,
  revParse,
  shortlog,
  show,
  status,
  tag,
  tagList,
  whenAsked,
} from "./git-options.ts";

/** Keys that contain no secret, in the repository's own config. `--list` and other keys may print a token. */
const key = /^(?:branch\.[^\n]+\.(?:remote|merge|rebase)|remote\.[^\n]+\.(?:url|fetch|pushurl))$/i;
/** The same for the user's config, visible only to separate command lines (`asksOwnConfig`). No key that the hardening overrides. */
export const ownKey = new RegExp(
  `^(?:${[
    "user\\.(?:name|email)|init\\.defaultbranch|pull\\.(?:rebase|ff)|push\\.(?:default|autosetupremote|followtags)",
    "core\\.(?:autocrlf|editor|filemode|ignorecase|bare|eol|safecrlf|excludesfile|symlinks|longpaths|abbrev|whitespace)",
    "rebase\\.(?:autostash|autosquash)|merge\\.(?:ff|tool|conflictstyle)|fetch\\.prune|rerere\\.enabled|color\\.[a-z]+",
    "(?:commit|tag)\\.gpgsign|gpg\\.format|diff\\.(?:tool|algorithm|colormoved|renames)|branch\\.(?:autosetup(?:rebase|merge)|sort)",
  ].join("|")})$`,
  "i",
);
const oneKey: Program = { operands: [new RegExp(`${key.source}|${ownKey.source}`, "i")] };
const getKey = { "": oneKey, "--get": oneKey, "--get-all": oneKey };
const nothing: Program = {};
/** The value may be omitted at the end. */
const maybeOne: Program = { operands: ["revision"] };

/** `reflog expire` writes, `stash list` takes no name: with operands, the first could be a command. */
const { rest: _, ...logWithoutOperands } = log;

const stashShow: Program = {
  ...diffOptions,
  operands: [/^(?:stash@\{)?[0-9]+\}?$/],
  showsTracked: { ...whenAsked, hasPaths: false },
};

const listing: Program["commands"] = { "": branch, "--list": branchList };

/** symbolic-ref with two operands writes, as do `remote add`, `config KEY VALUE`, `branch NAME`, `tag NAME` and bare `stash`. */
const commands: Readonly<Record<string, Program>> = {
  status,
  log,
  show,
  whatchanged: log,
  diff: { commands: { "": diff, "--no-index": diffFiles } },
  blame,
  grep,
  shortlog,
  "rev-list": revList,
  "rev-parse": revParse,
  "ls-files": lsFiles,
  "for-each-ref": forEachRef,
  "--version": nothing,
  version: { long: plain("build-options") },
  branch: {
    commands: {
      ...{ "": branch, "--list": branchList, "--merged": maybeOne, "--no-merged": maybeOne },
      ...Object.fromEntries(["-a", "-r", "-v", "-vv"].map((first) => [first, { commands: listing }])),
    },
  },
  tag: { commands: { "": tag, "--list": tagList, "-l": tagList } },
  remote: {
    commands: {
      "": nothing,
      "-v": nothing,
      "--verbose": nothing,
      "get-url": { long: plain("push all"), operands: ["text"] },
    },
  },
  reflog: { commands: { "": logWithoutOperands, show: log } },
  stash: { commands: { list: logWithoutOperands, show: stashShow } },
  worktree: { commands: { list: { flags: "vz", long: plain("porcelain verbose") } } },
  config: { commands: { ...getKey, "--global": { commands: getKey }, "--local": { commands: getKey } } },
  "ls-tree": {
    flags: "drtlz",
    long: { ...plain("name-only name-status object-only long full-name full-tree abbrev") },
    attached: { "--abbrev": "number", "--format": refFormat },
    operands: ["revision"],
    rest: "read",
  },
  // `--dirty` and `--broken` write the index.
  describe: {
    long: {
      ...plain("tags all always long exact-match contains first-parent debug"),
      "--match": "text",
      "--exclude": "text",
      "--candidates": "number",
      "--abbrev": "number",
    },
    rest: "revision",
  },
  "cat-file": {
    flags: "tspe",
    operands: ["revision", "revision"],
    showsTracked: { isShown: (options) => !options.some((option) => /^-[tse]$/.test(option)), hasPaths: false },
  },
  "merge-base": {
    flags: "a",
    long: plain("all is-ancestor octopus independent fork-point"),
    rest: "revision",
  },
  "name-rev": { long: { ...plain("tags name-only always all"), "--refs": "text" }, rest: "revision" },
  "show-ref": {
    flags: "dsq",
    long: plain("head heads branches tags dereference hash verify quiet"),
    attached: { "--hash": "number", "--abbrev": "number" },
    rest: "text",
  },
  "symbolic-ref": { flags: "q", long: plain("quiet short"), operands: [/^[A-Za-z][A-Za-z0-9_./-]*$/] },
  "diff-tree": diffTree,
  "range-diff": rangeDiff,
  "show-branch": { flags: "ar", long: plain("all remotes current topo-order sha1-name no-name"), rest: "revision" },
  cherry: { flags: "v", long: { ...plain("verbose"), "--abbrev": "number" }, rest: "revision" },
  "check-attr": { flags: "az", long: plain("all cached"), rest: "read", showsNames: true },
  notes: { commands: { list: { rest: "revision" } } },
  "check-ignore": { flags: "qvnz", long: plain("quiet verbose non-matching no-index"), rest: "read", showsNames: true },
  "count-objects": { flags: "vH", long: plain("verbose human-readable") },
};

/**
 * Only if nothing in the repository can make git start a program: `gitHardening` disables what can be disabled from outside, and
 * `ShellFacts.gitProblem` reports the rest.
 */
export const git: Program = {
  needsGit: true,
  commands: { ...commands, "--no-pager": { commands }, "-P": { commands }, "--no-optional-locks": { commands } },
};
