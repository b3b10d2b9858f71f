import { fuzzy } from "../../../command/text/fuzzy.ts";
import { visible } from "../../../contract/show/visible.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { truncateToWidth, visibleWidth } from "../terminal/width.ts";
import { cardFrame, type Hint, innerRoom, innerWidth, under } from "./card.ts";
import { LineField } from "./field.ts";
import type { Panel } from "./panel.ts";
import { isKey } from "./press.ts";

export interface PickerItem<T> {
  readonly label: string;
  readonly note?: string;
  readonly value: T;
  readonly isNow?: boolean;
}

export interface PickerDeps<T> {
  readonly title: string;
  /** A promise must not reject. */
  readonly items: readonly PickerItem<T>[] | Promise<readonly PickerItem<T>[]>;
  /** The note is as important as the label and gets a row of its own. */
  readonly isTall?: true;
  readonly choose: (value: T) => void;
  readonly close: () => void;
  readonly redraw: () => void;
}

const hints: readonly Hint[] = [
  ["↑↓", "tui.key.move"],
  ["Enter", "tui.key.choose"],
  ["Esc", "tui.key.close"],
];

export class Picker<T> implements Panel {
  private readonly look: Look;
  private readonly deps: PickerDeps<T>;
  private readonly field = new LineField();
  private all: readonly PickerItem<T>[] | null = null;
  private fitting: readonly PickerItem<T>[] = [];
  private at = 0;
  private page = 1;

  constructor(look: Look, deps: PickerDeps<T>) {
    this.look = look;
    this.deps = deps;
    const { items } = deps;
    if (!(items instanceof Promise)) this.take(items);
    else
      void items.then((known) => {
        this.take(known);
        deps.redraw();
      });
  }

  frame(width: number, room: number): Frame {
    const inner = innerWidth(width);
    const { lines, cursor } = this.field.frame(Math.max(1, inner - 2));
    const rows = innerRoom(this.look, hints, width, room) - 1;
    this.page = Math.max(1, this.deps.isTall ? Math.floor(rows / 2) : rows);
    const body = [`${this.look.theme.accent(">")} ${lines[0] ?? ""}`, ...this.rows(inner)];
    const card = { title: this.deps.title, side: this.count(), body, cursor: under(cursor, 0, 2), hints };
    return cardFrame(this.look, card, width, room);
  }

  handle(key: string): boolean {
    const last = this.fitting.length - 1;
    if (isKey(key, "escape")) this.deps.close();
    else if (isKey(key, "enter")) this.choose();
    else if (isKey(key, "up")) this.at = this.at === 0 ? Math.max(0, last) : this.at - 1;
    else if (isKey(key, "down")) this.at = this.at >= last ? 0 : this.at + 1;
    else if (isKey(key, "pageUp")) this.at = Math.max(0, this.at - this.page);
    else if (isKey(key, "pageDown")) this.at = Math.max(0, Math.min(last, this.at + this.page));
    else if (isKey(key, "home")) this.at = 0;
    else if (isKey(key, "end")) this.at = Math.max(0, last);
    else this.type(key);
    return true;
  }

  private take(items: readonly PickerItem<T>[]): void {
    this.all = items.map((item) => ({ ...item, label: visible(item.label), note: visible(item.note ?? "") }));
    this.filter();
    this.at = Math.max(0, this.field.text === "" ? this.all.findIndex(({ isNow }) => isNow) : 0);
  }

  private type(key: string): void {
    const before = this.field.text;
    this.field.handle(key);
    if (this.field.text === before) return;
    this.filter();
    this.at = 0;
  }

  private filter(): void {
    const all = this.all ?? [];
    const byName = fuzzy(this.field.text, all, ({ label }) => label);
    // In a note, only whole words match, not scattered letters.
    const wanted = this.field.text.toLowerCase().split(/\s+/);
    const isNoted = ({ note = "" }: PickerItem<T>): boolean =>
      wanted.every((word) => note.toLowerCase().includes(word));
    const names = new Set(byName);
    this.fitting = [...byName, ...all.filter((item) => !names.has(item) && isNoted(item))];
  }

  private choose(): void {
    const chosen = this.fitting[this.at];
    if (chosen) this.deps.choose(chosen.value);
  }

  private count(): string {
    if (this.all === null) return "";
    const [fits, all] = [this.fitting.length, this.all.length];
    return this.field.text === "" ? String(all) : words(this.look, "tui.picker.count", { fits, all });
  }

  private rows(width: number): readonly string[] {
    const { theme } = this.look;
    if (this.all === null) return [theme.dim(words(this.look, "tui.picker.loading"))];
    if (this.all.length === 0) return [theme.dim(words(this.look, "tui.picker.empty"))];
    if (this.fitting.length === 0) return [theme.dim(words(this.look, "tui.picker.none"))];
    const from = Math.max(0, Math.min(this.at - Math.floor(this.page / 2), this.fitting.length - this.page));
    const page = this.fitting.slice(from, from + this.page);
    if (this.deps.isTall) return page.flatMap((item, at) => this.tall(item, from + at === this.at, width));
    const widest = Math.max(...page.map(({ label }) => visibleWidth(label)));
    const beside = Math.min(widest, Math.floor(width * 0.6));
    const isNoted = page.some(({ note }) => note) && isWorth(page, width - beside - 6);
    const labelWidth = Math.max(1, isNoted ? beside : Math.min(widest, width - 4));
    return page.map((item, at) => {
      const { note = "", ...bare } = item;
      return this.row(isNoted ? { ...bare, note } : bare, from + at === this.at, width, labelWidth);
    });
  }

  private tall({ note = "", ...item }: PickerItem<T>, isChosen: boolean, width: number): readonly string[] {
    const below = this.look.theme.dim(truncateToWidth(note, Math.max(1, width - 4), "…"));
    return [this.row(item, isChosen, width, Math.max(1, width - 4)), `    ${below}`];
  }

  private row(
    { label, note = "", isNow }: PickerItem<T>,
    isChosen: boolean,
    width: number,
    labelWidth: number,
  ): string {
    const { theme } = this.look;
    const name = truncateToWidth(label, labelWidth, "…");
    const gap = " ".repeat(Math.max(0, labelWidth - visibleWidth(name)) + 2);
    const sign = isChosen ? theme.accent("❯") : " ";
    const now = isNow ? theme.good("●") : " ";
    const rest = Math.max(0, width - labelWidth - 6);
    const more = note === "" || rest === 0 ? "" : `${gap}${theme.dim(truncateToWidth(note, rest, "…"))}`;
    return `${sign} ${now} ${isChosen ? theme.bold(name) : name}${more}`;
  }
}

/** A shorter note is unreadable, and its room is better used for the label. */
const leastNote = 16;

function isWorth(items: readonly { readonly note?: string }[], room: number): boolean {
  return room >= leastNote || items.every(({ note = "" }) => visibleWidth(note) <= room);
}
