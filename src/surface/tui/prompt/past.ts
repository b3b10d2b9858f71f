// What was sent before, to be gone through. Whatever stood in the prompt meanwhile comes back, or is found here.
import type { InputHistory } from "../app/deps.ts";
import { taken } from "./taken.ts";
import type { Cursor } from "./unsent.ts";

/** As it stood in the prompt. */
export interface Written {
  readonly text: string;
  readonly cursor: Cursor | null;
}

const most = 1_000;

export class Past {
  private readonly history: InputHistory;
  private loading: Promise<void> | null = null;
  isLoaded = false;
  /** The oldest first, each once. */
  private all: string[] = [];
  /** Which of them is shown; `null` = none. */
  private at: number | null = null;
  private left: Written | null = null;

  constructor(history: InputHistory) {
    this.history = history;
  }

  /** The newest first. */
  get entries(): readonly string[] {
    return this.all.toReversed();
  }

  load(): Promise<void> {
    this.loading ??= this.history.load().then((older) => {
      this.all = [...new Set([...older.map(taken), ...this.all].toReversed())].slice(0, most).toReversed();
      this.isLoaded = true;
    });
    return this.loading;
  }

  /** The one before; `null` = there is none. `now`: what stands in the prompt. */
  older(now: Written): string | null {
    const at = (this.at ?? this.all.length) - 1;
    const found = this.all[at];
    if (found === undefined) return null;
    if (this.at === null) this.left = now;
    this.at = at;
    return found;
  }

  /** The one after, in the end what stood in the prompt; `null` = nothing is gone through. */
  newer(): Written | null {
    if (this.at === null) return null;
    this.at += 1;
    const found = this.all[this.at];
    if (found !== undefined) return { text: found, cursor: null };
    const { left } = this;
    this.at = null;
    this.left = null;
    return left;
  }

  /** What is shown is written on, or replaced by `now`: what stood in the prompt before is kept among the others. */
  leave(now: string): void {
    if (this.at === null) return;
    const left = this.left?.text ?? "";
    this.at = null;
    this.left = null;
    if (left.trim() !== "" && left !== now) this.put(left);
  }

  /** In this run only. */
  put(text: string): void {
    this.all = [...this.all.filter((one) => one !== text), text].slice(-most);
  }

  /** For later runs too. `whole`: with nothing folded in it. */
  add(text: string, whole: string): void {
    this.put(text);
    this.history.add(whole);
  }

  /** Forgets the oldest ones that fit. */
  drop(isDropped: (text: string) => boolean): void {
    const at = this.all.findIndex(isDropped);
    if (at !== -1) this.all.splice(at, 1);
  }
}
