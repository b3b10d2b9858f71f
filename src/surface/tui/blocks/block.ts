import type { Look } from "../terminal/look.ts";
import type { Told } from "../terminal/reflow.ts";
import type { Lines } from "./lines.ts";

/** Blocks of a group stand together without a blank line: steps do, and `below` joins the block above it. */
export type Group = "said" | "words" | "step" | "card" | "below";

/** One thing that happened or still happens. Lines it has given away are in the scrollback and never change. */
export interface Block {
  readonly group: Group;
  /** Finished lines that were not taken yet; each fits the current width. */
  take(): readonly string[];
  /** The same in parts that can be set again at another width. */
  told?(): readonly Told[];
  /** All lines not taken yet, as they look now, in at most `room` lines; may be empty. */
  live(room: number): readonly string[];
  /** Nothing more follows once its lines are taken. */
  readonly isOver: boolean;
  /** It has not begun: can be left out where there is little room. */
  readonly isIdle?: boolean;
  /** The full view; `null`: everything was shown already. */
  readonly detail: Detail | null;
}

export interface Detail {
  readonly title: string;
  readonly lines: (width: number) => Lines;
  /** Another value: there are other lines now. */
  readonly version?: () => number;
  /** What is last is of most interest: a view begins there, and follows it as long as it shows it. */
  readonly startsAtEnd?: true;
  /** There is more before the first line. `earlier` adds some of it, and returns how many lines. */
  readonly hasEarlier?: () => boolean;
  readonly earlier?: () => number;
}

/** Caches lines per terminal width, because every frame asks for them. */
export function perWidth(look: Pick<Look, "width">, make: () => readonly string[]): () => readonly string[] {
  let [width, lines]: [number, readonly string[]] = [-1, []];
  return () => {
    if (width !== look.width()) [width, lines] = [look.width(), make()];
    return lines;
  };
}

/** A block whose lines are taken all at once, when it is over. */
export abstract class WholeBlock implements Block {
  abstract readonly group: Group;
  abstract readonly isOver: boolean;
  abstract readonly detail: Detail | null;
  protected isTaken = false;
  protected abstract lines(): readonly string[];

  take(): readonly string[] {
    if (!this.isOver || this.isTaken) return [];
    this.isTaken = true;
    return this.lines();
  }

  told(): readonly Told[] {
    return [{ lines: this.take(), again: () => this.lines() }];
  }

  live(room: number): readonly string[] {
    return this.isTaken ? [] : this.lines().slice(0, room);
  }
}

/** A block that is finished from the start. */
export class Still extends WholeBlock {
  readonly group: Group;
  readonly detail: Detail | null;
  readonly isOver = true;
  protected readonly lines: () => readonly string[];

  /** `lines`: called when they are shown. `look`: caches them per width; `null`: they may change until they are taken. */
  constructor(
    look: Pick<Look, "width"> | null,
    group: Group,
    lines: () => readonly string[],
    detail: Detail | null = null,
  ) {
    super();
    this.group = group;
    this.lines = look ? perWidth(look, lines) : lines;
    this.detail = detail;
  }
}
