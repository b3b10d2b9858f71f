// The user's git settings for a confined command: identity and habits, without logins or anything that starts a program outside.
import { dirname, resolve } from "node:path";
import { type GitSetting, parseGitConfig } from "../../git/config-file.ts";
import { isLogin, smallText } from "../secret/key-text.ts";

/** `filter` matters most: without it git would store large files instead of their LFS pointers. */
const sections = new Set([
  ...["user", "author", "committer", "core", "init", "commit", "tag", "gpg", "filter", "merge", "diff", "mergetool"],
  ...["color", "column", "branch", "pull", "push", "rebase", "rerere", "fetch", "log", "status", "format", "pretty"],
  ...["apply", "add", "advice", "blame", "grep", "safe", "submodule", "stash", "i18n", "alias", "lfs", "feature"],
]);
/** These start a program that is hidden in the sandbox or that needs a person. */
const dropped = new Set(
  ["askpass", "sshcommand", "gitproxy", "editor", "pager", "fsmonitor"].map((name) => `core.${name}`),
);

const MOST_BYTES = 64 * 1024;
const MOST_INCLUDES = 10;

/** `null`: there is nothing to show. `gitDir`: of the workspace, for conditional includes. */
export function gitIdentity(home: string, gitDir: string): { text: string; files: readonly string[] } | null {
  const settings = [`${home}/.config/git/config`, `${home}/.gitconfig`].flatMap((file) => read(file, home, gitDir, 0));
  const kept = settings.filter(isHarmless);
  if (kept.length === 0) return null;
  const files = kept.flatMap(({ section, key, value }) =>
    section === "core" && key === "excludesfile" && value !== null ? [resolve(home, atHome(value, home))] : [],
  );
  return { text: kept.map(written).join(""), files };
}

function read(file: string, home: string, gitDir: string, depth: number): readonly GitSetting[] {
  const text = depth > MOST_INCLUDES ? null : smallText(file, MOST_BYTES);
  const settings = text === null ? [] : (parseGitConfig(text) ?? []);
  return settings.flatMap((setting): readonly GitSetting[] => {
    const { section, subsection, key, value } = setting;
    const isInclude = section === "include" && subsection === null;
    const isCalled = isInclude || (section === "includeif" && holds(subsection ?? "", file, home, gitDir));
    if (section !== "include" && section !== "includeif") return [setting];
    if (!isCalled || key !== "path" || value === null) return [];
    return read(resolve(dirname(file), atHome(value, home)), home, gitDir, depth + 1);
  });
}

/** `gitdir:~/work/` matches everything below. Includes with any other condition are left out. */
function holds(condition: string, file: string, home: string, gitDir: string): boolean {
  const [, fold, glob] = /^gitdir(\/i)?:(.+)$/.exec(condition) ?? [];
  if (glob === undefined) return false;
  const path = atHome(glob, home).replace(/^\.\//, `${dirname(file)}/`);
  const anchored = path.startsWith("/") ? path : `**/${path}`;
  const pattern = anchored.endsWith("/") ? `${anchored}**` : anchored;
  const [one, other] = fold === undefined ? [pattern, gitDir] : [pattern.toLowerCase(), gitDir.toLowerCase()];
  return new Bun.Glob(one).match(other);
}

function atHome(path: string, home: string): string {
  return path.startsWith("~/") ? `${home}${path.slice(1)}` : path;
}

function isHarmless({ section, subsection, key, value }: GitSetting): boolean {
  if (!sections.has(section) || dropped.has(`${section}.${key}`)) return false;
  // A `user.name` is a person's name, not a login.
  if (["user", "author", "committer"].includes(section))
    return ["name", "email", "signingkey", "useconfigonly"].includes(key);
  return !isLogin(`${subsection ?? ""} ${key} ${value ?? ""}`);
}

function written({ section, subsection, key, value }: GitSetting): string {
  const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  const head = subsection === null ? section : `${section} ${quoted(subsection)}`;
  const line = value === null ? key : `${key} = ${quoted(value).replaceAll("\n", "\\n").replaceAll("\t", "\\t")}`;
  return `[${head}]\n\t${line}\n`;
}
