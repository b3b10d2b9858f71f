import { readdirSync } from "node:fs";
import { orNull } from "../files/probe.ts";
import { diskTime } from "./clock.ts";
import { changedAt, type Eye, fixedBytes, kindOf, type Stamp, slackOf } from "./file-stat.ts";
import { type Entry, indexPath, joined, pathBytes, shown, type TreeFolder, type TreePlace } from "./file-tree.ts";
import { outermost, placeOf } from "./place.ts";
import { isIgnored } from "./rules.ts";

export interface WalkOptions {
  readonly root: string;
  readonly maxFiles: number;
  readonly never: readonly string[];
  /** After a command: files that may have existed before, unseen, do not count as new. */
  readonly isAfter: boolean;
  readonly deadline: number;
  readonly signal?: AbortSignal;
}

/** An entry whose content must be determined, and its previous version. */
export interface Change {
  readonly folder: { readonly path: string; readonly place: TreePlace };
  readonly entry: Entry;
  readonly old: Entry | null;
}

const ownNames = new Set([".git", ".coder"]);
/** Skipped outside of a repository, where no ignore rules say so. */
const madeNames = new Set(["node_modules", "__pycache__", ".venv", ".hg", ".svn"]);
const ownTemp = /^\.coder-[0-9a-f]{16}-\d+(?:\.old)?\.tmp$/;

const pauseMs = 10;

/** One look at a tree. Shares everything unchanged with `old`. */
export class Walk {
  readonly changes: Change[] = [];
  private readonly options: WalkOptions;
  private readonly eye: Eye;
  private readonly began: number;
  private readonly never: ReadonlySet<string>;
  private count = 0;
  private paused = performance.now();

  constructor(eye: Eye, options: WalkOptions) {
    this.eye = eye;
    this.options = options;
    this.began = diskTime(options.root);
    this.never = new Set(options.never);
  }

  async run(old: TreeFolder | null): Promise<TreeFolder> {
    const dot = fixedBytes(".\0");
    const stamp = this.eye.see(dot, 0, old?.stamp ?? null);
    const outer = outermost(this.options.root, old?.place.outer ?? null);
    const at = { name: "", path: "", at: 0 };
    if (stamp === null) return skippedFolder({ ...at, stamp: noStamp }, outer, "unreadable");
    return await this.folder({ ...at, stamp }, old, outer);
  }

  private async folder(seen: SeenFolder, old: TreeFolder | null, outer: TreePlace): Promise<TreeFolder> {
    if (performance.now() - this.paused > pauseMs) {
      await new Promise(setImmediate);
      this.options.signal?.throwIfAborted();
      this.paused = performance.now();
    }
    if (this.options.isAfter && old !== null && old.skipped !== null) return { ...old, ...seen };
    const again = old !== null && isListed(seen, old) ? await this.again(seen, old, outer) : null;
    return again ?? (await this.list(seen, old, outer));
  }

  /** For an unchanged listing; `null`: the names or the rules have changed after all. */
  private async again(seen: SeenFolder, old: TreeFolder, outer: TreePlace): Promise<TreeFolder | null> {
    const countBefore = this.count;
    const files = this.filesAgain(old, outer);
    if (files === null) return null;
    const folders = await this.foldersAgain(old, files.place);
    if (folders !== null) return asAgain(seen, old, { ...files, folders });
    this.count = countBefore;
    return null;
  }

  /** Most folders contain only files and are unchanged: a promise for each would cost as much as the stats. */
  private leafAgain(seen: SeenFolder, old: TreeFolder, outer: TreePlace): TreeFolder | null {
    const isDue = performance.now() - this.paused > pauseMs;
    if (isDue || old.folders.length > 0 || !isListed(seen, old)) return null;
    const files = this.filesAgain(old, outer);
    return files && asAgain(seen, old, { ...files, folders: old.folders });
  }

