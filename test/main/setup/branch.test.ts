import { expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { branchOf } from "../../../src/main/setup/branch.ts";
import { inTempFolder } from "../../support/shell.ts";

function git(folder: string, ...args: readonly string[]): void {
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"];
  const ran = Bun.spawnSync(["git", ...who, ...args], { cwd: folder, stdout: "ignore", stderr: "pipe" });
  if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
}

test("[SU-3] the branch is known in the folder of a repository, below it, in a worktree, and on odd names", () =>
  inTempFolder(async (base) => {
    const [repo, tree] = [join(base, "repo"), join(base, "tree")];
    mkdirSync(join(repo, "a", "b"), { recursive: true });
    git(repo, "init", "-q");
    expect([branchOf(repo), branchOf(join(repo, "a", "b"))]).toEqual(["main", "main"]);
    git(repo, "commit", "-q", "--allow-empty", "-m", "one");
    git(repo, "worktree", "add", "-q", "-b", "fix/7", tree);
    expect([branchOf(tree), branchOf(repo)]).toEqual(["fix/7", "main"]);
    git(repo, "switch", "-q", "-c", "feature/修复#12@a+b");
    expect(branchOf(repo)).toBe("feature/修复#12@a+b");
    git(repo, "switch", "-q", "--detach");
    expect(branchOf(repo)).toBeNull();
  }));

test("[SU-3] there is none where .git is a link to itself, or the folder is a file by now", () =>
  inTempFolder(async (base) => {
    symlinkSync(".git", join(base, ".git"));
    writeFileSync(join(base, "file"), "");
    expect([branchOf(base), branchOf(join(base, "file"))]).toEqual([null, null]);
  }));

test("[SU-3] there is none outside a repository, and none that a hostile one makes up, hides or never gives", () =>
  inTempFolder(async (base) => {
    const head = join(base, ".git", "HEAD");
    mkdirSync(join(base, ".git"));
    expect(branchOf(base)).toBeNull();
    for (const text of [
      "ref: refs/heads/a\u001b[2J\n",
      "ref: refs/heads/a\nref: refs/heads/b\n",
      "ref: refs/heads/a b",
      "",
    ]) {
      writeFileSync(head, text);
      expect([text, branchOf(base)]).toEqual([text, null]);
    }
    rmSync(head);
    mkdirSync(head);
    expect(branchOf(base)).toBeNull();
    rmSync(head, { recursive: true });
    Bun.spawnSync(["mkfifo", head]);
    expect(branchOf(base)).toBeNull();
    rmSync(join(base, ".git"), { recursive: true });
    for (const text of ["gitdir: .", "gitdir: /nowhere\n", "gitdir: \u0000", "x".repeat(10_000)]) {
      writeFileSync(join(base, ".git"), text);
      expect([text.slice(0, 20), branchOf(base)]).toEqual([text.slice(0, 20), null]);
    }
  }));
