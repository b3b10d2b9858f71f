// Makes sure that the user sees what they say yes to: for text that did not fit, a yes counts only after a look at it, or when repeated.
import type { Detail } from "../blocks/block.ts";
import { type Look, words } from "../terminal/look.ts";
import { wrapped } from "./card.ts";
import type { ExactRows } from "./exact.ts";
import { Pager } from "./pager.ts";
import type { Panel } from "./panel.ts";

export interface MustSeeText {
  /** If text is left out, at most `room - 1` rows; `cutAt`: the row where it is missing. */
  head(width: number, room: number): ExactRows & { readonly cutAt: number };
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

  lines(width: number, room: number): readonly string[] {
    const { rows, left, cutAt } = this.text.head(width, room);
    this.unseen = left;
    if (left === 0) return rows;
    // One row was kept free for this line; if it needs more, the rows above it give way.
    const above = Math.max(0, cutAt - this.notice(left, width).length + 1);
    return [...rows.slice(0, above), ...this.notice(left + cutAt - above, width), ...rows.slice(cutAt)];
  }

  warning(width: number): readonly string[] {
    return this.isUnseen() ? this.notice(this.unseen, width) : [];
  }

  /** Whether a yes counts now. `isCut`: a part of the question was not shown. */
  isGiven(isCut = false): boolean {
    if (this.isLookedAt || this.isWarned || !(isCut || this.isUnseen())) return true;
    this.isWarned = true;
    return false;
  }

  showAll(): void {
    this.isLookedAt = true;
    const close = this.open(new Pager(this.look, this.text.detail(), () => close()));
  }

  restart(): void {
    this.isLookedAt = false;
    this.isWarned = false;
  }

  private isUnseen(): boolean {
    return this.unseen > 0 && !this.isLookedAt;
  }

  private notice(n: number, width: number): readonly string[] {
    const key = this.isWarned ? "tui.approval.unseen" : "tui.approval.more";
    return wrapped(this.look.theme.warn(words(this.look, key, { n })), width);
  }
}
