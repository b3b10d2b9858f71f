// A read-only view of git's index: each file's object id, and its stat when git last compared the two.
import { eachEntry, entryCount, folderMode, gitlink, type WrittenName } from "../git/index-file.ts";

export interface IndexEntry {
  readonly mode: number;
  readonly oid: string;
  readonly size: number;
  readonly ino: number;
  readonly ctime: number;
  readonly ctimeNs: number;
  readonly mtime: number;
  readonly mtimeNs: number;
  /** The content equals the object as long as the stat is the one in the index. */
  readonly isPlain: boolean;
  readonly isAbsent: boolean;
}

export interface Index {
  readonly get: (path: string) => IndexEntry | null;
  readonly has: (path: string) => boolean;
  readonly paths: () => Iterable<string>;
  readonly unmerged: readonly string[];
  /** Nested repositories, and folders that are not checked out. */
  readonly others: ReadonlySet<string>;
}

export const noEntries: Index = { get: () => null, has: () => false, paths: () => [], unmerged: [], others: new Set() };

/** `null`: an unknown version or extension. */
export function readIndex(bytes: Buffer, hashBytes: number): Index | null {
  const places = new Places(bytes, entryCount(bytes, hashBytes) ?? 0);
  const unmerged = new Set<string>();
  const others = new Set<string>();
  let named: NameSpan = { from: 0, to: 0 };
  const isWhole = eachEntry(bytes, hashBytes, (at, name) => {
    if (name.dropped !== null && name.dropped > named.to - named.from) return false;
    named = name.dropped === null ? { from: name.from, to: name.end } : places.write(named, name.dropped, name);
    const type = bytes.readUInt32BE(at + 24) & 0xf000;
    if (type === gitlink || type === folderMode) others.add(places.text(named).replace(/\/$/, ""));
    else places.add(named, at);
    if ((bytes[at + 40 + hashBytes]! & 0x30) !== 0) unmerged.add(places.text(named));
    return true;
  });
  if (!isWhole) return null;
  const get = (wanted: string): IndexEntry | null => {
    const place = places.get(wanted);
    return place < 0 ? null : entryAt(bytes, place, hashBytes);
  };
  const has = (wanted: string): boolean => places.get(wanted) >= 0;
  return { get, has, paths: () => places.paths(), unmerged: [...unmerged], others };
}

interface NameSpan {
  readonly from: number;
  readonly to: number;
}

/** Maps paths to entries without a string per path, which would take more memory than the index itself. */
class Places {
  private readonly bytes: Buffer;
  /** The index itself, or a buffer with its reconstructed names (version 4). */
  private names: Buffer;
  private written = 0;
  private count = 0;
  private readonly from: Uint32Array;
  private readonly to: Uint32Array;
  private readonly entries: Uint32Array;
  /** A hash table with linear probing; each slot holds a name's number, from 1 on. */
  private readonly table: Int32Array;

  constructor(bytes: Buffer, most: number) {
    this.bytes = bytes;
    this.names = most > 0 && bytes.readUInt32BE(4) === 4 ? Buffer.alloc(0) : bytes;
    this.from = new Uint32Array(most);
    this.to = new Uint32Array(most);
    this.entries = new Uint32Array(most);
    this.table = new Int32Array(2 ** Math.ceil(Math.log2(2 * most + 1)));
  }

  write(before: NameSpan, dropped: number, name: WrittenName): NameSpan {
    const rest = this.bytes.subarray(name.from, name.end);
    const kept = before.to - dropped;
    const size = kept - before.from + rest.length;
    if (this.written + size > this.names.length) {
      const larger = Buffer.alloc(2 * (this.written + size) + 4096);
      larger.set(this.names);
      this.names = larger;
    }
    const from = this.written;
    this.names.copyWithin(from, before.from, kept);
    this.names.set(rest, from + kept - before.from);
    this.written += size;
    return { from, to: from + size };
  }

  text({ from, to }: NameSpan): string {
    return this.names.toString("latin1", from, to);
  }

  /** For several versions of one path, the last one counts. */
  add({ from, to }: NameSpan, entry: number): void {
    const { names } = this;
    let hash = basis;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ names[at]!, prime);
    const slot = this.slotOf(hash, to - from, (at) => names[from + at]!);
    const known = this.table[slot]! - 1;
    const own = known < 0 ? this.count++ : known;
    this.table[slot] = own + 1;
    this.from[own] = from;
    this.to[own] = to;
    this.entries[own] = entry;
  }

  get(path: string): number {
    let hash = basis;
    for (let at = 0; at < path.length; at++) hash = Math.imul(hash ^ path.charCodeAt(at), prime);
    const own = this.table[this.slotOf(hash, path.length, (at) => path.charCodeAt(at))]! - 1;
    return own < 0 ? -1 : this.entries[own]!;
  }

  *paths(): Generator<string> {
    for (let at = 0; at < this.count; at++) yield this.text({ from: this.from[at]!, to: this.to[at]! });
  }

  private slotOf(hash: number, size: number, byteAt: (at: number) => number): number {
    const { table, names } = this;
    const mask = table.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const own = table[slot]! - 1;
      if (own < 0) return slot;
      const from = this.from[own]!;
      if (this.to[own]! - from !== size) continue;
      let at = 0;
      while (at < size && names[from + at] === byteAt(at)) at++;
      if (at === size) return slot;
    }
  }
}

const basis = 0x811c9dc5;
const prime = 0x01000193;

function entryAt(bytes: Buffer, at: number, hashBytes: number): IndexEntry {
  const flagsAt = at + 40 + hashBytes;
  const flags = bytes.readUInt16BE(flagsAt);
  const more = (flags & 0x4000) === 0 ? 0 : bytes.readUInt16BE(flagsAt + 2);
  return {
    ctime: bytes.readUInt32BE(at),
    ctimeNs: bytes.readUInt32BE(at + 4),
    mtime: bytes.readUInt32BE(at + 8),
    mtimeNs: bytes.readUInt32BE(at + 12),
    ino: bytes.readUInt32BE(at + 20),
    mode: bytes.readUInt32BE(at + 24),
    size: bytes.readUInt32BE(at + 36),
    oid: bytes.toString("hex", at + 40, flagsAt),
    // Not "assume unchanged", a conflict version, "skip worktree" or "intent to add".
    isPlain: (flags & 0x8000) === 0 && (flags & 0x3000) === 0 && (more & 0x6000) === 0,
    isAbsent: (more & 0x4000) !== 0,
  };
}
