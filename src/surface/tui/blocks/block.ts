import type { Look } from "../terminal/look.ts";
import type { Lines } from "./lines.ts";

/** What stands together without a blank line between: steps do, and `below` belongs to what is above it. */
export type Group = "said" | "words" | "step" | "card" | "below";

/** One thing that happened, or still does. Lines that it has given away are in the scrollback and never change. */
export interface Block {
  readonly group: Group;
  /** Finished lines that were not taken yet; each fits the width of now. */
  take(): readonly string[];
  /** All that was not taken yet, as it looks now, in at most `room` lines; empty when there is nothing. */
  live(room: number): readonly string[];
  /** Nothing more comes of it once its lines are taken. */
  readonly isOver: boolean;
  /** It has not begun: where there is little room it can be left out. */
  readonly isIdle?: boolean;
  /** The whole of it, for the full view; `null` = there is no more to it than was shown. */
  readonly detail: Detail | null;
}

export interface Detail {
  /** One line. */
  readonly title: string;
  readonly lines: (width: number) => Lines;
}

/** Lines that are the same as long as the terminal is as wide: they may be asked for with every frame. */
export function perWidth(look: Pick<Look, "width">, make: () => readonly string[]): () => readonly string[] {
  let [width, lines]: [number, readonly string[]] = [-1, []];
  return () => {
    if (width !== look.width()) [width, lines] = [look.width(), make()];
    return lines;
  };
}

/** Something that was finished when it was told. */
export class Still implements Block {
  readonly group: Group;
  readonly detail: Detail | null;
  private readonly lines: () => readonly string[];
  private isTaken = false;

  /** `lines`: asked for when they are shown, for the width of then. `look`: `null` = they may change until they are taken. */
  constructor(
    look: Pick<Look, "width"> | null,
    group: Group,
    lines: () => readonly string[],
    detail: Detail | null = null,
  ) {
    this.group = group;
    this.lines = look ? perWidth(look, lines) : lines;
    this.detail = detail;
  }

  readonly isOver = true;

  take(): readonly string[] {
    if (this.isTaken) return [];
    this.isTaken = true;
    return this.lines();
  }

  live(room: number): readonly string[] {
    return this.isTaken ? [] : this.lines().slice(0, room);
  }
}
