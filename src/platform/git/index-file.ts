// Git's index, only ever read: its entries, one after the other.

export const gitlink = 0xe000;
/** A folder of a sparse index. */
export const folderMode = 0x4000;

/** Whether some entry is another repository inside this one; `null` = the file was not understood. */
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
  /** Relative to the top of the repository. */
  readonly name: string;
  /** As it was when git last looked. */
  readonly size: number;
  readonly changedNs: bigint;
  /** When anything about it was changed: nobody can set that back. */
  readonly touchedNs: bigint;
}

/** All files in it; `null` = it was not understood. */
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

/** Where a name is written, and how much of the end of the name before comes off first (version 4). */
export interface WrittenName {
  readonly from: number;
  readonly end: number;
  readonly dropped: number | null;
}

/** Whether all of it was understood. `visit` says whether it understood its entry; `at`: where that begins. */
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
    // Times, device and inode come before the mode; owner, size, hash and flags behind it.
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

/** `null` = none of the versions 2 to 4, or a number that cannot be: each entry takes more than the fields before its name. */
export function entryCount(bytes: Buffer, hashBytes: number): number | null {
  const isIndex = bytes.length >= 12 + hashBytes && bytes.toString("latin1", 0, 4) === "DIRC";
  const version = isIndex ? bytes.readUInt32BE(4) : 0;
  if (version < 2 || version > 4) return null;
  const count = bytes.readUInt32BE(8);
  return count > (bytes.length - hashBytes) / (42 + hashBytes) ? null : count;
}

/** Seven bits a byte, the highest first; each further byte counts from one more. */
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

/** Extensions that must be understood begin with a small letter: a split index keeps entries elsewhere. A sparse one does not. */
function hasOnlyKnown(bytes: Buffer, from: number, end: number): boolean {
  let at = from;
  while (at + 8 <= end) {
    if ((bytes[at] ?? 0) >= 0x61 && bytes.toString("latin1", at, at + 4) !== "sdir") return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === end;
}
