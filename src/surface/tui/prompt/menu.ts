import { cutFront } from "../terminal/fit.ts";
import type { Theme } from "../terminal/theme.ts";
import { truncateToWidth, visibleWidth } from "../terminal/width.ts";

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly args?: string;
  readonly about?: string;
  readonly isPath?: true;
}

export const mostChoices = 8;
const labelPart = 0.4;

export class Menu {
  readonly choices: readonly Choice[];
  private marked: number;

  constructor(choices: readonly Choice[], marked = 0) {
    this.choices = choices;
    this.marked = marked;
  }

  get chosen(): Choice | null {
    return this.choices[this.marked] ?? null;
  }

  get next(): Choice | null {
    return this.choices[this.marked + 1] ?? null;
  }

  move(by: number): void {
    const { length } = this.choices;
    if (length > 0) this.marked = this.marked === -1 && by < 0 ? length - 1 : (this.marked + by + length) % length;
  }

  lines(width: number, room: number, theme: Theme): readonly string[] {
    const { length } = this.choices;
    const isCut = length > Math.min(room, mostChoices);
    const seen = Math.max(0, Math.min(room, mostChoices) - (isCut && room > 2 ? 1 : 0));
    const middle = Math.max(0, this.marked) - Math.floor(seen / 2);
    const from = Math.max(0, Math.min(middle, length - seen));
    const labels = this.labelWidth(width);
    const lines = this.choices
      .slice(from, from + seen)
      .map((one, at) => line(one, labels, width, from + at === this.marked, theme));
    const count = theme.dim(`  ${Math.max(0, this.marked) + 1}/${length}`);
    return isCut && room > 2 ? [...lines, count] : lines;
  }

  private labelWidth(width: number): number {
    if (!this.choices.some(({ about }) => about)) return Math.max(1, width - 2);
    const takes = Math.max(...this.choices.map(({ label, args = "" }) => visibleWidth(`${label} ${args}`.trimEnd())));
    const names = Math.max(...this.choices.map(({ label }) => visibleWidth(label)));
    return Math.min(Math.max(names, Math.min(takes, Math.floor(width * labelPart))), Math.floor(width / 2));
  }
}

function line(one: Choice, labels: number, width: number, isMarked: boolean, theme: Theme): string {
  const { args = "", about = "" } = one;
  const name = fitted(one, labels);
  const left = labels - visibleWidth(name);
  const takes = args !== "" && left > 3 ? ` ${truncateToWidth(args, left - 1, "…")}` : "";
  const gap = " ".repeat(Math.max(0, left - visibleWidth(takes)) + 2);
  const room = width - 2 - labels - 2;
  const does = about !== "" && room > 3 ? truncateToWidth(about, room, "…") : "";
  const tail = does === "" ? "" : gap + does;
  return isMarked ? theme.accent(bare(`› ${name}${takes}${tail}`)) : bare(`  ${name}${theme.dim(takes + tail)}`);
}

function fitted({ label, isPath }: Choice, width: number): string {
  return isPath ? cutFront(label, width) : truncateToWidth(label, width, "…");
}

/** `truncateToWidth` resets styles that are not open. */
function bare(text: string): string {
  return text.replaceAll("\x1b[0m", "");
}
