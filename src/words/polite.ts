// Greetings and polite phrases before a request. Without regular expressions: see letters.ts.
import { isAnyOf, isOneOf, skipBlanks, wordAt } from "./letters.ts";

const greetings = " hi hello hey ok okay so now and then also please kindly pls just ";
/** Tried in this order. */
const chinese = "请 麻烦 劳驾 你好 帮忙 帮我 给我 能不能 能否 可以 可不可以 你能 你可以 我想 我需要 我要 需要";

/** The text after them. */
export function withoutCourtesy(text: string): string {
  let from = 0;
  for (let end = endOfOne(text, from); end > from; end = endOfOne(text, from)) from = end;
  return text.slice(from);
}

/** The end of the phrase that begins here; -1 = none. */
function endOfOne(text: string, from: number): number {
  const word = wordAt(text, from);
  if (word === "") return endOfChinese(text, from);
  if (isOneOf(greetings, word)) return skip(text, from + word.length, ",!");
  if (isOneOf(" can could would will ", word)) {
    return optional(text, step(text, skipBlanks(text, from + word.length), " you "), " please kindly ");
  }
  if (word === "help") return optional(text, step(text, step(text, from, " help "), " me "), " to ");
  if (word === "i") return endOfWish(text, from + 1);
  if (word === "let" && isAnyOf("'’", text, from + 3)) return step(text, from + 4, " s ");
  return step(text, from, " lets ");
}

/** "I want to", "I'd like you to". */
function endOfWish(text: string, from: number): number {
  const isShort = isAnyOf("'’", text, from) && wordAt(text, from + 1) === "d";
  const isLong = text.charAt(from) === " " && wordAt(text, from + 1) === "would";
  const at = from + (isShort ? 2 : isLong ? 6 : 0);
  const next = skipBlanks(text, at);
  if (next === at) return -1;
  return step(text, optional(text, step(text, next, " want need like "), " you "), " to ");
}

/** The position after one of these words and the required blanks; -1 = no match. */
function step(text: string, at: number, words: string): number {
  const word = at < 0 ? "" : wordAt(text, at);
  if (!isOneOf(words, word)) return -1;
  const end = at + word.length;
  const next = skipBlanks(text, end);
  return next === end ? -1 : next;
}

function optional(text: string, at: number, words: string): number {
  return Math.max(at, step(text, at, words));
}

function endOfChinese(text: string, from: number): number {
  const words = chinese.split(" ");
  const lengthAt = (at: number): number => words.find((word) => text.startsWith(word, at))?.length ?? 0;
  let at = from;
  for (let length = lengthAt(at); length > 0; length = lengthAt(at)) at += length;
  return at === from ? -1 : skip(text, at, "，,");
}

/** The position after blanks and these characters. */
function skip(text: string, from: number, signs: string): number {
  let at = skipBlanks(text, from);
  while (isAnyOf(signs, text, at)) at = skipBlanks(text, at + 1);
  return at;
}
