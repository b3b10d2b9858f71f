// The text that is being written: the editor of pi-tui, which brings motions, deletions, undo and the kill ring. It draws nothing here,
// sends nothing, completes nothing and keeps no history: those of ours stand around it.
import { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
import type { TUI } from "@earendil-works/pi-tui/dist/tui.js";
import { visibleWidth } from "../terminal/width.ts";
import { Rows } from "./prompt-rows.ts";

export interface Cursor {
  readonly line: number;
  readonly col: number;
}

/** The rows that are seen, and where the cursor stands among them. */
export interface Picture {
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
  readonly above: number;
  readonly below: number;
}

interface VisualLine {
  readonly logicalLine: number;
  readonly startCol: number;
  readonly length: number;
}

/**
 * What is reached inside of the editor, whose version is pinned. It would make four blanks of a tab; it measures the text as it stands,
 * and not as it is shown; and its undo keeps deep copies without end.
 */
interface Inside {
  readonly state: { lines: string[]; cursorLine: number; cursorCol: number };
  lastWidth: number;
  undoStack: unknown;
  normalizeText: (text: string) => string;
  buildVisualLineMap: (width: number) => VisualLine[];
  readonly findCurrentVisualLine: (lines: readonly VisualLine[]) => number;
  readonly setCursorCol: (col: number) => void;
  readonly pushUndoSnapshot: () => void;
  lastAction: string | null;
}

const mostUndo = 200;

export class Draft {
  private readonly editor: Editor;
  private readonly inside: Inside;
  private readonly layout: Rows;
  private readonly undo = undoStack();
  /** The first row that is seen. */
  private top = 0;

  /** `labelOf`: what is shown in the place of a folded paste. */
  constructor(rows: () => number, labelOf: (mark: string) => string) {
    const terminal = {
      get rows() {
        return rows();
      },
    };
    const host = { terminal, requestRender: nothing } as unknown as TUI;
    const [selectedPrefix, selectedText, description, scrollInfo, noMatch] = [same, same, same, same, same];
    const selectList = { selectedPrefix, selectedText, description, scrollInfo, noMatch };
    this.editor = new Editor(host, { borderColor: same, selectList });
    this.layout = new Rows(labelOf);
    this.inside = this.editor as unknown as Inside;
    this.inside.normalizeText = same;
    this.inside.buildVisualLineMap = (width) => this.visualLines(width);
    this.inside.undoStack = this.undo;
  }

  /** A key that edits or moves. */
  key(data: string): void {
    this.editor.handleInput(data);
  }

  get text(): string {
    return this.editor.getText();
  }

  get lines(): readonly string[] {
    return this.inside.state.lines;
  }

  get cursor(): Cursor {
    return this.editor.getCursor();
  }

  /** The text before the cursor, in its line. */
  get before(): string {
    const { line, col } = this.cursor;
    return (this.lines[line] ?? "").slice(0, col);
  }

  get isOnFirstRow(): boolean {
    return this.cursorRow(this.visualLines(this.inside.lastWidth)) === 0;
  }

  get isOnLastRow(): boolean {
    const all = this.visualLines(this.inside.lastWidth);
    return this.cursorRow(all) === all.length - 1;
  }

  /** Can be undone, like all that follows. */
  insert(text: string): void {
    this.editor.insertTextAtCursor(text);
  }

  /** Within the line of the cursor, which then stands behind it, or `back` characters before that. */
  replace(from: number, to: number, text: string, back = 0): void {
    const { state } = this.inside;
    const line = state.lines[state.cursorLine] ?? "";
    this.inside.pushUndoSnapshot();
    this.inside.lastAction = null;
    state.lines[state.cursorLine] = line.slice(0, from) + text + line.slice(to);
    this.inside.setCursorCol(from + text.length - back);
  }

  /** Another text in the place of all of it. */
  show(text: string, cursor: Cursor | null = null): void {
    this.editor.setText(text);
    this.top = 0;
    if (cursor === null) return;
    this.inside.state.cursorLine = cursor.line;
    this.inside.setCursorCol(cursor.col);
  }

  /** It was sent: there is nothing to go back to. */
  clear(): void {
    this.show("");
    this.undo.clear();
  }

  picture(width: number, most: number): Picture {
    this.inside.lastWidth = width;
    const all = this.visualLines(width);
    const at = this.cursorRow(all);
    this.top = Math.max(Math.min(this.top, at, all.length - most), at - most + 1, 0);
    const seen = all.slice(this.top, this.top + most);
    const { line, col } = this.cursor;
    const start = all[at]?.startCol ?? 0;
    return {
      rows: seen.map((row) => this.shown(row.logicalLine, row.startCol, row.startCol + row.length)),
      row: at - this.top,
      column: visibleWidth(this.shown(line, start, col)),
      above: this.top,
      below: all.length - this.top - seen.length,
    };
  }

  private cursorRow(all: readonly VisualLine[]): number {
    return this.inside.findCurrentVisualLine(all);
  }

  /** The sign of a shell command is drawn by the prompt, in the place of its own sign. */
  private shown(line: number, from: number, to: number): string {
    const text = this.lines[line] ?? "";
    const isSigned = line === 0 && from === 0 && text.startsWith("!");
    return this.layout.shown(text.slice(isSigned ? 1 : from, Math.max(isSigned ? 1 : from, to)));
  }

  private visualLines(width: number): VisualLine[] {
    const all: VisualLine[] = [];
    for (const [logicalLine, text] of this.lines.entries()) {
      const hidden = logicalLine === 0 && text.startsWith("!") ? 1 : 0;
      for (const { start, end } of this.layout.of(hidden > 0 ? text.slice(1) : text, width)) {
        const startCol = start === 0 ? 0 : start + hidden;
        all.push({ logicalLine, startCol, length: end + hidden - startCol });
      }
    }
    return all;
  }
}

interface Snapshot {
  readonly state: Inside["state"];
}

/** Lines never change, only which they are: a copy of the list is enough. */
function undoStack() {
  const stack: Snapshot[] = [];
  return {
    push: (one: Snapshot): void => {
      stack.push({ ...one, state: { ...one.state, lines: [...one.state.lines] } });
      if (stack.length > mostUndo) stack.shift();
    },
    pop: (): Snapshot | undefined => stack.pop(),
    clear: (): void => {
      stack.length = 0;
    },
  };
}

function same(text: string): string {
  return text;
}

function nothing(): void {}
