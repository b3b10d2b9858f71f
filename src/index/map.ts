import { plain, visible } from "../contract/show/visible.ts";
import { type IndexFile, mustBe } from "./database.ts";
import { termsOf } from "./question/words.ts";
import { isWhole } from "./search/known.ts";
import { isSidePath, isTestPath, languageOf } from "./symbol/language.ts";
import { visibleIn } from "./symbol/names.ts";
import { type FileSymbol, unpackSymbols } from "./symbol/symbol.ts";
import { pace } from "./update/pace.ts";

export interface MapHints {
  readonly mentioned?: readonly string[];
}

const candidates = 300;
const perCandidate = 8;
const leastTokens = 3;
const recent = 50;
const perFile = 12;
const mentionBoost = 40;
const nearBoost = 3;
const testPrior = 0.2;
const recentDays = 7;

export interface MapSource {
  readonly isLeftOut: (path: string) => boolean;
  readonly tokens: (text: string) => number;
  readonly closing: AbortSignal;
}

interface Candidate {
  readonly path: string;
  readonly score: number;
  readonly symbols: readonly FileSymbol[];
}

interface Choice {
  readonly path: string;
  readonly symbol: FileSymbol;
  readonly score: number;
}

/** The most important definitions within the budget of tokens; the same index gives the same text. */
export async function mapOf(index: IndexFile, budget: number, hints: MapHints, source: MapSource): Promise<string> {
  const { isLeftOut, tokens, closing } = source;
  if (!isWhole(index)) return "";
  const slice = pace(closing);
  const choices: Choice[] = [];
  const files = Math.min(candidates, Math.ceil(budget / perCandidate));
  for (const { path, score, symbols } of candidatesOf(index, hints, files)) {
    if (isLeftOut(path)) continue;
    const weighed = symbols.map((symbol) => ({ path, symbol, score: score * weightOf(index, symbol) }));
    choices.push(...weighed.sort(byScore).slice(0, perFile));
    if (slice.isDue()) await slice.rest();
  }
  return render(within(choices.sort(byScore), budget, tokens));
}

function byScore(a: Choice, b: Choice): number {
  return b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.symbol.line - b.symbol.line);
}

type MapRow = [path: string, rank: number, mtime: number, symbols: string];

/** Selects ids first: sorting them together with their symbols takes ten times as long. */
function idsOf(index: IndexFile, mentioned: readonly string[], files: number): ReadonlySet<number> {
  const [[least = 0] = []] = index.rows<[number]>("select rank from ranks order by rank desc limit 1 offset ?", files);
  return new Set(
    [
      // Files of equal rank are in or out together, whatever their ids.
      ...index.rows<[number]>("select id from ranks where rank > ?", least),
      ...index.rows<[number]>(`select id from files order by mtime desc, path limit ${recent}`),
      ...mentioned.flatMap((path) => index.rows<[number]>("select id from files where path = ?", path)),
    ].map(([id]) => id),
  );
}

const byId = `select path, coalesce(rank, 0.2), mtime, symbols from files join facts using (id) left join ranks using (id)
  where id = ?`;

function candidatesOf(index: IndexFile, { mentioned = [] }: MapHints, files: number): readonly Candidate[] {
  const rows = [...idsOf(index, mentioned, files)].flatMap((id) => index.rows<MapRow>(byId, id));
  const newest = Math.max(...rows.map(([, , mtime]) => mtime));
  const named = new Set(mentioned);
  const folders = new Set(mentioned.map(folderOf));
  return rows.flatMap(([path, rank, mtime, packed]) => {
    mustBe(typeof path === "string" && Number.isFinite(rank) && Number.isFinite(mtime));
    const isNamed = named.has(path);
    if (isSidePath(path) && !isNamed) return [];
    const freshness = 1 + 0.5 ** ((newest - mtime) / 86_400 / recentDays);
    const boost = isNamed ? mentionBoost : folders.has(folderOf(path)) ? nearBoost : 1;
    const score = rank * freshness * boost * (isTestPath(path) && !isNamed ? testPrior : 1);
    const symbols = unpackSymbols(packed);
    const isVisible = visibleIn(symbols, languageOf(path));
    return [{ path, score, symbols: isNamed ? symbols : symbols.filter(isVisible) }];
  });
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** By the number of files that mention the name; plain words are mentioned for other reasons too. */
function weightOf(index: IndexFile, { name, kind, depth }: FileSymbol): number {
  const terms = termsOf(name);
  const [[files = 0] = []] = index.rows<[number]>("select doc from terms where term = ?", terms.at(-1) ?? "");
  const mentions = Math.log2(1 + files) * (terms.length > 1 ? 1 : 0.4);
  return (1 + mentions) * (depth > 0 ? 0.5 : 1) * (kind === "value" ? 0.5 : kind === "export" ? 0.2 : 1);
}

function within(choices: readonly Choice[], budget: number, tokens: (text: string) => number): readonly Choice[] {
  const paths = new Set<string>();
  const lines = new Set<string>();
  let left = budget;
  const chosen: Choice[] = [];
  for (const choice of choices) {
    if (left < leastTokens) break;
    const place = `${choice.symbol.line} ${choice.path}`;
    if (lines.has(place)) continue;
    // Counted line by line: the rounded-up sum is never less than the count of the whole.
    const cost = tokens(lineOf(choice)) + (paths.has(choice.path) ? 0 : tokens(`${visible(choice.path)}\n`));
    if (cost > left) continue;
    left -= cost;
    paths.add(choice.path);
    lines.add(place);
    chosen.push(choice);
  }
  return chosen;
}

function lineOf({ symbol: { line, depth, text } }: Choice): string {
  return `${depth > 0 ? "    " : "  "}${line}: ${plain(text)}\n`;
}

/** Sorted by path, so that a small change of scores changes little of the text. */
function render(choices: readonly Choice[]): string {
  const files = [...Map.groupBy(choices, ({ path }) => path)].sort(([a], [b]) => (a < b ? -1 : 1));
  const blocks = files.map(([path, own]) => {
    const lines = own.sort((a, b) => a.symbol.line - b.symbol.line).map(lineOf);
    return `${visible(path)}\n${lines.join("")}`;
  });
  return blocks.join("");
}
