/** Entries whose text contains the letters of each word in order, best match first; all of them, unchanged, without words. */
export function fuzzy<T>(query: string, all: readonly T[], textOf: (one: T) => string): readonly T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return all;
  const scored = all.flatMap((one, at) => {
    const text = textOf(one).toLowerCase();
    const scores = words.map((word) => scoreOf(word, text));
    const score = scores.reduce((sum, next) => (sum === null || next === null ? null : sum + next), 0);
    return score === null ? [] : [{ one, score, at }];
  });
  return scored.sort((a, b) => b.score - a.score || a.at - b.at).map(({ one }) => one);
}

const isStart = /[/\s:._-]/;

/** Consecutive letters and word starts count more; a shorter text beats a longer one. */
function scoreOf(wanted: string, text: string): number | null {
  if (wanted === text) return Number.MAX_SAFE_INTEGER;
  const whole = text.indexOf(wanted);
  if (whole !== -1) return 10_000 + (begins(text, whole) ? 1_000 : 0) - text.length;
  let score = 0;
  let at = -1;
  for (const letter of wanted) {
    const next = text.indexOf(letter, at + 1);
    if (next === -1) return null;
    score += next === at + 1 ? 8 : begins(text, next) ? 6 : 1 - Math.min(5, next - at - 1) / 10;
    at = next;
  }
  return score - text.length / 100;
}

function begins(text: string, at: number): boolean {
  return at === 0 || isStart.test(text[at - 1] ?? "");
}
