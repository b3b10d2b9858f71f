// How many bytes what is in a terminal would take, if each line were written once with the escapes that its looks need.
import type { IBuffer, IBufferCell } from "@xterm/headless";

/** Of the lines from `from` on. */
export function contentBytes(buffer: IBuffer, columns: number, from: number): number {
  let bytes = 0;
  for (let at = from; at < buffer.length; at++) {
    const line = buffer.getLine(at);
    const text = line?.translateToString(true) ?? "";
    bytes += Buffer.byteLength(text) + 2;
    let [style, seen] = ["", 0];
    for (let column = 0; column < columns && seen < text.length; column++) {
      const cell = line?.getCell(column);
      if (!cell || cell.getWidth() === 0) continue;
      seen += cell.getChars().length || 1;
      const next = styleOf(cell);
      if (next !== style) bytes += next.length + "\x1b[m".length;
      style = next;
    }
    if (style !== "") bytes += "\x1b[m".length;
  }
  return bytes;
}

/** The numbers of its escape. */
function styleOf(cell: IBufferCell): string {
  const flags = [
    ...[cell.isBold() && "1", cell.isDim() && "2", cell.isItalic() && "3", cell.isUnderline() && "4"],
    ...[cell.isInverse() && "7", cell.isStrikethrough() && "9"],
    cell.isFgDefault() ? "" : colourOf(3, cell.isFgRGB(), cell.getFgColor()),
    cell.isBgDefault() ? "" : colourOf(4, cell.isBgRGB(), cell.getBgColor()),
  ];
  return flags.filter(Boolean).join(";");
}

function colourOf(kind: number, isRgb: boolean, value: number): string {
  if (isRgb) return `${kind}8;2;${value >> 16};${(value >> 8) & 255};${value & 255}`;
  if (value < 8) return `${kind}${value}`;
  return value < 16 ? `${kind + 6}${value - 8}` : `${kind}8;5;${value}`;
}
