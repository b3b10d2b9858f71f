import type { RepoIndex } from "../../index/open.ts";

export interface IndexSource {
  /** Whether there is one from an earlier time: a look at the disk, and nothing is loaded for it. */
  readonly isThere: () => boolean;
  /** Whether the workspace is not empty; as cheap. */
  readonly hasFiles: () => boolean;
  readonly open: () => Promise<RepoIndex>;
}

/** A run that is over by then never knows of the index. */
const spareAfterMs = 1000;
/** What a command changed is stored and told first: both take their time, and as much memory as the index. */
const calmAfterEachMs = 0.2;

/** The index of the workspace, one for all sessions: asked in passing, made and kept up to date in spare time (CX-4). */
export class WorkspaceIndex {
  /** How often it was made up to date: what it said before may be old. */
  rounds = 0;
  private readonly source: IndexSource;
  private readonly trace: (error: unknown) => void;
  private readonly stop = new AbortController();
  private opened: Promise<RepoIndex> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isBusy = false;
  private isWanted = false;
  /** Of what goes on now. */
  private turn = new AbortController();
  private held = 0;
  /** When what a command changed has been stored and told. */
  private calmAt = 0;

  constructor(source: IndexSource, trace: (error: unknown) => void) {
    this.source = source;
    this.trace = trace;
  }

  /** Whether asking it is worth the while. */
  get isThere(): boolean {
    return !this.stop.signal.aborted && (this.rounds > 0 || this.source.isThere());
  }

  /** Of an empty workspace nothing can be told, and nothing is loaded to say so. */
  get hasAnything(): boolean {
    return this.isThere || this.source.hasFiles();
  }

  /** Files may have changed, or nobody has looked yet: it is made up to date when nobody is in a hurry. */
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
   * A command begins that may change any file: what is read now may be old when it ends, and the memory is needed for what it
   * changes. Stops until what is returned is called with the number of files that it changed; what was written stays.
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

  /**
   * The first one of a workspace, for a request that waits for it: what is not done by then goes on in spare time. Symbols are told
   * more exactly later.
   */
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

  /** Where nobody has asked for it, nobody needs to know. */
  filesChanged(): void {
    if (this.rounds > 0) this.refreshSoon();
  }

  /** `null`: it cannot be asked. A fault of ours is kept for whoever looks for it, and stops nothing. */
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

  /** What it does ends with its slice; what it has written stays. */
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
