/** Those whose text holds the letters of each word in their order, the best first; all of them, as they are, for no letters. */
export function fuzzy<T>(given: string, all: readonly T[], textOf: (one: T) => string): readonly T[] {
  const words = given.toLowerCase().split(/\s+/).filter(Boolean);
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

/** Letters in a row and at the beginning of a word count more; a shorter text is nearer to what was typed. */
function scoreOf(wanted: string, text: string): number | null {
  if (wanted === text) return Number.MAX_SAFE_INTEGER;
  const whole = text.indexOf(wanted);
  // All of it in one piece beats any scattering of its letters.
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
