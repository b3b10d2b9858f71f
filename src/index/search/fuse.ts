import { isSidePath, isTestPath } from "../symbol/language.ts";

export type SourceName = "mentioned" | "symbols" | "paths" | "text" | "grep";

export interface ScoredPath {
  readonly path: string;
  /** How much of the question the source matched there, up to 1: a name with one word of six tells little. */
  readonly share: number;
}

export interface Ranked {
  readonly source: SourceName;
  readonly places: readonly ScoredPath[];
}

export interface Fused {
  readonly path: string;
  readonly score: number;
  readonly why: readonly SourceName[];
}

/** A small constant makes the first places of a source clearly more important. */
const evenness = 10;
const weights: Readonly<Record<SourceName, number>> = { mentioned: 4, symbols: 1.5, paths: 2, text: 1, grep: 1 };
const sidePrior = 0.5;

/** Reciprocal rank fusion: uses only the order within each source, because scores of sources are not comparable. */
export function fuse(lists: readonly Ranked[], { isAboutTests }: { readonly isAboutTests: boolean }): readonly Fused[] {
  const scores = new Map<string, { score: number; why: SourceName[] }>();
  for (const { source, places } of lists) {
    for (const [place, { path, share }] of places.entries()) {
      const known = scores.get(path) ?? { score: 0, why: [] };
      known.score += (weights[source] * share) / (evenness + place + 1);
      known.why.push(source);
      scores.set(path, known);
    }
  }
  return [...scores]
    .map(([path, { score, why }]) => ({ path, why, score: score * priorOf(path, why, isAboutTests) }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

/** Tests and prose repeat the words of their subject, but are seldom wanted. */
function priorOf(path: string, why: readonly SourceName[], isAboutTests: boolean): number {
  if (why.includes("mentioned")) return 1;
  if (isSidePath(path)) return sidePrior;
  return isTestPath(path) && !isAboutTests ? sidePrior : 1;
}
