export const gitlink = 0xe000;
/** A folder of a sparse index. */
export const folderMode = 0x4000;

export function hasInnerRepository(bytes: Buffer, hashBytes: number): boolean | null {
  let isFound = false;
  const isWhole = eachEntry(bytes, hashBytes, (at) => {
    const type = bytes.readUInt32BE(at + 24) & 0xf000;
    isFound ||= type === gitlink;
    return type !== folderMode;
  });
  return isFound || (isWhole ? false : null);
}

export interface TrackedFile {
  readonly name: string;
  readonly size: number;
  readonly changedNs: bigint;
  /** ctime: nobody can set it back. */
  readonly touchedNs: bigint;
}

export function trackedFiles(bytes: Buffer, hashBytes: number): readonly TrackedFile[] | null {
  const files: TrackedFile[] = [];
  let last = Buffer.alloc(0);
  const isWhole = eachEntry(bytes, hashBytes, (at, { from, end, dropped }) => {
    if ((bytes.readUInt32BE(at + 24) & 0xf000) === folderMode) return false;
    const kept = dropped === null ? 0 : Math.max(0, last.length - dropped);
    last = Buffer.concat([last.subarray(0, kept), bytes.subarray(from, end)]);
    const timeAt = (place: number) =>
      BigInt(bytes.readUInt32BE(place)) * 1_000_000_000n + BigInt(bytes.readUInt32BE(place + 4));
    const times = { changedNs: timeAt(at + 8), touchedNs: timeAt(at) };
    files.push({ name: last.toString(), size: bytes.readUInt32BE(at + 36), ...times });
    return true;
  });
  return isWhole ? files : null;
}

/** Position of a name, and how much of the end of the previous name to drop first (version 4). */
export interface WrittenName {
  readonly from: number;
  readonly end: number;
  readonly dropped: number | null;
}

/** Returns whether the whole file was understood. `visit` returns whether it understood the entry at offset `at`. */
export function eachEntry(
  bytes: Buffer,
  hashBytes: number,
  visit: (at: number, name: WrittenName) => boolean,
): boolean {
  const count = entryCount(bytes, hashBytes);
  if (count === null) return false;
  const isShort = bytes.readUInt32BE(4) === 4;
  const last = bytes.length - hashBytes;
  let at = 12;
  for (let index = 0; index < count; index++) {
    // Times, device, inode and mode, then owner, size, hash and flags.
    const flagsAt = at + 40 + hashBytes;
    if (flagsAt + 4 > last) return false;
    const isExtended = (bytes.readUInt16BE(flagsAt) & 0x4000) !== 0 && bytes.readUInt32BE(4) > 2;
    const nameAt = flagsAt + (isExtended ? 4 : 2);
    const { dropped, from } = isShort ? droppedAt(bytes, nameAt) : { dropped: null, from: nameAt };
    const end = bytes.indexOf(0, from);
    if (end === -1) return false;
    const next = isShort ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8;
    if (next > last || !visit(at, { from, end, dropped })) return false;
    at = next;
  }
  return hasOnlyKnown(bytes, at, last);
}

/** `null`: not version 2 to 4, or an impossible count: each entry takes more than the fields before its name. */
export function entryCount(bytes: Buffer, hashBytes: number): number | null {
  const isIndex = bytes.length >= 12 + hashBytes && bytes.toString("latin1", 0, 4) === "DIRC";
  const version = isIndex ? bytes.readUInt32BE(4) : 0;
  if (version < 2 || version > 4) return null;
  const count = bytes.readUInt32BE(8);
  return count > (bytes.length - hashBytes) / (42 + hashBytes) ? null : count;
}

/** Git's offset encoding: seven bits per byte, highest first; each further byte adds one. */
function droppedAt(bytes: Buffer, start: number): { readonly dropped: number; readonly from: number } {
  let from = start;
  let byte = bytes[from++] ?? 0;
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes[from++] ?? 0;
    dropped = (dropped + 1) * 128 + (byte & 0x7f);
  }
  return { dropped, from };
}

/** Extensions in lower case are mandatory: a split index keeps entries elsewhere. A sparse index (`sdir`) does not. */
function hasOnlyKnown(bytes: Buffer, from: number, end: number): boolean {
  let at = from;
  while (at + 8 <= end) {
    if ((bytes[at] ?? 0) >= 0x61 && bytes.toString("latin1", at, at + 4) !== "sdir") return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === end;
}
