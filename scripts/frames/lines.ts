// Frames and bars are drawn, not written: those of a font leave gaps between rows that are higher than its letters.

/** Which of left, right, up and down a sign joins. */
const joins: Readonly<Record<string, string>> = {
  ...{
    "─": "lr",
    "│": "ud",
    "┌": "rd",
    "┐": "ld",
    "└": "ru",
    "┘": "lu",
    "├": "rud",
    "┤": "lud",
    "┬": "lrd",
    "┴": "lru",
  },
  ...{ "┼": "lrud", "╭": "rd", "╮": "ld", "╰": "ru", "╯": "lu" },
};
const thick: Readonly<Record<string, string>> = {
  ...{
    "━": "lr",
    "┃": "ud",
    "┏": "rd",
    "┓": "ld",
    "┗": "ru",
    "┛": "lu",
    "┣": "rud",
    "┫": "lud",
    "┳": "lrd",
    "┻": "lru",
  },
  "╋": "lrud",
};

/** How much of the cell is filled, from the left or from below. */
const fromLeft = "▏▎▍▌▋▊▉";
const fromBelow = "▁▂▃▄▅▆▇█";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** `null`: it is a letter, and the font's business. */
export function drawnSign(sign: string, { x, y, width, height }: Box, colour: string): string | null {
  const ends = joins[sign] ?? thick[sign];
  if (ends !== undefined) {
    const [middle, centre] = [x + width / 2, y + height / 2];
    const to = { l: [x, centre], r: [x + width, centre], u: [middle, y], d: [middle, y + height] } as const;
    const path = [...ends].map((end) => `M${middle} ${centre}L${to[end as keyof typeof to].join(" ")}`).join("");
    const line = sign in thick ? 2.5 : 1;
    const [left, top] = [middle - line / 2, centre - line / 2];
    const joint = `<rect x="${left}" y="${top}" width="${line}" height="${line}" fill="${colour}"/>`;
    return `<path d="${path}" stroke="${colour}" stroke-width="${line}" fill="none"/>${joint}`;
  }
  const left = (fromLeft.indexOf(sign) + 1) / 8;
  const below = (fromBelow.indexOf(sign) + 1) / 8;
  if (left > 0) return `<rect x="${x}" y="${y}" width="${width * left}" height="${height}" fill="${colour}"/>`;
  if (below === 0) return null;
  return `<rect x="${x}" y="${y + height * (1 - below)}" width="${width}" height="${height * below}" fill="${colour}"/>`;
}
