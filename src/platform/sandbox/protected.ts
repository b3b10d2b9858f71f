// Which files under a writable folder a confined command cannot change or make, because other programs run them by
// themselves. The names are `protectedNames`; here is how each is kept.
import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { comparable } from "../../contract/path/disk-name.ts";
import { type ProtectedName, protectedAt, protectedNames } from "../../contract/path/protected.ts";
import { namedByConfig } from "../git/named.ts";
import { gitFoldersOf } from "./repository-around.ts";

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
   * `after`: nothing while the command runs, since ordinary tools make it; `obeyed/` compares it afterwards, as it does all others.
   */
  readonly missing: "hold" | "job" | "watch" | "never" | "after";
}

/** Spelled as the programs look for them where letter case counts. */
const spelled: Readonly<Record<string, string>> = {
  jenkinsfile: "Jenkinsfile",
  ".rprofile": ".Rprofile",
  ".renviron": ".Renviron",
  ".gitpod.dockerfile": ".gitpod.Dockerfile",
  ".externaltoolbuilders": ".externalToolBuilders",
  "library/launchagents": "Library/LaunchAgents",
  "buildserver.json": "buildServer.json",
};

/** They name drivers and objects only; which program is run stands in the config. A folder in the way would break git. */
const powerless = new Set([".git/info/attributes", ".git/objects/info/alternates", ".git/config.worktree"]);

/** Makes git take config and hooks from elsewhere. In a repository's own folder nobody ever puts one. */
const never = new Set([".git/commondir", ".git/gitdir"]);
const hold = new Set([".git/hooks", ".coder"]);

/** Made by build tools in the course of their work; no more powerful than the project's own scripts. */
const madeByTools = new Set([
  ...[".gitmodules", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "bunfig.toml", ".mise.toml", "mise.toml"],
  ...["sitecustomize.py", "usercustomize.py", ".tool-versions", ".nvmrc", ".node-version", ".python-version"],
  ...[".ruby-version", ".ruby-gemset", ".java-version", ".go-version", ".php-version", ".bun-version"],
  ...[
    ".terraform-version",
    ".sdkmanrc",
    "rust-toolchain",
    "rust-toolchain.toml",
    ".cargo/config",
    ".cargo/config.toml",
  ],
  ...[
    ".swift-version",
    ".deno-version",
    ".fvmrc",
    ".prototools",
    ".bazelversion",
    "gradle/wrapper/gradle-wrapper.properties",
  ],
  ...[".mvn", "nuget.config", ".bundle/config", ".pdm-python", ".xcode.env.local"],
]);

/** Files that the next shell or login runs, whatever it is started for: not even for the time of a job may they be there. */
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
  // What has no dot in front would be seen by everyone who lists the folder.
  return path.startsWith(".") && (kind === "folder" || startUp.has(path)) ? "job" : "watch";
}

/** Everything to be kept under one folder, existing or not. */
export function guardedUnder(root: string): readonly Guarded[] {
  return [...names, ...formsIn(root), ...gitNames(root)];
}

/** What has the form of a protected name (`*.code-workspace`) and is there; what is made later is compared afterwards. */
function formsIn(root: string): readonly Guarded[] {
  const fits = (name: string): boolean => protectedAt(`/${comparable(name)}`)?.path.includes("*") === true;
  return listed(root)
    .filter(fits)
    .map((path) => ({ path, missing: "after" }));
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
    ...(real.length === 0 ? gitFoldersOf(root) : [])
      .flatMap((folder) => namedByConfig(folder, root))
      .flatMap((path) => pathBelow(root, ".", path))
      .map((path): Guarded => ({ path, missing: "watch" })),
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
  const named = namedByConfig(join(root, folder), root).flatMap((path) => pathBelow(root, ".", path));
  return [...inner, ...worktree, ...named].map((path) => ({ path, missing: "watch" }));
}

/** Nothing for what lies outside of the root, or is the root itself. */
function pathBelow(root: string, from: string, value: string): readonly string[] {
  const path = relative(root, resolve(root, from, value));
  return path === "" || path.startsWith("..") || value.startsWith("~") ? [] : [path];
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Gone, or closed to us: nothing in it can be reached.
  }
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
