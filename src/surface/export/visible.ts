import { plain } from "../../contract/show/visible.ts";

/** With nothing hidden in it; line breaks become plain ones. */
export function visible(text: string): string {
  return plain(text.replaceAll("\r\n", "\n"));
}

/** The same on one line. */
export function oneLine(text: string): string {
  return visible(text)
    .replace(/[\n\t]+/g, " ")
    .trim();
}

/** At most this many columns of a terminal; `…` marks what was left out. */
export function fit(text: string, columns: number): string {
  if (Bun.stringWidth(text) <= columns) return text;
  let used = 1;
  let kept = "";
  for (const one of text) {
    used += Bun.stringWidth(one);
    if (used > columns) break;
    kept += one;
  }
  return `${kept}…`;
}
