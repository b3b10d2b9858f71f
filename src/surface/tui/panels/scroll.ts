import { type Look, words } from "../terminal/look.ts";
import { isKey } from "./press.ts";

/** A range of lines; `to` is exclusive. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
}

/** Lines that may not fit; PageUp and PageDown scroll them. */
export class Scroll {
  private readonly look: Look;
  private from = 0;
  private page = 1;
  private isFollowing = false;

  constructor(look: Look) {
    this.look = look;
  }

  /** At most `room` lines; if some are left out, the last one says which are shown. `chosen`: the lines of the chosen option. */
  view(lines: readonly string[], room: number, chosen: LineSpan | null = null): readonly string[] {
    if (lines.length <= room) return lines;
    this.page = Math.max(1, room - 1);
    if (chosen && this.isFollowing) this.from = Math.min(chosen.from, Math.max(this.from, chosen.to - this.page));
    this.from = Math.max(0, Math.min(this.from, lines.length - this.page));
    const to = this.from + this.page;
    const where = words(this.look, "tui.scroll.where", { from: this.from + 1, to, total: lines.length });
    return [...lines.slice(this.from, to), this.look.theme.warn(where)].slice(0, Math.max(1, room));
  }

  follow(): void {
    this.isFollowing = true;
  }

  handle(key: string): boolean {
    if (isKey(key, "pageUp")) this.from = Math.max(0, this.from - this.page);
    else if (isKey(key, "pageDown")) this.from += this.page;
    else return false;
    this.isFollowing = false;
    return true;
  }
}
