import { join } from "node:path";
import { fail, ok, type Result } from "../contract/error.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { collectAfter } from "../platform/collect.ts";
import { isWithin } from "../platform/files/path.ts";
import { cancelled } from "../platform/search/wish.ts";
import {
  connectAtOnce,
  connectIndex,
  discardIndex,
  type IndexFile,
  isDamage,
  isNoRoom,
  refusalOf,
  removeUnused,
} from "./database.ts";
import { type MapHints, mapOf } from "./map.ts";
import { indexPathOf } from "./place.ts";
import { forgetTerms } from "./question/bag.ts";
import { isWhole } from "./search/known.ts";
import { rankWhenDue } from "./search/rank.ts";
import { type Retrieval, type Retriever, retrieve, type SearchOptions } from "./search/retrieve.ts";
import { grammarNames } from "./symbol/grammar.ts";
import { listFiles } from "./update/list.ts";
import { mergeParts } from "./update/merge.ts";
import { refine } from "./update/refine.ts";
import { type IndexUpdate, Updater } from "./update/update.ts";

export interface IndexDeps {
  /** Files that may hold secrets, by path; never indexed. */
  readonly isSecret: (path: string) => boolean;
  readonly tokens: (text: string) => number;
  /** Whether a text contains a secret. Such a text is never quoted, because a part of a secret is not recognizable. */
  readonly hasSecret: (text: string) => boolean;
  /** Replaces our search program; `null` = none. */
  readonly rg?: string | null;
}

export interface RepoIndex {
  /** Brings the index up to date with the disk. Runs in slices, so that nothing else waits. */
  readonly update: (signal: AbortSignal) => Promise<Result<IndexUpdate>>;
  /** Improves symbols by grammar, the most important files first, in spare time. Returns the number of files. */
  readonly refine: (signal: AbortSignal) => Promise<Result<number>>;
  readonly isWhole: () => Promise<boolean>;
  /** The most important definitions; empty until all files were indexed once. */
  readonly map: (budget: number, hints?: MapHints) => Promise<string>;
  /** The files and lines that may answer. Never fails: it names sources that cannot be asked and uses the others. */
  readonly search: (question: string, options: SearchOptions) => Promise<Retrieval>;
  /** The files on disk, 20,000 at most; needs no index. */
  readonly paths: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Frees memory that only speeds up the next update. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const mostPaths = 20_000;

/** Both are real paths. Nothing is read before the first call. */
export async function openIndex(workspace: string, home: string, deps: IndexDeps): Promise<RepoIndex> {
  return new Repository(workspace, home, deps);
}

class Repository implements RepoIndex {
  private readonly path: string;
  private readonly at: Retriever;
  private readonly closing = new AbortController();
  private writer: { readonly index: IndexFile; readonly updater: Updater } | null = null;
  /** A separate connection: its view stays consistent while the other one writes. */
  private reader: IndexFile | null = null;
  private isDamaged = false;
  private last: Promise<unknown> = Promise.resolve();
  private lastRead: Promise<unknown> = Promise.resolve();

  constructor(workspace: string, home: string, { isSecret, hasSecret, tokens, rg }: IndexDeps) {
    this.path = indexPathOf(workspace, home);
    const isOwn = (path: string): boolean => path.startsWith(".coder/") || isWithin(join(workspace, path), home);
    const isLeftOut = (path: string): boolean => isSecret(path) || isOwn(path);
    this.at = {
      root: workspace,
      isLeftOut,
      hasSecret,
      tokens,
      closing: this.closing.signal,
      ...(rg === undefined ? {} : { rg }),
    };
  }

  readonly update = (signal: AbortSignal): Promise<Result<IndexUpdate>> =>
    this.write(signal, async (both) => {
      const { index, updater } = await this.connected();
      const updated = await updater.update(both);
      if (!updated.ok) return updated;
      await rankWhenDue(index, updated.value, both);
      return both.aborted ? cancelled() : updated;
    });

  readonly refine = (signal: AbortSignal): Promise<Result<number>> =>
    this.write(signal, async (both) => {
      const { index } = await this.connected();
      await mergeParts(index, both);
      return ok(await refine(index, this.at.root, both));
    });

  readonly isWhole = async (): Promise<boolean> =>
    (await this.read((index) => Promise.resolve(isWhole(index)))) === true;

  readonly map = async (budget: number, hints: MapHints = {}): Promise<string> =>
    (await this.read((index) => mapOf(index, budget, hints, this.at))) ?? "";

