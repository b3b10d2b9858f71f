import { plain } from "../../contract/show/visible.ts";

/** Control characters made visible; line breaks normalized. */
export function visible(text: string): string {
  return plain(text.replaceAll("\r\n", "\n"));
}

export function oneLine(text: string): string {
  return visible(text)
    .replace(/[\n\t]+/g, " ")
    .trim();
}

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
