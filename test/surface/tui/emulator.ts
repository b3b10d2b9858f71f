import { type IBufferCell, Terminal } from "@xterm/headless";
import { useWidthsOfToday } from "./widths.ts";

/** `null`: the terminal's own; a number: of its palette; else `#rrggbb`. */
export type Colour = number | string | null;

export interface Cell {
  /** One sign with all that belongs to it; "" is the second half of a wide one, and " " a place where nothing stands. */
  readonly text: string;
  readonly width: number;
  readonly colour: Colour;
  readonly background: Colour;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isInverse: boolean;
  readonly isStruck: boolean;
}

/** All that a person sees at one moment. */
export interface Picture {
  readonly columns: number;
  readonly rows: readonly (readonly Cell[])[];
  /** `null`: hidden. */
  readonly cursor: { readonly row: number; readonly column: number } | null;
  readonly title: string;
}

/** A terminal without a window: what a person would see. */
export class Emulator {
  readonly terminal: Terminal;
  /** Private modes that were set and not reset, by their number; those that a terminal begins with are among them. */
  readonly modes = new Set([7, 25]);
  private pending: Promise<void> = Promise.resolve();
  private named = "";
  bytes = 0;

  constructor(columns: number, rows: number, scrollback = 10_000) {
    // Titles are put aside and back as by most terminals.
    const windowOptions = { pushTitle: true, popTitle: true };
    const options = { cols: columns, rows, scrollback, windowOptions, allowProposedApi: true };
    this.terminal = new Terminal({ ...options, logLevel: "off" });
    useWidthsOfToday(this.terminal.unicode);
    this.terminal.onTitleChange((title) => {
      this.named = title;
    });
    for (const final of ["h", "l"])
      this.terminal.parser.registerCsiHandler({ prefix: "?", final }, (params) => {
        for (const mode of params.flat()) final === "h" ? this.modes.add(mode) : this.modes.delete(mode);
        return false;
      });
  }

  private readonly decoder = new TextDecoder();

  readonly write = (data: string | Uint8Array): void => {
    this.bytes += typeof data === "string" ? Buffer.byteLength(data) : data.byteLength;
    const { promise, resolve } = Promise.withResolvers<void>();
    // It takes them in order: the last one is the end of all.
    this.pending = promise;
    // Put together here: xterm loses a character of three bytes whose last comes by itself.
    this.terminal.write(typeof data === "string" ? data : this.decoder.decode(data, { stream: true }), resolve);
  };

  readonly columns = (): number => this.terminal.cols;
  readonly rows = (): number => this.terminal.rows;

  /** Everything that was written is taken in. */
  async settled(): Promise<void> {
    await this.pending;
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.pending;
    this.terminal.resize(columns, rows);
  }

  /** All lines, with the scrollback, without blanks at their ends; wrapped ones are joined. */
  async lines(): Promise<readonly string[]> {
    await this.pending;
    return this.scrollback();
  }

  async cursor(): Promise<{ readonly line: number; readonly column: number }> {
    await this.pending;
    const { active } = this.terminal.buffer;
    return { line: active.baseY + active.cursorY, column: active.cursorX };
  }

  /** The same, of what is taken in by now. */
  scrollback(): readonly string[] {
    const { active } = this.terminal.buffer;
    const all: string[] = [];
    for (let at = 0; at < active.length; at++) {
      const line = active.getLine(at);
      const goesOn = active.getLine(at + 1)?.isWrapped === true;
      // Where a wide sign did not fit any more, the row ends with an empty place.
      const end = goesOn && line?.getCell(this.terminal.cols - 1)?.getChars() === "" ? -1 : 0;
      const text = line?.translateToString(!goesOn, 0, this.terminal.cols + end) ?? "";
      if (line?.isWrapped && all.length > 0) all[all.length - 1] += text;
      else all.push(text);
    }
    const trimmed = all.map((line) => line.trimEnd());
    while (trimmed.at(-1) === "") trimmed.pop();
    return trimmed;
  }

  /** The rows that are in view, of what is taken in by now. */
  screen(): readonly string[] {
    const { active } = this.terminal.buffer;
    const at = (row: number): string =>
      active
        .getLine(active.baseY + row)
        ?.translateToString(true)
        .trimEnd() ?? "";
    return Array.from({ length: this.terminal.rows }, (_, row) => at(row));
  }

  cell(row: number, column: number): Cell {
    const { active } = this.terminal.buffer;
    const cell = active.getLine(active.baseY + row)?.getCell(column);
    if (!cell) throw new Error(`there is no cell ${column} in row ${row}`);
    return cellOf(cell);
  }

  /** Every row since the start, with the look of its cells where it differs from a plain one, and where they lead. */
  styled(): readonly string[] {
    const { lines } = this.inside.buffer;
    const { active } = this.terminal.buffer;
    const all = Array.from({ length: active.length }, (_, at) => {
      const line = active.getLine(at);
      let [shown, before] = ["", ""];
      for (let column = 0; column < this.terminal.cols; column++) {
        const cell = line?.getCell(column);
        if (!cell || cell.getWidth() === 0) continue;
        const { text, width: _, ...look } = cellOf(cell);
        const set = Object.entries({ ...look, url: this.urlAt(lines.get(at), column) }).filter(
          ([, value]) => value !== null && value !== false && value !== "",
        );
        const style = set.map(([name, value]) => `${name}=${value}`).join(" ");
        shown += style === before ? text : `{${style}}${text}`;
        before = style;
      }
      return shown.replace(/(?:\{\})? *$/, "");
    });
    while (all.at(-1) === "") all.pop();
    return all;
  }

  private get inside(): Inside {
    return (this.terminal as unknown as { readonly _core: Inside })._core;
  }

  private urlAt(line: InsideLine | undefined, column: number): string {
    const id = line?._extendedAttrs[column]?.urlId ?? 0;
    const isExtended = ((line?.getBg(column) ?? 0) & 0x10000000) !== 0;
    return id === 0 || !isExtended ? "" : (this.inside._oscLinkService.getLinkData(id)?.uri ?? "");
  }

  picture(): Picture {
    const { active } = this.terminal.buffer;
    const columns = this.terminal.cols;
    const rows = Array.from({ length: this.terminal.rows }, (_, row) =>
      Array.from({ length: columns }, (_, column) => this.cell(row, column)),
    );
    const cursor = this.modes.has(25) ? { row: active.cursorY, column: Math.min(active.cursorX, columns - 1) } : null;
    return { columns, rows, cursor, title: this.named };
  }

  title(): string {
    return this.named;
  }
}

/** The emulator shows links to nobody; where they are is an internal of it, whose version is pinned. */
interface Inside {
  readonly buffer: { readonly lines: { get(at: number): InsideLine | undefined } };
  readonly _oscLinkService: { getLinkData(id: number): { readonly uri: string } | undefined };
}

interface InsideLine {
  readonly _extendedAttrs: Readonly<Record<number, { readonly urlId: number } | undefined>>;
  getBg(column: number): number;
}

function cellOf(cell: IBufferCell): Cell {
  const width = cell.getWidth();
  const colour = (isDefault: boolean, isRgb: boolean, value: number): Colour =>
    isDefault ? null : isRgb ? `#${value.toString(16).padStart(6, "0")}` : value;
  return {
    text: width === 0 ? "" : cell.getChars() || " ",
    width,
    colour: colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
    background: colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    isItalic: cell.isItalic() !== 0,
    isUnderlined: cell.isUnderline() !== 0,
    isInverse: cell.isInverse() !== 0,
    isStruck: cell.isStrikethrough() !== 0,
  };
}
