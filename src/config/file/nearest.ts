/** The known word most similar to a misspelt one; `null` = none is close. `limit`: the greatest edit distance. */
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

export function closest(word: string, known: readonly string[], count: number): readonly string[] {
  return ranked(word, known)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

function ranked(word: string, known: readonly string[]): readonly { candidate: string; distance: number }[] {
  return known
    .map((candidate) => ({ candidate, distance: distanceBetween(word.toLowerCase(), candidate) }))
    .sort(
      (one, other) =>
        one.distance - other.distance ||
        Math.abs(one.candidate.length - word.length) - Math.abs(other.candidate.length - word.length),
    );
}

/** Two letters in the wrong order are one slip. */
function distanceBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 32) return 32;
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  let above = row;
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1] && i > 1 && j > 1;
      const swapped = isSwapped ? (above[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [above, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
