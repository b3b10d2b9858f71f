// Long inputs such as a pasted log or a piped file: the model gets both ends and the path of the whole.
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { showSize } from "../../platform/files/open.ts";
import type { Spill } from "../call/bound-output.ts";
import { clean } from "../call/redact.ts";

export const maxTextChars = 16 * 2 ** 20;
const leastBytes = 8 * 1024;
const mostBytes = 32 * 1024;
/** Mentions are searched in these characters; the rest is data. */
const wordsChars = 4096;

export interface LongText {
  /** The shortened text for the model, and the notice to the user. */
  readonly shorten: (spill: Spill) => { readonly shown: string | null; readonly notice: Phrase };
}

/** `null`: short enough. The limit is a quarter of the window, at about four bytes per token in every script, within bounds. */
export function longText(text: string, window: number): LongText | null {
  const most = Math.min(mostBytes, Math.max(leastBytes, window));
  // UTF-8 takes at most three bytes per UTF-16 unit.
  if (text.length * 3 <= most || Buffer.byteLength(text) <= most) return null;
  return { shorten: (spill) => shortened(text, most, spill) };
}

/** The user's own words come first; pasted or piped text after them mentions nothing. */
export function wordsIn(text: string): string {
  const end = /\n\s*\n/.exec(text.slice(0, wordsChars))?.index;
  return text.slice(0, end ?? wordsChars);
}

function shortened(text: string, most: number, spill: Spill): ReturnType<LongText["shorten"]> {
  const size = showSize(Buffer.byteLength(text));
  // Redacted before it is cut: half a secret would not be found.
  const whole = clean(text);
  const kept = spill(whole);
  if (!kept.ok) return { shown: null, notice: phrase("attach.unkept", { size, problem: kept.error.text }) };
  const { head, tail, first } = endsOf(whole, most);
  const left = whole.length - head.length - tail.length;
  const note = `[coder: ${left} characters of this input are left out here; the whole of it (${linesIn(whole) + 1} lines) is in ${kept.value}, go on there with read from offset=${first} before you rely on it]`;
  const shown = `${head.toWellFormed()}\n${note}\n${tail.toWellFormed()}`;
  return { shown, notice: phrase("attach.pasted", { size, path: kept.value }) };
}

/** Cuts at a nearby line end. `first`: the first line that is not shown completely. */
function endsOf(text: string, most: number) {
  const headChars = most / 4;
  const from = text.length - most / 8;
  const headEnd = text.lastIndexOf("\n", headChars);
  const tailStart = text.indexOf("\n", from);
  const isNear = headEnd > headChars / 2;
  const isTailNear = tailStart !== -1 && tailStart - from < most / 16;
  const head = text.slice(0, isNear ? headEnd : headChars);
  const tail = text.slice(isTailNear ? tailStart + 1 : from);
  return { head, tail, first: linesIn(head) + (isNear ? 2 : 1) };
}

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
