// Lines that are laid out only when they are looked at, so that their number does not matter.
import { escapes } from "../terminal/escapes.ts";
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

/** Without our own styles. */
export function bare(line: string): string {
  return line.includes("\x1b") ? line.replace(escapes, "") : line;
}

function signsBefore(lines: readonly string[]): readonly number[] {
  const signs = [0];
  for (const line of lines) signs.push((signs.at(-1) ?? 0) + bare(line).replace(/\s+/g, "").length);
  return signs;
}

export function ready(lines: readonly string[], width: number): Lines {
  let signs: readonly number[] | null = null;
  return {
    count: lines.length,
    rows: (at) => wrapTextWithAnsi(lines[at] ?? "", width),
    text: (at) => lines[at] ?? "",
    far: (at) => {
      signs ??= signsBefore(lines);
      return signs[at] ?? 0;
    },
  };
}

export function joined(all: readonly Lines[]): Lines {
  const parts = all.filter((part) => part.count > 0);
  const before: number[] = [];
  let count = 0;
  for (const part of parts) {
    before.push(count);
    count += part.count;
  }
  // The end belongs to the last part.
  const partAt = (at: number): readonly [part: Lines | undefined, within: number, number: number] => {
    const found = before.findLastIndex((first) => first <= Math.min(at, count - 1));
    const number = Math.max(0, found);
    return [parts[number], at - (before[number] ?? 0), number];
  };
  return {
    count,
    rows: (at) => {
      const [part, within] = partAt(at);
      return part?.rows(within) ?? [""];
    },
    text: (at, more) => {
      const [part, within] = partAt(at);
      return part?.text(within, more) ?? "";
    },
    far: (at) => {
      const [part, within, number] = partAt(at);
      const above = parts.slice(0, number).reduce((sum, one) => sum + one.far(one.count), 0);
      return above + (part?.far(within) ?? 0);
    },
  };
}
