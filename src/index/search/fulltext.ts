import type { IndexFile } from "../database.ts";
import type { Question } from "../question/question.ts";
import { pace } from "../update/pace.ts";

/** Weights of the terms; rare ones weigh more. */
export type Telling = ReadonlyMap<string, number>;

/** Ids of the best matching files for each part of a file, best first. */
export interface Scores {
  readonly path: readonly number[];
  readonly names: readonly number[];
  readonly body: readonly number[];
  readonly telling: Telling;
}

const perTerm = 500;
const kept = 120;

/** Okapi BM25 for each part of a file, term by term, so that each term gets the question's weight. */
export async function fullText(index: IndexFile, { terms }: Question, closing: AbortSignal): Promise<Scores> {
  const [[total = 0] = []] = index.rows<[number]>("select count(*) from files");
  const slice = pace(closing);
  const parts = [new Map<number, number>(), new Map<number, number>(), new Map<number, number>()] as const;
  const telling = new Map<string, number>();
  for (const [term, weight] of terms) {
    const [[files = 0] = []] = index.rows<[number]>("select doc from terms where term = ?", term);
    if (files === 0) continue;
    telling.set(term, weight * Math.log(1 + (total - files + 0.5) / (files + 0.5)));
    for (const [id, ...scores] of index.rows<[number, number, number, number]>(byTerm, `"${term}"`)) {
      for (const [at, part] of parts.entries()) {
        const score = scores[at]!;
        // SQLite gives better matches lower numbers.
        if (score < 0) part.set(id, (part.get(id) ?? 0) - score * weight);
      }
    }
    if (slice.isDue()) await slice.rest();
  }
  const [path, names, body] = parts.map(best);
  return { path: path ?? [], names: names ?? [], body: body ?? [], telling };
}

const byTerm = `select rowid, bm25(words, 1, 0, 0, 0), bm25(words, 0, 1, 0, 0), bm25(words, 0, 0, 3, 1) from words
  where words match ? order by bm25(words, 4, 3, 2, 1) limit ${perTerm}`;

function best(scores: ReadonlyMap<number, number>): readonly number[] {
  return [...scores]
    .sort(([a, one], [b, other]) => other - one || a - b)
    .slice(0, kept)
    .map(([id]) => id);
}
