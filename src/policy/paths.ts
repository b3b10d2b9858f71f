import { type ProtectedName, protectedNames } from "../contract/protected.ts";
import { comparablePath } from "../contract/secret-path.ts";
import type { PathFact } from "../contract/tool.ts";

/** `git~1`: its short name on disks of Windows. */
const gitFolders: readonly string[] = [".git", "git~1"];

const deep = protectedNames.filter(({ path }) => path.includes("/"));
const shallow = protectedNames.filter(({ path }) => !path.includes("/"));
const namesOfKind = (kind: ProtectedName["kind"]): readonly string[] =>
  shallow.filter((one) => one.kind === kind).map(({ path }) => path);
const protectedFolders = new Set([...gitFolders, ...namesOfKind("folder")]);
const protectedFiles = new Set(namesOfKind("file"));
const plainDeep = deep.filter(({ path }) => !`/${path}`.includes("/."));

/** Git's own files, ours, and those that make a shell, an editor, a hook or a build server run something. */
export function isProtectedPath(path: string): boolean {
  const whole = comparablePath(path);
  if (protectedFiles.has(whole.slice(whole.lastIndexOf("/") + 1))) return true;
  // Nearly all of them begin with a dot, and nearly no path has one.
  const isDotted = whole.includes("/.") || whole.includes("~");
  if (isDotted && whole.split("/").some((one) => protectedFolders.has(one))) return true;
  return (isDotted ? deep : plainDeep).some(({ path: name, kind }) =>
    kind === "folder" ? `${whole}/`.includes(`/${name}/`) : whole.endsWith(`/${name}`),
  );
}

/** Below our own home: trust, rules, keys and the log of all sessions. Both as real paths. */
export function isOwnPath(real: string, coderHome: string): boolean {
  const home = comparablePath(coderHome);
  return home !== "/" && `${comparablePath(real)}/`.startsWith(`${home}/`);
}

/** Both names count: a harmless name may be a link to a secret, and a secret name may be a link to anything. */
export function namesOf(fact: PathFact): readonly string[] {
  return fact.real === null ? [fact.given] : [fact.given, fact.real];
}
