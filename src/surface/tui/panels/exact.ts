import type { Lines } from "../blocks/lines.ts";
import { LongText } from "../blocks/long-text.ts";
import { getGraphemeSegmenter, visibleWidth } from "../terminal/width.ts";

/** Wraps without dropping anything. Blanks at a break start the next row, so that `/ tmp` can never look like `/tmp`. */
function* exactRows(line: string, width: number): Generator<string> {
  let row = "";
  let used = 0;
  let blanks = 0;
  for (const { segment } of getGraphemeSegmenter().segment(line)) {
    const wide = segment.length === 1 && segment < "\x7f" ? 1 : visibleWidth(segment);
    if (used + wide > width && row !== "") {
      const isGoodBreak = blanks > row.length / 2 || (blanks > 0 && row.endsWith(" "));
      const cut = isGoodBreak ? blanks : row.length;
      yield row.slice(0, cut);
      row = row.slice(cut);
      used = visibleWidth(row);
      blanks = 0;
    }
    if (segment === " " && !row.endsWith(" ")) blanks = row.length;
    row += segment;
    used += wide;
  }
  yield row;
}

/** The whole text behind a bar; a broken bar marks a row that continues a line. */
export function barred(text: string, width: number): Lines {
  const room = Math.max(1, width - 2);
  const bar = (row: string, isMore: boolean): string => `${isMore ? "┆" : "│"} ${row}`;
  return new LongText(text, room, {
    show: (piece) => piece,
    rows: (line, isMore) => [...exactRows(line, room)].map((row, at) => bar(row, isMore || at > 0)),
  });
}

export interface ExactRows {
  readonly rows: readonly string[];
  /** The number of rows that follow: an estimate for long texts, and 0 only if there are none. */
  readonly left: number;
}

/** The first `most` rows of the same; reads no more of the text than that. */
export function barredHead(text: string, width: number, most: number): ExactRows {
  const room = Math.max(1, width - 2);
  const rows: string[] = [];
  let left = 0;
  for (const line of text.split("\n")) {
    if (rows.length >= most) {
      left += Math.max(1, Math.ceil(line.length / room));
      continue;
    }
    let shown = 0;
    for (const row of exactRows(line, room)) {
      if (rows.length >= most) {
        left += Math.max(1, Math.ceil((line.length - shown) / room));
        break;
      }
      rows.push(`${shown === 0 ? "│" : "┆"} ${row}`);
      shown += row.length;
    }
  }
  return { rows, left };
}
