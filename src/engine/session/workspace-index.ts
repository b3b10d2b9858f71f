import type { RepoIndex } from "../../index/open.ts";

export interface IndexSource {
  /** One look at the disk, without loading anything. */
  readonly isThere: () => boolean;
  readonly hasFiles: () => boolean;
  readonly open: () => Promise<RepoIndex>;
}

/** A process that ends earlier never loads the index. */
const spareAfterMs = 1000;
/** After a command, its changes are stored and reported first: both need time, and as much memory as the index. */
const calmAfterEachMs = 0.2;

/** The index of the workspace, shared by all sessions: queried along the way, and built and updated in idle time (CX-4). */
export class WorkspaceIndex {
  /** Number of updates; older answers may be stale. */
  rounds = 0;
  private readonly source: IndexSource;
  private readonly trace: (error: unknown) => void;
  private readonly stop = new AbortController();
  private opened: Promise<RepoIndex> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isBusy = false;
  private isWanted = false;
  private turn = new AbortController();
  private held = 0;
  /** When the changes of the last command will have been stored and reported. */
  private calmAt = 0;

  constructor(source: IndexSource, trace: (error: unknown) => void) {
    this.source = source;
    this.trace = trace;
  }

  get isThere(): boolean {
    return !this.stop.signal.aborted && (this.rounds > 0 || this.source.isThere());
  }

  /** Nothing is loaded for an empty workspace. */
  get hasAnything(): boolean {
    return this.isThere || this.source.hasFiles();
  }

  refreshSoon(): void {
    if (this.stop.signal.aborted || this.timer !== undefined) return;
    if (this.isBusy || this.held > 0) {
      this.isWanted = true;
      return;
    }
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        void this.refresh();
      },
      Math.max(spareAfterMs, this.calmAt - performance.now()),
    );
    this.timer.unref();
  }

  /**
   * Pauses while a command runs: what is read now may be stale then, and its changes need the memory. The result resumes; it takes the
   * number of changed files.
   */
  hold(): (changed: number) => void {
    this.held++;
    this.isWanted ||= this.isBusy || this.timer !== undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.turn.abort();
    if (this.opened !== null) void this.ask((index) => index.rest());
    let isHeld = true;
    return (changed) => {
      if (!isHeld) return;
      isHeld = false;
      this.held--;
      this.calmAt = performance.now() + changed * calmAfterEachMs;
      this.goOn();
    };
  }

  /** Builds the first index while a request waits; the rest follows in idle time, as does the refinement of symbols. */
  async make(ms: number): Promise<void> {
    if (this.stop.signal.aborted || this.isBusy || this.held > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isBusy = true;
    const turn = new AbortController();
    this.turn = turn;
    const timer = setTimeout(() => turn.abort(), ms);
    await this.ask(async (index, closing) => {
      const updated = await index.update(AbortSignal.any([closing, turn.signal]));
      if (updated.ok) this.rounds++;
    });
    clearTimeout(timer);
    this.isBusy = false;
    this.isWanted = true;
    this.goOn();
  }

  /** An index nobody has asked for needs no update. */
  filesChanged(): void {
    if (this.rounds > 0) this.refreshSoon();
  }

  /** `null`: no answer. Faults of ours are traced and stop nothing. */
  async ask<T>(question: (index: RepoIndex, signal: AbortSignal) => Promise<T>): Promise<T | null> {
    const { signal } = this.stop;
    try {
      this.opened ??= this.source.open();
      const index = await this.opened;
      return signal.aborted ? null : await question(index, signal);
    } catch (error) {
      if (!signal.aborted) this.trace(error);
      return null;
    }
  }

  /** Aborts the current update; finished work stays. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    this.stop.abort();
    try {
      await (await this.opened)?.close();
    } catch (error) {
      this.trace(error);
    }
  }

  private async refresh(): Promise<void> {
    this.isBusy = true;
    this.turn = new AbortController();
    await this.ask(async (index, closing) => {
      const signal = AbortSignal.any([closing, this.turn.signal]);
      const updated = await index.update(signal);
      if (!updated.ok) return;
      this.rounds++;
      await index.refine(signal);
    });
    this.isBusy = false;
    this.goOn();
  }

  private goOn(): void {
    if (!this.isWanted || this.isBusy || this.held > 0) return;
    this.isWanted = false;
    this.refreshSoon();
  }
}
