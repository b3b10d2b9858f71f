import type { GitSetting } from "./config-file.ts";

const anything = /^/s;
const no = /^(?:false|no|off|0|)$/i;
const yesOrNo = /^(?:true|false|yes|no|on|off|[01]|)$/i;

/** Keys with which read-only commands start no other program and stay in the repository. `.*` marks sections with any subsection. */
const harmless: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  core: {
    repositoryformatversion: /^[01]$/,
    bare: no,
    fsmonitor: no,
    // Husky sets it; our git calls override the hooks folder.
    hookspath: anything,
    ...all("filemode", "logallrefupdates", "ignorecase", "precomposeunicode"),
    ...all("symlinks", "autocrlf", "eol", "safecrlf"),
    ...all("abbrev", "quotepath", "trustctime", "checkstat", "preloadindex", "untrackedcache", "compression"),
    ...all("bigfilethreshold", "protecthfs", "protectntfs", "fscache", "longpaths", "commitgraph", "multipackindex"),
    ...all("whitespace", "sharedrepository", "sparsecheckout", "sparsecheckoutcone", "hidedotfiles", "unsetenvvars"),
  },
  extensions: { objectformat: /^sha(?:1|256)$/, refstorage: /^(?:files|reftable)$/, worktreeconfig: yesOrNo },
  // Without `promisor` and `partialclonefilter`: git would fetch missing objects from the configured address.
  "remote.*": all(
    ...["url", "pushurl", "fetch", "push", "mirror", "tagopt", "prune", "prunetags", "skipdefaultupdate"],
    ...["skipfetchall", "gh-resolved", "followremotehead"],
  ),
  "branch.*": { "": anything },
  branch: all("autosetupmerge", "autosetuprebase", "sort"),
  // A value with `!` is a command.
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
    ...["algorithm", "renames", "renamelimit", "mnemonicprefix"],
    ...["noprefix", "context", "colormoved", "indentheuristic"],
  ),
  // Without `showsignature`, which starts gpg, and `format.pretty`, which may.
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
  // Settings of other programs: git itself ignores them.
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
