// The history of inputs. Text that was in the prompt meanwhile is restored, or kept as an entry.
import type { InputHistory } from "../app/deps.ts";
import { sanitized } from "./input-text.ts";
import type { Cursor } from "./unsent.ts";

export interface Written {
  readonly text: string;
  readonly cursor: Cursor | null;
}

const most = 1_000;

export class Past {
  private readonly history: InputHistory;
  private loading: Promise<void> | null = null;
  isLoaded = false;
  /** Oldest first, without duplicates. */
  private all: string[] = [];
  /** The index of the entry on show; `null`: none. */
  private at: number | null = null;
  private left: Written | null = null;

  constructor(history: InputHistory) {
    this.history = history;
  }

  /** Newest first. */
  get entries(): readonly string[] {
    return this.all.toReversed();
  }

  load(): Promise<void> {
    this.loading ??= this.history.load().then((older) => {
      this.all = [...new Set([...older.map(sanitized), ...this.all].toReversed())].slice(0, most).toReversed();
      this.isLoaded = true;
    });
    return this.loading;
  }

  /** The previous entry; `null`: there is none. `now`: the current text of the prompt. */
  older(now: Written): string | null {
    const at = (this.at ?? this.all.length) - 1;
    const found = this.all[at];
    if (found === undefined) return null;
    if (this.at === null) this.left = now;
    this.at = at;
    return found;
  }

  /** The next entry, and after the last one the text from before; `null`: the history is not in use. */
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

  /** The entry on show was edited, or replaced by `now`: the text from before becomes an entry. */
  leave(now: string): void {
    if (this.at === null) return;
    const left = this.left?.text ?? "";
    this.at = null;
    this.left = null;
    if (left.trim() !== "" && left !== now) this.put(left);
  }

  /** For this process only. */
  put(text: string): void {
    this.all = [...this.all.filter((one) => one !== text), text].slice(-most);
  }

  /** For later processes too. `whole`: with pastes unfolded. */
  add(text: string, whole: string): void {
    this.put(text);
    this.history.add(whole);
  }

  drop(isDropped: (text: string) => boolean): void {
    const at = this.all.findIndex(isDropped);
    if (at !== -1) this.all.splice(at, 1);
  }
}
