import type { Look } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";

/** Takes the place of the prompt and gets every key until its creator closes it. */
export interface Panel {
  /** At most `room` lines of at most `width` columns. */
  frame(width: number, room: number): Frame;
  /** Handles one key, or one paste, as the terminal sent it. `false`: it has no meaning here. */
  handle(key: string): boolean;
  readonly isWhole?: true;
  /** Needs another frame at once, for work that is not finished. */
  readonly isUnfinished?: boolean;
  /** Ignores keys pressed before the panel was visible. */
  readonly isQuestion?: true;
  /** The question it asks now. Keys pressed before that question was visible do not count either. */
  readonly asking?: string;
}

/** A panel that gives the engine one answer, and is over then. */
export abstract class AnswerPanel<Deps> implements Panel {
  readonly isQuestion = true;
  protected readonly look: Look;
  protected readonly deps: Deps;
  protected isOver = false;

  constructor(look: Look, deps: Deps) {
    this.look = look;
    this.deps = deps;
  }

  abstract frame(width: number, room: number): Frame;
  abstract handle(key: string): boolean;

  protected over(end: () => void): true {
    this.isOver = true;
    end();
    return true;
  }
}
