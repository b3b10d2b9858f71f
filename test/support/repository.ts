// Real git for tests, with nothing of the machine's own configuration.
export function git(folder: string, ...args: readonly string[]): string {
  const who = ["-c", "user.name=n", "-c", "user.email=n@example.invalid", "-c", "init.defaultBranch=main"];
  const env = { PATH: process.env.PATH ?? "", HOME: "/", LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1" };
  const ran = Bun.spawnSync(["git", ...who, ...args], { cwd: folder, env });
  if (ran.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${ran.stderr}`);
  return ran.stdout.toString();
}

/** A repository in which everything that is there now is committed. */
export function commitAll(folder: string): void {
  git(folder, "init", "-q");
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "--allow-empty", "-m", "one");
}
