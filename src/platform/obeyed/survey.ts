// Finds everything in a folder that the user's programs obey. After the first survey each one costs a single stat per folder.
import { chmodSync } from "node:fs";
import { changedAt, type Eye, kindOf, openEye, type Stamp, slackOf } from "../changes/file-stat.ts";
import { joined, pathBytes } from "../changes/file-tree.ts";
import { errnoOf } from "../files/failure.ts";
import { orNull } from "../files/probe.ts";
import { type Largeness, namedIn } from "./by-name.ts";
import { kindAt, listFolder, Room, readContent } from "./obeyed-bytes.ts";
import type { Obeyed, Obeying } from "./obeyed-entry.ts";
import { PathStore, type StoredPath } from "./paths.ts";
import { comparedName, type EntryKind, isRepository, type Listed, type ObeyedPlace, sortEntries } from "./where.ts";

interface Node {
  readonly path: string;
  readonly compared: string;
  at: StoredPath;
  readonly parent: Node | null;
  readonly placeFromParent: ObeyedPlace;
  place: ObeyedPlace;
  readonly isNamed: boolean;
  stamp: Stamp | null;
  isFresh: boolean;
  isEmpty: boolean;
  isUnreadable: boolean;
  isGone: boolean;
  obeyed: readonly { readonly name: string; readonly at: StoredPath }[];
  folders: ReadonlySet<string>;
}

export interface Surveyed {
  readonly entries: Obeying;
  /** Folders that were skipped because they are too many or too deep. */
  readonly unseen: readonly string[];
  /** Inode of the root; `null`: missing, or a symlink. */
  readonly root: number | null;
}

/** Limits of the first survey; each folder costs 2 µs at every later one. Folders that commands create are always surveyed. */
const maxFolders = 200_000;
const maxFirstMs = 15_000;
/** Maximum length of a path below the root: the system allows 4096 bytes. Deeper folders of a command are moved up (`lift`). */
const maxPath = 3_900;
const pauseMs = 10;

/** Our own session and output records, which nothing obeys: they grow with every task and would occupy memory. */
const records = new Set([".coder/sessions", ".coder/output"]);

export class Survey {
  readonly root: string;
  private readonly never: ReadonlySet<string>;
  private store = new PathStore();
  private readonly nodes = new Map<string, Node>();
  private readonly marked = new Set<Node>();
  private entries: Obeying = new Map();
  private readonly unseen = new Set<string>();
  private readonly deep = new Set<string>();
  private began = 0;
  private paused = 0;
  private deadline = 0;
  private isFirst = true;
  /** In this survey, unreadable folders are made readable, because a command may have closed them. */
  private opens = false;

  private readonly place: ObeyedPlace;

  /** `never`: real paths to skip. `place`: the kind of the root itself. */
  constructor(root: string, never: readonly string[], place: ObeyedPlace = "plain") {
    this.root = root;
    this.place = place;
    this.never = new Set(never);
    this.add("", null, place, false);
  }

  /** `isAfter`: after a command. One survey at a time. */
  async look(isAfter: boolean): Promise<Surveyed> {
    this.began = Date.now();
    this.paused = performance.now();
    this.deadline = this.paused + maxFirstMs;
    this.opens = isAfter;
    const eye = await this.open();
    if (eye === null) return { entries: new Map(), unseen: [], root: null };
    try {
      // The loop also reaches nodes that are added meanwhile.
      for (const node of this.nodes.values()) {
        this.visit(node, eye);
        if (performance.now() - this.paused < pauseMs) continue;
        await new Promise(setImmediate);
        this.paused = performance.now();
      }
      this.entries = this.collect(eye);
    } finally {
      eye.close();
    }
    this.isFirst = false;
    this.tidy();
    return {
      entries: this.entries,
      unseen: [...this.unseen, ...this.deep],
      root: this.nodes.get("")?.stamp?.ino ?? null,
    };
  }

  /** `null`: the root is gone or no longer a folder. A symlink in its place leads to other files. */
  private async open(): Promise<Eye | null> {
    try {
      if (kindAt(Buffer.from(this.root)) !== "folder") return null;
      return await openEye(this.root);
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      return null;
    }
  }

  /** Every build creates and removes folders: their paths would fill the memory of a long session. */
  private tidy(): void {
    if (!this.store.isCrowded(this.nodes.size)) return;
    this.store = new PathStore();
    for (const node of this.nodes.values()) {
      node.at = this.store.add(node.path === "" ? "." : node.path);
      node.obeyed = node.obeyed.map(({ name }) => ({ name, at: this.store.add(joined(node.path, name)) }));
    }
  }

  private visit(node: Node, eye: Eye): void {
    const stamp = node.parent?.isGone ? null : eye.see(node.at.bytes, node.at.from, node.stamp);
    if (stamp === null || kindOf(stamp.mode) !== "folder") {
      this.remove(node);
      return;
    }
    const isSame = stamp === node.stamp && !node.isFresh && !(node.isUnreadable && this.opens);
    if (isSame) return;
    const wasKnown = node.stamp !== null && stamp === node.stamp;
    const listed = this.list(node, stamp, wasKnown);
    node.stamp = stamp;
    node.isFresh = this.isYoung(stamp);
    node.isUnreadable = listed === null;
    node.isEmpty = listed?.length === 0;
    this.sort(node, listed ?? []);
  }

