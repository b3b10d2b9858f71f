// Inspects another process's call: the paths in its memory, and the files they name.
import type { FirstSight } from "./ledger.ts";
import { fixed, type Libc, ptr } from "./libc.ts";

const MAX_PATH = 4096;
const PAGE = 4096;
const typeBits = 0o170000;

/** Never follows a symlink; valid until the next query. */
export interface PathSight {
  readonly kind: "folder" | "link" | "other";
  readonly sight: () => FirstSight;
}

export class Peer {
  private readonly libc: Libc;
  private readonly pathBytes = Buffer.from(fixed(MAX_PATH));
  private readonly local = new BigUint64Array(fixed(16));
  private readonly remote = new BigUint64Array(fixed(32));
  private readonly localAt = ptr(this.local);
  private readonly remoteAt = ptr(this.remote);
  private readonly name = Buffer.from(fixed(2 * MAX_PATH));
  private readonly nameAt = ptr(this.name);
  private readonly stat = new DataView(fixed(256));
  private readonly statAt = ptr(this.stat);

  constructor(libc: Libc) {
    this.libc = libc;
    this.local.set([BigInt(ptr(this.pathBytes)), BigInt(MAX_PATH)]);
  }

  /** One character per byte; `null`: unreadable. */
  pathAt(pid: number, address: bigint): string | null {
    const rest = PAGE - Number(address % BigInt(PAGE));
    const { remote, pathBytes } = this;
    remote[0] = address;
    remote[1] = BigInt(rest);
    remote[2] = address + BigInt(rest);
    remote[3] = BigInt(MAX_PATH - rest);
    // The memory behind the end of the page may be unmapped, and is seldom needed.
    for (const parts of [1, 2]) {
      const got = this.libc.readMemory(pid, this.localAt, this.remoteAt, parts);
      const end = got <= 0 ? -1 : pathBytes.indexOf(0);
      if (end >= 0 && end < got) return pathBytes.toString("latin1", 0, end);
    }
    return null;
  }

  /** The low 32 bits at an address; `null`: unreadable. */
  numberAt(pid: number, address: bigint): number | null {
    this.remote[0] = address;
    this.remote[1] = 8n;
    return this.libc.readMemory(pid, this.localAt, this.remoteAt, 1) < 8 ? null : this.pathBytes.readUInt32LE(0);
  }

  /** Considers the permissions of the file and the mount. */
  mayBeWritten(path: string): boolean {
    return this.libc.mayWrite(this.addressOf(path)) === 0;
  }

  /** Id of the mount that contains a folder; `null`: there is no such folder. */
  mountOf(folder: string): bigint | null {
    if (this.libc.statx(this.addressOf(`${folder}/`), this.statAt) !== 0) return null;
    return this.stat.getBigUint64(144, true);
  }

  at(path: string): PathSight | null {
    if (this.libc.statx(this.addressOf(path), this.statAt) !== 0) return null;
    const type = this.stat.getUint16(28, true) & typeBits;
    return {
      kind: type === 0o040000 ? "folder" : type === 0o120000 ? "link" : "other",
      sight: () => this.sight(),
    };
  }

  /** A pointer for the C library, valid until the next call. */
  addressOf(path: string): number {
    const size = this.name.write(path, 0, this.name.length - 1, "latin1");
    this.name[size] = 0;
    return this.nameAt;
  }

  private sight(): FirstSight {
    return {
      ino: Number(this.stat.getBigUint64(32, true)),
      size: Number(this.stat.getBigUint64(40, true)),
      mtime: Number(this.stat.getBigInt64(112, true)),
      mtimeNs: this.stat.getUint32(120, true),
    };
  }
}
