// Files that git reads or runs because a config names them: they have the same power as the config itself.
import { lstatSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Environment } from "../environment.ts";
import { orNull } from "../files/probe.ts";
import { type GitSetting, parseGitConfig } from "./config-file.ts";
import { isHarmless } from "./harmless.ts";

/** No real config is larger; git itself reads each of them at every command. */
const maxBytes = 256 * 1024;
const maxDepth = 10;

/** Absolute paths that may not exist. `folder`: the git folder; `top`: the working tree, if known. */
export function namedByConfig(folder: string, top?: string): readonly string[] {
  const found = new Set<string>();
  const own = ["config", "config.worktree"].flatMap((name) => settingsIn(`${folder}/${name}`));
  const worktree = top ?? worktreeOf(folder, own);
  const files = [...["config", "config.worktree"].map((name) => `${folder}/${name}`), ...personConfigs()];
  for (const file of files) follow(file, worktree, found, 0);
  return [...found];
}

/** The git folder of a working tree: `.git` itself or the folder it points to; `null`: none. */
export function gitFolderOf(top: string): string | null {
  const path = `${top}/.git`;
  return orNull(() => {
    const stat = statSync(path);
    if (stat.isDirectory()) return path;
    const named = stat.size < 4096 && stat.isFile() && /^gitdir: *(.+)/.exec(readFileSync(path, "utf8"))?.[1];
    return named ? resolve(top, named.trim()) : null;
  });
}

/** The common folder of a worktree; otherwise the folder itself. */
export function commonFolderOf(folder: string): string {
  const path = `${folder}/commondir`;
  const stat = orNull(() => lstatSync(path, { throwIfNoEntry: false }));
  const named = stat?.isFile() && stat.size < 4096 ? orNull(() => readFileSync(path, "utf8")) : null;
  return named === null ? folder : resolve(folder, named.trim());
}

function follow(file: string, worktree: string, found: Set<string>, depth: number): void {
  for (const setting of settingsIn(file)) {
    const { section, key, value } = setting;
    if (value === null || value === "") continue;
    if ((section === "include" || section === "includeif") && key === "path") {
      const path = resolve(dirname(file), atHome(value));
      if (found.has(path)) continue;
      found.add(path);
      if (depth < maxDepth) follow(path, worktree, found, depth + 1);
    } else if (section === "core" && key === "worktree") continue;
    // Without `!` an alias is a git command.
    else if (section === "alias" && !value.startsWith("!")) continue;
    else if (section === "core" && key === "hookspath") found.add(resolve(worktree, atHome(value)));
    else if (!isHarmless(setting)) for (const path of programsIn(value, worktree)) found.add(path);
  }
}

function atHome(value: string): string {
  return value.replace(/^~(?=\/|$)/, process.env.HOME || homedir());
}

/** `!./tools/x.sh "%f"` is a command line: only words that are files here, or could become programs, matter. */
function programsIn(value: string, worktree: string): readonly string[] {
  const words = value.split(/[\s'"`;|&<>()$!]+/).filter((word) => word !== "" && !word.startsWith("-"));
  // Neither `~/x` nor a URL.
  const mayBeMade = (word: string, at: number): boolean =>
    /^\.\//.test(word) || (at === 0 && /^[^~:]+\/[^:]*$/.test(word));
  const found = words.map((word, at) => ({ path: resolve(worktree, atHome(word)), isAwaited: mayBeMade(word, at) }));
  const isProgram = ({ path, isAwaited }: (typeof found)[number]): boolean => {
    const kind = kindOf(path);
    return path !== worktree && (kind === "file" || (kind === "none" && isAwaited));
  };
  return found.filter(isProgram).map(({ path }) => path);
}

function worktreeOf(folder: string, settings: readonly GitSetting[]): string {
  const named = settings.findLast(({ section, key }) => section === "core" && key === "worktree")?.value;
  if (named) return resolve(folder, named);
  return basename(folder) === ".git" ? dirname(folder) : folder;
}

/** Cached because every command asks; a changed file is read again. */
const known = new Map<string, { readonly stamp: string; readonly settings: readonly GitSetting[] }>();
const maxKnown = 500;

function settingsIn(file: string): readonly GitSetting[] {
  const found = orNull(() => {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > maxBytes) return [];
    const stamp = `${stat.ino} ${stat.size} ${stat.ctimeMs}`;
    const cached = known.get(file);
    if (cached?.stamp === stamp) return cached.settings;
    const text = readFileSync(file, "utf8");
    const settings = parseGitConfig(text) ?? roughly(text);
    if (known.size >= maxKnown) known.clear();
    // A file written just now may be written again within the same clock tick.
    if (Date.now() - stat.ctimeMs > 1_000) known.set(file, { stamp, settings });
    return settings;
  });
  return found ?? [];
}

/** Fallback for text that the strict parser refuses. Better one file too many than one too few. */
function roughly(text: string): readonly GitSetting[] {
  let section = "";
  return text.split("\n").flatMap((line) => {
    const [, head, rest = line] = /^\s*\[\s*([^\s\]".]+)[^\]]*\](.*)$/.exec(line) ?? [];
    if (head !== undefined) section = head.toLowerCase();
    const [, key, value = ""] = /^\s*([A-Za-z][\w-]*)\s*=\s*"?(.*?)"?\s*$/.exec(rest) ?? [];
    return key === undefined ? [] : [{ section, subsection: null, key: key.toLowerCase(), value }];
  });
}

/** "folder" also where nothing can be found: its parent is a file or unreadable. */
function kindOf(path: string): "file" | "folder" | "none" {
  const stat = orNull(() => lstatSync(path, { throwIfNoEntry: false }));
  if (stat === undefined) return "none";
  return stat === null || stat.isDirectory() ? "folder" : "file";
}

/** The machine's and the user's git config files, existing or not. */
export function personConfigs(env: Environment = process.env): readonly string[] {
  const home = env.HOME || homedir();
  const global = env.GIT_CONFIG_GLOBAL
    ? [env.GIT_CONFIG_GLOBAL]
    : [join(env.XDG_CONFIG_HOME || join(home, ".config"), "git", "config"), join(home, ".gitconfig")];
  return ["/etc/gitconfig", ...global];
}
