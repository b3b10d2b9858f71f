// Names of files in git's history: a command that shows old commits shows their files.
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { orNull } from "../files/probe.ts";
import { bytesOf } from "./facts.ts";
import type { TrackedFile } from "./index-file.ts";
import { commonFolderOf, gitFolderOf } from "./named.ts";
import { type NamedObject, namesOfObjects, resolveWords } from "./objects.ts";
import { secretNames } from "./past-content.ts";
import { type Git, openGit } from "./plumbing.ts";
import { trackedThatFit } from "./tracked.ts";

export interface Past {
  /** In any commit that a branch, tag, stash, reflog or one of the given words leads to. */
  readonly ever: readonly string[];
  readonly head: readonly string[];
  readonly isWhole: boolean;
  /** For words that name no commit: the fitting files, or `null` where the name is unknown. */
  readonly objects: ReadonlyMap<string, readonly string[] | null>;
}

interface KnownPast extends Past {
  readonly stamp: string | null;
  readonly tips: readonly string[];
  readonly words: ReadonlySet<string>;
}

const nothing: Past = { ever: [], head: [], isWhole: true, objects: new Map() };
const unknown: Past = { ever: [], head: [], isWhole: false, objects: new Map() };
const maxNames = 1_000;
/** How long a caller waits; the search continues, so that a later command finds it done. */
const waitMs = 1_500;
const lookMs = 30_000;

const looked = new Map<string, KnownPast>();
const looking = new Map<string, Promise<Past>>();

/** From the cache alone; `null`: unknown for this state of the repository. */
export function knownPast(workspace: string, words: readonly string[]): Past | null {
  if (!existsSync(join(workspace, ".git"))) return nothing;
  const known = looked.get(workspace);
  if (!known || known.stamp === null || words.some((word) => !known.words.has(word))) return null;
  return known.stamp === stampOfRefs(workspace) ? known : null;
}

/** Every caller passes the same `fits`. Waits at most `waitMs`; a result that is not ready by then counts as incomplete. */
export async function lookAtPast(
  workspace: string,
  words: readonly string[],
  fits: (name: string) => boolean,
): Promise<Past> {
  const known = knownPast(workspace, words);
  if (known) return known;
  const key = [workspace, stampOfRefs(workspace), ...words].join("\n");
  const running = looking.get(key) ?? look(workspace, words, fits).finally(() => looking.delete(key));
  looking.set(key, running);
  const { promise, resolve } = Promise.withResolvers<Past>();
  const timer = setTimeout(() => resolve(unknown), waitMs);
  const past = await Promise.race([running, promise]);
  clearTimeout(timer);
  return past;
}

async function look(workspace: string, words: readonly string[], fits: (name: string) => boolean): Promise<Past> {
  const opened = openGit(workspace, AbortSignal.timeout(lookMs));
  if (!opened.ok || opened.value.top !== workspace) return unknown;
  const git = opened.value;
  const stamp = stampOfRefs(workspace);
  const old = looked.get(workspace);
  const allWords = new Set([...(old?.words ?? []), ...words]);
  const seen = old?.isWhole ? old.tips : [];
  const named = await resolveWords(git, [...allWords]);
  const objects = named && (await namesOfObjects(git, named, fits));
  const tips = named && (await tipsOf(git, [...commitsIn(named), ...seen, ...headsInProgress(workspace)]));
  if (!tips || !objects) return remember({ ...unknown, stamp, tips: [], words: allWords });
  const there = new Set(tips);
  const lines = [...tips, ...seen.filter((tip) => there.has(tip)).map((tip) => `^${tip}`), ""].join("\n");
  const isEmpty = tips.length === 0;
  const head = await namesIn(git, isEmpty ? null : headTree, "", fits);
  const added = await namesIn(git, isEmpty ? null : everyName, lines, fits);
  const present = await secretNames(git, head.names, "head");
  const ever = [...new Set([...(old?.ever ?? []), ...(await secretNames(git, added.names, { revisions: lines }))])];
  return remember({
    ...{ ever, head: present, isWhole: head.isWhole && added.isWhole, objects },
    ...{ stamp, tips, words: allWords },
  });

  function remember(found: KnownPast): Past {
    looked.set(workspace, found);
    return found;
  }
}

/** Cached for as long as the list of tracked files is the same object. */
const staged = new Map<string, { readonly files: readonly TrackedFile[]; readonly names: readonly string[] }>();

/** Fitting files in the index, which may be in no commit yet. `null`: unknown. */
export async function secretsStaged(
  workspace: string,
  fits: (name: string) => boolean,
): Promise<readonly string[] | null> {
  const files = trackedThatFit(workspace, fits);
  if (files === null || files.length === 0) return files && [];
  const known = staged.get(workspace);
  if (known?.files === files) return known.names;
  const all = files.map(({ name }) => name);
  const opened = openGit(workspace, AbortSignal.timeout(lookMs));
  const isOwn = opened.ok && opened.value.top === workspace;
  const names = isOwn ? await secretNames(opened.value, all, "index") : all;
  staged.set(workspace, { files, names });
  return names;
}

