// Watches the folders in which a command works, each from the command's first action there.
import { closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import { isWithin } from "../files/path.ts";
import { orNull } from "../files/probe.ts";
import type { Book, LedgerFolder } from "./ledger.ts";
import { fixed, type Libc, ptr } from "./libc.ts";
import type { Peer } from "./peer.ts";

export interface NamePlace {
  readonly watch: number;
  readonly name: string;
  readonly folder: string;
}

export function pathOf({ folder, name }: NamePlace): string {
  return `${folder}/${name}`;
}

const O_PATH = 0o10000000;
const IN_MODIFY = 0x2;
const IN_CLOSE_WRITE = 0x8;
const IN_OPEN = 0x20;
const IN_MOVED_FROM = 0x40;
const IN_CREATE = 0x100;
const IN_DELETE_SELF = 0x400;
const IN_Q_OVERFLOW = 0x4000;
const IN_IGNORED = 0x8000;
const IN_ONLYDIR = 0x01000000;
const IN_DONT_FOLLOW = 0x02000000;
const IN_EXCL_UNLINK = 0x04000000;
const IN_MASK_ADD = 0x20000000;
/** Reports only departures: one before each move keeps inotify from merging two identical arrivals. */
const KNOW = IN_ONLYDIR | IN_MASK_ADD | IN_DELETE_SELF | IN_MOVED_FROM;
/** Also closed after writing, moved, created, deleted, opened. */
const TELL = KNOW | IN_EXCL_UNLINK | IN_OPEN | IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | 0x80 | 0x200;
/** A watch on the file itself, beside its folder's: it keeps two close events from being consecutive. */
const APART = IN_CLOSE_WRITE | IN_DONT_FOLLOW | IN_MASK_ADD;

/** These folders are not compared before and after a command. */
const unwatched = /(?:^|\/)\.(?:git|coder)(?:\/|$)/;
const MOST_NAMES = 10_000;

export class Folders {
  /** inotify descriptor, readable when the kernel has events; negative: none available. */
  readonly watches: number;
  private readonly libc: Libc;
  private readonly peer: Peer;
  private readonly book: Book;
  /** Latin-1, one character per byte. */
  private readonly root: string;
  /** Watches and names of folders outside the workspace: most calls concern /tmp and /dev. */
  private readonly outside = new Set<number>();
  private readonly outsideNames = new Set<string>();
  /** Watches of files that the command has open, by place. */
  private readonly files = new Map<string, number>();
  private readonly messages = Buffer.from(fixed(64 * 1024));
  private readonly messagesAt = ptr(this.messages);

  constructor(libc: Libc, peer: Peer, book: Book, root: string) {
    this.libc = libc;
    this.peer = peer;
    this.book = book;
    this.root = Buffer.from(root).toString("latin1");
    this.watches = libc.openWatches();
    if (this.watches < 0) book.isWhole = false;
  }

  /** The name that a process refers to; `null`: outside the workspace, or missing. `from`: base of its relative paths. */
  placeOf(path: string, pid: number, from: string): NamePlace | null {
    const end = path.endsWith("/") ? path.replace(/\/+$/, "") : path;
    const slash = end.lastIndexOf("/");
    const name = end.slice(slash + 1);
    if (name === "" || name === "." || name === "..") return null;
    const above = end.slice(0, Math.max(0, slash));
    if (!path.startsWith("/")) return this.placeIn(slash < 0 ? from : `${from}/${above}`, name, null);
    // The workspace has the same path inside and outside a sandbox.
    if (isWithin(end, this.root)) return this.placeIn(above, name, null);
    if (/^\/(?:dev|proc|sys)(?:\/|$)/.test(above) || this.outsideNames.has(above)) return null;
    return this.placeIn(`/proc/${pid}/root${above}`, name, above);
  }

  /** The inode of the workspace, if `folder` is the workspace or contains it. */
  rootIn(folder: string): number | null {
    const real = realOf(folder, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    return real !== null && isWithin(this.root, real.path) ? (realOf(this.root, O_PATH)?.ino ?? null) : null;
  }

  behind(link: NamePlace, pid: number): NamePlace | null {
    const real = realOf(pathOf(link), O_PATH);
    // The target need not exist yet.
    const readLink = (): Buffer => readlinkSync(bytesOf(pathOf(link)), { encoding: "buffer" });
    const path = real?.path ?? orNull(readLink)?.toString("latin1") ?? null;
    return path === null ? null : this.placeOf(path, pid, link.folder);
  }

  /** Call this when the command is about to open the file. */
  watchFile(place: NamePlace): void {
    const key = `${place.watch}/${place.name}`;
    const watch = this.libc.watch(this.watches, this.peer.addressOf(pathOf(place)), APART);
    if (watch >= 0) this.files.set(key, watch);
    else if (this.peer.at(pathOf(place)) !== null) this.book.of(place.watch, place.name).isTainted = true;
  }

  fetch(): void {
    const { messages } = this;
    for (;;) {
      const size = this.libc.read(this.watches, this.messagesAt, messages.length);
      if (size <= 0) return;
      const created: Pick<NamePlace, "watch" | "name">[] = [];
      for (let at = 0; at < size; ) {
        const watch = messages.readInt32LE(at);
        const mask = messages.readUInt32LE(at + 4);
        const length = messages.readUInt32LE(at + 12);
        if (mask & IN_Q_OVERFLOW) this.book.isWhole = false;
        else if (mask & IN_IGNORED) this.book.folderGone(watch);
        else if ((mask & IN_MODIFY) === 0 && length > 0) {
          const name = messages.toString("latin1", at + 16, messages.indexOf(0, at + 16));
          this.book.tell(watch, mask, name, messages.readUInt32LE(at + 8));
          if (mask & IN_CREATE) created.push({ watch, name });
          if (mask & IN_CLOSE_WRITE) this.forget(watch, name);
        }
        at += 16 + length;
      }
      // A new file could not be watched before it existed. Most are already closed by now.
      for (const { watch, name } of created) {
        const folder = this.book.isOpen(watch, name) ? this.book.pathOf(watch) : null;
        if (folder !== null) this.watchFile({ watch, name, folder });
      }
    }
  }

  private forget(watch: number, name: string): void {
    const key = `${watch}/${name}`;
    const file = this.files.size === 0 ? undefined : this.files.get(key);
    if (file === undefined || this.book.isOpen(watch, name)) return;
    this.libc.unwatch(this.watches, file);
    this.files.delete(key);
  }

  close(): void {
    if (this.watches >= 0) closeSync(this.watches);
  }

  private placeIn(folder: string, name: string, named: string | null): NamePlace | null {
    const watch = this.libc.watch(this.watches, this.peer.addressOf(`${folder}/`), KNOW);
    if (watch < 0) {
      // Either the folder does not exist and the call will fail, or the system has no watches left.
      if (realOf(folder, O_PATH | constants.O_DIRECTORY) !== null) this.book.isWhole = false;
      return null;
    }
    if (!this.book.hasFolder(watch) && !this.outside.has(watch)) this.meet(watch, folder, named);
    return this.outside.has(watch) ? null : { watch, name, folder };
  }

  private meet(watch: number, folder: string, named: string | null): void {
    const real = realOf(folder, O_PATH | constants.O_DIRECTORY);
    const isOurs =
      real !== null && isWithin(real.path, this.root) && !unwatched.test(real.path.slice(this.root.length));
    if (isOurs) {
      if (this.libc.watch(this.watches, this.peer.addressOf(`${folder}/`), TELL) !== watch) this.book.isWhole = false;
      this.book.addFolder(watch, { ...real, isGone: false });
      return;
    }
    this.outside.add(watch);
    if (named !== null && this.outsideNames.size < MOST_NAMES) this.outsideNames.add(named);
  }
}

/** Real path and identity behind a name; `null`: missing. */
function realOf(path: string, flags: number): Omit<LedgerFolder, "isGone"> | null {
  return orNull(() => {
    const fd = openSync(bytesOf(path), flags);
    try {
      const real = readlinkSync(`/proc/self/fd/${fd}`, { encoding: "buffer" });
      const { dev, ino } = fstatSync(fd);
      return { path: real.toString("latin1"), dev, ino };
    } finally {
      closeSync(fd);
    }
  });
}

/** The declared types allow only strings; the runtime accepts bytes. */
function bytesOf(path: string): string {
  return Buffer.from(path, "latin1") as unknown as string;
}
