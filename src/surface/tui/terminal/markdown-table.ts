// Tables as their author aligned them: pi-tui lays out the columns, and puts every cell at the left.
import type { Markdown } from "@earendil-works/pi-tui/dist/components/markdown.js";
import { sliceByColumn, visibleWidth } from "./width.ts";

type Align = "left" | "center" | "right" | null;

interface TableToken {
  readonly align?: readonly Align[];
}

/** The renderer's own method, which its types hide; the version is pinned. */
interface Renderer {
  renderTable(token: TableToken, width: number, next: unknown, context: unknown): readonly string[];
}

export function aligning(markdown: Markdown): Markdown {
  const renderer = markdown as unknown as Renderer;
  const render = renderer.renderTable.bind(markdown);
  renderer.renderTable = (token, ...rest) => {
    const lines = render(token, ...rest);
    const { align = [] } = token;
    return align.some((one) => one === "right" || one === "center") ? aligned(lines, align) : lines;
  };
  return markdown;
}

function aligned(lines: readonly string[], align: readonly Align[]): readonly string[] {
  const [top = ""] = lines;
  // Where the columns do not fit, the source is shown.
  if (!top.startsWith("┌")) return lines;
  const widths = top
    .slice(1, -1)
    .split("┬")
    .map((bar) => bar.length - 2);
  return lines.map((line) => {
    if (!line.startsWith("│")) return line;
    let from = 2;
    const cells = widths.map((width, at) => {
      const cell = sliceByColumn(line, from, width, true);
      from += width + 3;
      return moved(cell, width, align[at] ?? null);
    });
    return `│ ${cells.join(" │ ")} │`;
  });
}

/** The blanks at the end of a cell may stand before the codes that end its style. */
const ending = /( *)((?:\x1b\[[\d;]*m)*)$/;

function moved(cell: string, width: number, align: Align): string {
  const all = cell + " ".repeat(Math.max(0, width - visibleWidth(cell)));
  const [found = "", blanks = "", codes = ""] = ending.exec(all) ?? [];
  const before = align === "right" ? blanks.length : align === "center" ? Math.floor(blanks.length / 2) : 0;
  const own = all.slice(0, all.length - found.length);
  return `${" ".repeat(before)}${own}${codes}${" ".repeat(blanks.length - before)}`;
}
