import { lstatSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { orNull } from "../files/probe.ts";
import { type GitSetting, parseGitConfig } from "../git/config-file.ts";
import { type Pattern, readPatterns, verdictOf } from "../search/ignore.ts";

export interface IgnoreRules {
  readonly folder: string;
  readonly patterns: readonly Pattern[];
  readonly outer: IgnoreRules | null;
}

export function withRules(file: string, folder: string, outer: IgnoreRules | null): IgnoreRules | null {
  const patterns = readPatterns(textOf(file).replace(/^\ufeff/, ""));
  return patterns.length === 0 ? outer : { folder, patterns, outer };
}

export function isIgnored(rules: IgnoreRules | null, path: string, isFolder: boolean): boolean {
  for (let one = rules; one !== null; one = one.outer) {
    const verdict = verdictOf(one.patterns, path.slice(one.folder.length + 1), isFolder);
    if (verdict !== null) return verdict === "out";
  }
  return false;
}

/** Files that git may have converted on checkout: by a filter (LFS), an encoding or `$Id$`. Line endings show in the size. */
export function withAttributes(file: string, folder: string, outer: IgnoreRules | null): IgnoreRules | null {
  const lines = textOf(file)
    .split(/\r?\n/)
    .filter((line) => /\s-?(?:filter|working-tree-encoding|ident)\b/.test(line) && !/^\s*#/.test(line));
  if (lines.length === 0) return outer;
  // Any other file may use a macro, and a quoted pattern may be anything, so everything below counts.
  const isAny = lines.some((line) => /^\s*(?:\[attr\]|")/.test(line));
  const patterns = readPatterns(isAny ? "**" : lines.map((line) => /\S+/.exec(line)?.[0] ?? "").join("\n"));
  return { folder, patterns, outer };
}

export function isConverted(attributes: IgnoreRules | null, path: string): boolean {
  for (let one = attributes; one !== null; one = one.outer) {
    if (verdictOf(one.patterns, path.slice(one.folder.length + 1), false) !== null) return true;
  }
  return false;
}

/** The user's rules for all repositories: the files in git's configuration, else the default ones. */
export function personalFiles(settings: readonly GitSetting[]): {
  readonly ignore: string;
  readonly attributes: string;
} {
  const home = process.env.HOME || homedir();
  const config = process.env.XDG_CONFIG_HOME || join(home, ".config");
  const own = ["/etc/gitconfig", join(config, "git/config"), join(home, ".gitconfig")];
  const all = [...own.flatMap((path) => parseGitConfig(textOf(path)) ?? []), ...settings];
  const named = (key: string): string | undefined =>
    all.findLast((one) => one.section === "core" && one.key === key)?.value?.replace(/^~\//, `${home}/`);
  return {
    ignore: named("excludesfile") ?? join(config, "git/ignore"),
    attributes: named("attributesfile") ?? join(config, "git/attributes"),
  };
}

/** Empty for a missing or unreadable file, and for anything but a regular file. */
export function textOf(path: string): string {
  const isFile = (): boolean | undefined => lstatSync(path, { throwIfNoEntry: false })?.isFile();
  return orNull(() => (isFile() ? readFileSync(path, "utf8") : "")) ?? "";
}
