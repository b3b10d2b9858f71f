// A full-screen view of a text. Lays out only the lines on the screen, so that its length does not matter.
import { visible } from "../../../contract/show/visible.ts";
import type { Detail } from "../blocks/block.ts";
import { bare, type Lines, lineAt, ready } from "../blocks/lines.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { truncateToWidth, visibleWidth } from "../terminal/width.ts";
import { under, unlikeCard } from "./card.ts";
import { LineField } from "./field.ts";
import type { Panel } from "./panel.ts";
import { isKey, typed } from "./press.ts";

interface PagerPlace {
  readonly line: number;
  readonly row: number;
}

const start: PagerPlace = { line: 0, row: 0 };
const KEPT = 1000;
const SEARCH_MS = 15;
/** So much above what is in view is laid out before it is scrolled to. */
const SCREENS = 3;

interface Hunt {
  readonly step: 1 | -1;
  at: number;
  left: number;
}

export class Pager implements Panel {
  readonly isWhole = true;
  private readonly look: Look;
  private readonly detail: Detail;
  private readonly close: () => void;
  private readonly also: (key: string) => boolean;
  private lines: Lines = ready([], 1);
  private width = 0;
  private version = 0;
  private room = 1;
  private top: PagerPlace = start;
  private readonly rows = new Map<number, readonly string[]>();
  private asked: LineField | null = null;
  private wanted = "";
  private found: number | null = null;
  private hunt: Hunt | null = null;
  private isMissing = false;
  /** The start was asked for, and is not there yet. */
  private isToStart = false;

  /** `also`: keys that mean something else here; `true`: it was one. */
  constructor(look: Look, detail: Detail, close: () => void, also: (key: string) => boolean = () => false) {
    this.look = look;
    this.detail = detail;
    this.close = close;
    this.also = also;
  }

  frame(width: number, room: number): Frame {
    const isAtEnd = this.width > 0 ? this.isAtEnd() : true;
    const before = this.lines;
    this.fit(width);
    this.renew();
    this.room = Math.max(1, room - 2);
    // Who looks at the end stays there.
    if (isAtEnd && this.lines !== before && this.detail.startsAtEnd) this.top = this.last();
    this.grow();
    this.search();
    this.top = this.clamped(this.top);
    const shown = this.from(this.top, this.room);
    const blank = Array.from({ length: this.room - shown.length }, () => "");
    const foot = this.foot(width, shown.length);
    const all = [this.titleLine(width), ...shown.map((row) => this.marked(unlikeCard(row))), ...blank, ...foot.lines];
    const lines = all.slice(0, Math.max(1, room));
    return { lines, cursor: lines.length === all.length ? under(foot.cursor, all.length - 1, 0) : null };
  }

  get isUnfinished(): boolean {
    return this.hunt !== null || this.wantsEarlier;
  }

  private get hasEarlier(): boolean {
    return this.detail.hasEarlier?.() ?? false;
  }

  /** A search goes through all of it; otherwise a few screens above what is in view are enough. */
  private get wantsEarlier(): boolean {
    return this.hasEarlier && (this.hunt !== null || this.isToStart || this.top.line < SCREENS * this.room);
  }

  /** What is in view stays where it is. */
  private grow(): void {
    const until = performance.now() + SEARCH_MS;
    while (this.wantsEarlier && performance.now() < until) {
      const added = this.detail.earlier?.() ?? 0;
      this.lines = this.detail.lines(this.width);
      this.rows.clear();
      this.top = { ...this.top, line: this.top.line + added };
      if (this.found !== null) this.found += added;
      if (this.hunt) this.hunt = { ...this.hunt, at: this.hunt.at + added, left: this.lines.count };
    }
    if (!this.isToStart || this.hasEarlier) return;
    this.isToStart = false;
    this.top = start;
  }

  handle(key: string): boolean {
    const isHunting = this.hunt !== null || this.isToStart;
    this.hunt = null;
    this.isToStart = false;
    if (isHunting && isKey(key, "escape")) return true;
    if (this.asked) return this.ask(this.asked, key);
    const sign = typed(key);
    if (sign === "q" || isKey(key, "escape")) this.close();
    else if (sign === "/" || isKey(key, "ctrl+f")) this.asked = new LineField();
    else if (sign === "n") this.seek(1);
    else if (sign === "N") this.seek(-1);
    else return this.scroll(key, sign) || this.also(key);
    return true;
  }

