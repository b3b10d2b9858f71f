// Stats without following symlinks. A look needs 50,000: through the C library each takes 1.5 µs, through the runtime 2.5 µs.
import { closeSync, lstatSync, openSync } from "node:fs";
import { openCLibrary } from "../c-library.ts";
import { errnoOf } from "../files/failure.ts";
import { isRefusal } from "../files/folder.ts";

/** Equal stamps mean equal content: every write changes the `ctime`, which nobody can set back. */
export interface Stamp {
  readonly mode: number;
  readonly ino: number;
  readonly size: number;
  readonly ctime: number;
  readonly ctimeNs: number;
  readonly mtime: number;
  readonly mtimeNs: number;
}

/** A buffer with a fixed address, as the C library needs. */
export function fixedBytes(text: string): Buffer {
  const bytes = Buffer.from(new ArrayBuffer(text.length));
  bytes.write(text, "latin1");
  return bytes;
}

export interface Eye {
  /** Stamp of the NUL-terminated path at this offset, relative to the root; `null`: missing. Returns `old` itself if it is unchanged. */
  readonly see: (paths: Buffer, at: number, old: Stamp | null) => Stamp | null;
  readonly close: () => void;
}

const typeBits = 0o170000;

export function kindOf(mode: number): "file" | "folder" | "link" | "other" {
  const type = mode & typeBits;
  if (type === 0o100000) return "file";
  if (type === 0o040000) return "folder";
  return type === 0o120000 ? "link" : "other";
}

export async function openEye(root: string): Promise<Eye> {
  libc ??= await openLibc();
  return libc === null ? plainEye(root) : quickEye(root, libc);
}

interface Statx {
  readonly statx: (folder: number, path: number, flags: number, mask: number, out: number) => number;
  readonly ptr: (bytes: Uint8Array | Uint32Array) => number;
}

let libc: Statx | null = null;

const AT_SYMLINK_NOFOLLOW = 0x100;
const STATX_BASIC_STATS = 0x7ff;

function quickEye(root: string, { statx, ptr }: Statx): Eye {
  const fd = openSync(root, "r");
  // The garbage collector moves small arrays that do not have their own buffer.
  const out = new Uint32Array(new ArrayBuffer(256));
  const outAt = ptr(out);
  let last: Buffer | null = null;
  let base = 0;
  return {
    see: (paths, at, old) => {
      if (paths !== last) base = ptr(paths);
      last = paths;
      if (statx(fd, base + at, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, outAt) !== 0) return slowly(root, paths, at);
      return isSame(out, old) ? old : fromWords(out);
    },
    close: () => closeSync(fd),
  };
}

/** Offsets in `struct statx`, in 32-bit words; the upper half of a 64-bit number comes second. */
function isSame(out: Uint32Array, old: Stamp | null): old is Stamp {
  return (
    old !== null &&
    out[26] === old.ctimeNs &&
    out[24]! + out[25]! * 2 ** 32 === old.ctime &&
    out[10]! + out[11]! * 2 ** 32 === old.size &&
    out[30] === old.mtimeNs &&
    out[28]! + out[29]! * 2 ** 32 === old.mtime &&
    out[8]! + out[9]! * 2 ** 32 === old.ino &&
    (out[7]! & 0xffff) === old.mode
  );
}

function fromWords(out: Uint32Array): Stamp {
  return {
    mode: out[7]! & 0xffff,
    ino: out[8]! + out[9]! * 2 ** 32,
    size: out[10]! + out[11]! * 2 ** 32,
    ctime: out[24]! + out[25]! * 2 ** 32,
    ctimeNs: out[26]!,
    mtime: out[28]! + out[29]! * 2 ** 32,
    mtimeNs: out[30]!,
  };
}

function plainEye(root: string): Eye {
  return {
    see: (paths, at, old) => {
      const now = slowly(root, paths, at);
      return now !== null && old !== null && isSameStamp(now, old) ? old : now;
    },
    close: () => {},
  };
}

const stampKeys = ["ino", "size", "mtime", "mtimeNs", "ctime", "ctimeNs", "mode"] as const;

export function isSameStamp(a: Stamp, b: Stamp): boolean {
  return stampKeys.every((key) => a[key] === b[key]);
}

/** Tolerance of timestamps, in milliseconds: kernel clock ticks are at most 10 ms apart; some file systems store whole seconds, FAT every other one. */
export function slackOf({ ctimeNs }: Stamp): number {
  return ctimeNs === 0 ? 2_000 : 20;
}

/** Fallback that also finds out why statx failed: a missing or inaccessible path has no stamp. */
function slowly(root: string, paths: Buffer, at: number): Stamp | null {
  const name = paths.subarray(at, paths.indexOf(0, at));
  const path = Buffer.concat([Buffer.from(root.endsWith("/") ? root : `${root}/`), name]);
  try {
    return stampAt(path);
  } catch (error) {
    if (!isRefusal(error) || errnoOf(error) === "EMFILE") throw error;
    return null;
  }
}

export function stampAt(path: string | Buffer): Stamp | null {
  // The declared types allow only strings; the runtime accepts bytes.
  const stat = lstatSync(path as string, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return null;
  return {
    mode: Number(stat.mode),
    ino: Number(stat.ino),
    size: Number(stat.size),
    ctime: Number(stat.ctimeNs / 1_000_000_000n),
    ctimeNs: Number(stat.ctimeNs % 1_000_000_000n),
    mtime: Number(stat.mtimeNs / 1_000_000_000n),
    mtimeNs: Number(stat.mtimeNs % 1_000_000_000n),
  };
}

export function changedAt({ ctime, ctimeNs }: Stamp): number {
  return ctime * 1000 + ctimeNs / 1e6;
}

export function writtenAt({ mtime, mtimeNs }: Stamp): number {
  return mtime * 1000 + mtimeNs / 1e6;
}

async function openLibc(): Promise<Statx | null> {
  const library = await openCLibrary({ statx: { args: ["i32", "ptr", "i32", "u32", "ptr"], returns: "i32" } });
  return library && ({ statx: library.symbols.statx, ptr: library.ptr } as unknown as Statx);
}
