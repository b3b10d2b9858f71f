import type { Writer } from "./writer.ts";

const maxColumns = 50;
const maxTables = 50;
const maxChars = 2_000_000;

interface OpenTable {
  rows: string[][];
  isInCell: boolean;
  /** Used only for layout, as in old pages: its cells become ordinary blocks. */
  isLayout: boolean;
}

/** The open tables. A table that contains another table or code is treated as layout. */
export class Tables {
  private readonly writer: Writer;
  private readonly open: OpenTable[] = [];

  constructor(writer: Writer) {
    this.writer = writer;
  }

  start(): void {
    this.dissolve();
    this.writer.endBlock();
    if (this.open.length < maxTables) this.open.push({ rows: [], isInCell: false, isLayout: false });
  }

  row(): void {
    this.endCell();
    this.writer.endBlock();
    this.table()?.rows.push([]);
  }

  cell(): void {
    this.endCell();
    const table = this.table();
    if (!table) {
      this.writer.endBlock();
      return;
    }
    if (table.rows.length === 0) table.rows.push([]);
    table.isInCell = true;
    this.writer.openCell();
  }

  endCell(): void {
    const table = this.table();
    if (!table?.isInCell) return;
    table.isInCell = false;
    table.rows.at(-1)?.push(this.writer.closeCell());
  }

  end(): void {
    this.endCell();
    this.writer.endBlock();
    const table = this.open.pop();
    if (table && !table.isLayout) this.write(table.rows);
  }

  /** Turns the table, so far and from here on, into blocks. */
  dissolve(): void {
    const table = this.table();
    if (!table) return;
    this.endCell();
    table.isLayout = true;
    for (const row of table.rows) this.writeRow(row);
    table.rows = [];
  }

  /** The innermost table, unless it is for layout. */
  private table(): OpenTable | undefined {
    const last = this.open.at(-1);
    return last?.isLayout ? undefined : last;
  }

  private writeRow(row: readonly string[]): void {
    const line = row.filter((cell) => cell !== "").join(" ");
    if (line !== "") this.writer.write(line);
  }

  private write(all: readonly (readonly string[])[]): void {
    const rows = all.filter((row) => row.some((cell) => cell !== ""));
    const width = Math.min(
      maxColumns,
      rows.reduce((most, { length }) => Math.max(most, length), 0),
    );
    if (width < 2) {
      for (const row of rows) this.writeRow(row);
      return;
    }
    const lines: string[] = [];
    let length = 0;
    for (const row of rows) {
      const cells = Array.from({ length: width }, (_, at) => (row[at] ?? "").replaceAll("|", "\\|"));
      lines.push(`| ${cells.join(" | ")} |`);
      if (lines.length === 1) lines.push(`|${" --- |".repeat(width)}`);
      length += lines.at(-1)?.length ?? 0;
      if (length > maxChars) break;
    }
    this.writer.write(lines.join("\n"));
  }
}
