/** Characters that a person does not see, or sees elsewhere than they stand. */
const unseen = new RegExp(
  `[${[
    // Controls but the line break, and blanks other than the blank.
    String.raw`\0-\t\v-\x1f\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u2800`,
    // Marks of direction, joiners, fillers, variation selectors, tags, half pairs.
    String.raw`\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f`,
    String.raw`\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\p{Cs}`,
  ].join("")}]`,
  "gu",
);
/** Enough to push the rest of a line, or of a screen, out of sight. */
const padding = / {24,}|\n{5,}/g;

/** Text as a person has to see it before it runs: in full, with nothing hidden in it. Only line breaks stay what they are. */
export function spelledOut(text: string): string {
  return text
    .replace(unseen, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(padding, (run) => (run[0] === " " ? ` [${run.length} blanks] ` : `\n[${run.length - 1} empty lines]\n`));
}