  private scroll(key: string, sign: string): boolean {
    const page = Math.max(1, this.room - 1);
    if (sign === "j" || isKey(key, "down", "enter")) this.top = this.moved(this.top, 1);
    else if (sign === "k" || isKey(key, "up")) this.top = this.moved(this.top, -1);
    else if (sign === " " || isKey(key, "pageDown", "space")) this.top = this.moved(this.top, page);
    else if (sign === "b" || isKey(key, "pageUp")) this.top = this.moved(this.top, -page);
    else if (sign === "g" || isKey(key, "home")) this.toStart();
    else if (sign === "G" || isKey(key, "end", "shift+g")) this.top = this.last();
    else return false;
    return true;
  }

  private toStart(): void {
    if (this.hasEarlier) this.isToStart = true;
    else this.top = start;
  }

  private ask(field: LineField, key: string): boolean {
    if (isKey(key, "escape")) this.asked = null;
    else if (isKey(key, "enter")) {
      this.wanted = field.text || this.wanted;
      this.asked = null;
      this.found = null;
      this.seek(1);
    } else field.handle(key);
    return true;
  }

  /** Starts from the last match, or from the screen; wraps around at the end. */
  private seek(step: 1 | -1): void {
    const { count } = this.lines;
    if (this.wanted === "" || count === 0) return;
    const from = this.found === null ? this.top.line - (step === 1 ? 1 : 0) : this.found;
    this.isMissing = false;
    this.isToStart = false;
    this.hunt = { step, at: (from + step + count) % count, left: count };
    this.search();
  }

  private search(): void {
    const { hunt, lines, wanted } = this;
    const until = performance.now() + SEARCH_MS;
    while (hunt && !this.hasEarlier && this.hunt === hunt && performance.now() < until) {
      if (hunt.left-- === 0) {
        this.hunt = null;
        this.isMissing = true;
      } else if (isMatch(lines.text(hunt.at, wanted.length), wanted)) this.show(hunt.at);
      else hunt.at = (hunt.at + hunt.step + lines.count) % lines.count;
    }
  }

  private show(at: number): void {
    const row = this.rowsOf(at).findIndex((one) => isMatch(one, this.wanted));
    this.top = { line: at, row: Math.max(0, row) };
    this.found = at;
    this.hunt = null;
  }

  private isAtEnd(): boolean {
    const last = this.last();
    return this.top.line > last.line || (this.top.line === last.line && this.top.row >= last.row);
  }

  /** The lines may have become others meanwhile. */
  private renew(): void {
    const version = this.detail.version?.() ?? 0;
    if (version === this.version) return;
    this.version = version;
    this.lines = this.detail.lines(this.width);
    this.found = null;
    this.hunt = null;
    this.rows.clear();
  }

  /** A new width needs new lines; the same words stay at the top. */
  private fit(width: number): void {
    if (width === this.width) return;
    const [far, isBegun] = [this.far(), this.width > 0];
    this.lines = this.detail.lines(width);
    this.width = width;
    this.found = null;
    this.hunt = null;
    this.rows.clear();
    if (isBegun) this.top = this.placeAt(far);
  }

  /** The position of the first row; within a line, in proportion to its rows. */
  private far(): number {
    const { line, row } = this.top;
    const [from, to] = [this.lines.far(line), this.lines.far(line + 1)];
    return row === 0 ? from : from + ((to - from) * row) / this.rowsOf(line).length;
  }

  private placeAt(far: number): PagerPlace {
    const line = lineAt(this.lines, far);
    const [from, to] = [this.lines.far(line), this.lines.far(line + 1)];
    if (to <= from) return { line, row: 0 };
    // Makes up for rounding errors.
    return { line, row: Math.floor(((far - from) / (to - from)) * this.rowsOf(line).length + 1e-6) };
  }

