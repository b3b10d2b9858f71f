// Breaks a line into screen rows. The editor moves by the same rows, so that keys do what the screen shows.
import { wordWrapLine } from "@earendil-works/pi-tui/dist/components/editor.js";
import { getGraphemeSegmenter, truncateToWidth, visibleWidth } from "../terminal/width.ts";
import { folded } from "./folds.ts";

export interface PromptRow {
  readonly start: number;
  readonly end: number;
}

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

  shown(part: string): string {
    return part.replace(folded, (mark) => this.label(mark)).replaceAll("\t", "   ");
  }

  private label(mark: string): string {
    const label = this.labelOf(mark);
    return visibleWidth(label) <= this.width ? label : truncateToWidth(label, this.width, "");
  }

  /** Wraps the line as displayed, then maps the row starts back to offsets in the line itself. */
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
  // Most lines fit, which is cheap to check for plain text.
  if (visibleWidth(line) <= width) return [{ start: 0, end: line.length }];
  return wordWrapLine(line, width).map(({ startIndex, endIndex }) => ({ start: startIndex, end: endIndex }));
}
