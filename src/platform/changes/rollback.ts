// Computes `git restore . && git clean -fd` as changes that can be kept and undone. Git's index, HEAD and branches are only read.
import { fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { type DiskEntry, readEntry } from "../files/entry.ts";
import { sha256 } from "../files/hash.ts";
import { isWithin } from "../files/path.ts";
import { isFolderStamp, isLinkStamp, keyOf, linkMode } from "../files/stamp.ts";
import { findProgram, foreignPath } from "../find-program.ts";
import { readPatterns, verdictOf } from "../search/ignore.ts";
import { type CheckedOut, checkedOut, type Habits, habitsOf } from "./checkout.ts";
import { isClean } from "./content.ts";
import { decoded, type Entry, indexPath, joined, placeIn, shown, type TreeFolder } from "./file-tree.ts";
import type { IndexEntry } from "./index-entries.ts";
import { lookBefore, type Sight } from "./look.ts";
import type { Repository } from "./repository.ts";
import { isLeft, type Obstacle, type Turning, withFolders } from "./rollback-folders.ts";

interface Known {
  readonly path: string;
  readonly entry: IndexEntry;
}

/**
 * Leaves alone: files that are ignored before or afterwards, nested repositories, `.coder` and paths that the sight never looks at. All or
 * nothing.
 */
export async function rollback(sight: Sight): Promise<Result<readonly Turning[]>> {
  const { root } = sight;
  const { tree } = await lookBefore(sight);
  const { repository } = tree.place;
  const problem = unavailable(root, repository);
  if (problem !== null || repository?.index == null) return problem ?? noGit(root);
  const found: FoundState = { sight, tree, repository, habits: await habitsOf(repository), obstacles: [] };
  const entries = entriesOf(found);
  const wanted = wantedOf(found, entries);
  const staged = [...wanted.values()].map(({ path, entry }) => ({ path, oid: entry.oid, isLink: isLinkMode(entry) }));
  const contents = await checkedOut(repository, staged, found.habits);
  const targets = new Map([...wanted].map(([path, known]) => [path, targetOf(known, contents.get(known.path))]));
  const isSpared = sparedBy(targets);
  const isKept = (path: string): boolean => repository.folders.has(indexPath(tree.place, path)) || isSpared(path, true);
  const ground = { root, tree, isKept, obstacles: found.obstacles };
  const turnings = withFolders(ground, turningsOf(found, entries, targets, isSpared));
  const isMuch = turnings.reduce((sum, one) => sum + sizeOf(one), 0) > sight.limits.maxBytes;
  if (isMuch) found.obstacles.push({ path: "./", why: phrase("undo.unkept.too_much") });
  if (found.obstacles.length === 0) return ok(turnings);
  const files = found.obstacles
    .slice(0, maxNames)
    .map(({ path, why }) => phrase("undo.file", { path: visible(path), why }));
  const advice = phrase("undo.all.unkept.advice");
  return fail("E_CONFLICT", phrase("undo.all.unkept", { files }), { advice, sideEffect: "none" });
}

const maxNames = 100;

interface FoundState {
  readonly sight: Sight;
  readonly tree: TreeFolder;
  readonly repository: Repository;
  readonly habits: Habits;
  readonly obstacles: Obstacle[];
}

function unavailable(root: string, repository: Repository | null): ReturnType<typeof noGit> | null {
  const path = foreignPath(process.env.PATH ?? "", [root]);
  if (repository === null || findProgram(["git"], path, [root]) === null) return noGit(root);
  if (repository.index === null) {
    return fail("E_INVALID_ARGS", phrase("undo.all.odd_index", { root: visible(root) }), {
      advice: phrase("undo.all.no_git.advice"),
    });
  }
  if (repository.index.unmerged.length === 0) return null;
  const files = repository.index.unmerged.map((one) => visible(shown(one))).join(", ");
  return fail("E_CONFLICT", phrase("undo.all.unmerged", { files }), { advice: phrase("undo.all.unmerged.advice") });
}

function noGit(root: string) {
  const advice = phrase("undo.all.no_git.advice");
  return fail("E_INVALID_ARGS", phrase("undo.all.no_git", { root: visible(root) }), { advice });
}

type SeenEntries = ReadonlyMap<string, { readonly entry: Entry; readonly folder: TreeFolder }>;

/** Everything that the look has seen of this repository, by the path from the root. */
function entriesOf({ tree, obstacles }: FoundState): SeenEntries {
  const entries = new Map<string, { entry: Entry; folder: TreeFolder }>();
  const visit = (folder: TreeFolder): void => {
    if (isLeft(folder, tree)) return;
    if (folder.skipped !== null) {
      obstacles.push({ path: `${shown(folder.path)}/`, why: phrase(`undo.unkept.${folder.skipped}`) });
    }
    for (const entry of folder.entries) entries.set(joined(folder.path, entry.name), { entry, folder });
    for (const inner of folder.folders) visit(inner);
  };
  visit(tree);
  return entries;
}

/** Tracked files that differ from their staged state, by the path from the root. */
function wantedOf(found: FoundState, entries: SeenEntries): ReadonlyMap<string, Known> {
  const { repository, tree, sight } = found;
  const { prefix } = tree.place;
  const wanted = new Map<string, Known>();
  for (const path of repository.index?.paths() ?? []) {
    const inside = path.slice(prefix.length);
    if (!path.startsWith(prefix) || inside.split("/").includes(".coder")) continue;
    if (sight.never.some((own) => isWithin(`${sight.root}/${shown(inside)}`, own))) continue;
    const entry = repository.index?.get(path) ?? null;
    if (entry === null || entry.isAbsent || isAsStaged(found, entry, entries.get(inside))) continue;
    wanted.set(inside, { path, entry });
  }
  return wanted;
}

/** Also true where only the stat tells, because git converts the content. */
function isAsStaged(
  { repository, habits }: FoundState,
  known: IndexEntry,
  seen: ReturnType<SeenEntries["get"]>,
): boolean {
  if (seen === undefined) return false;
  const { content, stamp, isFresh } = seen.entry;
  const isSame = content?.kind === "blob" && content.id === known.oid && isLinkMode(known) === isLinkMode(stamp);
  if (!isSame && !isClean(known, stamp, repository, isFresh)) return false;
  return isLinkMode(known) || !habits.fileMode || ((known.mode ^ stamp.mode) & 0o100) === 0;
}

function isLinkMode({ mode }: { readonly mode: number }): boolean {
  return (mode & 0o170000) === 0o120000;
}

function targetOf({ entry }: Known, content: CheckedOut | undefined): DiskEntry | Phrase {
  if (content === undefined || content === "unreadable") return phrase("undo.why.no_blob");
  if (content === "filtered") return phrase("undo.why.filtered");
  const mode = isLinkMode(entry) ? linkMode : ((entry.mode & 0o100) === 0 ? 0o666 : 0o777) & ~process.umask();
  return { bytes: content, stamp: { hash: sha256(content), size: content.length, mode } };
}

type Targets = ReadonlyMap<string, DiskEntry | Phrase>;

/** Files that the restored `.gitignore` ignores: git cleans after it has restored. */
function sparedBy(targets: Targets): (path: string, isFolder: boolean) => boolean {
  const rules = [...targets].flatMap(([path, target]) => {
    if (!/(?:^|\/)\.gitignore$/.test(path) || !("bytes" in target)) return [];
    return [
      { from: path.length - ".gitignore".length, path, patterns: readPatterns(Buffer.from(target.bytes).toString()) },
    ];
  });
  return (path, isFolder) =>
    rules.some((rule) => {
      if (!path.startsWith(rule.path.slice(0, rule.from))) return false;
      const parts = path.slice(rule.from).split("/");
      return parts.some((_, at) => {
        const isInner = at < parts.length - 1;
        return verdictOf(rule.patterns, shown(parts.slice(0, at + 1).join("/")), isInner || isFolder) === "out";
      });
    });
}

function turningsOf(
  found: FoundState,
  entries: SeenEntries,
  targets: Targets,
  isSpared: (path: string, isFolder: boolean) => boolean,
): Turning[] {
  const { sight, repository, tree, obstacles, habits } = found;
  const turnings: Turning[] = [];
  const isKnown = (path: string): boolean => repository.index?.has(indexPath(tree.place, path)) === true;
  const untracked = [...entries.keys()].filter((path) => !isKnown(path) && !isSpared(path, false));
  for (const bytes of [...targets.keys(), ...untracked]) {
    const target = targets.get(bytes) ?? null;
    const now = nowAt(bytes, entries, sight);
    const path = decoded(bytes);
    const why =
      path === null ? phrase("undo.unkept.bad_name") : (isPhrase(now) ?? isPhrase(target) ?? tooLarge(target, sight));
    if (path === null || why !== null) {
      obstacles.push({ path: shown(bytes), why: why ?? phrase("undo.unkept.bad_name") });
      continue;
    }
    const turning = { path, real: placeIn(sight.root, path), now, target } as Turning;
    if (!isSame(turning, habits)) turnings.push(turning);
  }
  return turnings;
}

function isPhrase(side: DiskEntry | Phrase | null): Phrase | null {
  return side !== null && "key" in side ? side : null;
}

function tooLarge(target: DiskEntry | Phrase | null, { limits }: Sight): Phrase | null {
  const isLarge = target !== null && "bytes" in target && target.bytes.length > limits.maxFileBytes;
  return isLarge ? phrase("undo.unkept.too_large") : null;
}

/** Content that the look could not keep could not be restored. A folder in the place of a file is handled later. */
function nowAt(path: string, entries: SeenEntries, { root }: Sight): DiskEntry | Phrase | null {
  const seen = entries.get(path);
  if (seen?.entry.content?.kind === "unkept") return phrase(`undo.unkept.${seen.entry.content.id}`);
  const now = readEntry(placeIn(root, shown(path)));
  // An unseen path is behind a symlink that will be replaced, or not ours.
  const isOdd = seen === undefined ? now != null && !isFolderStamp(now.stamp) : now === undefined;
  return isOdd ? phrase("undo.unkept.unreadable") : (now ?? null);
}

function isSame({ now, target }: Turning, { fileMode }: Habits): boolean {
  if (keyOf(now?.stamp ?? null) !== keyOf(target?.stamp ?? null)) return false;
  const isPlain = now !== null && target !== null && !isLinkStamp(now.stamp);
  return !isPlain || !fileMode || ((now.stamp.mode ^ target.stamp.mode) & 0o100) === 0;
}

function sizeOf({ now, target }: Turning): number {
  return (now?.bytes.length ?? 0) + (target?.bytes.length ?? 0);
}
