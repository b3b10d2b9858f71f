import { plain } from "../../contract/show/visible.ts";

/** Soft hyphens and the like: frequent in pages and meaningless. */
const fillers = /[\xad\u200b\u2060\ufeff]/g;

/** Escapes characters that are invisible to a reader of the page. */
export function unhidden(text: string): string {
  return plain(text.replace(fillers, "").replace(/\r\n?/g, "\n"));
}
