import type { GitSetting } from "./config-file.ts";

const anything = /^/s;
const no = /^(?:false|no|off|0|)$/i;
const yesOrNo = /^(?:true|false|yes|no|on|off|[01]|)$/i;

/**
 * Keys of a repository's own config with which commands that only read start no other program, reach no network and leave
 * the repository for nothing. Everything else is refused, also what newer versions of git will know. Sections in which the
 * part between quotes may be anything end in `.*`.
 */
const harmless: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  core: {
    repositoryformatversion: /^[01]$/,
    bare: no,
    fsmonitor: no,
    // As husky sets it: a hardened git looks for hooks elsewhere.
    hookspath: anything,
    ...all(
      "filemode",
      "logallrefupdates",
      "ignorecase",
      "precomposeunicode",
      "symlinks",
      "autocrlf",
      "eol",
      "safecrlf",
    ),
    ...all("abbrev", "quotepath", "trustctime", "checkstat", "preloadindex", "untrackedcache", "compression"),
    ...all("bigfilethreshold", "protecthfs", "protectntfs", "fscache", "longpaths", "commitgraph", "multipackindex"),
    ...all("whitespace", "sharedrepository", "sparsecheckout", "sparsecheckoutcone", "hidedotfiles", "unsetenvvars"),
  },
  extensions: { objectformat: /^sha(?:1|256)$/, refstorage: /^(?:files|reftable)$/, worktreeconfig: yesOrNo },
  // Not `promisor` and `partialclonefilter`: missing objects are then fetched, from whatever the address says.
  "remote.*": all(
    ...["url", "pushurl", "fetch", "push", "mirror", "tagopt", "prune", "prunetags", "skipdefaultupdate"],
    ...["skipfetchall", "gh-resolved", "followremotehead"],
  ),
  "branch.*": { "": anything },
  branch: all("autosetupmerge", "autosetuprebase", "sort"),
  // `!` would be a command.
  "submodule.*": { ...all("url", "active", "branch", "ignore"), update: /^(?:checkout|rebase|merge|none)$/ },
  submodule: all("active"),
  user: all("name", "email", "signingkey", "useconfigonly"),
  author: all("name", "email"),
  committer: all("name", "email"),
  commit: all("gpgsign", "verbose", "cleanup", "status"),
  tag: all("gpgsign", "sort"),
  init: all("defaultbranch"),
  pull: all("rebase", "ff"),
  push: all("default", "autosetupremote", "followtags", "gpgsign"),
  fetch: all("prune", "prunetags", "parallel", "writecommitgraph"),
  merge: all("ff", "conflictstyle", "renames", "renamelimit", "log", "stat"),
  rebase: all("autosquash", "autostash", "updaterefs", "stat"),
  rerere: all("enabled", "autoupdate"),
  diff: all(
    "algorithm",
    "renames",
    "renamelimit",
    "mnemonicprefix",
    "noprefix",
    "context",
    "colormoved",
    "indentheuristic",
  ),
  // Not `showsignature`, which starts gpg; not `format.pretty`, which may.
  log: all("date", "decorate", "abbrevcommit", "follow", "mailmap"),
  status: all("short", "branch", "showuntrackedfiles", "relativepaths", "aheadbehind", "renames"),
  stash: all("showpatch", "showstat", "showincludeuntracked"),
  color: all("ui", "branch", "diff", "status", "grep", "interactive"),
  "color.*": { "": anything },
  column: all("ui", "branch", "status", "tag"),
  advice: { "": anything },
  gc: all("auto", "autodetach", "autopacklimit", "pruneexpire", "reflogexpire", "reflogexpireunreachable"),
  maintenance: all("auto", "strategy"),
  index: all("version", "threads"),
  feature: all("manyfiles"),
  i18n: all("commitencoding", "logoutputencoding"),
  // Of other programs: git itself does not look at them.
  gui: { "": anything },
  lfs: all("repositoryformatversion"),
  "lfs.*": all("access", "locksverify"),
};

function all(...keys: readonly string[]): Readonly<Record<string, RegExp>> {
  return Object.fromEntries(keys.map((key) => [key, anything]));
}

export function isHarmless({ section, subsection, key, value }: GitSetting): boolean {
  const name = subsection === null ? section : `${section}.*`;
  const keys = Object.hasOwn(harmless, name) ? harmless[name] : undefined;
  if (keys === undefined) return false;
  const form = Object.hasOwn(keys, key) ? keys[key] : keys[""];
  return form?.test(value ?? "true") ?? false;
}
