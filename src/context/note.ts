import type { CutReply } from "../contract/event.ts";
import type { Note } from "../machine/history/entry.ts";
import { rulesGone } from "./rules-text.ts";
import { modeHint } from "./system.ts";

export function noteText(note: Note): string {
  if (typeof note === "string") return note;
  if ("rules" in note) return note.rules || rulesGone;
  return "mode" in note ? modeHint(note.mode) : cutNote(note.cut.text, note.cut.why);
}

const reasons: Readonly<Record<CutReply["why"], string>> = {
  cancelled: "the person stopped it",
  failed: "the connection to you failed",
  killed: "the program was ended",
};

/** How much of a cut reply is worth repeating in every request: its beginning, and where it stopped. */
const BEGINNING = 2_000;
const END = 6_000;

/** Tells the model that its reply was cut off and that no calls of it ran. */
function cutNote(text: string, why: CutReply["why"]): string {
  const left = text.length - BEGINNING - END;
  const shown = left <= 0 ? text : `${text.slice(0, BEGINNING)}\n[${left} characters left out]\n${text.slice(-END)}`;
  return `Your reply was cut off before its end (${reasons[why]}), and none of its calls were carried out. What had come of it:\n<interrupted-reply>\n${shown}\n</interrupted-reply>`;
}
