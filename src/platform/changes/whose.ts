// Attributes differences to the command or to others, by the witness's ledger.
import { lstatSync } from "node:fs";
import { type FirstSight, type Ledger, putBit, rowWidth, sharedBit, sightWidth, unseen } from "../witness/ledger.ts";
import type { Side, TreeDifference } from "./compare.ts";
import { isSameStamp, type Stamp } from "./file-stat.ts";
import { type Entry, joined, shown, type TreeFolder } from "./file-tree.ts";

/** `ours`: only the command's. `shared`: the command's and somebody else's. `unclear`: unknown. */
export type Whose = "ours" | "shared" | "others" | "unclear";

interface Row {
  readonly isPut: boolean;
  readonly isShared: boolean;
  /** `null`: nothing was there; `undefined`: the command removed it before we looked. */
  readonly first: FirstSight | null | undefined;
  readonly at: number;
}

export class Attribution {
  private readonly ledger: Ledger;
  private readonly root: string;
  private readonly places = new Map<number, number[]>();
  /** Cache of the most recent folders: names are queried folder by folder. */
  private readonly names = new Map<number, NameList>();
  private readonly moved: ReadonlySet<number>;
  private readonly origins = new Map<number, Origin[]>();
  private readonly before: Tree;
  private readonly after: Tree;
  private readonly disks = new Map<TreeFolder, number>();

  constructor(ledger: Ledger, root: string, before: TreeFolder, after: TreeFolder) {
    this.ledger = ledger;
    this.root = root;
    this.moved = new Set(ledger.moved);
    this.before = new Tree(before);
    this.after = new Tree(after);
    for (let index = 0; index < ledger.moves.length; index += 2) {
      const [from = -1, to = -1] = ledger.moves.subarray(index, index + 2);
      const [origin, known] = [{ from, step: index }, this.origins.get(to)];
      if (known === undefined) this.origins.set(to, [origin]);
      else known.push(origin);
    }
    for (const [place, { ino }] of ledger.folders.entries())
      this.places.set(ino, [...(this.places.get(ino) ?? []), place]);
  }

  whose(one: TreeDifference): Whose {
    const took = one.before && this.whoTook(one);
    const put = one.after && this.whoPut(one, one.after);
    const both = took === null || put === null || took === put ? (took ?? put ?? "ours") : "shared";
    return both === "ours" || this.ledger.isWhole ? both : "unclear";
  }

  /** The path of a file before the command moved it or one of its parent folders; `null`: not moved. */
  cameFrom({ name, holders: { after } }: TreeDifference): string | null {
    if (after === null) return null;
    const row = this.rowOf(after, name, true);
    let path = this.oldPath(this.oldOf(after.stamp.ino), name);
    // Follows the moves backwards. A later file under an old name is a different one, and the current content may derive from the original.
    for (let one = this.originsOf(row?.at ?? -1).at(-1); one !== undefined; ) {
      const { ino, name: origin } = this.nameAt(one.from);
      path = this.oldPath(this.before.byNumber(ino), origin) ?? path;
      one = this.originsOf(one.from, one.step).at(-1);
    }
    return path === joined(after.path, name) ? null : path;
  }

  private oldPath(folder: TreeFolder | null, name: string): string | null {
    return folder === null || this.before.in(folder, name) === null ? null : joined(folder.path, name);
  }

  private whoTook({ name, holders: { before: holder } }: TreeDifference): Whose {
    if (holder === null) return "others";
    const row = this.rowOf(holder, name, false);
    const isMoved = this.isMoved(holder, this.before);
    const now = this.isGone(holder.stamp.ino) ? null : this.after.byNumber(holder.stamp.ino);
    const along = now && this.after.in(now, name);
    // It moved along with its folder: whoever moved the folder also moved it, provided that it is unchanged.
    if (now !== null && along !== null && now.path !== holder.path) {
      if (!isMoved) return row ? "shared" : "others";
      return this.whoPutIn(now, name, sideOf(along, now)) === "ours" ? "ours" : "shared";
    }
    if (row) return row.isShared ? "shared" : "ours";
    if (!isMoved) return "others";
    return now === null ? "ours" : "shared";
  }

