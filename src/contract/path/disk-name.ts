/**
 * Normalises a file name as file systems compare them: ignoring case, Unicode composition, invisible code points (HFS+), and trailing
 * dots and spaces (NTFS). `.GIT`, `.g<ZWNJ>it` and `.git.` open `.git` there.
 */
export function comparable(segment: string): string {
  if (/^[a-z0-9_+@-]*(?:\.[a-z0-9_+@-]+)*$/.test(segment)) return segment;
  const bare = segment.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "").normalize("NFC");
  // Upper case first: `ſ` and the Kelvin sign share a capital with `s` and `k`.
  const folded = bare.toUpperCase().toLowerCase();
  return /^\.*$/.test(folded) ? folded : folded.replace(/[. ]+$/, "");
}
