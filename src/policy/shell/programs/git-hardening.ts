/** Config that overrides every file: the command line could say no more. */
const config: Readonly<Record<string, string>> = {
  // Empty, because git before 2.36 takes "false" for the name of a program.
  "core.fsmonitor": "",
  "core.hooksPath": "/dev/null",
  // Whose the repository is, `gitProblem` asks: the person's own answer stands in the config that is left out.
  "safe.directory": "*",
  // Names in other scripts as they are.
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
  // It would show a file under the names it had before, whatever path is given.
  "log.follow": "false",
  // A submodule has a config of its own, which nobody has looked at. Which commit it stands on is told without starting git in it.
  "diff.ignoreSubmodules": "dirty",
  "diff.submodule": "short",
  "status.submoduleSummary": "false",
  "submodule.recurse": "false",
  "diff.autoRefreshIndex": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
};

/**
 * The environment with which git runs when it was allowed without asking. All other `GIT_*` variables must be unset:
 * `GIT_EXTERNAL_DIFF`, `GIT_SSH`, `GIT_DIR`, `GIT_TRACE*` and more start programs, write files or lead elsewhere.
 *
 * What no environment can switch off, so that `ShellFacts.gitProblem` must speak up when any file of the repository's
 * config (with its includes and `config.worktree`) has it: `diff.external` (an empty one makes git fail),
 * `diff.*.command`, `diff.*.textconv`, `filter.*.clean|smudge|process`, `merge.*.driver`, `core.worktree`,
 * `core.gitProxy`, `remote.*.promisor` and `extensions.partialClone`, `extensions.worktreeConfig`. The same for a git
 * folder that is not the workspace's own (found in a parent, a `.git` file that leads out, `objects/info/alternates`),
 * and for repositories inside it: a link to one in the index makes git start there, under the config of that one, when
 * `.gitmodules` or the config has an `ignore` for it.
 */
export const gitHardening: Readonly<Record<string, string>> = {
  // The person's own filters and converters are theirs to start: here a repository's attributes would choose the files.
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  GIT_EDITOR: "false",
  GIT_ASKPASS: "false",
  GIT_SSH_COMMAND: "false",
  GIT_TERMINAL_PROMPT: "0",
  // A partial clone fetches what it lacks, by whatever command its remote names.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  // What is shown is what was judged, and not what refs/replace puts in its place.
  GIT_NO_REPLACE_OBJECTS: "1",
  ...setting(config),
};

/**
 * The same for git that may dial the hosts that stand in its words, and no others: it goes nowhere else when a server sends it
 * there, not even for submodules.
 */
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