  private whoPut({ name, holders }: TreeDifference, now: Side): Whose {
    return holders.after === null ? "others" : this.whoPutIn(holders.after, name, now);
  }

  private whoPutIn(holder: TreeFolder, name: string, now: Side): Whose {
    const row = this.rowOf(holder, name, true);
    const old = this.oldOf(holder.stamp.ino);
    const was = old && this.before.in(old, name);
    const isMoved = this.isMoved(holder, this.after);
    if (row?.isPut) {
      const isIts = !row.isShared && isAsSeen(was, row.first) && this.isHeld(row, now) && this.areOriginsOurs(row.at);
      // Somebody else moved the folder with everything in it.
      const isAway = old !== null && old.path !== holder.path && !isMoved;
      return isIts && !isAway ? "ours" : "shared";
    }
    if (row) return "others";
    return isMoved && isStill(was, now) ? "ours" : "others";
  }

  private oldOf(ino: number): TreeFolder | null {
    return this.isGone(ino) ? null : this.before.byNumber(ino);
  }

  /** The file system may have reused the inode of a deleted folder. */
  private isGone(ino: number): boolean {
    return this.places.get(ino)?.some((place) => this.ledger.folders[place]?.isGone) === true;
  }

  private rowOf(folder: TreeFolder, name: string, isNow: boolean): Row | null {
    for (const place of this.places.get(folder.stamp.ino) ?? []) {
      const known = this.ledger.folders[place];
      const at = this.namesIn(place).at.get(name);
      if (at === undefined || known === undefined) continue;
      // Inodes are reused after a folder is deleted, and are unique only per file system.
      if (isNow && (known.isGone || known.dev !== this.diskOf(folder))) continue;
      return this.rowAt(at);
    }
    return null;
  }

  private rowAt(at: number): Row {
    const { rows } = this.ledger;
    const bits = rows[rowWidth * at] ?? 0;
    const sight = rows[rowWidth * at + 1] ?? -1;
    const first = sight === unseen ? undefined : this.sightAt(sight);
    return { isPut: (bits & putBit) !== 0, isShared: (bits & sharedBit) !== 0, first, at };
  }

  private sightAt(at: number): FirstSight | null {
    if (at < 0) return null;
    const from = sightWidth * at;
    const [ino = 0, size = 0, mtime = 0, mtimeNs = 0] = this.ledger.firsts.subarray(from, from + sightWidth);
    return { ino, size, mtime, mtimeNs };
  }

  private namesIn(place: number): NameList {
    const known = this.names.get(place);
    if (known !== undefined) return known;
    const { names = "", start = 0 } = this.ledger.folders[place] ?? {};
    const list = names === "" ? [] : names.split("\0");
    const at = new Map<string, number>();
    for (const name of list) at.set(name, start + at.size);
    const made = { list, at };
    const [oldest = 0] = this.names.keys();
    if (this.names.size === mostNames) this.names.delete(oldest);
    this.names.set(place, made);
    return made;
  }

  private nameAt(at: number): { readonly ino: number; readonly name: string } {
    const place = this.ledger.folders.findLastIndex(({ start, names }) => start <= at && names !== "");
    const { ino = 0, start = 0 } = this.ledger.folders[place] ?? {};
    return { ino, name: this.namesIn(place).list[at - start] ?? "" };
  }

  /** Whether the entry is the one that the command last moved there, if any. */
  private isHeld({ at }: Row, now: Side): boolean {
    const held = this.ledger.holds.get(at);
    return held === undefined || held === (now.kind === "folder" ? now.folder : now.entry).stamp.ino;
  }

  private originsOf(at: number, before = Number.POSITIVE_INFINITY): readonly Origin[] {
    return this.origins.get(at)?.filter(({ step }) => step < before) ?? [];
  }

