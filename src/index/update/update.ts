import { ok, type Result } from "../../contract/error.ts";
import { changedAt, type Eye, kindOf, openEye, type Stamp } from "../../platform/changes/file-stat.ts";
import { collectAfter } from "../../platform/collect.ts";
import { cancelled } from "../../platform/search/wish.ts";
import type { IndexFile } from "../database.ts";
import { dropFile, type Entry, entryOf, isKept, putEntries, putStamp, readContent } from "../entry.ts";
import { type Catalogue, readCatalogue, versionOf } from "../search/known.ts";
import { listFiles } from "./list.ts";
import { type Pace, pace } from "./pace.ts";

export interface IndexUpdate {
  readonly files: number;
  readonly changed: number;
  readonly removed: number;
  readonly isPartial: boolean;
}

export interface UpdateSource {
  readonly root: string;
  readonly isLeftOut: (path: string) => boolean;
  /** Languages whose symbols are refined later. */
  readonly grammars: ReadonlySet<string>;
  readonly rg?: string | null;
}

/** A file read this shortly after it was written may be written again with the same times. */
const tickMs = 50;
const perDrop = 100;
/** Per transaction: fewer make the full-text table merge more often, more make the commit take too long. */
const perPut = 300;
/** Fewer if the files are long, because their words wait in memory. */
const perPutBytes = 500_000;
const perCollection = 5_000;
const noStamp: Stamp = { mode: 0, ino: 0, size: 0, ctime: 0, ctimeNs: 0, mtime: 0, mtimeNs: 0 };

/** Size of the index beyond which only paths are indexed. Enough for 200,000 files of 2 KB. */
const maxBytes = 512 * 2 ** 20;

/** Brings the index up to date with the disk. It may stop at any moment; the next update continues. */
export class Updater {
  private catalogue: Catalogue | null = null;
  private listing = 0;
  private uncollected = 0;
  private readonly index: IndexFile;
  private readonly source: UpdateSource;

  constructor(index: IndexFile, source: UpdateSource) {
    this.index = index;
    this.source = source;
  }

  get known(): number {
    return this.catalogue?.files.size ?? 0;
  }

  async update(signal: AbortSignal): Promise<Result<IndexUpdate>> {
    try {
      return await this.updateOnce(signal);
    } catch (error) {
      // The memory may be ahead of the disk.
      this.catalogue = null;
      throw error;
    }
  }

  private async updateOnce(signal: AbortSignal): Promise<Result<IndexUpdate>> {
    const { files } = await this.readKnown();
    const listing = ++this.listing;
    const eye = await openEye(this.source.root);
    try {
      const stale: Stale[] = [];
      const note: Parameters<typeof listFiles>[2] = (bytes, at, path) => this.note({ bytes, at, path }, eye, stale);
      const listed = await listFiles(this.source.root, signal, note, this.source.rg);
      if (!listed.ok) return listed;
      const slice = pace();
      const changed = await this.take(stale, slice, signal);
      const gone = listed.value.isWhole ? notSeen(files, listing) : [];
      for (let at = 0; at < gone.length && !signal.aborted; at += perDrop) {
        await this.drop(gone.slice(at, at + perDrop));
        await slice.rest();
      }
      if (signal.aborted) return cancelled();
      return ok({ files: files.size, changed, removed: gone.length, isPartial: !listed.value.isWhole });
    } finally {
      eye.close();
    }
  }

  private async readKnown(): Promise<Catalogue> {
    if (this.catalogue === null || versionOf(this.index) !== this.catalogue.version) {
      this.catalogue = await readCatalogue(this.index);
      const secret = [...this.catalogue.files.keys()].filter(this.source.isLeftOut);
      for (let at = 0; at < secret.length; at += perDrop) await this.drop(secret.slice(at, at + perDrop));
    }
    return this.catalogue;
  }

  /** Handles one listed file; adds it to `stale` if its state differs from the index. */
  private note({ bytes, at, path }: Listed, eye: Eye, stale: Stale[]): void {
    const known = this.catalogue?.files.get(path);
    const old = known?.stamp ?? null;
    const stamp = eye.see(bytes, at, old);
    if (stamp === null || kindOf(stamp.mode) !== "file") return;
    if (known === undefined && this.source.isLeftOut(path)) return;
    if (known !== undefined) known.seen = this.listing;
    if (stamp !== old) stale.push({ path, stamp });
  }

  private async take(stale: readonly Stale[], slice: Pace, signal: AbortSignal): Promise<number> {
    let changed = 0;
    let ready: Read[] = [];
    let bytes = 0;
    let isShared = false;
    let isFull = this.index.bytes() > maxBytes;
    for (const { path, stamp } of stale) {
      if (signal.aborted) break;
      const read = isShared && isKept(this.index, path, stamp) ? null : this.read(path, stamp, isFull);
      if (read !== null) ready.push(read);
      if (read?.entry) {
        changed++;
        bytes += stamp.size;
      }
      if (ready.length < perPut && bytes < perPutBytes) {
        if (slice.isDue()) await slice.rest();
        continue;
      }
      await this.put(ready, slice);
      ready = [];
      bytes = 0;
      isShared = versionOf(this.index) !== this.catalogue?.version;
      isFull = this.index.bytes() > maxBytes;
    }
    await this.put(ready, slice);
    return changed;
  }

  private read(path: string, stamp: Stamp, isFull: boolean): Read | null {
    const { catalogue, source } = this;
    const known = catalogue?.files.get(path);
    const content = readContent(source.root, path);
    if (content === null) {
      if (known !== undefined) known.seen = 0;
      return null;
    }
    const isSettled = changedAt(stamp) <= Date.now() - tickMs;
    // An impossible stamp makes the next update read the file again, but keeps its modification time.
    const settled = isSettled ? stamp : { ...noStamp, mtime: stamp.mtime, mtimeNs: stamp.mtimeNs };
    if (known?.hash === content.hash) return isSettled ? { path, hash: known.hash, stamp, entry: null } : null;
    const entry = entryOf(path, isFull ? { ...content, text: "" } : content, settled, source.grammars);
    return { path, hash: content.hash, stamp: settled, entry };
  }

  private async put(ready: readonly Read[], slice: Pace): Promise<void> {
    if (ready.length === 0) return;
    await this.index.transact(async () => {
      for (const { path, stamp, entry } of ready) if (entry === null) putStamp(this.index, path, stamp);
      const entries = ready.flatMap(({ entry }) => entry ?? []);
      await putEntries(this.index, entries, slice);
    });
    await slice.rest();
    for (const { path, hash, stamp } of ready) this.catalogue?.files.set(path, { hash, stamp, seen: this.listing });
    this.uncollected += ready.length;
    if (this.uncollected < perCollection) return;
    await collectAfter(this.uncollected);
    this.uncollected = 0;
  }

  private async drop(paths: readonly string[]): Promise<void> {
    await this.index.transact(() => {
      for (const path of paths) dropFile(this.index, path);
    });
    for (const path of paths) this.catalogue?.files.delete(path);
  }
}

function notSeen(files: Catalogue["files"], listing: number): readonly string[] {
  const gone: string[] = [];
  for (const [path, { seen }] of files) if (seen !== listing) gone.push(path);
  return gone;
}

interface Stale {
  readonly path: string;
  readonly stamp: Stamp;
}

interface Listed {
  readonly bytes: Buffer;
  readonly at: number;
  readonly path: string;
}

interface Read extends Stale {
  readonly hash: string;
  /** `null`: unchanged content with other times. */
  readonly entry: Entry | null;
}
