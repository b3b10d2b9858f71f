import type { Lines } from "../blocks/lines.ts";
import { LongText } from "../blocks/long-text.ts";
import { getGraphemeSegmenter, visibleWidth } from "../terminal/width.ts";

/**
 * A line in rows of at most `width` columns, with everything in it. Blanks at a break begin the next row: a row that begins with
 * none goes on in the middle of a word, so that `/ tmp` never looks like `/tmp`.
 */
function* exactRows(line: string, width: number): Generator<string> {
  let row = "";
  let used = 0;
  // Where the last blanks of the row begin.
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

/** All of a text behind a bar; a row that only goes on with the line before it has a broken one. */
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
  /** How many rows come behind them; of long texts a guess, and 0 only where there are none. */
  readonly left: number;
}

/** The first `most` rows of the same. No more of the text is looked at than is shown. */
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
