import { fixedBytes } from "../changes/file-stat.ts";

export interface StoredPath {
  readonly bytes: Buffer;
  readonly from: number;
}

/** Stores many paths in few buffers: a buffer per path would cost more than the path. */
export class PathStore {
  private readonly chunk: number;
  private last = fixedBytes("");
  private used = 0;
  private count = 0;

  constructor(chunk = 64 * 1024) {
    this.chunk = chunk;
  }

  isCrowded(inUse: number): boolean {
    return this.count > 10_000 && this.count > 4 * inUse;
  }

  add(path: string): StoredPath {
    const size = path.length + 1;
    if (this.used + size > this.last.length) {
      this.last = fixedBytes("\0".repeat(Math.max(this.chunk, size)));
      this.used = 0;
    }
    const from = this.used;
    this.count++;
    this.last.write(`${path}\0`, from, "latin1");
    this.used += size;
    return { bytes: this.last, from };
  }
}
