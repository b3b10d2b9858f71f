// Lines of which only those are made that are looked at: how many there are does not matter.
import { wrapTextWithAnsi } from "../terminal/width.ts";

export interface Lines {
  readonly count: number;
  /** One of them, in rows that fit. */
  rows(at: number): readonly string[];
  /** What can be found in it; of a line that goes on behind it also that, about as much as `more` letters. */
  text(at: number, more: number): string;
  /** How far it is from the beginning, counted in what is about the same for every width. `count` itself: the end. */
  far(at: number): number;
}

/** The one that is so far from the beginning. */
export function lineAt(lines: Lines, far: number): number {
  let [low, high] = [0, Math.max(0, lines.count - 1)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (lines.far(middle) <= far) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A few that were made before. */
class Ready implements Lines {
  private readonly lines: readonly string[];
  private readonly width: number;
  private signs: readonly number[] | null = null;

  constructor(lines: readonly string[], width: number) {
    this.lines = lines;
    this.width = width;
  }

  get count(): number {
    return this.lines.length;
  }

  rows(at: number): readonly string[] {
    return wrapTextWithAnsi(this.lines[at] ?? "", this.width);
  }

  text(at: number): string {
    return this.lines[at] ?? "";
  }

  far(at: number): number {
    this.signs ??= signsBefore(this.lines);
    return this.signs[at] ?? 0;
  }
}

const styles = /\x1b\[[0-9;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g;

/** Without our styles. */
export function bare(line: string): string {
  return line.includes("\x1b") ? line.replace(styles, "") : line;
}

/** Blanks differ with the width. */
function signsBefore(lines: readonly string[]): readonly number[] {
  const signs = [0];
  for (const line of lines) signs.push((signs.at(-1) ?? 0) + bare(line).replace(/\s+/g, "").length);
  return signs;
}

export function ready(lines: readonly string[], width: number): Lines {
  return new Ready(lines, width);
}

/** One below the other. */
class Joined implements Lines {
  private readonly parts: readonly Lines[];
  private readonly before: readonly number[];
  readonly count: number;

  constructor(parts: readonly Lines[]) {
    this.parts = parts;
    const before: number[] = [];
    let sum = 0;
    for (const { count } of parts) {
      before.push(sum);
      sum += count;
    }
    [this.before, this.count] = [before, sum];
  }

  rows(at: number): readonly string[] {
    const [part, within] = this.part(at);
    return part?.rows(within) ?? [""];
  }

  text(at: number, more: number): string {
    const [part, within] = this.part(at);
    return part?.text(within, more) ?? "";
  }

  far(at: number): number {
    const [part, within, number] = this.part(at);
    const above = this.parts.slice(0, number).reduce((sum, one) => sum + one.far(one.count), 0);
    return above + (part?.far(within) ?? 0);
  }

  /** The end belongs to the last one. */
  private part(at: number): readonly [part: Lines | undefined, within: number, number: number] {
    const number = Math.max(
      0,
      this.before.findLastIndex((first) => first <= Math.min(at, this.count - 1)),
    );
    return [this.parts[number], at - (this.before[number] ?? 0), number];
  }
}

export function joined(parts: readonly Lines[]): Lines {
  return new Joined(parts.filter(({ count }) => count > 0));
}
