import { clean, wrap } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { withKey } from "../terminal/measure.ts";
import type { Lines } from "./lines.ts";
import { LongText, wordWrapped } from "./long-text.ts";

/** Escape sequences, including unterminated strings, and characters deleted by a backspace. */
const codes = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]|[^\n\x08]\x08/g;
const unfinished = /\x1b[^\x1b\n]{0,60}$/;

/** As a screen would show it: only the last overwrite of a line is left. */
export function screenText(text: string): string {
  const lines = text.replace(codes, "").replaceAll("\r\n", "\n").split("\n");
  return clean(lines.map(lastDrawn).join("\n"));
}

export function drawnText(text: string, width: number): Lines {
  return new LongText(text, width, { show: screenText, rows: wordWrapped(width), isDrawnOver: true });
}

function lastDrawn(line: string): string {
  return line.includes("\r") ? (line.split("\r").findLast((part) => part !== "") ?? "") : line;
}

const keptLines = 400;
const maxLine = 4_000;
const maxPiece = 256_000;

type Stream = "stdout" | "stderr";

/** The end of a command's output so far. Lines are made safe only when they are shown. */
export class OutputTail {
  private lines: string[] = [];
  private readonly open: Record<Stream, string> = { stdout: "", stderr: "" };
  private last: Stream = "stdout";
  private count = 0;

  push(stream: Stream, text: string): void {
    this.last = stream;
    const lines = (this.open[stream] + this.shortened(text)).split("\n");
    this.open[stream] = endOf(lines.pop() ?? "");
    this.count += lines.length;
    for (const line of lines.slice(-keptLines)) this.lines.push(endOf(line));
    if (this.lines.length > 2 * keptLines) this.lines = this.lines.slice(-keptLines);
  }

  /** The number of all lines, including those dropped. */
  get total(): number {
    return this.count + (this.open.stdout === "" ? 0 : 1) + (this.open.stderr === "" ? 0 : 1);
  }

  tail(most: number): readonly string[] {
    const now = this.open[this.last].replace(unfinished, "");
    const other = this.open[this.last === "stdout" ? "stderr" : "stdout"];
    const open = [other, now].filter((line) => line !== "");
    return [...this.lines.slice(-Math.max(1, most)), ...open].slice(-Math.max(1, most)).map(screenText);
  }

  private shortened(text: string): string {
    if (text.length <= maxPiece) return text;
    const from = text.length - maxPiece;
    for (let at = text.indexOf("\n"); at !== -1 && at < from; at = text.indexOf("\n", at + 1)) this.count++;
    return text.slice(from);
  }
}

/** The end of an overlong line that was drawn last. */
function endOf(line: string): string {
  if (line.length <= maxLine) return line;
  const end = line.slice(-maxLine);
  const drawn = end.indexOf("\r");
  return drawn === -1 ? end : end.slice(drawn + 1);
}

const cutAway = /^\[… \d+ bytes left out …\]$/;

export interface Excerpt {
  readonly head: number;
  readonly tail: number;
  readonly key: string;
}

export function excerptLines(look: Look, text: string, { head, tail, key }: Excerpt): readonly string[] {
  const lines = text.replace(/^(?:[ \t]*\n)+|\n+$/g, "").split("\n");
  if (lines.length === 1 && lines[0]?.trim() === "") return [];
  if (lines.length <= head + tail + 1) return lines.flatMap((line) => shown(look, line));
  const hidden = lines.slice(head, lines.length - tail);
  // Not every line of a flood was kept.
  const more = hidden.some((line) => cutAway.test(line)) ? "+" : "";
  const left = withKey(look, words(look, "block.left_out", { n: `${hidden.length}${more}` }), key);
  return [
    ...lines.slice(0, head).flatMap((line) => shown(look, line)),
    ...wrap(look.theme.dim(left), look.width(), "  "),
    ...(tail === 0 ? [] : lines.slice(-tail)).flatMap((line) => shown(look, line)),
  ];
}

/** Limits for one line: a file without line breaks is not text for reading. */
const rowsOfLine = 3;
const charsOfLine = 600;

function shown(look: Look, line: string): readonly string[] {
  const rows = wrap(look.theme.dim(line.slice(0, charsOfLine)), look.width(), "  ");
  if (rows.length <= rowsOfLine && line.length <= charsOfLine) return rows;
  const chars = words(look, "block.long_line", { n: line.length });
  return [...rows.slice(0, rowsOfLine), ...wrap(look.theme.dim(chars), look.width(), "  ")];
}
