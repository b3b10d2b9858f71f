/**
 * As disks compare names that ignore letter case, marks put together or apart, and (HFS+) invisible code points, or (NTFS)
 * dots and blanks at the end: `.GIT`, `.g<ZWNJ>it` and `.git.` open `.git` there.
 */
export function comparable(segment: string): string {
  if (/^[a-z0-9_+@-]*(?:\.[a-z0-9_+@-]+)*$/.test(segment)) return segment;
  const bare = segment.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "").normalize("NFC");
  // Up first: `ſ` and the Kelvin sign have a capital in common with `s` and `k`.
  const folded = bare.toUpperCase().toLowerCase();
  return /^\.*$/.test(folded) ? folded : folded.replace(/[. ]+$/, "");
}
