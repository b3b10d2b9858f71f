// Files that a confined command must not change because other programs run them: how each of `protectedNames` is protected.
import { lstatSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { comparable } from "../../contract/path/disk-name.ts";
import { type ProtectedName, protectedAt, protectedNames } from "../../contract/path/protected.ts";
import { listNames, orNull } from "../files/probe.ts";
import { namedByConfig } from "../git/named.ts";
import { gitFoldersOf } from "./repository-around.ts";

export interface Guarded {
  readonly path: string;
  /**
   * The protection while it does not exist. A missing path cannot be mounted over, so either an empty folder holds its place, or the
   * command is ended when the path appears, and the path is set aside.
   * `hold`: always an empty folder, which nobody notices there. `job`: an empty folder during a background job, which may take hours while
   * the user creates such files; a foreground command is watched instead.
   * `watch`: watched for foreground commands only: an empty folder would break the programs that read it.
   * `never`: always watched: no program creates it there.
   * `after`: not protected during the command, since ordinary tools create it; `obeyed/` compares it afterwards, like all others.
   */
  readonly missing: "hold" | "job" | "watch" | "never" | "after";
}

/** The case in which programs look for them on case-sensitive file systems. */
const spelled: Readonly<Record<string, string>> = {
  jenkinsfile: "Jenkinsfile",
  ".rprofile": ".Rprofile",
  ".renviron": ".Renviron",
  ".gitpod.dockerfile": ".gitpod.Dockerfile",
  ".externaltoolbuilders": ".externalToolBuilders",
  "library/launchagents": "Library/LaunchAgents",
  "buildserver.json": "buildServer.json",
};

/** These only name drivers and objects; the config decides which program runs. A folder in their place would break git. */
const powerless = new Set([".git/info/attributes", ".git/objects/info/alternates", ".git/config.worktree"]);

/** They redirect git's config and hooks. No program creates them in a repository's own folder. */
const never = new Set([".git/commondir", ".git/gitdir"]);
const hold = new Set([".git/hooks", ".coder"]);

/** Build tools create these as part of their work; they have no more power than the project's own scripts. */
const madeByTools = new Set([
  ...[".gitmodules", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "bunfig.toml", ".mise.toml", "mise.toml"],
  ...["sitecustomize.py", "usercustomize.py", ".tool-versions", ".nvmrc", ".node-version", ".python-version"],
  ...[".ruby-version", ".ruby-gemset", ".java-version", ".go-version", ".php-version", ".bun-version"],
  ...[".terraform-version", ".sdkmanrc", "rust-toolchain"],
  ...["rust-toolchain.toml", ".cargo/config", ".cargo/config.toml"],
  ...[".swift-version", ".deno-version", ".fvmrc"],
  ...[".prototools", ".bazelversion", "gradle/wrapper/gradle-wrapper.properties"],
  ...[".mvn", "nuget.config", ".bundle/config", ".pdm-python", ".xcode.env.local"],
]);

/** The next shell or login runs these, whatever its purpose, so they must not exist even during a job. */
const startUp = new Set([
  ...[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".xprofile", ".xinitrc", ".xsession"],
  ...[".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc"],
]);

const names: readonly Guarded[] = protectedNames
  .filter(({ path }) => !powerless.has(path) && !path.includes("*"))
  .map((name: ProtectedName) => ({ path: spelled[name.path] ?? name.path, missing: whenMissing(name) }));

function whenMissing({ path, kind }: ProtectedName): Guarded["missing"] {
  if (never.has(path)) return "never";
  if (hold.has(path)) return "hold";
  if (madeByTools.has(path)) return "after";
  // Names without a leading dot show up in every listing.
  return path.startsWith(".") && (kind === "folder" || startUp.has(path)) ? "job" : "watch";
}

export function guardedUnder(root: string): readonly Guarded[] {
  return [...names, ...formsIn(root), ...gitNames(root)];
}

/** Existing files that match a protected pattern (`*.code-workspace`); new ones are compared afterwards. */
function formsIn(root: string): readonly Guarded[] {
  const fits = (name: string): boolean => protectedAt(`/${comparable(name)}`)?.path.includes("*") === true;
  return listNames(root)
    .filter(fits)
    .map((path) => ({ path, missing: "after" }));
}

/** Paths that the repository's config refers to: hooks may be anywhere, and config may include tracked files. */
function gitNames(root: string): readonly Guarded[] {
  const kind = kindOf(join(root, ".git"));
  if (kind === "none") return [{ path: ".git", missing: "hold" }];
  if (kind !== "file") return namesIn(root, ".git");
  // A worktree or submodule: the file points to the real git folder, usually outside and thus read-only.
  const file = readText(join(root, ".git"));
  const real = pathBelow(root, ".", /^gitdir: *(.+)/.exec(file)?.[1]?.trim() ?? "");
  return [
    { path: ".git", missing: "never" },
    ...real.flatMap((folder) => [...ofFolder(folder), ...namesIn(root, folder)]),
    ...(real.length === 0 ? gitFoldersOf(root) : [])
      .flatMap((folder) => namedByConfig(folder, root))
      .flatMap((path) => pathBelow(root, ".", path))
      .map((path): Guarded => ({ path, missing: "watch" })),
  ];
}

/** Applies the `.git` names to a git folder with another name. */
function ofFolder(folder: string): readonly Guarded[] {
  return names
    .filter(({ path }) => path.startsWith(".git/"))
    .map(({ path, missing }) => ({ path: `${folder}${path.slice(".git".length)}`, missing }));
}

function namesIn(root: string, folder: string): readonly Guarded[] {
  const config = readText(join(root, folder, "config"));
  // Each contains config and hooks of its own repositories.
  const inner = [`${folder}/modules`, `${folder}/worktrees`].filter((path) => kindOf(join(root, path)) !== "none");
  const worktree = /^\s*worktreeConfig\s*=\s*(?:true|yes|on|1)/im.test(config) ? [`${folder}/config.worktree`] : [];
  const named = namedByConfig(join(root, folder), root).flatMap((path) => pathBelow(root, ".", path));
  return [...inner, ...worktree, ...named].map((path) => ({ path, missing: "watch" }));
}

function pathBelow(root: string, from: string, value: string): readonly string[] {
  const path = relative(root, resolve(root, from, value));
  return path === "" || path.startsWith("..") || value.startsWith("~") ? [] : [path];
}

function readText(file: string): string {
  // A pipe would block forever.
  return orNull(() => (statSync(file).isFile() ? readFileSync(file, "utf8") : "")) ?? "";
}

/** "none" also if its parent is a file or unreadable, so that nobody can run it. */
export function kindOf(path: string): "folder" | "file" | "link" | "none" {
  const stat = orNull(() => lstatSync(path, { throwIfNoEntry: false }));
  if (!stat) return "none";
  if (stat.isSymbolicLink()) return "link";
  return stat.isDirectory() ? "folder" : "file";
}

/** Above this number, one lstat per name is faster than a listing. */
const CROWDED = 2_000;
const crowded = new Set<string>();

export function entriesOf(folder: string): (path: string) => boolean {
  if (crowded.has(folder)) return (path) => kindOf(`${folder}/${firstPart(path)}`) !== "none";
  const names = new Set(listNames(folder));
  if (names.size > CROWDED) crowded.add(folder);
  return (path) => names.has(firstPart(path));
}

function firstPart(path: string): string {
  const end = path.indexOf("/");
  return end === -1 ? path : path.slice(0, end);
}
