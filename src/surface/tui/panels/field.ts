// Input fields for panels, made of the inputs of pi-tui, which do not write to the terminal themselves.
import type { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
import { Input } from "@earendil-works/pi-tui/dist/components/input.js";
import { CURSOR_MARKER } from "@earendil-works/pi-tui/dist/tui.js";
import { plain } from "../../../contract/show/visible.ts";
import { bareEditor } from "../prompt/unsent.ts";
import type { Frame } from "../terminal/screen.ts";
import { visibleWidth } from "../terminal/width.ts";
import { under, wrapped } from "./card.ts";
import { asPaste, pasted } from "./press.ts";

/** The inputs also draw a reversed cell at the cursor, but the terminal's own cursor is there already. */
const reversed = /\x1b\[7m([^\x1b]*)\x1b\[(?:27|0)m/;

function placed(lines: readonly string[]): Frame {
  let cursor: Frame["cursor"] = null;
  const shown = lines.map((line, row) => {
    const at = line.indexOf(CURSOR_MARKER);
    if (at === -1) return line.trimEnd();
    cursor = { row, column: visibleWidth(line.slice(0, at)) };
    return line.replace(CURSOR_MARKER, "").replace(reversed, "$1").trimEnd();
  });
  return { lines: shown, cursor };
}

function cleaned(key: string, breaks: "\n" | " "): string {
  const text = pasted(key);
  return text === null ? key : asPaste(plain(text.replace(/\r\n?|\n/g, breaks)));
}

export class LineField {
  private readonly input = new Input({ prompt: "" });

  constructor() {
    this.input.focused = true;
  }

  get text(): string {
    return this.input.getValue();
  }

  handle(key: string): void {
    this.input.handleInput(cleaned(key, " "));
  }

  frame(width: number): Frame {
    return placed(this.input.render(width));
  }
}

export function askedLine(text: string, field: LineField, width: number, room: number): Frame {
  const question = wrapped(text, width).slice(0, Math.max(0, room - 1));
  const { lines, cursor } = field.frame(width);
  return { lines: [...question, ...lines], cursor: under(cursor, question.length, 0) };
}

/** A multi-line field. The panel handles Enter; Shift+Enter starts a new line. */
export class TextField {
  private readonly editor: Editor;
  private room = 5;

  constructor(text = "", redraw?: () => void) {
    // The editor takes three tenths of the rows.
    this.editor = bareEditor(() => Math.ceil(this.room / 0.3) + 1, redraw);
    this.editor.focused = true;
    this.editor.disableSubmit = true;
    if (text !== "") this.editor.setText(text);
  }

  get text(): string {
    return this.editor.getExpandedText();
  }

  handle(key: string): void {
    this.editor.handleInput(cleaned(key, "\n"));
  }

  frame(width: number, room: number): Frame {
    this.room = Math.max(1, room);
    const { lines, cursor } = placed(this.editor.render(width).slice(1, -1));
    const from = Math.max(0, Math.min((cursor?.row ?? 0) - Math.floor(room / 2), lines.length - this.room));
    return {
      lines: lines.slice(from, from + this.room),
      cursor: cursor && { row: cursor.row - from, column: cursor.column },
    };
  }
}
