import { ok, type Result } from "../../contract/error.ts";
import { resolvePath } from "../../platform/files/path.ts";
import { searchText } from "../../platform/search/search.ts";
import { type IndexFile, mustBe } from "../database.ts";
import type { Question } from "../question/question.ts";
import { termsOf, tokensIn } from "../question/words.ts";
import { type FileSymbol, unpackSymbols } from "../symbol/symbol.ts";
import type { Telling } from "./fulltext.ts";
import type { ScoredPath } from "./fuse.ts";

export interface Workspace {
  readonly root: string;
  readonly isLeftOut: (path: string) => boolean;
  readonly rg?: string | null;
}

const maxNamed = 100;
const maxSearched = 10;

/** Files that the user named and paths in the question: plain files of the workspace, in that order. */
export function mentionedFiles(
  named: readonly string[],
  { paths }: Question,
  index: IndexFile | null,
  at: Workspace,
): readonly string[] {
  let searched = 0;
  const found = [...named, ...paths].slice(0, maxNamed).flatMap((path) => {
    const { kind, inside, shown } = resolvePath(path, at.root, []);
    if (kind === "file" && inside) return [shown];
    return index === null || ++searched > maxSearched ? [] : endingIn(index, path);
  });
  return [...new Set(found)].filter((path) => !at.isLeftOut(path));
}

const maxEndings = 3;

/** `engine/loop.ts` may mean `src/engine/loop/loop.ts`; an ending of many files means none. */
function endingIn(index: IndexFile, path: string): readonly string[] {
  const ending = `/${path.replace(/^\.?\//, "")}`;
  const sql = `select path from files where substr(path, -?) = ? limit ${maxEndings + 1}`;
  const rows = index.rows<[string]>(sql, ending.length, ending);
  return rows.length > maxEndings ? [] : rows.map(([found]) => found).sort();
}

export interface KnownFile {
  readonly path: string;
  readonly symbols: readonly FileSymbol[];
}

export function filesById(index: IndexFile, ids: readonly number[]): readonly KnownFile[] {
  return ids.flatMap((id) =>
    index
      .rows<[string, string]>("select path, symbols from files join facts using (id) where id = ?", id)
      .map(([path, packed]) => {
        mustBe(typeof path === "string");
        return { path, symbols: unpackSymbols(packed) };
      }),
  );
}

/** By the best matching definition: its name covers the question's words and little else. */
export function bySymbol(files: readonly KnownFile[], telling: Telling): readonly ScoredPath[] {
  const none: Fit = { score: 0, share: 0 };
  const bestOf = (symbols: KnownFile["symbols"]): Fit =>
    symbols
      .map(({ name }) => fitOf(name, telling))
      .reduce((one, other) => (other.score > one.score ? other : one), none);
  return ordered(files.map(({ path, symbols }) => ({ path, ...bestOf(symbols) })));
}

/** By the words of the path; the file's own name counts twice. */
export function byPathWords(files: readonly KnownFile[], telling: Telling): readonly ScoredPath[] {
  const fits = files.map(({ path }) => {
    const { share, score } = fitOf(path, telling);
    return { path, share, score: score + fitOf(path.slice(path.lastIndexOf("/") + 1), telling).score };
  });
  return ordered(fits);
}

interface Fit {
  readonly score: number;
  readonly share: number;
}

function ordered(files: readonly (Fit & { readonly path: string })[]): readonly ScoredPath[] {
  return files
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .map(({ path, share }) => ({ path, share }));
}

function fitOf(name: string, telling: Telling): Fit {
  const terms = new Set(tokensIn(name).flatMap(termsOf));
  let sum = 0;
  for (const term of terms) sum += telling.get(term) ?? 0;
  const all = telling.values().reduce((total, one) => total + one, 0);
  return { score: sum / Math.sqrt(1 + terms.size), share: all === 0 ? 0 : sum / all };
}

const maxHits = 400;
const timeoutMs = 3000;

/** Files that contain these words; those with most different words come first. */
export async function byGrep(
  words: readonly string[],
  at: Workspace,
  signal: AbortSignal,
): Promise<Result<readonly string[]>> {
  if (words.length === 0) return ok([]);
  const pattern = words.slice(0, 8).map(escaped).join("|");
  const place = { root: at.root, real: at.root, signal, timeoutMs, max: maxHits };
  const found = await searchText({ ...place, pattern: `(?i)${pattern}`, isHidden: at.isLeftOut }, at.rg);
  if (!found.ok) return found;
  const byFile = Map.groupBy(found.value.found, ({ path }) => path);
  const ranked = [...byFile].map(([path, hits]) => {
    const lines = hits.map(({ text }) => text.toLowerCase());
    const distinct = words.filter((word) => lines.some((line) => line.includes(word.toLowerCase()))).length;
    return { path, distinct, count: hits.length };
  });
  ranked.sort((a, b) => b.distinct - a.distinct || b.count - a.count || (a.path < b.path ? -1 : 1));
  return ok(ranked.map(({ path }) => path));
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
