// Which files under a writable folder a confined command cannot change or make, because other programs run them by
// themselves. The names are `protectedNames`; here is how each is kept.
import { lstatSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type ProtectedName, protectedNames } from "../../contract/protected.ts";

export interface Guarded {
  /** Below a writable folder. */
  readonly path: string;
  /**
   * What is done while it does not exist. A path that is not there cannot be mounted over, so either an empty folder holds its
   * place, or the command is ended when it appears, and what appeared is set aside.
   * `hold`: always a folder in its place: nobody sees it there. `job`: a folder while a background job runs, which may take
   * hours and beside which the person makes such files too; a command in the foreground is watched instead.
   * `watch`: watched in the foreground only: a folder in its place would break the programs that read it.
   * `never`: always watched: no program makes it there.
   */
  readonly missing: "hold" | "job" | "watch" | "never";
}

/** Spelled as the programs look for them where letter case counts. */
const spelled: Readonly<Record<string, string>> = {
  jenkinsfile: "Jenkinsfile",
  "library/launchagents": "Library/LaunchAgents",
};

/** They name drivers and objects only; which program is run stands in the config. A folder in the way would break git. */
const powerless = new Set([".git/info/attributes", ".git/objects/info/alternates", ".git/config.worktree"]);

/** Makes git take config and hooks from elsewhere. In a repository's own folder nobody ever puts one. */
const never = new Set([".git/commondir", ".git/gitdir"]);
const hold = new Set([".git/hooks", ".coder"]);

/** Read by the build tools that commands are about; no more powerful than the project's own scripts. */
const readByTools = new Set([
  ...[".gitmodules", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "bunfig.toml", ".mise.toml", "mise.toml"],
  ...["sitecustomize.py", "usercustomize.py"],
]);

const names: readonly Guarded[] = protectedNames
  .filter(({ path }) => !powerless.has(path))
  .map(({ path }: ProtectedName) => ({ path: spelled[path] ?? path, missing: whenMissing(path) }));

function whenMissing(path: string): Guarded["missing"] {
  if (never.has(path)) return "never";
  if (hold.has(path)) return "hold";
  // What has no dot in front would be seen by everyone who lists the folder.
  return readByTools.has(path) || !path.startsWith(".") ? "watch" : "job";
}

/** Everything to be kept under one folder, existing or not. */
export function guardedUnder(root: string): readonly Guarded[] {
  return [...names, ...gitNames(root)];
}

/** What a repository's own config points at: its hooks may lie anywhere, and config may be included from its files. */
function gitNames(root: string): readonly Guarded[] {
  const kind = kindOf(join(root, ".git"));
  if (kind === "none") return [{ path: ".git", missing: "hold" }];
  if (kind !== "file") return namesIn(root, ".git");
  // A worktree or submodule: the file leads to the real folder. Mostly that lies outside and is read-only with all else there.
  const file = readText(join(root, ".git"));
  const real = pathBelow(root, ".", /^gitdir: *(.+)/.exec(file)?.[1]?.trim() ?? "");
  return [
    { path: ".git", missing: "never" },
    ...real.flatMap((folder) => [...ofFolder(folder), ...namesIn(root, folder)]),
  ];
}

/** The same as for `.git`, for a repository's folder with another name. */
function ofFolder(folder: string): readonly Guarded[] {
  return names
    .filter(({ path }) => path.startsWith(".git/"))
    .map(({ path, missing }) => ({ path: `${folder}${path.slice(".git".length)}`, missing }));
}

/** `folder`: of the repository, below the root. */
function namesIn(root: string, folder: string): readonly Guarded[] {
  const config = readText(join(root, folder, "config"));
  // Each holds the config and hooks of a repository of its own.
  const inner = [`${folder}/modules`, `${folder}/worktrees`].filter((path) => kindOf(join(root, path)) !== "none");
  const worktree = /^\s*worktreeConfig\s*=\s*(?:true|yes|on|1)/im.test(config) ? [`${folder}/config.worktree`] : [];
  const named = [...config.matchAll(/^\s*(hooksPath|path)\s*=\s*"?([^"\n#;]+)/gim)].flatMap(([, key, value = ""]) =>
    pathBelow(root, key?.toLowerCase() === "path" ? folder : ".", value.trim()),
  );
  return [...inner, ...worktree, ...named].map((path) => ({ path, missing: "watch" }));
}

/** Nothing for what lies outside of the root, or is the root itself. */
function pathBelow(root: string, from: string, value: string): readonly string[] {
  const path = relative(root, resolve(root, from, value));
  return path === "" || path.startsWith("..") || value.startsWith("~") ? [] : [path];
}

function readText(file: string): string {
  try {
    // A pipe would keep us waiting for ever.
    return statSync(file).isFile() ? readFileSync(file, "utf8") : "";
  } catch {
    // What is not there points at nothing.
    return "";
  }
}

export function kindOf(path: string): "folder" | "file" | "link" | "none" {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return "none";
    if (stat.isSymbolicLink()) return "link";
    return stat.isDirectory() ? "folder" : "file";
  } catch {
    // A file where a folder would be, or a place that we may not look at: then nobody can run what is there.
    return "none";
  }
}
