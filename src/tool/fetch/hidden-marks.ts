import { plain } from "../../contract/show/visible.ts";

/** Break opportunities and the like: pages are full of them, and they say nothing. */
const fillers = /[\xad\u200b\u2060\ufeff]/g;

/** As the model is to read it: what would hide in it from a person who looks at the page is spelled out. */
export function unhidden(text: string): string {
  return plain(text.replace(fillers, "").replace(/\r\n?/g, "\n"));
}
