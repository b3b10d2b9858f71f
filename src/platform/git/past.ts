// Names of files that git has ever kept: whoever shows old commits shows what was in them.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { bytesOf } from "./facts.ts";
import type { TrackedFile } from "./index-file.ts";
import { gitFolderOf } from "./named.ts";
import { type NamedObject, namesOfObjects, resolveWords } from "./objects.ts";
import { secretNames } from "./past-content.ts";
import { stampOfRefs } from "./past-stamp.ts";
import { type Git, openGit } from "./plumbing.ts";
import { trackedThatFit } from "./tracked.ts";

/** Files whose names fit. */
export interface Past {
  /** In any commit that a branch, tag, stash or reflog leads to, or one of the words that were asked about. */
  readonly ever: readonly string[];
  /** In the commit that is checked out. */
  readonly head: readonly string[];
  /** All of it was seen. */
  readonly isWhole: boolean;
  /** What the words name that is no commit: the files that fit, or `null` where it is not known what it was called. */
  readonly objects: ReadonlyMap<string, readonly string[] | null>;
}

interface KnownPast extends Past {
  readonly stamp: string | null;
  /** Commits that are seen with all before them. */
  readonly tips: readonly string[];
  /** Names of objects, as they were asked about. */
  readonly words: ReadonlySet<string>;
}

const nothing: Past = { ever: [], head: [], isWhole: true, objects: new Map() };
const unknown: Past = { ever: [], head: [], isWhole: false, objects: new Map() };
/** With more the rest is not looked for. */
const maxNames = 1_000;
/** So long is waited; the look itself goes on, so that a later command finds it done. */
const waitMs = 1_500;
const lookMs = 30_000;

const looked = new Map<string, KnownPast>();
const looking = new Map<string, Promise<Past>>();

/** What is known without a look: `null` = nothing, of this state of the repository. */
export function knownPast(workspace: string, words: readonly string[]): Past | null {
  if (!existsSync(join(workspace, ".git"))) return nothing;
  const known = looked.get(workspace);
  if (!known || known.stamp === null || words.some((word) => !known.words.has(word))) return null;
  return known.stamp === stampOfRefs(workspace) ? known : null;
}

/** Always asked with the same `fits`. Never waits longer than a moment: what is not known by then is not whole. */
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
  const asked = new Set([...(old?.words ?? []), ...words]);
  const seen = old?.isWhole ? old.tips : [];
  const named = await resolveWords(git, [...asked]);
  const objects = named && (await namesOfObjects(git, named, fits));
  const tips = named && (await tipsOf(git, [...commitsIn(named), ...seen, ...passing(workspace)]));
  if (!tips || !objects) return remember({ ...unknown, stamp, tips: [], words: asked });
  const there = new Set(tips);
  const lines = [...tips, ...seen.filter((tip) => there.has(tip)).map((tip) => `^${tip}`), ""].join("\n");
  const isEmpty = tips.length === 0;
  const head = await namesIn(git, isEmpty ? null : headTree, "", fits);
  const added = await namesIn(git, isEmpty ? null : everyName, lines, fits);
  const present = await secretNames(git, head.names, "head");
  const ever = [...new Set([...(old?.ever ?? []), ...(await secretNames(git, added.names, { revisions: lines }))])];
  return remember({
    ...{ ever, head: present, isWhole: head.isWhole && added.isWhole, objects },
    ...{ stamp, tips, words: asked },
  });

  function remember(found: KnownPast): Past {
    looked.set(workspace, found);
    return found;
  }
}

/** What was found, for as long as the list of names is the same one. */
const staged = new Map<string, { readonly files: readonly TrackedFile[]; readonly names: readonly string[] }>();

/** Of what the index holds, the files that fit; what is staged stands in no commit yet. `null` = that is not known. */
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

/** Commits of a fetch or a merge under way, which no branch need lead to. */
function passing(workspace: string): readonly string[] {
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

/** Where to begin; of `more`, what is a commit. `null` = git does not say. */
async function tipsOf(git: Git, more: readonly string[]): Promise<readonly string[] | null> {
  const all = ["--no-walk=unsorted", "--all", "--reflog", "--format=%H", "--no-patch", "--no-show-signature"];
  const led = await git.run("log", all);
  if (!led.ok) return null;
  const stdin = more.map((hash) => `${hash}^{commit}\n`).join("");
  const found = stdin === "" ? null : await git.run("cat-file", ["--batch-check"], { stdin });
  if (found && !found.ok) return null;
  const named = found?.value.out.toString("latin1").match(/^[0-9a-f]+(?= commit )/gm) ?? [];
  return [...new Set([...(led.value.out.toString("latin1").match(/^[0-9a-f]+$/gm) ?? []), ...named])];
}

const headTree = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD"] as const;
/** Of a merge, what is in none of its parents: the rest is theirs. */
const everyName = [
  ...(["log", "--stdin", "--root", "-c", "--name-only", "-z", "--format=", "--no-renames", "--no-relative"] as const),
  ...["--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-decorate", "--no-mailmap", "--ignore-submodules"],
] as const;

interface PastNames {
  readonly names: readonly string[];
  readonly isWhole: boolean;
}

/** The names that fit, as far as they were seen. */
async function namesIn(
  git: Git,
  command: typeof headTree | typeof everyName | null,
  stdin: string,
  fits: (name: string) => boolean,
): Promise<PastNames> {
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
  // A branch without a commit yet has nothing in it; a tree that is damaged is met among all the others.
  const accepts = program === "ls-tree" ? [0, 128] : [0];
  const ran = await git.run(program, args, { stdin, take, accepts });
  return { names: [...found], isWhole: ran.ok && found.size < maxNames && rest === "" };
}

/** Longer ones no disk has. */
const maxPath = 65_536;
