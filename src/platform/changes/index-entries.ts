// Git's index, only ever read: which file has which content, and what the disk said of it when git last compared the two.

export interface IndexEntry {
  readonly mode: number;
  readonly oid: string;
  readonly size: number;
  readonly ino: number;
  readonly ctime: number;
  readonly ctimeNs: number;
  readonly mtime: number;
  readonly mtimeNs: number;
  /** Its content is that of the file whenever the disk says of it what stands here. */
  readonly isPlain: boolean;
  /** Not checked out, and not to be. */
  readonly isAbsent: boolean;
}

export interface Index {
  /** By path, each byte as one character. */
  readonly get: (path: string) => IndexEntry | null;
  readonly has: (path: string) => boolean;
  readonly paths: () => Iterable<string>;
  /** Paths of which a merge left several versions. */
  readonly unmerged: readonly string[];
  /** Other repositories, and folders that are not checked out. */
  readonly others: ReadonlySet<string>;
}

/** Of a repository into which nothing was ever put. */
export const noEntries: Index = { get: () => null, has: () => false, paths: () => [], unmerged: [], others: new Set() };

const gitlink = 0xe000;
const folderMode = 0x4000;

/** `null` = not understood: of a version, or with a part, that this does not know. */
export function readIndex(bytes: Buffer, hashBytes: number): Index | null {
  const version =
    bytes.length < 12 + hashBytes || bytes.toString("latin1", 0, 4) !== "DIRC" ? 0 : bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return null;
  const end = bytes.length - hashBytes;
  const count = bytes.readUInt32BE(8);
  // Each takes more than the fields before its name: a number that cannot be is not believed.
  if (count > end / (42 + hashBytes)) return null;
  const places = new Places(version === 4 ? Buffer.alloc(0) : bytes, count);
  const unmerged = new Set<string>();
  const others = new Set<string>();
  let at = 12;
  let named: Named = { from: 0, to: 0, next: 0 };
  for (let left = count; left > 0; left--) {
    const flagsAt = at + 40 + hashBytes;
    if (flagsAt + 4 > end) return null;
    const found = nameAt(bytes, at, flagsAt, version, places, named);
    if (found === null || found.next > end) return null;
    named = found;
    const type = bytes.readUInt32BE(at + 24) & 0xf000;
    if (type === gitlink || type === folderMode) others.add(places.text(named).replace(/\/$/, ""));
    else places.add(named, at);
    if ((bytes[flagsAt]! & 0x30) !== 0) unmerged.add(places.text(named));
    at = named.next;
  }
  if (!hasOnlyKnown(bytes, at, end)) return null;
  const get = (wanted: string): IndexEntry | null => {
    const place = places.get(wanted);
    return place < 0 ? null : entryAt(bytes, place, hashBytes);
  };
  const has = (wanted: string): boolean => places.get(wanted) >= 0;
  return { get, has, paths: () => places.paths(), unmerged: [...unmerged], others };
}

/** Where its name is written, and where the next entry begins. */
interface Named {
  readonly from: number;
  readonly to: number;
  readonly next: number;
}

function nameAt(
  bytes: Buffer,
  at: number,
  flagsAt: number,
  version: number,
  places: Places,
  before: Named,
): Named | null {
  let from = flagsAt + ((bytes[flagsAt]! & 0x40) !== 0 && version > 2 ? 4 : 2);
  let drop = 0;
  // A number of git's packs: seven bits a byte, and each further byte counts from one on.
  for (let first = true; version === 4; first = false) {
    const byte = bytes[from++];
    if (byte === undefined) return null;
    drop = (first ? 0 : (drop + 1) * 128) + (byte & 0x7f);
    if ((byte & 0x80) === 0) break;
  }
  const zero = bytes.indexOf(0, from);
  if (zero === -1) return null;
  if (version < 4) return { from, to: zero, next: at + Math.ceil((zero + 1 - at) / 8) * 8 };
  if (drop > before.to - before.from) return null;
  return { ...places.write(before, before.to - drop, bytes.subarray(from, zero)), next: zero + 1 };
}

/** Which entry is that of a path. Without a string for each of them, which would take more memory than the index itself. */
class Places {
  private names: Buffer;
  private written = 0;
  private count = 0;
  private readonly from: Uint32Array;
  private readonly to: Uint32Array;
  private readonly entries: Uint32Array;
  /** By the hash of a path, or the next that is free: its number, from 1 on. */
  private readonly table: Int32Array;

  constructor(names: Buffer, most: number) {
    this.names = names;
    this.from = new Uint32Array(most);
    this.to = new Uint32Array(most);
    this.entries = new Uint32Array(most);
    this.table = new Int32Array(2 ** Math.ceil(Math.log2(2 * most + 1)));
  }

  /** A name that begins as the one before it. */
  write(before: Named, kept: number, rest: Uint8Array): { readonly from: number; readonly to: number } {
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

  text({ from, to }: { readonly from: number; readonly to: number }): string {
    return this.names.toString("latin1", from, to);
  }

  /** Of several versions of one path the last counts. */
  add({ from, to }: Named, entry: number): void {
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

  /** -1 = there is none. */
  get(path: string): number {
    let hash = basis;
    for (let at = 0; at < path.length; at++) hash = Math.imul(hash ^ path.charCodeAt(at), prime);
    const own = this.table[this.slotOf(hash, path.length, (at) => path.charCodeAt(at))]! - 1;
    return own < 0 ? -1 : this.entries[own]!;
  }

  *paths(): Generator<string> {
    for (let at = 0; at < this.count; at++) yield this.text({ from: this.from[at]!, to: this.to[at]! });
  }

  /** That of the path, or the free one where it would be. */
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

/** Of FNV-1a. */
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
    // Neither "assume unchanged", nor a version of a conflict, nor "not checked out", nor "to be added later".
    isPlain: (flags & 0x8000) === 0 && (flags & 0x3000) === 0 && (more & 0x6000) === 0,
    isAbsent: (more & 0x4000) !== 0,
  };
}

/** What must be understood begins with a small letter: a split index keeps entries elsewhere. A sparse one does not. */
function hasOnlyKnown(bytes: Buffer, from: number, end: number): boolean {
  let at = from;
  while (at + 8 <= end) {
    if (bytes[at]! >= 0x61 && bytes.toString("latin1", at, at + 4) !== "sdir") return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === end;
}
