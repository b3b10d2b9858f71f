import type { Frame } from "../terminal/screen.ts";

/** Something that takes the place of the prompt and gets every key until it is closed. How it closes is its maker's business. */
export interface Panel {
  /** At most `room` lines, each at most `width` columns wide. */
  frame(width: number, room: number): Frame;
  /** One key, or one paste, as the terminal sent it. `false`: it means nothing here. */
  handle(key: string): boolean;
  /** It fills the alternate screen. */
  readonly isWhole?: true;
  /** It is not done with what it was asked for: it is asked for another frame at once. */
  readonly isUnfinished?: boolean;
  /** Keys that were pressed before it could be seen do not count for it. */
  readonly isGuarded?: true;
  /** Which of its questions it asks now. Keys that were pressed before that could be seen do not count either. */
  readonly asking?: string;
}
