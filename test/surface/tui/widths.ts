// How wide characters are, as terminals of today see them: what belongs to one sign is drawn in one place. The emulator's own table
// is that of Unicode 6, in which an emoji takes one column.
import type { IUnicodeHandling } from "@xterm/headless";

const joiner = 0x200d;
const wideSelector = 0xfe0f;
const isModifier = (code: number): boolean => code >= 0x1f3fb && code <= 0x1f3ff;
const isFlagLetter = (code: number): boolean => code >= 0x1f1e6 && code <= 0x1f1ff;
const isPicture = (code: number): boolean =>
  code > 0x7f && /\p{Extended_Pictographic}/u.test(String.fromCodePoint(code));

/** What the emulator keeps of the character before, besides its width. */
const states = { plain: 0, joiner: 1, flagLetter: 2, picture: 3 } as const;

const packed = (state: number, width: number, joins: boolean): number => (state << 3) | (width << 1) | (joins ? 1 : 0);

function wcwidth(code: number): 0 | 1 | 2 {
  if (code < 0x7f) return code < 0x20 ? 0 : 1;
  if (isFlagLetter(code)) return 2;
  return Bun.stringWidth(String.fromCodePoint(code)) as 0 | 1 | 2;
}

function charProperties(code: number, before: number): number {
  const width = wcwidth(code);
  const [had, state] = [(before >> 1) & 3, before >> 3];
  if (before !== 0) {
    if (isFlagLetter(code) && state === states.flagLetter) return packed(states.plain, 2, true);
    if (code === wideSelector) return packed(states.plain, state === states.picture ? 2 : had, true);
    if (code === joiner) return packed(states.joiner, had, true);
    if (width === 0 || isModifier(code)) return packed(states.plain, had, true);
    if (state === states.joiner) return packed(states.plain, Math.max(had, width), true);
  }
  const next = isFlagLetter(code) ? states.flagLetter : isPicture(code) ? states.picture : states.plain;
  return packed(next, width, false);
}

export function useWidthsOfToday(unicode: IUnicodeHandling): void {
  unicode.register({ version: "today", wcwidth, charProperties });
  unicode.activeVersion = "today";
}
