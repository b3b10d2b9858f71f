// Lines that are laid out only when they are looked at, so that their number does not matter.
import { wrapTextWithAnsi } from "../terminal/width.ts";

export interface Lines {
  readonly count: number;
  rows(at: number): readonly string[];
  /** The searchable text of a line, plus about `more` characters of its continuation. */
  text(at: number, more: number): string;
  /** A position that is about the same for every width; `far(count)` is the end. */
  far(at: number): number;
}

export function lineAt(lines: Lines, far: number): number {
  let [low, high] = [0, Math.max(0, lines.count - 1)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (lines.far(middle) <= far) low = middle;
    else high = middle - 1;
  }
  return low;
}

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

/** Without our own styles. */
export function bare(line: string): string {
  return line.includes("\x1b") ? line.replace(styles, "") : line;
}

function signsBefore(lines: readonly string[]): readonly number[] {
  const signs = [0];
  for (const line of lines) signs.push((signs.at(-1) ?? 0) + bare(line).replace(/\s+/g, "").length);
  return signs;
}

export function ready(lines: readonly string[], width: number): Lines {
  return new Ready(lines, width);
}

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

  /** The end belongs to the last part. */
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