  private filesAgain(old: TreeFolder, outer: TreePlace): Pick<TreeFolder, "entries" | "place"> | null {
    const entries = this.entriesAgain(old);
    if (entries === null) return null;
    const place = placeOf(old, outer, this.options.root, entries === old.entries ? old : { ...old, entries });
    if (place !== old.place && !this.options.isAfter) return null;
    this.count += entries.length;
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at];
      if (entry?.content === null) this.note(old.path, place, entry, old.entries[at] ?? null);
    }
    return { entries, place };
  }

  private entriesAgain(old: TreeFolder): readonly Entry[] | null {
    let entries: Entry[] | null = null;
    // A plain loop, because it runs for every file of the workspace.
    for (let index = 0; index < old.entries.length; index++) {
      const entry = old.entries[index]!;
      const stamp = this.eye.see(old.paths, entry.at, entry.stamp);
      if (stamp === entry.stamp && !entry.isFresh) continue;
      if (stamp === null || kindOf(stamp.mode) === "folder") return null;
      entries ??= [...old.entries];
      entries[index] = this.entry(entry.name, entry.at, stamp);
    }
    return entries ?? old.entries;
  }

  private async foldersAgain(old: TreeFolder, place: TreePlace): Promise<readonly TreeFolder[] | null> {
    let folders: TreeFolder[] | null = null;
    for (const [index, folder] of old.folders.entries()) {
      const stamp = this.eye.see(old.paths, folder.at, folder.stamp);
      if (stamp === null || kindOf(stamp.mode) !== "folder") return null;
      const seen = { name: folder.name, path: folder.path, at: folder.at, stamp };
      const now = this.leafAgain(seen, folder, place) ?? (await this.folder(seen, folder, place));
      if (now === folder) continue;
      folders ??= [...old.folders];
      folders[index] = now;
    }
    return folders ?? old.folders;
  }

  private async list(seen: SeenFolder, old: TreeFolder | null, outer: TreePlace): Promise<TreeFolder> {
    const names = namesIn(this.options.root, seen.path);
    if (names === null) return skippedFolder(seen, outer, "unreadable");
    const paths = fixedBytes(names.map((name) => `${joined(seen.path, name)}\0`).join(""));
    const found = this.stampsOf(names, paths, old, seen.path);
    const now = { ...seen, entries: found.filter((one) => !one.isFolder) };
    const place = placeOf(old, outer, this.options.root, now, names);
    const mayBe = (one: FoundEntry): boolean => this.isWatched(one, seen.path, place, old);
    const files = found.filter((one) => !one.isFolder && mayBe(one));
    // All or nothing: the next look would see another part of the folder.
    const isFull = this.count + files.length > this.options.maxFiles || this.paused > this.options.deadline;
    const isTooMany = (old === null || !this.options.isAfter) && isFull;
    if (isTooMany) return { ...skippedFolder(seen, outer, "too_many"), place };
    this.count += files.length;
    const before = new Map(old?.entries.map((entry) => [entry.name, entry]));
    const entries = files.map((one) => this.listed(one, seen.path, place, before.get(one.name) ?? null));
    const folders: TreeFolder[] = [];
    const inner = new Map(old?.folders.map((folder) => [folder.name, folder]));
    for (const one of found) {
      if (!one.isFolder || !mayBe(one)) continue;
      const { name, at, stamp } = one;
      const path = joined(seen.path, name);
      folders.push(await this.folder({ name, path, at, stamp }, inner.get(name) ?? null, place));
    }
    // With changed rules, a look after a command omits files that the next look may include.
    const isFresh = this.isFresh(seen.stamp) || (this.options.isAfter && old !== null && place !== old.place);
    return { ...seen, isFresh, paths, entries, folders, skipped: null, place };
  }

  private stampsOf(
    names: readonly string[],
    paths: Buffer,
    old: TreeFolder | null,
    folder: string,
  ): readonly FoundEntry[] {
    const known = new Map([...(old?.entries ?? []), ...(old?.folders ?? [])].map((one) => [one.name, one.stamp]));
    const found: FoundEntry[] = [];
    let at = 0;
    for (const name of names) {
      const stamp = this.eye.see(paths, at, known.get(name) ?? null);
      if (stamp !== null) found.push({ name, at, stamp, isFolder: kindOf(stamp.mode) === "folder" });
      at += (folder === "" ? 0 : folder.length + 1) + name.length + 1;
    }
    return found;
  }

  private isWatched({ name, isFolder }: FoundEntry, folder: string, place: TreePlace, old: TreeFolder | null): boolean {
    const path = joined(folder, name);
    if (ownNames.has(name) || (name.startsWith(".") && ownTemp.test(name))) return false;
    if (this.never.size > 0 && this.never.has(`${this.options.root}/${shown(path)}`)) return false;
    const { repository } = place;
    if (repository === null && isFolder && madeNames.has(name)) return false;
    const known = indexPath(place, path);
    if (isFolder ? repository?.folders.has(known) : repository?.index?.has(known)) return true;
    const absolute = `${this.options.root}/${shown(path)}`;
    if (place.isIgnored || isIgnored(place.ignore, absolute, isFolder)) return false;
    // It may have existed all along, ignored by rules that the command has changed.
    const before = this.options.isAfter ? (old?.place ?? place) : place;
    return before.ignore === place.ignore || !isIgnored(before.ignore, absolute, isFolder);
  }

  private listed({ name, at, stamp }: FoundEntry, folder: string, place: TreePlace, old: Entry | null): Entry {
    if (old !== null && old.stamp === stamp && !old.isFresh) {
      // Git may track it by now, so that the copy is no longer needed.
      const isSettled = this.options.isAfter || old.content?.kind === "blob";
      const entry = old.at === at && isSettled ? old : { ...old, at, ...(isSettled ? {} : { content: null }) };
      if (entry !== old) this.note(folder, place, entry, old);
      return entry;
    }
    const entry = this.entry(name, at, stamp);
    this.note(folder, place, entry, old);
    return entry;
  }

  private note(path: string, place: TreePlace, entry: Entry, old: Entry | null): void {
    if (entry.content === null) this.changes.push({ folder: { path, place }, entry, old });
  }

  private entry(name: string, at: number, stamp: Stamp): Entry {
    return { name, at, stamp, isFresh: this.isFresh(stamp), content: null };
  }

  private isFresh(stamp: Stamp): boolean {
    return changedAt(stamp) >= this.began - slackOf(stamp);
  }
}

