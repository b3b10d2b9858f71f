// The colours of a terminal window.
import type { Cell, Colour } from "../../test/surface/tui/emulator.ts";

export interface Palette {
  readonly text: string;
  readonly background: string;
  readonly bar: string;
  readonly edge: string;
  readonly title: string;
  /** The first sixteen. */
  readonly named: readonly string[];
}

export const dark: Palette = {
  ...{ text: "#d8dee9", background: "#1b1f27", bar: "#252a34", edge: "#39404d", title: "#9aa5b8" },
  named: [
    ...["#2e3440", "#e06c75", "#98c379", "#e5c07b", "#6ca6f0", "#c98ae0", "#56b6c2", "#d8dee9"],
    ...["#5c6577", "#ff8791", "#b5e08f", "#ffd98a", "#8cc0ff", "#e0a3f5", "#7fd8e3", "#ffffff"],
  ],
};

const steps = [0, 95, 135, 175, 215, 255];

function ofPalette(at: number, { named }: Palette): string {
  if (at < 16) return named[at] ?? "#ffffff";
  const grey = 8 + (at - 232) * 10;
  const cube = at - 16;
  const parts =
    at >= 232
      ? [grey, grey, grey]
      : [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((n) => steps[n] ?? 0);
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** What a cell is painted with; no background is that of the window. */
export function coloursOf(cell: Cell, palette: Palette): { readonly text: string; readonly background: string | null } {
  const shown = (colour: Colour): string | null =>
    colour === null ? null : typeof colour === "number" ? ofPalette(colour, palette) : colour;
  const [text, background] = [shown(cell.colour) ?? palette.text, shown(cell.background)];
  return cell.isInverse ? { text: background ?? palette.background, background: text } : { text, background };
}
