// How a line of the text is broken into rows of the screen. The editor moves by these rows, so that what it does and what is seen agree.
import { wordWrapLine } from "@earendil-works/pi-tui/dist/components/editor.js";
import { getGraphemeSegmenter, truncateToWidth, visibleWidth } from "../terminal/width.ts";
import { folded } from "./folds.ts";

/** A stretch of a line, in units of the line itself. */
export interface PromptRow {
  readonly start: number;
  readonly end: number;
}

/** Of lines whose rows are remembered. */
const mostChars = 500_000;
const segmenter = getGraphemeSegmenter();

export class Rows {
  private readonly labelOf: (mark: string) => string;
  private width = 0;
  private readonly known = new Map<string, readonly PromptRow[]>();
  private chars = 0;

  constructor(labelOf: (mark: string) => string) {
    this.labelOf = labelOf;
  }

  of(line: string, width: number): readonly PromptRow[] {
    if (width !== this.width || this.chars > mostChars) {
      this.known.clear();
      this.chars = 0;
      this.width = width;
    }
    const known = this.known.get(line);
    if (known) return known;
    const rows = line.search(folded) === -1 ? rowsIn(line, width) : this.withLabels(line);
    this.known.set(line, rows);
    this.chars += line.length + 1;
    return rows;
  }

  /** A part of a line as it is shown; no wider than what was counted for it. */
  shown(part: string): string {
    return part.replace(folded, (mark) => this.label(mark)).replaceAll("\t", "   ");
  }

  /** A label is broken nowhere. */
  private label(mark: string): string {
    const label = this.labelOf(mark);
    return visibleWidth(label) <= this.width ? label : truncateToWidth(label, this.width, "");
  }

  /** Rows are found in the line as it is shown, and led back to where they begin in the line itself. */
  private withLabels(line: string): readonly PromptRow[] {
    const places = new Map<number, number>();
    const segments: Intl.SegmentData[] = [];
    let whole = "";
    for (const { segment, index } of segmenter.segment(line)) {
      const unit = this.shown(segment);
      places.set(whole.length, index);
      segments.push({ segment: unit, index: whole.length, input: line });
      whole += unit;
    }
    const starts = wordWrapLine(whole, this.width, segments).map(({ startIndex }) => places.get(startIndex) ?? 0);
    return starts.map((start, at) => ({ start, end: starts[at + 1] ?? line.length }));
  }
}

function rowsIn(line: string, width: number): readonly PromptRow[] {
  // Most lines fit, and for plain ones that is told by their length.
  if (visibleWidth(line) <= width) return [{ start: 0, end: line.length }];
  return wordWrapLine(line, width).map(({ startIndex, endIndex }) => ({ start: startIndex, end: endIndex }));
}