  readonly search = async (question: string, options: SearchOptions): Promise<Retrieval> => {
    const signal = AbortSignal.any([options.signal, this.closing.signal]);
    const asked = { ...options, signal };
    const found = await this.read((index) => retrieve(question, asked, index, this.at));
    return found ?? (await retrieve(question, asked, null, this.at));
  };

  readonly paths = async (signal: AbortSignal): Promise<readonly string[]> => {
    const both = AbortSignal.any([signal, this.closing.signal]);
    const paths: string[] = [];
    const take = (_: Buffer, __: number, path: string): void => {
      if (!this.at.isLeftOut(path)) paths.push(path);
    };
    await listFiles(this.at.root, both, take, this.at.rg, mostPaths);
    return paths;
  };

  readonly rest = (): Promise<void> => {
    const pending = this.last.then(async () => {
      const known = this.writer?.updater.known ?? 0;
      this.disconnect();
      forgetTerms();
      await collectAfter(known);
    });
    this.last = pending.catch(() => {});
    return pending;
  };

  readonly close = async (): Promise<void> => {
    this.closing.abort();
    await this.last;
    await this.lastRead;
    this.disconnect();
    this.forget();
  };

  /** Serializes writes. Replaces a damaged file, once. */
  private write<T>(signal: AbortSignal, work: (both: AbortSignal) => Promise<Result<T>>): Promise<Result<T>> {
    const both = AbortSignal.any([signal, this.closing.signal]);
    const pending = this.last.then(async (): Promise<Result<T>> => {
      if (both.aborted) return cancelled();
      const first = await this.attempt(() => work(both));
      return first ?? (await this.attempt(() => work(both))) ?? this.unusable("SQLITE_CORRUPT");
    });
    // A bug is reported to the caller of this write, not to the next one.
    this.last = pending.catch(() => {});
    return pending;
  }

  /** `null`: the file was damaged and is deleted. */
  private async attempt<T>(work: () => Promise<Result<T>>): Promise<Result<T> | null> {
    try {
      return await work();
    } catch (error) {
      this.disconnect();
      if (isDamage(error)) {
        discardIndex(this.path);
        return null;
      }
      const code = refusalOf(error);
      if (code === null) throw error;
      // Others need the disk space more.
      if (isNoRoom(error)) discardIndex(this.path);
      return this.unusable(code);
    }
  }

  private unusable(code: string): Result<never> {
    return fail("E_IO", phrase("index.unusable", { path: this.path, code }), {
      advice: phrase("index.unusable.advice"),
    });
  }

  private async connected(): Promise<{ readonly index: IndexFile; readonly updater: Updater }> {
    if (this.isDamaged || this.writer?.index.isCurrent() === false) this.disconnect();
    if (this.isDamaged) discardIndex(this.path);
    this.isDamaged = false;
    if (this.writer === null) {
      const index = await connectIndex(this.path, this.closing.signal);
      removeUnused(this.path);
      this.writer = { index, updater: new Updater(index, { ...this.at, grammars: grammarNames }) };
    }
    return this.writer;
  }

  private disconnect(): void {
    this.writer?.index.close();
    this.writer = null;
  }

  private read<T>(work: (index: IndexFile) => Promise<T>): Promise<T | null> {
    const pending = this.lastRead.then(() => this.readOnce(work));
    this.lastRead = pending.catch(() => {});
    return pending;
  }

  private async readOnce<T>(work: (index: IndexFile) => Promise<T>): Promise<T | null> {
    if (this.closing.signal.aborted) return null;
    try {
      if (this.reader?.isCurrent() === false) this.forget();
      this.reader ??= connectAtOnce(this.path, this.closing.signal);
      return this.reader !== null && hasFiles(this.reader) ? await work(this.reader) : null;
    } catch (error) {
      if (this.closing.signal.aborted) return null;
      if (!isDamage(error) && refusalOf(error) === null) throw error;
      this.forget();
      // The next write deletes the file; it may be writing right now.
      this.isDamaged ||= isDamage(error);
      return null;
    }
  }

  private forget(): void {
    this.reader?.close();
    this.reader = null;
  }
}

function hasFiles(index: IndexFile): boolean {
  // A new index has no tables yet.
  if (index.rows("select 1 from sqlite_schema limit 1").length === 0) return false;
  return index.rows("select 1 from files limit 1").length > 0;
}
