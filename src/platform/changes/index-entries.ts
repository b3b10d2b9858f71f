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
  const places = new Map<string, number>();
  const unmerged = new Set<string>();
  const others = new Set<string>();
  let at = 12;
  let path = "";
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + 40 + hashBytes;
    if (flagsAt + 4 > end) return null;
    const named = nameAt(bytes, at, flagsAt, version, path);
    if (named === null || named.next > end) return null;
    path = named.path;
    const type = bytes.readUInt32BE(at + 24) & 0xf000;
    if (type === gitlink || type === folderMode) others.add(path.replace(/\/$/, ""));
    else places.set(path, at);
    if ((bytes[flagsAt]! & 0x30) !== 0) unmerged.add(path);
    at = named.next;
  }
  if (!hasOnlyKnown(bytes, at, end)) return null;
  const get = (wanted: string): IndexEntry | null => {
    const place = places.get(wanted);
    return place === undefined ? null : entryAt(bytes, place, hashBytes);
  };
  return { get, has: (wanted) => places.has(wanted), paths: () => places.keys(), unmerged: [...unmerged], others };
}

interface Named {
  readonly path: string;
  readonly next: number;
}

function nameAt(bytes: Buffer, at: number, flagsAt: number, version: number, before: string): Named | null {
  let from = flagsAt + ((bytes[flagsAt]! & 0x40) !== 0 && version > 2 ? 4 : 2);
  let kept = "";
  if (version === 4) {
    let drop = 0;
    // A number of git's packs: seven bits a byte, and each further byte counts from one on.
    for (let first = true; ; first = false) {
      const byte = bytes[from++];
      if (byte === undefined) return null;
      drop = (first ? 0 : (drop + 1) * 128) + (byte & 0x7f);
      if ((byte & 0x80) === 0) break;
    }
    if (drop > before.length) return null;
    kept = before.slice(0, before.length - drop);
  }
  const zero = bytes.indexOf(0, from);
  if (zero === -1) return null;
  const path = kept + bytes.toString("latin1", from, zero);
  return { path, next: version === 4 ? zero + 1 : at + Math.ceil((zero + 1 - at) / 8) * 8 };
}

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
