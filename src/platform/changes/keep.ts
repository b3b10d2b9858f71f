import { closeSync, constants, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../files/hash.ts";

/** Copies of content that a command might change, by hash: first in memory, then in an unnamed file. */
export class Keep {
  private readonly maxBytes: number;
  private readonly maxMemory: number;
  private readonly held = new Map<string, HeldBytes>();
  private bytesHeld = 0;
  private bytesInMemory = 0;
  private spill: { readonly fd: number; end: number } | null = null;

  constructor(maxBytes: number, maxMemory = usualMemory) {
    this.maxBytes = maxBytes;
    this.maxMemory = maxMemory;
  }

  add(bytes: Uint8Array): string | null {
    const hash = sha256(bytes);
    if (this.held.has(hash)) return hash;
    if (this.bytesHeld + bytes.length > this.maxBytes) return null;
    this.bytesHeld += bytes.length;
    const isSmall = this.bytesInMemory + bytes.length <= this.maxMemory;
    if (isSmall) this.bytesInMemory += bytes.length;
    this.held.set(hash, isSmall ? { bytes } : this.put(bytes));
    return hash;
  }

  sizeOf(hash: string): number | null {
    const held = this.held.get(hash);
    if (held === undefined) return null;
    return "bytes" in held ? held.bytes.length : held.size;
  }

  /** Stays as it is: whoever asks may still hold it when more is asked for. */
  get(hash: string): Uint8Array | null {
    const held = this.held.get(hash);
    if (held === undefined) return null;
    if ("bytes" in held) return held.bytes;
    const bytes = Buffer.allocUnsafeSlow(held.size);
    let done = 0;
    while (done < held.size) {
      const got = readSync(this.spill?.fd ?? -1, bytes, done, held.size - done, held.at + done);
      if (got === 0) return null;
      done += got;
    }
    return bytes;
  }

  only(isNeeded: (hash: string) => boolean): void {
    if (this.bytesHeld < this.maxBytes / 2) return;
    for (const [hash, held] of this.held) {
      if (isNeeded(hash)) continue;
      this.held.delete(hash);
      this.bytesHeld -= "bytes" in held ? held.bytes.length : held.size;
      if ("bytes" in held) this.bytesInMemory -= held.bytes.length;
    }
    this.tidy();
  }

  close(): void {
    if (this.spill !== null) closeSync(this.spill.fd);
    this.spill = null;
  }

  /** Dropped copies leave holes in the file: rewrite it before they outweigh the rest. */
  private tidy(): void {
    const spilled = [...this.held].filter(([, held]) => "at" in held);
    if (this.spill === null || this.spill.end < 2 * this.maxBytes) return;
    const contents = spilled.map(([hash]) => [hash, this.get(hash)] as const);
    this.close();
    for (const [hash, bytes] of contents) if (bytes !== null) this.held.set(hash, this.put(bytes));
  }

  private put(bytes: Uint8Array): HeldBytes {
    this.spill ??= { fd: openNameless(), end: 0 };
    const at = this.spill.end;
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.spill.fd, bytes, done, bytes.length - done, at + done);
    }
    this.spill.end += bytes.length;
    return { at, size: bytes.length };
  }
}

type HeldBytes = { readonly bytes: Uint8Array } | { readonly at: number; readonly size: number };

const usualMemory = 32 * 2 ** 20;

function openNameless(): number {
  const path = join(tmpdir(), `coder-keep-${crypto.randomUUID()}`);
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  unlinkSync(path);
  return fd;
}
