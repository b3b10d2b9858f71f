// Long inputs: a pasted log, a piped file. The model gets the two ends, and the way to the rest.
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { showSize } from "../../platform/files/open.ts";
import type { Spill } from "../call/bound-output.ts";
import { clean } from "../call/redact.ts";

/** Of one input. What is longer belongs into a file. */
export const maxTextChars = 16 * 2 ** 20;
const leastBytes = 8 * 1024;
const mostBytes = 32 * 1024;
/** In which mentions are looked for, where the rest is data. */
const wordsChars = 4096;

export interface LongText {
  /** What the model reads in its place, and what the person is told. */
  readonly shorten: (spill: Spill) => { readonly shown: string | null; readonly notice: Phrase };
}

/** `null`: it is sent as it is. About four bytes are a token in every script: a quarter of the window, within bounds. */
export function longText(text: string, window: number): LongText | null {
  const most = Math.min(mostBytes, Math.max(leastBytes, window));
  // UTF-8 takes at most three bytes for each unit.
  if (text.length * 3 <= most || Buffer.byteLength(text) <= most) return null;
  return { shorten: (spill) => shortened(text, most, spill) };
}

/** The person's own words stand before what they pasted or piped, which mentions nothing. */
export function wordsIn(text: string): string {
  const end = /\n\s*\n/.exec(text.slice(0, wordsChars))?.index;
  return text.slice(0, end ?? wordsChars);
}

function shortened(text: string, most: number, spill: Spill): ReturnType<LongText["shorten"]> {
  const size = showSize(Buffer.byteLength(text));
  // First without secrets, then cut: half a secret is none that would be found.
  const whole = clean(text);
  const kept = spill(whole);
  if (!kept.ok) return { shown: null, notice: phrase("attach.unkept", { size, problem: kept.error.text }) };
  const { head, tail, first } = endsOf(whole, most);
  const left = whole.length - head.length - tail.length;
  const note = `[coder: ${left} characters of this input are left out here; the whole of it (${linesIn(whole) + 1} lines) is in ${kept.value}, go on there with read from offset=${first} before you rely on it]`;
  const shown = `${head.toWellFormed()}\n${note}\n${tail.toWellFormed()}`;
  return { shown, notice: phrase("attach.pasted", { size, path: kept.value }) };
}

/** Cut at the end of a line where one is near. `first`: the line that is not there as a whole any more. */
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
