import { isSidePath, isTestPath } from "../symbol/language.ts";

export type SourceName = "mentioned" | "symbols" | "paths" | "text" | "grep";

export interface ScoredPath {
  readonly path: string;
  /** How much of the question the source has seen there, up to 1: a name that has one word of six says little. */
  readonly share: number;
}

export interface Ranked {
  readonly source: SourceName;
  /** Best first. */
  readonly places: readonly ScoredPath[];
}

export interface Fused {
  readonly path: string;
  readonly score: number;
  readonly why: readonly SourceName[];
}

/** Small: the first places of a source count clearly more than the next. */
const evenness = 10;
const weights: Readonly<Record<SourceName, number>> = { mentioned: 4, symbols: 1.5, paths: 2, text: 1, grep: 1 };
const sidePrior = 0.5;

/** Reciprocal rank fusion: only the order within a source counts, as their scores mean nothing to each other. */
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

/** Tests and prose repeat the words of what they are about, and are seldom what is asked for. */
function priorOf(path: string, why: readonly SourceName[], isAboutTests: boolean): number {
  if (why.includes("mentioned")) return 1;
  if (isSidePath(path)) return sidePrior;
  return isTestPath(path) && !isAboutTests ? sidePrior : 1;
}
