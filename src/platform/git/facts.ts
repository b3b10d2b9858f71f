import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Phrase, phrase, type TextKey } from "../../contract/text/catalogue.ts";
import type { Environment } from "../environment.ts";
import { errnoOf } from "../files/failure.ts";
import { loadFile } from "../files/open.ts";
import { isWithin, locate } from "../files/path.ts";
import { readText, realOf } from "../files/probe.ts";
import { type Apart, gitApart } from "./apart.ts";
import { type GitSetting, parseGitConfig } from "./config-file.ts";
import { isHarmless } from "./harmless.ts";
import { hasInnerRepository } from "./index-file.ts";
import { personConfigs } from "./named.ts";

const maxConfigBytes = 65_536;

/**
 * Why git may not be started in a workspace (real path) without asking: the repository's own files could make it run programs, reach the
 * network or read elsewhere. `null`: the repository belongs to the workspace, and everything in it is known to be harmless. Settings that
 * we override from outside (hooks, pager, …) are not checked.
 */
export function gitProblem(workspace: string, env: Environment = process.env): Phrase | null {
  try {
    const place = placeOf(workspace);
    if ("key" in place) return place;
    const found = headProblem(place) ?? ownerProblem(place, env);
    return found ?? linkProblem(place) ?? fileProblem(place) ?? configProblem(place);
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return phrase("trust.git.unread", { path: ".git", code });
  }
}

interface GitFolderPlace extends Apart {
  readonly workspace: string;
}

/** Git searches from here upwards: only a repository right here is the workspace's own. */
function placeOf(workspace: string): GitFolderPlace | Phrase {
  const folder = join(workspace, ".git");
  const kind = kindOf(folder);
  if (kind === "none") return phrase(isBelowRepository(workspace) ? "trust.git.above" : "trust.git.none");
  if (kind === "folder") return { workspace, folder, common: folder };
  const apart = kind === "file" ? gitApart(workspace) : null;
  return apart === null ? phrase("trust.git.elsewhere") : { workspace, ...apart };
}

const foldersOf = ({ folder, common }: GitFolderPlace): readonly string[] => [...new Set([common, folder])];

function nameOf({ workspace }: GitFolderPlace, path: string): string {
  return isWithin(path, workspace) ? path.slice(workspace.length + 1) : path;
}

function headProblem({ folder, common }: GitFolderPlace): Phrase | null {
  const head = textOf(folder, "HEAD", 4096);
  const isHead = head !== null && /^(?:ref: ?refs\/[^\0]+|[0-9a-f]{40}|[0-9a-f]{64})\n?$/.test(head);
  const isWhole = isHead && ["objects", "refs"].every((name) => kindOf(join(common, name)) === "folder");
  return isWhole ? null : phrase("trust.git.damaged");
}

function ownerProblem(place: GitFolderPlace, env: Environment): Phrase | null {
  return isOwnRepository(place.workspace, foldersOf(place), env) ? null : phrase("trust.git.owner");
}

function isBelowRepository(folder: string): boolean {
  const above = dirname(folder);
  return above !== folder && (kindOf(join(above, ".git")) !== "none" || isBelowRepository(above));
}

/** Git prints notes of a running merge, rebase or bisect as they are, and the reason why a worktree is locked. */
const plainFolders = ["", "info", "objects/info", "rebase-merge", "rebase-apply", "sequencer", "worktrees"];

/** A symlink would lead to files that somebody else can change, or that nobody meant to show. */
function linkProblem(place: GitFolderPlace): Phrase | null {
  const link = foldersOf(place).flatMap((folder) => linkIn(folder) ?? [])[0];
  return link === undefined ? null : phrase("trust.git.link", { path: nameOf(place, link) });
}

function linkIn(top: string): string | null {
  const own = entriesOf(top, "worktrees").map(({ name }) => `worktrees/${name}`);
  const entries = [...plainFolders, ...own].flatMap((folder) =>
    entriesOf(top, folder).map((entry) => ({ entry, path: join(folder, entry.name) })),
  );
  const inner = kindOf(join(top, "objects/pack")) === "link" ? "objects/pack" : undefined;
  const link = entries.find(({ entry, path }) => entry.isSymbolicLink() && path !== "hooks")?.path ?? inner;
  return link === undefined ? null : join(top, link);
}

function entriesOf(top: string, folder: string): readonly Dirent[] {
  const path = join(top, folder);
  return kindOf(path) === "folder" ? readdirSync(path, { withFileTypes: true }) : [];
}

const absentFiles: readonly (readonly [path: string, problem: TextKey])[] = [
  ["commondir", "trust.git.elsewhere"],
  ["objects/info/alternates", "trust.git.alternates"],
  ["objects/info/http-alternates", "trust.git.alternates"],
  ["info/attributes", "trust.git.attributes"],
];

/** Only in the common folder; a worktree's own `commondir` leads there. */
function fileProblem(place: GitFolderPlace): Phrase | null {
  const found = absentFiles.find(([path]) => kindOf(join(place.common, path)) !== "none");
  return found === undefined ? null : phrase(found[1], { path: nameOf(place, join(place.common, found[0])) });
}

