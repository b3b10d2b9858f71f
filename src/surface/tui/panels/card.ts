// The frame of a panel: heavy lines, which no other output has at the beginning of a line.

import type { TextKey } from "../../../contract/text/catalogue.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "../terminal/width.ts";

export type Hint = readonly [key: string, does: TextKey];

export interface Card {
  readonly title: string;
  readonly side?: string;
  readonly body: readonly string[];
  readonly cursor?: Frame["cursor"];
  readonly hints: readonly Hint[];
  /** The panel blocks the task until it is answered. */
  readonly isUrgent?: boolean;
}

/** Styles, links and zero-width characters draw nothing, so a frame behind them still looks like the start of the line. */
const beginning =
  /^(?:\x1b\[[\d;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}])*[┏┣┃┗]/u;
const heavy = /[━┃┏┓┗┛┣┫┳┻╋]/g;
const lighter: Readonly<Record<string, string>> = {
  ...{ "━": "─", "┃": "│", "┏": "┌", "┓": "┐", "┗": "└", "┛": "┘", "┣": "├", "┫": "┤", "┳": "┬", "┻": "┴", "╋": "┼" },
};

/** Makes sure that output cannot look like a panel, whoever wrote it. */
export function unlikeCard(line: string): string {
  return beginning.test(line) ? line.replace(heavy, (sign) => lighter[sign] ?? sign) : line;
}

const orders =
  /\x1b(?!\[[\d;]*m|\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|\\)|[\x00-\x06\x08-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** Only styles and links pass: no other sequence may draw over a question, even if a panel forgot to escape it. */
export function orderless(line: string): string {
  return line.replace(orders, "\ufffd");
}

export function innerWidth(width: number): number {
  return Math.max(1, width - 2);
}

export function innerRoom(look: Look, hints: readonly Hint[], width: number, room: number): number {
  return Math.max(1, room - 1 - hintRows(look, hints, width).length);
}

/** Cuts body lines that do not fit: a panel with more to say must show that itself. */
export function cardFrame(look: Look, card: Card, width: number, room: number): Frame {
  const tone = card.isUrgent ? look.theme.warn : look.theme.accent;
  const hints = hintRows(look, card.hints, width);
  const body = card.body.slice(0, innerRoom(look, card.hints, width, room));
  const lines = [
    topLine(look, card, width),
    ...body.map((line) => `${tone("┃")} ${line}`),
    ...hints.map((row, at) => `${tone(at === hints.length - 1 ? "┗" : "┃")} ${row}`),
  ];
  const { cursor } = card;
  const isShown = cursor && cursor.row < body.length;
  return { lines: lines.slice(0, Math.max(1, room)), cursor: isShown ? under(cursor, 1, 2) : null };
}

/** Moves a cursor into a frame with lines above and columns before it. */
export function under(cursor: Frame["cursor"], rows: number, columns: number): Frame["cursor"] {
  return cursor && { row: cursor.row + rows, column: cursor.column + columns };
}

function topLine({ theme }: Look, { title, side = "", isUrgent }: Card, width: number): string {
  const tone = isUrgent ? theme.warn : theme.accent;
  const end = side === "" ? "" : truncateToWidth(side, Math.floor(width / 3), "…");
  const name = truncateToWidth(title, Math.max(1, width - 5 - (end === "" ? 0 : visibleWidth(end) + 3)), "…");
  const used = 4 + visibleWidth(name) + (end === "" ? 0 : visibleWidth(end) + 3);
  const rule = "━".repeat(Math.max(0, width - used));
  return `${tone("┏━")} ${theme.bold(name)} ${tone(rule)}${end === "" ? "" : ` ${theme.dim(end)} ${tone("━")}`}`;
}

function hintRows(look: Look, hints: readonly Hint[], width: number): readonly string[] {
  const rows: string[] = [];
  for (const [key, does] of hints) {
    const hint = `${look.theme.bold(key)} ${words(look, does)}`;
    const longer = rows.length === 0 ? hint : `${rows.at(-1)} · ${hint}`;
    const isFitting = rows.length > 0 && visibleWidth(longer) <= innerWidth(width);
    if (isFitting) rows[rows.length - 1] = longer;
    else rows.push(truncateToWidth(hint, innerWidth(width), "…"));
  }
  return rows;
}

export function wrapped(text: string, width: number, head = ""): readonly string[] {
  const indent = " ".repeat(visibleWidth(head));
  const lines = wrapTextWithAnsi(text, Math.max(1, width - indent.length));
  return lines.map((line, at) => `${at === 0 ? head : indent}${line}`);
}
