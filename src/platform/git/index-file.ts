/** Whether some entry is another repository inside this one; `null` = the file was not understood. */
export function hasInnerRepository(bytes: Buffer, hashBytes: number): boolean | null {
  const version =
    bytes.length < 12 + hashBytes || bytes.toString("latin1", 0, 4) !== "DIRC" ? 0 : bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return null;
  const end = bytes.length - hashBytes;
  const count = bytes.readUInt32BE(8);
  let at = 12;
  for (let index = 0; index < count; index++) {
    // Times, device and inode come before the mode; owner, size, hash and flags behind it.
    const flagsAt = at + 40 + hashBytes;
    if (flagsAt + 4 > end) return null;
    if ((bytes.readUInt32BE(at + 24) & 0xf000) === 0xe000) return true;
    const next = entryEnd(bytes, at, flagsAt, version);
    if (next === null || next > end) return null;
    at = next;
  }
  return hasOnlyKnown(bytes, at, end) ? false : null;
}

function entryEnd(bytes: Buffer, at: number, flagsAt: number, version: number): number | null {
  const isExtended = (bytes.readUInt16BE(flagsAt) & 0x4000) !== 0;
  let name = flagsAt + (isExtended && version > 2 ? 4 : 2);
  // In version 4 the name begins with how much of the one before it is dropped.
  if (version === 4) while (((bytes[name++] ?? 0) & 0x80) !== 0) if (name >= bytes.length) return null;
  const zero = bytes.indexOf(0, name);
  if (zero === -1) return null;
  return version === 4 ? zero + 1 : at + Math.ceil((zero + 1 - at) / 8) * 8;
}

/** Extensions that must be understood begin with a small letter: some keep entries elsewhere. */
function hasOnlyKnown(bytes: Buffer, from: number, end: number): boolean {
  let at = from;
  while (at + 8 <= end) {
    if ((bytes[at] ?? 0) >= 0x61) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === end;
}
