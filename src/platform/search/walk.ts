import { constants, existsSync, fstatSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { errnoOf } from "../files/failure.ts";
import { isWithin } from "../files/path.ts";
import { orNull, withOpen } from "../files/probe.ts";
import { byPath } from "../files/smallest.ts";
import { type Pattern, readPatterns, verdictOf } from "./ignore.ts";
import { above, type Scope } from "./scope.ts";
import type { SearchPlace } from "./wish.ts";

/** Rule files by priority: an earlier one overrides later ones, at whatever depth. */
const ruleNames = [".rgignore", ".ignore", ".gitignore", "exclude", "global"] as const;
type RuleName = (typeof ruleNames)[number];

interface FolderRules {
  readonly name: RuleName;
  readonly folder: string;
  readonly patterns: readonly Pattern[];
}

interface Item {
  readonly kind: "file" | "folder" | "unread";
  readonly real: string;
  readonly path: string;
  readonly rules: readonly FolderRules[];
}

/** Files and folders in the order of names at each level, like ripgrep; ignored folders are not entered. */
export async function* walk(place: SearchPlace, scope: Scope): AsyncGenerator<Item> {
  const shown = (real: string): string => (isWithin(real, place.root) ? real.slice(place.root.length + 1) : real);
  // A missing path counts as an unreadable folder.
  const isFolder = existsSync(`${place.real}/.`) || !existsSync(place.real);
  const rules = isFolder ? rulesAbove(place.real, scope) : [];
  const open: Item[] = [{ kind: isFolder ? "folder" : "file", real: place.real, path: shown(place.real), rules }];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item.kind === "folder") {
      const inside = await itemsIn(item, scope, shown);
      for (let index = inside.length - 1; index >= 0; index--) open.push(inside[index]!);
    }
    yield item;
  }
}

async function itemsIn(folder: Item, scope: Scope, shown: (real: string) => string): Promise<readonly Item[]> {
  try {
    const entries = await readdir(folder.real, { withFileTypes: true });
    const names = new Set<string>(ruleNames);
    const own = entries.filter((entry) => entry.isFile() && names.has(entry.name)).map(({ name }) => name as RuleName);
    const isRepository = entries.some(({ name }) => name === ".git");
    const rules = rulesIn(folder.real, own, isRepository, folder.rules, scope);
    const items: Item[] = [];
    for (const entry of entries) {
      const real = `${folder.real === "/" ? "" : folder.real}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if ((!isFolder && !entry.isFile()) || entry.name === ".git" || isIgnored(real, isFolder, rules)) continue;
      items.push({ kind: isFolder ? "folder" : "file", real, path: shown(real), rules });
    }
    return items.sort((a, b) => byPath(a.real, b.real));
  } catch (error) {
    // An unreadable or missing folder: the search continues without it.
    if (errnoOf(error) === undefined) throw error;
    return [{ ...folder, kind: "unread" }];
  }
}

function isIgnored(real: string, isFolder: boolean, rules: readonly FolderRules[]): boolean {
  for (const name of ruleNames) {
    for (const { name: own, folder, patterns } of rules) {
      if (own !== name) continue;
      const verdict = verdictOf(patterns, real.slice(folder.length + 1), isFolder);
      if (verdict !== null) return verdict === "out";
    }
  }
  return false;
}

function rulesAbove(real: string, scope: Scope): readonly FolderRules[] {
  const folders = above(real).filter((folder) => isWithin(folder, scope.base));
  const first: readonly FolderRules[] = [rulesFrom(globalFile(), "global", scope.base)];
  return folders.reduceRight((rules, folder) => {
    const isRepository = folder === scope.base && scope.isRepository;
    return rulesIn(folder, [".rgignore", ".ignore", ".gitignore"], isRepository, rules, scope);
  }, first);
}

function rulesIn(
  folder: string,
  names: readonly RuleName[],
  isRepository: boolean,
  outer: readonly FolderRules[],
  scope: Scope,
): readonly FolderRules[] {
  const files = names.filter((name) => name.startsWith(".") && (name === ".gitignore" || !scope.flags.includes(noDot)));
  const own = files.map((name) => rulesFrom(`${folder}/${name}`, name, folder));
  if (!isRepository || !scope.isRepository) return [...own, ...outer];
  // Git's rules end where another repository begins.
  const kept = outer.filter(({ name }) => name !== ".gitignore" && name !== "exclude");
  return [...own, rulesFrom(`${folder}/.git/info/exclude`, "exclude", folder), ...kept];
}

const noDot = "--no-ignore-dot";

function rulesFrom(file: string, name: RuleName, folder: string): FolderRules {
  return { name, folder, patterns: readPatterns(textOf(file)) };
}

/** The user's rules for all repositories: the file in git's configuration, else the default one. */
function globalFile(): string {
  const home = process.env.HOME || homedir();
  const config = process.env.XDG_CONFIG_HOME || `${home}/.config`;
  const named = [`${home}/.gitconfig`, `${config}/git/config`].map((file) => {
    const found = /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(textOf(file));
    return found?.[1]?.replace(/^~\//, `${home}/`);
  });
  return named.find((file) => file !== undefined) ?? `${config}/git/ignore`;
}

/** Empty for a missing or unreadable file, and for a pipe, which would block forever. */
function textOf(file: string): string {
  const read = (fd: number): string => (fstatSync(fd).isFile() ? readFileSync(fd, "utf8").replace(/^\ufeff/, "") : "");
  return orNull(() => withOpen(file, constants.O_RDONLY | constants.O_NONBLOCK, read)) ?? "";
}