  private sort(node: Node, listed: readonly Listed[]): void {
    this.noteTop(node, listed);
    this.forgetDeep(node);
    const sorted = sortEntries(listed, {
      place: node.placeFromParent,
      compared: node.compared,
      isTop: (compared) => compared === "" || this.tops.has(compared),
      isFilled: (name) => (listFolder(pathBytes(this.root, joined(node.path, name)))?.length ?? 0) > 0,
    });
    node.place = sorted.place;
    node.obeyed = sorted.obeyed.map(({ name }) => ({ name, at: this.store.add(joined(node.path, name)) }));
    node.folders = new Set(sorted.folders.map(({ name }) => name));
    if (node.obeyed.length > 0 || node.isNamed || isRepository(node.place)) this.marked.add(node);
    else this.marked.delete(node);
    for (const { name, place, isObeyed } of sorted.folders) this.child(node, name, place, isObeyed);
  }

  private readonly tops = new Set<string>();

  /** Other names count in a folder that becomes, or ceases to be, the top of a repository. */
  private noteTop({ path, compared, folders }: Node, listed: readonly Listed[]): void {
    const isTop = listed.some(({ name }) => comparedName(name) === ".git");
    if (isTop === this.tops.has(compared)) return;
    if (isTop) this.tops.add(compared);
    else this.tops.delete(compared);
    for (const name of folders) {
      const child = this.nodes.get(joined(path, name));
      if (child) child.isFresh = true;
    }
  }

  private child(node: Node, name: string, place: ObeyedPlace, isNamed: boolean): void {
    const path = joined(node.path, name);
    const known = this.nodes.get(path);
    if (known && known.placeFromParent === place && known.isNamed === isNamed) return;
    if (known) this.remove(known);
    if (records.has(path) || this.never.has(`${this.root}/${Buffer.from(path, "latin1").toString()}`)) return;
    // A folder that was skipped before is not new just because it is listed again.
    if (this.unseen.has(path)) return;
    const isLate = this.isFirst && (this.nodes.size >= maxFolders || this.paused > this.deadline);
    if (path.length > maxPath) this.deep.add(path);
    else if (isLate) this.unseen.add(path);
    else this.add(path, node, place, isNamed);
  }

  /** Another folder may be created under the same path. */
  private forgetDeep({ path }: Node): void {
    for (const one of this.deep) if (one.slice(0, one.lastIndexOf("/")) === path) this.deep.delete(one);
  }

  private add(path: string, parent: Node | null, placeFromParent: ObeyedPlace, isNamed: boolean): void {
    const name = path.slice(path.lastIndexOf("/") + 1);
    this.nodes.set(path, {
      path,
      compared: parent === null ? "" : `${parent.compared}/${comparedName(name)}`,
      at: this.store.add(path === "" ? "." : path),
      ...{ parent, placeFromParent, place: placeFromParent, isNamed, stamp: null, isFresh: true },
      ...{ isEmpty: true, isUnreadable: false, isGone: false, obeyed: [], folders: new Set<string>() },
    });
  }

  private remove(node: Node): void {
    node.isGone = true;
    this.forgetDeep(node);
    this.marked.delete(node);
    this.nodes.delete(node.path);
    if (node.parent === null) this.add("", null, this.place, false);
  }

  /** `null`: unreadable, for the user's programs too. */
  private list(node: Node, stamp: Stamp, wasKnown: boolean): readonly Listed[] | null {
    const path = pathBytes(this.root, node.path);
    const names = listFolder(path);
    // In a folder without read permission, files can still be opened by name.
    if (names !== null || !this.opens || wasKnown) return names;
    const setMode = (mode: number): unknown => orNull(() => chmodSync(path as unknown as string, mode));
    setMode(stamp.mode | 0o700);
    const opened = listFolder(path);
    setMode(stamp.mode & 0o7777);
    return opened;
  }

  private collect(eye: Eye): Obeying {
    const found = new Map<string, Obeyed>();
    const room = new Room();
    const put = (path: string, at: StoredPath, isOfGit: boolean): void => {
      const one = this.entry(path, at, isOfGit, eye, room);
      if (one !== null && !found.has(path)) found.set(path, one);
    };
    for (const { path, place, isNamed, isEmpty, isFresh, obeyed, stamp } of this.marked) {
      const isGit = isRepository(place);
      if (stamp !== null && !isEmpty && (isNamed || isGit))
        found.set(path, { path, kind: isGit ? "git" : "folder", isOfGit: false, stamp, isFresh, content: null });
      for (const { name, at } of obeyed) put(joined(path, name), at, isGit || place.startsWith("git/"));
    }
    for (const path of namedIn(this.root, found, this.isLarge, this.opens)) put(path, this.storedNamed(path), false);
    return found;
  }

  private readonly isLarge: Largeness = new Map();
  private readonly namedPaths = new Map<string, StoredPath>();

  private storedNamed(path: string): StoredPath {
    const known = this.namedPaths.get(path) ?? new PathStore(path.length + 1).add(path);
    this.namedPaths.set(path, known);
    return known;
  }

  private entry(path: string, at: StoredPath, isOfGit: boolean, eye: Eye, room: Room): Obeyed | null {
    const old = this.entries.get(path);
    const stamp = eye.see(at.bytes, at.from, old?.stamp ?? null);
    if (stamp === null || kindOf(stamp.mode) === "folder") return null;
    if (old !== undefined && old.stamp === stamp && !old.isFresh) {
      room.take(old.content);
      return old;
    }
    const kind = kindOf(stamp.mode) as Exclude<EntryKind, "folder">;
    const content = readContent(pathBytes(this.root, path), kind, room);
    return { path, kind, isOfGit, stamp, isFresh: this.isYoung(stamp), content };
  }

  private isYoung(stamp: Stamp): boolean {
    return changedAt(stamp) >= this.began - slackOf(stamp);
  }
}
