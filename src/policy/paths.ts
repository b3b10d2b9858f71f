import { protectedAt } from "../contract/path/protected.ts";
import { comparablePath } from "../contract/path/secret-path.ts";
import type { PathFact } from "../contract/tool.ts";

/** `git~1` is the short name on Windows disks. */
const gitFolders: readonly string[] = [".git", "git~1"];

/** Git's files, our own, and those that make a shell, an editor, a hook or a build server run something, in any directory. */
export function isProtectedPath(path: string): boolean {
  const whole = comparablePath(path);
  for (let end = whole.indexOf("/", 1); end !== -1; end = whole.indexOf("/", end + 1)) {
    const folder = whole.slice(0, end);
    if (isGitFolder(folder) || protectedAt(folder)?.kind === "folder") return true;
  }
  return isGitFolder(whole) || protectedAt(whole) !== null;
}

function isGitFolder(path: string): boolean {
  return gitFolders.includes(path.slice(path.lastIndexOf("/") + 1));
}

/** Below our own home: trust, rules, keys and the log of all sessions. Both are real paths. */
export function isOwnPath(real: string, coderHome: string): boolean {
  const home = comparablePath(coderHome);
  return home !== "/" && `${comparablePath(real)}/`.startsWith(`${home}/`);
}

/** Both names count: a harmless name may be a symlink to a secret, and a secret name may be a symlink to anything. */
export function namesOf(fact: PathFact): readonly string[] {
  return fact.real === null ? [fact.given] : [fact.given, fact.real];
}
