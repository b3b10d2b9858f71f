/** Config that overrides every config file, like `-c` on the command line. */
const config: Readonly<Record<string, string>> = {
  // Empty, because git before 2.36 takes "false" for the name of a program.
  "core.fsmonitor": "",
  "core.hooksPath": "/dev/null",
  // `gitProblem` checks the owner of the repository: the user's own answer is in the config that is hidden here.
  "safe.directory": "*",
  // Prints non-ASCII names unescaped.
  "core.quotePath": "false",
  // Formats and signatures: a default format with %G, or log.showSignature, runs gpg, which the repository chooses.
  "log.showSignature": "false",
  "format.pretty": "medium",
  "gpg.program": "/dev/null",
  "gpg.openpgp.program": "/dev/null",
  "gpg.x509.program": "/dev/null",
  "gpg.ssh.program": "/dev/null",
  // "remerge" runs merge drivers and writes objects.
  "log.diffMerges": "separate",
  // Following renames would show a file under earlier names, whatever path is given.
  "log.follow": "false",
  // A submodule has its own unchecked config. Its commit can be shown without starting git inside it.
  "diff.ignoreSubmodules": "dirty",
  "diff.submodule": "short",
  "status.submoduleSummary": "false",
  "submodule.recurse": "false",
  "diff.autoRefreshIndex": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
};

/**
 * The environment for git commands that were allowed without asking. All other `GIT_*` variables must be unset: `GIT_EXTERNAL_DIFF`,
 * `GIT_SSH`, `GIT_DIR`, `GIT_TRACE*` and more start programs, write files or lead elsewhere.
 * No environment can disable the following, so `ShellFacts.gitProblem` must report it if any config file of the repository (with its
 * includes and `config.worktree`) has it: `diff.external` (an empty one makes git fail), `diff.*.command`, `diff.*.textconv`,
 * `filter.*.clean|smudge|process`, `merge.*.driver`, `core.worktree`, `core.gitProxy`, `remote.*.promisor` and `extensions.partialClone`,
 * `extensions.worktreeConfig`. The same holds for a git directory that is not the workspace's own (found in a parent, a `.git` file that
 * leads out, `objects/info/alternates`), and for repositories inside it: a gitlink in the index makes git start there, under that
 * repository's config, when `.gitmodules` or the config has an `ignore` for it.
 */
export const gitHardening: Readonly<Record<string, string>> = {
  // Hides the user's own filters and converters: the repository's attributes would choose the files they run on.
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  GIT_EDITOR: "false",
  GIT_ASKPASS: "false",
  GIT_SSH_COMMAND: "false",
  GIT_TERMINAL_PROMPT: "0",
  // A partial clone fetches missing objects with whatever command its remote names.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  // Output must match what was judged, without the substitutions of refs/replace.
  GIT_NO_REPLACE_OBJECTS: "1",
  ...setting(config),
};

/** The same for git that may dial the hosts named in its words, and no others: it follows no redirect and fetches no submodules. */
export const boundGit: Readonly<Record<string, string>> = {
  ...gitHardening,
  GIT_ALLOW_PROTOCOL: "http:https",
  ...setting({ ...config, "http.followRedirects": "false", "fetch.recurseSubmodules": "false" }),
};

function setting(all: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(all);
  const numbered = entries.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(entries.length), ...Object.fromEntries(numbered) };
}
