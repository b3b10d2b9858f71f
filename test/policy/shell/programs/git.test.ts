import { afterAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitProblem } from "../../../../src/platform/git/facts.ts";
import { gitHardening } from "../../../../src/policy/shell/programs/git-hardening.ts";

const home = mkdtempSync(join(tmpdir(), "coder-git-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const plainEnv = {
  PATH: process.env.PATH ?? "",
  HOME: join(home, "nobody"),
  GIT_CONFIG_NOSYSTEM: "1",
  // Where a test wants a pager, the config of the repository names it; the usual one would wait for a key.
  PAGER: "cat",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com",
};

/** One of each read command, in forms that reach the most code. */
const readCommands = [
  "git status",
  "git status -v --porcelain=v2",
  "git diff",
  "git diff HEAD~1 HEAD --stat",
  "git log -p -m --all",
  "git show",
  "git show HEAD:f",
  "git blame f",
  "git grep a",
  "git branch -a -vv",
  "git tag",
  "git remote -v",
  "git describe --always",
  "git ls-files -m -o --eol",
  "git stash list",
  "git stash show -p",
  "git reflog",
  "git shortlog HEAD",
  "git rev-list --objects --all",
  "git cat-file -p HEAD",
  "git for-each-ref",
  "git whatchanged -1",
  "git worktree list",
  "git check-ignore -v f",
];

interface Hostile {
  readonly repo: string;
  readonly evil: string;
  readonly git: (...args: readonly string[]) => string;
}

let count = 0;
const original = join(home, "original");

/** A repository with a history, a merge, a stash and a changed file. */
function makeOriginal(): void {
  mkdirSync(original);
  const script = `
    git init -q -b main . && echo a > f && echo base > g && git add . && git commit -qm one && git checkout -q -b side
    echo side > g && git commit -qam side && git checkout -q main
    echo main > g && git commit -qam main && git merge -q -m merged -X ours side
    echo stashed > f && git stash -q && echo b > f`;
  run(script, original, plainEnv);
}

/** A copy of it, and a program that leaves a trace. */
function hostile(): Hostile {
  if (!existsSync(original)) makeOriginal();
  const folder = join(home, String(count++));
  const repo = join(folder, "repo");
  const evil = join(folder, "evil");
  mkdirSync(folder);
  cpSync(original, repo, { recursive: true });
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> "${folder}/ran"\nexit 1\n`);
  chmodSync(evil, 0o755);
  const git = (...args: readonly string[]) => {
    const done = spawnSync("git", [...args], { cwd: repo, env: plainEnv, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
    return done.stdout.trim();
  };
  return { repo, evil, git };
}

function run(script: string, cwd: string, env: Record<string, string>): string {
  const done = spawnSync("bash", ["-c", script], { cwd, env, encoding: "utf8", timeout: 60_000 });
  return `${done.stdout}${done.stderr}`;
}

/** Runs all read commands on a terminal, and says whether the program of the repository was started. */
function isStarted({ repo }: Hostile, env: Record<string, string>): boolean {
  const script = readCommands.map((line) => `touch f; ${line}`).join("\n");
  writeFileSync(join(repo, "..", "script"), script);
  const done = run(`script -qec 'bash ../script' /dev/null < /dev/null`, repo, env);
  expect(done).toContain("commit ");
  return existsSync(join(repo, "..", "ran"));
}

const switchedOff: Readonly<Record<string, (at: Hostile) => void>> = {
  fsmonitor: ({ git, evil }) => git("config", "core.fsmonitor", evil),
  pager: ({ git, evil }) => git("config", "core.pager", evil),
  "pager-of-command": ({ git, evil }) => git("config", "pager.log", evil),
  "hooks-path": ({ git, repo, evil }) => {
    mkdirSync(join(repo, "..", "hooks"));
    writeFileSync(join(repo, "..", "hooks", "post-index-change"), `#!/bin/sh\n${evil} hook\n`, { mode: 0o755 });
    git("config", "core.hooksPath", join(repo, "..", "hooks"));
  },
  hook: ({ repo, evil }) => {
    writeFileSync(join(repo, ".git", "hooks", "post-index-change"), `#!/bin/sh\n${evil} hook\n`, { mode: 0o755 });
  },
  "gpg-by-config": ({ git, evil }) => {
    signHead(git);
    git("config", "log.showSignature", "true");
    git("config", "gpg.program", evil);
  },
  "gpg-by-format": ({ git, evil }) => {
    signHead(git);
    git("config", "format.pretty", "format:commit %H %G?");
    git("config", "gpg.program", evil);
  },
  "merge-driver": ({ git, repo, evil }) => {
    git("config", "log.diffMerges", "remerge");
    git("config", "merge.evil.driver", evil);
    writeFileSync(join(repo, ".git", "info", "attributes"), "* merge=evil\n");
  },
  include: ({ git, repo, evil }) => {
    writeFileSync(join(repo, "more"), `[core]\n\tfsmonitor = ${evil}\n`);
    git("config", "include.path", "../more");
  },
  "submodule-fsmonitor": (at) => {
    nested(at);
    spawnSync("git", ["config", "core.fsmonitor", at.evil], { cwd: join(at.repo, "sub"), env: plainEnv });
  },
  "lazy-fetch": (at) => partial(at, (git, evil) => git("config", "remote.origin.uploadpack", evil)),
  "lazy-fetch-ssh": (at) =>
    partial(at, (git, evil) => {
      git("config", "remote.origin.url", "ssh://nowhere.example/x");
      git("config", "core.sshCommand", evil);
    }),
};

