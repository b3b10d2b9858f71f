import type { Note } from "../machine/history/entry.ts";
import { cutNote } from "./cut-reply.ts";
import { rulesGone } from "./rules-text.ts";
import { modeHint } from "./system.ts";

/** As the model reads it. */
export function noteText(note: Note): string {
  if (typeof note === "string") return note;
  if ("rules" in note) return note.rules || rulesGone;
  return "mode" in note ? modeHint(note.mode) : cutNote(note.cut.text, note.cut.why);
}