  private rowsOf(at: number): readonly string[] {
    const known = this.rows.get(at);
    if (known) return known;
    const rows = at < this.lines.count ? this.lines.rows(at) : [""];
    if (this.rows.size >= KEPT) this.rows.clear();
    this.rows.set(at, rows);
    return rows;
  }

  private from({ line, row }: PagerPlace, most: number): readonly string[] {
    const shown = [...this.rowsOf(line).slice(row)];
    for (let at = line + 1; at < this.lines.count && shown.length < most; at++) shown.push(...this.rowsOf(at));
    return shown.slice(0, most);
  }

  private moved({ line, row }: PagerPlace, by: number): PagerPlace {
    let [at, within] = [line, row + by];
    while (within < 0 && at > 0) within += this.rowsOf(--at).length;
    while (at < this.lines.count - 1 && within >= this.rowsOf(at).length) within -= this.rowsOf(at++).length;
    return this.clamped({ line: at, row: Math.max(0, within) });
  }

  private last(): PagerPlace {
    let [at, within] = [this.lines.count, 0];
    let missing = this.room;
    while (at > 0 && missing > 0) {
      const { length } = this.rowsOf(--at);
      within = Math.max(0, length - missing);
      missing -= length;
    }
    return { line: Math.max(0, at), row: within };
  }

  private clamped(place: PagerPlace): PagerPlace {
    const last = this.last();
    return place.line > last.line || (place.line === last.line && place.row > last.row) ? last : place;
  }

  private marked(row: string): string {
    const { theme } = this.look;
    return this.wanted === "" ? row : marked(row, this.wanted, (text) => theme.bold(theme.link(text)));
  }

  private titleLine(width: number): string {
    const { theme } = this.look;
    const title = truncateToWidth(visible(bare(this.detail.title)), Math.max(1, width - 4), "…");
    return `${theme.accent("━━")} ${theme.bold(title)} ${theme.accent("━".repeat(Math.max(0, width - 4 - visibleWidth(title))))}`;
  }

  private foot(width: number, shown: number): Frame {
    const { theme } = this.look;
    if (this.asked) {
      const { lines, cursor } = this.asked.frame(Math.max(1, width - 1));
      return { lines: [`/${lines[0] ?? ""}`], cursor: under(cursor, 0, 1) };
    }
    const total = `${this.lines.count}${this.hasEarlier ? "+" : ""}`;
    const from = Math.min(this.lines.count, this.top.line + 1);
    const where = words(this.look, "tui.pager.where", { from, to: this.lastShown(shown), total });
    const status = this.searchStatus() ?? where;
    const line = `${status} · ${words(this.look, "tui.pager.keys")}`;
    return { lines: [theme.dim(truncateToWidth(line, width, "…"))], cursor: null };
  }

  private searchStatus(): string | null {
    const text = bare(this.wanted);
    if (this.isMissing) return words(this.look, "tui.pager.missing", { text });
    if (this.hunt === null) return null;
    const percent = Math.floor((1 - this.hunt.left / this.lines.count) * 100);
    return words(this.look, "tui.pager.seeking", { text, percent });
  }

  private lastShown(shown: number): number {
    let [at, left] = [this.top.line, shown - (this.rowsOf(this.top.line).length - this.top.row)];
    while (left > 0 && at < this.lines.count - 1) left -= this.rowsOf(++at).length;
    return Math.min(this.lines.count, at + 1);
  }
}

/** Ignores case unless `wanted` has a capital. */
function isMatch(line: string, wanted: string): boolean {
  return find(bare(line), wanted, 0) !== -1;
}

function find(text: string, wanted: string, from: number): number {
  const isAnyCase = wanted === wanted.toLowerCase();
  return (isAnyCase ? text.toLowerCase() : text).indexOf(wanted, from);
}

/** A row with a match loses its own styles, so that the match stands out. */
function marked(row: string, wanted: string, style: (text: string) => string): string {
  const text = bare(row);
  let [shown, from] = ["", 0];
  for (let at = find(text, wanted, 0); at !== -1; at = find(text, wanted, from)) {
    shown += text.slice(from, at) + style(text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return from === 0 ? row : shown + text.slice(from);
}
