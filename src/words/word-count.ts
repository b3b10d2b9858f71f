import { isWordPart } from "./letters.ts";

/**
 * Counts words between blanks and punctuation; an identifier or "don't" is one word. Chinese and Japanese have no blanks: two characters
 * count as one word, the average in modern Chinese, and each run is rounded up.
 */
export function wordCount(text: string): number {
  let words = 0;
  /** Length of the current run of Chinese or Japanese characters. */
  let run = 0;
  let isInWord = false;
  let isJoined = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const unspaced = code < 0x3040 ? 0 : widthOfUnspaced(text, at);
    if (unspaced > 0) run++;
    else if (run > 0) {
      words += Math.ceil(run / 2);
      run = 0;
    }
    const isPart = (code >= 0x61 && code <= 0x7a) || (unspaced === 0 && code !== 0x20 && isSpaced(code));
    if (isPart && !isInWord && !isJoined) words++;
    isJoined = isInWord && !isPart && "'’.-".includes(text.charAt(at));
    isInWord = isPart;
    at += Math.max(0, unspaced - 1);
  }
  return words + Math.ceil(run / 2);
}

/** The width of a kana or Han character in UTF-16 units; 0 = another character. */
function widthOfUnspaced(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code <= 0x30ff || (code >= 0x3400 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff)) return 1;
  const next = text.charCodeAt(at + 1);
  return code >= 0xd840 && code <= 0xd8ff && next >= 0xdc00 && next <= 0xdfff ? 2 : 0;
}

/** Characters of scripts that put blanks between words. */
function isSpaced(code: number): boolean {
  return isWordPart(code) || (code >= 0xc0 && code <= 0x1fff) || (code >= 0xac00 && code <= 0xd7a3);
}

export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
