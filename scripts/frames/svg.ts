// What is on a terminal's screen, as a drawing of its window.
import type { Cell, Picture } from "../../test/surface/tui/emulator.ts";
import { drawnSign } from "./lines.ts";
import { coloursOf, dark, type Palette } from "./palette.ts";

const letter = 14;
/** Of DejaVu Sans Mono, the font of the pictures. */
const cellWidth = letter * 0.602;
const cellHeight = 18;
const padding = 14;
const barHeight = 34;
const margin = 12;

export function svgOf({ columns, rows, cursor, title }: Picture, palette: Palette = dark): string {
  const width = columns * cellWidth + 2 * padding;
  const height = rows.length * cellHeight + 2 * padding + barHeight;
  const cells = rows.map((row, at) => rowOf(row, at, cursor?.row === at ? cursor.column : null, palette));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width + 2 * margin)}" height="${round(height + 2 * margin)}">
<g transform="translate(${margin} ${margin})">${windowOf(round(width), height, title, palette)}
<g transform="translate(${padding} ${barHeight + padding})" font-family="DejaVu Sans Mono" font-size="${letter}">
${cells.join("\n")}
</g></g></svg>`;
}

function windowOf(
  width: number,
  height: number,
  title: string,
  { background, bar, edge, title: dim }: Palette,
): string {
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (colour, at) => `<circle cx="${20 + at * 20}" cy="${barHeight / 2}" r="6" fill="${colour}"/>`,
  );
  const text = `<text x="${width / 2}" y="${barHeight / 2 + 4}" text-anchor="middle" font-family="DejaVu Sans" font-size="12" fill="${dim}">${escaped(title)}</text>`;
  return `<rect width="${width}" height="${height}" rx="10" fill="${background}"/>
<path d="M0 ${barHeight}V10A10 10 0 0 1 10 0H${width - 10}A10 10 0 0 1 ${width} 10V${barHeight}Z" fill="${bar}"/>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="none" stroke="${edge}"/>${dots.join("")}${text}`;
}

function rowOf(row: readonly Cell[], at: number, cursor: number | null, palette: Palette): string {
  const y = at * cellHeight;
  return row
    .map((cell, column) => {
      if (cell.width === 0) return "";
      const isUnderCursor = column === cursor;
      // A block in the colour of the text, with the sign cut out.
      return cellOf(isUnderCursor ? { ...cell, isInverse: !cell.isInverse } : cell, column * cellWidth, y, palette);
    })
    .join("");
}

function cellOf(cell: Cell, x: number, y: number, palette: Palette): string {
  const { text: colour, background } = coloursOf(cell, palette);
  const box = { x: round(x), y, width: round(cell.width * cellWidth), height: cellHeight };
  const { width, height } = box;
  const parts: string[] = [];
  // A little wider, so that no line of the window shines through between two cells.
  if (background !== null)
    parts.push(`<rect x="${box.x}" y="${y}" width="${round(width + 0.3)}" height="${height}" fill="${background}"/>`);
  if (cell.text.trim() !== "") parts.push(drawnSign(cell.text, box, colour) ?? letterOf(cell, box.x, y, colour));
  const ruled = (top: number): string =>
    `<rect x="${box.x}" y="${y + top}" width="${width}" height="1" fill="${colour}"/>`;
  if (cell.isUnderlined) parts.push(ruled(cellHeight - 3));
  if (cell.isStruck) parts.push(ruled(cellHeight / 2));
  return cell.isDim && parts.length > 0 ? `<g opacity="0.6">${parts.join("")}</g>` : parts.join("");
}

function letterOf(cell: Cell, x: number, y: number, colour: string): string {
  const weight = cell.isBold ? ' font-weight="bold"' : "";
  // Other fonts have letters of other widths: a wide sign stands in the middle of its two cells.
  const [left, anchor] = cell.width === 2 ? [round(x + cellWidth), ' text-anchor="middle"'] : [x, ""];
  // There is no slanted font among those that are installed.
  const slant = cell.isItalic ? " skewX(-10)" : "";
  const place = `transform="translate(${left} ${y + 13.5})${slant}"${anchor}`;
  return `<text ${place} fill="${colour}"${weight}>${escaped(cell.text)}</text>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
