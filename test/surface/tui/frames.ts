import { stripTerminalSequences, visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import type { Lang } from "../../../src/contract/text/catalogue.ts";
import type { Panel } from "../../../src/surface/tui/panels/panel.ts";
import type { Look } from "../../../src/surface/tui/terminal/look.ts";
import { themeOf } from "../../../src/surface/tui/terminal/theme.ts";

export function lookIn(lang: Lang = "en"): Look {
  return { theme: themeOf("terminal", false), lang, width: () => 80 };
}

/** Styles and nothing else. */
const ours = /\x1b\[[0-9;]*m|\x1b\]8;;\x07/g;

/** What a person reads of it; throws where it is larger than it may be, or draws by itself. */
export function shown(panel: Pick<Panel, "frame">, width = 80, room = 22): readonly string[] {
  const { lines, cursor } = panel.frame(width, room);
  if (lines.length > room) throw new Error(`${lines.length} lines in room for ${room}`);
  for (const line of lines) {
    if (visibleWidth(line) > width) throw new Error(`${visibleWidth(line)} columns of ${width}: ${line}`);
    if (/[\0-\x08\x0a-\x1f\x7f-\x9f]/.test(line.replace(ours, "")))
      throw new Error(`control characters: ${JSON.stringify(line)}`);
  }
  if (cursor && (cursor.row >= lines.length || cursor.column >= width))
    throw new Error(`cursor at ${JSON.stringify(cursor)}`);
  return lines.map((line) => stripTerminalSequences(line).trimEnd());
}

/** Where the person types: the line up to there. */
export function beforeCursor(panel: Pick<Panel, "frame">, width = 80, room = 22): string | null {
  const { lines, cursor } = panel.frame(width, room);
  if (!cursor) return null;
  let [text, used] = ["", 0];
  for (const sign of stripTerminalSequences(lines[cursor.row] ?? "")) {
    if (used >= cursor.column) break;
    text += sign;
    used += visibleWidth(sign);
  }
  return text;
}

export function press(panel: Pick<Panel, "handle">, ...keys: readonly string[]): readonly boolean[] {
  return keys.map((key) => panel.handle(key));
}

export function type(panel: Pick<Panel, "handle">, text: string): void {
  for (const sign of text) panel.handle(sign);
}

export const ENTER = "\r";
export const ESC = "\x1b";
export const UP = "\x1b[A";
export const DOWN = "\x1b[B";

export function paste(text: string): string {
  return `\x1b[200~${text}\x1b[201~`;
}
