/** What a text was found to be worth, the best first; what does not hold all of the letters in their order is left out. */
export function fuzzy<T>(given: string, all: readonly T[], textOf: (one: T) => string): readonly T[] {
  const wanted = given.toLowerCase().replace(/\s+/g, "");
  const scored = all.flatMap((one, at) => {
    const score = scoreOf(wanted, textOf(one).toLowerCase());
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