/** Gives the last commit a signature, so that git wants it checked. */
function signHead(git: Hostile["git"]): void {
  const raw = git("cat-file", "-p", "HEAD");
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n";
  const signed = `${raw.replace("\n\n", `\n${signature}\n`)}\n`;
  const folder = git("rev-parse", "--show-toplevel");
  const made = spawnSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], {
    cwd: folder,
    env: plainEnv,
    input: signed,
    encoding: "utf8",
  });
  git("update-ref", "HEAD", made.stdout.trim());
}

/** A repository in the repository; with `more` the index says that its changes count. */
function nested({ git, repo }: Hostile, more = "\tignore = none\n"): void {
  run("git init -q sub && cd sub && echo x > x && git add x && git commit -qm x && echo y > x", repo, plainEnv);
  writeFileSync(join(repo, ".gitmodules"), `[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n${more}`);
  git("-c", "advice.addEmbeddedRepo=false", "add", "sub", ".gitmodules");
}

/** Objects that are promised by a remote and missing here. */
function partial(at: Hostile, configure: (git: Hostile["git"], evil: string) => void): void {
  const blob = at.git("rev-parse", "HEAD~1:g");
  at.git("config", "core.repositoryFormatVersion", "1");
  at.git("config", "extensions.partialClone", "origin");
  at.git("config", "remote.origin.url", join(at.repo, "..", "source"));
  at.git("config", "remote.origin.promisor", "true");
  configure(at.git, at.evil);
  rmSync(join(at.repo, ".git", "objects", blob.slice(0, 2), blob.slice(2)));
}

test.each(Object.entries(switchedOff))(
  "[PO-4] [SA-git-config] %s of a repository starts nothing while git is hardened, and does so otherwise",
  (_, prepare) => {
    const open = hostile();
    prepare(open);
    expect(isStarted(open, plainEnv)).toBe(true);
    const closed = hostile();
    prepare(closed);
    expect(isStarted(closed, { ...plainEnv, ...gitHardening })).toBe(false);
  },
);

const notSwitchedOff: Readonly<Record<string, (at: Hostile) => void>> = {
  "diff.external": ({ git, evil }) => git("config", "diff.external", evil),
  "diff.x.command": ({ git, repo, evil }) => {
    git("config", "diff.x.command", evil);
    writeFileSync(join(repo, ".gitattributes"), "* diff=x\n");
  },
  "diff.x.textconv": ({ git, repo, evil }) => {
    git("config", "diff.x.textconv", evil);
    writeFileSync(join(repo, ".gitattributes"), "* diff=x\n");
  },
  "filter.x.clean": ({ git, repo, evil }) => {
    git("config", "filter.x.clean", evil);
    writeFileSync(join(repo, ".gitattributes"), "* filter=x\n");
  },
  "filter.x.process": ({ git, repo, evil }) => {
    git("config", "filter.x.process", evil);
    writeFileSync(join(repo, ".gitattributes"), "* filter=x\n");
  },
  "filter of a repository inside": (at) => {
    nested(at);
    const inner = join(at.repo, "sub");
    run(`git config filter.x.clean "${at.evil}"; echo '* filter=x' > .gitattributes`, inner, plainEnv);
  },
};