type SeenFolder = Pick<TreeFolder, "name" | "path" | "at" | "stamp">;

interface FoundEntry {
  readonly name: string;
  readonly at: number;
  readonly stamp: Stamp;
  readonly isFolder: boolean;
}

const noStamp: Stamp = { mode: 0, ino: 0, size: 0, ctime: 0, ctimeNs: 0, mtime: 0, mtimeNs: 0 };

function isListed({ stamp }: SeenFolder, old: TreeFolder): boolean {
  return old.skipped === null && stamp === old.stamp && !old.isFresh;
}

function asAgain(
  seen: SeenFolder,
  old: TreeFolder,
  now: Pick<TreeFolder, "entries" | "place" | "folders">,
): TreeFolder {
  const { entries, folders, place } = now;
  const isSame = entries === old.entries && folders === old.folders && place === old.place && seen.at === old.at;
  return isSame ? old : { ...old, ...seen, entries, folders, place };
}

export function goneFolder(root: string, old: TreeFolder | null): TreeFolder {
  const place = old?.place ?? outermost(root, null);
  return { ...skippedFolder({ name: "", path: "", at: 0, stamp: noStamp }, place, "unreadable"), skipped: null };
}

function skippedFolder(seen: SeenFolder, place: TreePlace, skipped: "too_many" | "unreadable"): TreeFolder {
  return { ...seen, isFresh: true, paths: Buffer.alloc(0), entries: [], folders: [], skipped, place };
}

function namesIn(root: string, folder: string): readonly string[] | null {
  return orNull(() => readdirSync(pathBytes(root, folder) as unknown as string, { encoding: "latin1" }));
}