function configProblem(place: GitFolderPlace): Phrase | null {
  const { folder, common, workspace } = place;
  if (kindOf(join(common, "config")) === "none") return phrase("trust.git.damaged");
  const inEach = foldersOf(place).map((one) => [one, "config.worktree"] as const);
  const files = [[common, "config"] as const, ...inEach].filter(([at, name]) => kindOf(join(at, name)) !== "none");
  // The git folder of a submodule names its working tree.
  const isOwnPlace = ({ section, subsection, key, value }: GitSetting): boolean =>
    folder === common && section === "core" && subsection === null && key === "worktree" && value !== null
      ? realOf(resolve(folder, value)) === workspace && folder !== join(workspace, ".git")
      : false;
  const settings: GitSetting[] = [];
  for (const [at, name] of files) {
    const path = nameOf(place, join(at, name));
    const text = textOf(at, name, maxConfigBytes);
    const found = text === null ? null : parseGitConfig(text);
    if (found === null) return phrase("trust.git.config_odd", { path });
    const risky = found.find((setting) => !isHarmless(setting) && !isOwnPlace(setting));
    if (risky !== undefined) return phrase("trust.git.config", { path, key: keyOf(risky) });
    settings.push(...found);
  }
  return indexProblem(place, settings);
}

function keyOf({ section, subsection, key }: GitSetting): string {
  return subsection === null ? `${section}.${key}` : `${section}.${subsection}.${key}`;
}

/** The index is large and checked at every command. Its ctime cannot be set back. */
const looked = new Map<string, { readonly stamp: string; readonly hasInner: boolean | null }>();

/** Git would be started again inside a nested repository, with that repository's config. */
function indexProblem({ workspace, folder }: GitFolderPlace, settings: readonly GitSetting[]): Phrase | null {
  const path = join(folder, "index");
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (stat === undefined) return null;
  const isLong = settings.some(({ key, value }) => key === "objectformat" && value === "sha256");
  const stamp = [stat.ino, stat.size, stat.ctimeNs, isLong].join(" ");
  const known = looked.get(path);
  const bytes = known?.stamp === stamp ? null : bytesOf(folder, "index");
  const hasInner = known?.stamp === stamp ? known.hasInner : bytes && hasInnerRepository(bytes, isLong ? 32 : 20);
  looked.set(path, { stamp, hasInner });
  if (hasInner === null) return phrase("trust.git.index_odd");
  return hasInner && !isInnerLeftAlone(workspace, settings) ? phrase("trust.git.inner") : null;
}

/** We tell git to check only a submodule's commit. Unless a setting overrides that, no git is started in it. */
function isInnerLeftAlone(workspace: string, settings: readonly GitSetting[]): boolean {
  if (kindOf(join(workspace, ".gitmodules")) !== "file") return false;
  const text = textOf(workspace, ".gitmodules", maxConfigBytes);
  const named = text === null ? null : parseGitConfig(text);
  const overrides = ({ section, key }: GitSetting): boolean => section === "submodule" && key === "ignore";
  return named !== null && ![...named, ...settings].some(overrides);
}

export function bytesOf(workspace: string, path: string): Buffer | null {
  const at = locate(path, { root: workspace, addDirs: [] });
  const loaded = at.ok && at.value.real === join(workspace, path) ? loadFile(at.value) : null;
  return loaded?.ok ? loaded.value.bytes : null;
}

/** As Latin-1: decoding must not change invalid UTF-8. */
function textOf(workspace: string, path: string, max: number): string | null {
  if ((lstatSync(join(workspace, path), { throwIfNoEntry: false })?.size ?? 0) > max) return null;
  const bytes = bytesOf(workspace, path);
  return bytes === null || bytes.length > max ? null : bytes.toString("latin1");
}

function kindOf(path: string): "none" | "file" | "folder" | "link" | "other" {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "none";
  if (stat.isSymbolicLink()) return "link";
  if (stat.isDirectory()) return "folder";
  return stat.isFile() ? "file" : "other";
}

/** Git checks the owner too, but our git calls do not see the config in which the user calls a repository safe. */
function isOwnRepository(workspace: string, folders: readonly string[], env: Environment): boolean {
  const own = [process.getuid?.(), process.getuid?.() === 0 ? Number(env.SUDO_UID || Number.NaN) : undefined];
  const isOwn = (path: string): boolean => own.includes(lstatSync(path).uid);
  return [workspace, join(workspace, ".git"), ...folders].every(isOwn) || isCalledSafe(workspace, env);
}

function isCalledSafe(workspace: string, env: Environment): boolean {
  const settings = personConfigs(env).flatMap((file) => parseGitConfig(readText(file, "latin1")) ?? []);
  const named = settings.filter(({ section, key }) => section === "safe" && key === "directory");
  // An empty value resets the list.
  const last = named.findLastIndex(({ value }) => value === "");
  return named.slice(last + 1).some(({ value }) => covers(value ?? "", workspace));
}

function covers(value: string, workspace: string): boolean {
  if (value === "*" || value === workspace) return true;
  return value.endsWith("/*") && workspace !== value.slice(0, -2) && isWithin(workspace, value.slice(0, -2));
}
