/** The known word a misspelt one most likely meant; `null` when none is close. `limit`: how many letters may be wrong. */
export function nearest(
  word: string,
  known: readonly string[],
  limit: number = Math.max(2, Math.floor(word.length / 3)),
): string | null {
  const [best] = ranked(word, known).filter(
    ({ distance, candidate }) => distance <= limit && distance < candidate.length,
  );
  return best?.candidate ?? null;
}

/** The `count` known words that are least far away, however far. */
export function closest(word: string, known: readonly string[], count: number): readonly string[] {
  return ranked(word, known)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

function ranked(word: string, known: readonly string[]): readonly { candidate: string; distance: number }[] {
  return known
    .map((candidate) => ({ candidate, distance: distanceBetween(word.toLowerCase(), candidate) }))
    .sort((one, other) => one.distance - other.distance);
}

/** Insertions, deletions and replacements needed to make one of the other. */
function distanceBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 32) return 32;
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