  /** Whether everything that was ever moved here was as we had seen it, or made by the command: later content may derive from it. */
  private areOriginsOurs(at: number): boolean {
    const found = new Set(this.originsOf(at));
    for (const { from, step } of found) {
      const { ino, name } = this.nameAt(from);
      const old = this.before.byNumber(ino);
      if (!isAsSeen(old && this.before.in(old, name), this.rowAt(from).first)) return false;
      for (const next of this.originsOf(from, step)) found.add(next);
    }
    return true;
  }

  private diskOf(folder: TreeFolder): number {
    const known = this.disks.get(folder);
    if (known !== undefined) return known;
    const dev = lstatSync(`${this.root}/${shown(folder.path)}`, { throwIfNoEntry: false })?.dev ?? -1;
    this.disks.set(folder, dev);
    return dev;
  }

  /** Whether the command renamed the folder or one of its parents. */
  private isMoved(folder: TreeFolder, tree: Tree): boolean {
    if (this.moved.size === 0) return false;
    for (let one: TreeFolder | null = folder; one !== null; one = tree.above(one)) {
      if (this.moved.has(one.stamp.ino)) return true;
    }
    return false;
  }
}

interface Origin {
  readonly from: number;
  readonly step: number;
}

interface NameList {
  readonly list: readonly string[];
  readonly at: ReadonlyMap<string, number>;
}

const mostNames = 8;

class Tree {
  private readonly root: TreeFolder;
  private numbers: Map<number, TreeFolder> | null = null;
  private parents: Map<TreeFolder, TreeFolder> | null = null;
  private sides: { readonly folder: TreeFolder; readonly byName: ReadonlyMap<string, Entry | TreeFolder> } | null =
    null;

  constructor(root: TreeFolder) {
    this.root = root;
  }

  byNumber(ino: number): TreeFolder | null {
    this.numbers ??= new Map([...allIn(this.root)].map((folder) => [folder.stamp.ino, folder]));
    return this.numbers.get(ino) ?? null;
  }

  in(folder: TreeFolder, name: string): Entry | TreeFolder | null {
    if (this.sides?.folder !== folder) {
      const byName = new Map([...folder.entries, ...folder.folders].map((one) => [one.name, one] as const));
      this.sides = { folder, byName };
    }
    return this.sides.byName.get(name) ?? null;
  }

  above(folder: TreeFolder): TreeFolder | null {
    this.parents ??= new Map([...allIn(this.root)].flatMap((one) => one.folders.map((inner) => [inner, one] as const)));
    return this.parents.get(folder) ?? null;
  }
}

function* allIn(folder: TreeFolder): Generator<TreeFolder> {
  yield folder;
  for (const inner of folder.folders) yield* allIn(inner);
}

/** Whether the file was in the state that we had seen when the command came to it. Ignores ctime and name. */
function isAsSeen(was: Entry | TreeFolder | null, first: Row["first"]): boolean {
  if (first === undefined) return true;
  if (was === null || first === null) return was === null && first === null;
  if ("entries" in was) return was.stamp.ino === first.ino;
  const { ino, size, mtime, mtimeNs } = was.stamp;
  return ino === first.ino && size === first.size && mtime === first.mtime && mtimeNs === first.mtimeNs;
}

function sideOf(found: Entry | TreeFolder, folder: TreeFolder): Side {
  return "entries" in found ? { kind: "folder", folder: found } : { kind: "entry", entry: found, folder };
}

/** Whether it moved along with its folder, otherwise unchanged. */
function isStill(was: Entry | TreeFolder | null, now: Side): boolean {
  if (was === null || "entries" in was !== (now.kind === "folder")) return false;
  const stamp: Stamp = now.kind === "folder" ? now.folder.stamp : now.entry.stamp;
  if (now.kind === "folder") return stamp.ino === was.stamp.ino;
  return isSameStamp(stamp, was.stamp);
}