const commitsIn = (named: readonly NamedObject[]): readonly string[] =>
  named.flatMap(({ type, hash }) => (type === "commit" ? [hash] : []));

/** Commits of a running fetch or merge, which no branch may lead to. */
function headsInProgress(workspace: string): readonly string[] {
  const folder = gitFolderOf(workspace);
  if (folder === null) return [];
  const names = readdirSync(folder).filter((name) => /^[A-Z_]+_HEAD$/.test(name));
  return names.flatMap(
    (name) =>
      bytesOf(folder, name)
        ?.toString("latin1")
        .match(/\b[0-9a-f]{40,64}\b/g) ?? [],
  );
}

/** Starting points of the search, including the commits among `more`. `null`: git failed. */
async function tipsOf(git: Git, more: readonly string[]): Promise<readonly string[] | null> {
  const all = ["--no-walk=unsorted", "--all", "--reflog", "--format=%H", "--no-patch", "--no-show-signature"];
  const reached = await git.run("log", all);
  if (!reached.ok) return null;
  const stdin = more.map((hash) => `${hash}^{commit}\n`).join("");
  const found = stdin === "" ? null : await git.run("cat-file", ["--batch-check"], { stdin });
  if (found && !found.ok) return null;
  const named = found?.value.out.toString("latin1").match(/^[0-9a-f]+(?= commit )/gm) ?? [];
  return [...new Set([...(reached.value.out.toString("latin1").match(/^[0-9a-f]+$/gm) ?? []), ...named])];
}

const headTree = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD"] as const;
/** For a merge, only files that differ from all parents: those have the rest. */
const everyName = [
  ...(["log", "--stdin", "--root", "-c", "--name-only", "-z", "--format=", "--no-renames", "--no-relative"] as const),
  ...["--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-decorate", "--no-mailmap", "--ignore-submodules"],
] as const;

async function namesIn(
  git: Git,
  command: typeof headTree | typeof everyName | null,
  stdin: string,
  fits: (name: string) => boolean,
): Promise<{ readonly names: readonly string[]; readonly isWhole: boolean }> {
  if (command === null) return { names: [], isWhole: true };
  const found = new Set<string>();
  const decoder = new TextDecoder();
  let rest = "";
  const take = (bytes: Uint8Array): boolean => {
    const names = (rest + decoder.decode(bytes, { stream: true })).split("\0");
    rest = names.pop() ?? "";
    for (const name of names) if (found.size < maxNames && fits(name)) found.add(name);
    return found.size < maxNames && rest.length < maxPath;
  };
  const [program, ...args] = command;
  // A branch without a commit has no tree; a damaged tree also shows up in the log.
  const accepts = program === "ls-tree" ? [0, 128] : [0];
  const ran = await git.run(program, args, { stdin, take, accepts });
  return { names: [...found], isWhole: ran.ok && found.size < maxNames && rest === "" };
}

const maxPath = 65_536;

const refFiles = ["HEAD", "packed-refs", "shallow", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD"];
/** A repository with more refs is never cached. */
const maxEntries = 5_000;

/** Changes with every branch, tag and stash; `null`: unknown. */
function stampOfRefs(workspace: string): string | null {
  return orNull(() => {
    const own = gitFolderOf(workspace);
    if (own === null) return null;
    // A worktree keeps most refs in its common folder.
    const folders = [...new Set([own, commonFolderOf(own)])];
    const parts = folders.flatMap((folder) => refFiles.map((name) => stampOf(join(folder, name))));
    // Other worktrees may be at commits that no branch leads to.
    for (const path of headsIn(folders.at(-1) ?? own)) parts.push(stampOf(path));
    const below = folders.flatMap((folder) => ["refs", "reftable"].map((name) => join(folder, name)));
    const isFew = below.every((folder) => addBelow(folder, parts));
    return isFew ? parts.join("\n") : null;
  });
}

function headsIn(folder: string): readonly string[] {
  const path = join(folder, "worktrees");
  const isThere = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isThere ? readdirSync(path).map((name) => join(path, name, "HEAD")) : [];
}

function addBelow(folder: string, parts: string[]): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return true;
  parts.push(stampOf(folder));
  return readdirSync(folder, { withFileTypes: true }).every((entry) => {
    const path = join(folder, entry.name);
    if (parts.length > maxEntries) return false;
    if (entry.isDirectory()) return addBelow(path, parts);
    parts.push(`${entry.name} ${stampOf(path)}`);
    return true;
  });
}

/** The ctime cannot be set back. */
function stampOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? "" : [stat.ino, stat.size, stat.ctimeNs].join(" ");
}
