// What a yes is given to. What did not fit the screen is not agreed to in passing: it takes a look at it, or a second yes.
import type { Detail } from "../blocks/block.ts";
import { type Look, words } from "../terminal/look.ts";
import { wrapped } from "./card.ts";
import type { ExactRows } from "./exact.ts";
import { Pager } from "./pager.ts";
import type { Panel } from "./panel.ts";

export interface MustSeeText {
  /** A row less than there is room for where something is left out; `cutAt`: where it is missing. */
  head(width: number, room: number): ExactRows & { readonly cutAt: number };
  /** All of it. */
  detail(): Detail;
}

export class MustSee {
  private readonly look: Look;
  private readonly text: MustSeeText;
  private readonly open: (panel: Panel) => () => void;
  private unseen = 0;
  private isLookedAt = false;
  /** A yes was given that did not count. */
  isWarned = false;

  constructor(look: Look, text: MustSeeText, open: (panel: Panel) => () => void) {
    this.look = look;
    this.text = text;
    this.open = open;
  }

  /** What is left out is told where it is missing. */
  lines(width: number, room: number): readonly string[] {
    const { rows, left, cutAt } = this.text.head(width, room);
    this.unseen = left;
    if (left === 0) return rows;
    // One row was kept free for it; where it takes more, they are taken from what stands above.
    const above = Math.max(0, cutAt - this.told(left, width).length + 1);
    return [...rows.slice(0, above), ...this.told(left + cutAt - above, width), ...rows.slice(cutAt)];
  }

  /** That there is more than was seen; nothing where there is not. */
  warning(width: number): readonly string[] {
    return this.isUnseen() ? this.told(this.unseen, width) : [];
  }

  /** A yes: whether it counts. `isCut`: something that belongs to it was not shown. */
  isGiven(isCut = false): boolean {
    if (this.isLookedAt || this.isWarned || !(isCut || this.isUnseen())) return true;
    this.isWarned = true;
    return false;
  }

  showAll(): void {
    this.isLookedAt = true;
    const close = this.open(new Pager(this.look, this.text.detail(), () => close()));
  }

  /** It is about something else now. */
  restart(): void {
    this.isLookedAt = false;
    this.isWarned = false;
  }

  private isUnseen(): boolean {
    return this.unseen > 0 && !this.isLookedAt;
  }

  private told(n: number, width: number): readonly string[] {
    const key = this.isWarned ? "tui.approval.unseen" : "tui.approval.more";
    return wrapped(this.look.theme.warn(words(this.look, key, { n })), width);
  }
}
