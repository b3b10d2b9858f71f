// The text being written, in the editor of pi-tui, for its motions, deletions, undo and kill ring. Drawing, sending, completion and history
// are done outside of it.
import { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
import type { TUI } from "@earendil-works/pi-tui/dist/tui.js";
import { visibleWidth } from "../terminal/width.ts";
import { Rows } from "./prompt-rows.ts";

export interface Cursor {
  readonly line: number;
  readonly col: number;
}

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

/** Internals of the pinned editor, because it expands tabs, measures raw text, and keeps unlimited deep copies for undo. */
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
  private top = 0;

  constructor(rows: () => number, labelOf: (mark: string) => string) {
    this.editor = bareEditor(rows);
    this.layout = new Rows(labelOf);
    this.inside = this.editor as unknown as Inside;
    this.inside.normalizeText = (text) => text;
    this.inside.buildVisualLineMap = (width) => this.visualLines(width);
    this.inside.undoStack = this.undo;
  }

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

  /** The cursor as an offset in the text. */
  get at(): number {
    const { line, col } = this.cursor;
    return this.lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, col);
  }

  /** Undo leads back to the text before. */
  rewrite(text: string, at: number): void {
    const { state } = this.inside;
    if (text !== this.text) {
      this.inside.pushUndoSnapshot();
      state.lines = text.split("\n");
    }
    const before = text.slice(0, at).split("\n");
    this.inside.lastAction = null;
    state.cursorLine = before.length - 1;
    this.inside.setCursorCol(before.at(-1)?.length ?? 0);
  }

  insert(text: string): void {
    this.editor.insertTextAtCursor(text);
  }

  /** Replaces a part of the cursor's line and puts the cursor `back` characters before the end of the new text. */
  replace(from: number, to: number, text: string, back = 0): void {
    const { state } = this.inside;
    const line = state.lines[state.cursorLine] ?? "";
    this.inside.pushUndoSnapshot();
    this.inside.lastAction = null;
    state.lines[state.cursorLine] = line.slice(0, from) + text + line.slice(to);
    this.inside.setCursorCol(from + text.length - back);
  }

  show(text: string, cursor: Cursor | null = null): void {
    this.editor.setText(text);
    this.top = 0;
    if (cursor === null) return;
    this.inside.state.cursorLine = cursor.line;
    this.inside.setCursorCol(cursor.col);
  }

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

  /** The prompt draws the `!` of a shell command in place of its own sign. */
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

/** Lines are immutable, so a copy of the list is enough. */
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

/** An editor of pi-tui that draws nothing by itself. All that it needs of its host is the rows of the terminal. */
export function bareEditor(rows: () => number, redraw = () => {}): Editor {
  const terminal = {
    get rows() {
      return rows();
    },
  };
  const host = { terminal, requestRender: redraw } as unknown as TUI;
  const same = (text: string): string => text;
  const [selectedPrefix, selectedText, description, scrollInfo, noMatch] = [same, same, same, same, same];
  const selectList = { selectedPrefix, selectedText, description, scrollInfo, noMatch };
  return new Editor(host, { borderColor: same, selectList });
}