test.each(Object.entries(notSwitchedOff))(
  "[PO-4] [SA-git-config] %s starts a program even so, and therefore git is not trusted there",
  (_, prepare) => {
    const at = hostile();
    expect(gitProblem(at.repo)).toBeNull();
    prepare(at);
    expect(isStarted(at, { ...plainEnv, ...gitHardening })).toBe(true);
    expect(gitProblem(at.repo)).not.toBeNull();
  },
);

/** A filter that git would run on its changed file, and everything else a config can name. */
function armed(at: Hostile): void {
  const inner = join(at.repo, "sub");
  const keys = [
    "filter.x.clean",
    "filter.x.process",
    "core.fsmonitor",
    "core.pager",
    "diff.external",
    "core.sshCommand",
  ];
  run(keys.map((key) => `git config ${key} "${at.evil}"`).join("; "), inner, plainEnv);
  run("echo '* filter=x' > .gitattributes; echo z > x", inner, plainEnv);
}

test("[PO-4] [SA-git-config] in a submodule nothing is started, as long as nothing says that its changes count", () => {
  const at = hostile();
  nested(at, "");
  armed(at);
  expect(gitProblem(at.repo)).toBeNull();
  expect(isStarted(at, { ...plainEnv, ...gitHardening })).toBe(false);
  // The same files, looked at without it.
  expect(isStarted(at, plainEnv)).toBe(true);
});

test("[PO-4] that a submodule stands on another commit is told all the same", () => {
  const at = hostile();
  nested(at, "");
  at.git("commit", "-qm", "sub");
  run("git commit -qam moved", join(at.repo, "sub"), plainEnv);
  armed(at);
  const told = run("git status --short; git diff sub", at.repo, { ...plainEnv, ...gitHardening });
  expect(told).toContain(" M sub\n");
  expect(told).toMatch(/-Subproject commit [0-9a-f]{40}\n\+Subproject commit [0-9a-f]{40}\n/);
  expect(existsSync(join(at.repo, "..", "ran"))).toBe(false);
});

test("[PO-4] [SA-git-config] what says of a submodule whether its changes count is a reason to ask, wherever it stands", () => {
  const says: Readonly<Record<string, (at: Hostile) => void>> = {
    "in the file": (at) => nested(at),
    "in the file, as the opposite": (at) => nested(at, "\tIgnore = all\n"),
    "in the config": (at) => {
      nested(at, "");
      at.git("config", "submodule.sub.ignore", "none");
    },
    "in the index alone": (at) => {
      nested(at);
      rmSync(join(at.repo, ".gitmodules"));
    },
    "in a file that is not understood": (at) => nested(at, '\tpath = "\n'),
    "behind a link": (at) => {
      nested(at, "");
      renameSync(join(at.repo, ".gitmodules"), join(at.repo, "named"));
      symlinkSync("named", join(at.repo, ".gitmodules"));
    },
  };
  for (const [where, prepare] of Object.entries(says)) {
    const at = hostile();
    prepare(at);
    expect([where, gitProblem(at.repo)?.key]).toEqual([where, "trust.git.inner"]);
  }
});

test("[PO-4] [SA-git-config] an alias of the repository never takes the place of a read command", () => {
  const at = hostile();
  for (const name of ["status", "log", "diff", "show", "branch", "stash", "shortlog", "whatchanged"]) {
    at.git("config", `alias.${name}`, `!${at.evil}`);
  }
  at.git("config", "core.alternateRefsCommand", at.evil);
  at.git("config", "trace2.normalTarget", join(at.repo, "..", "ran"));
  expect(isStarted(at, { ...plainEnv, ...gitHardening })).toBe(false);
});
