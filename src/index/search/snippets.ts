import { readContent } from "../entry.ts";
import { termsOf, tokensIn } from "../question/words.ts";
import type { FileSymbol } from "../symbol/symbol.ts";
import type { Telling } from "./fulltext.ts";

export interface Snippet {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const maxLines = 14;
const maxLineChars = 200;
const maxPerFile = 2;
/** A definition that starts at most this many lines above is shown too. */
const reach = 8;
const maxFileLines = 20_000;

interface SnippetFile {
  readonly root: string;
  readonly path: string;
  readonly symbols: readonly FileSymbol[];
  readonly hasSecret: (text: string) => boolean;
  /** False: only check whether the file exists. */
  readonly isQuoted: boolean;
}

/** The passages that tell most about the question. Empty for binary files and files with a secret; `null` for missing files. */
export function snippetsOf(file: SnippetFile, telling: Telling): readonly Snippet[] | null {
  const content = readContent(file.root, file.path);
  if (content === null) return null;
  const { text } = content;
  if (text === "" || !file.isQuoted || file.hasSecret(text)) return [];
  const lines = text.split(/\r?\n/, maxFileLines);
  const hits = lines.map((line) => hitsIn(line, telling));
  const first = bestStretch(hits, telling, null);
  const second = maxPerFile > 1 ? bestStretch(hits, telling, first) : null;
  return [first, second]
    .flatMap((start) => (start === null ? [] : stretch(lines, start, file.symbols)))
    .sort((a, b) => a.from - b.from);
}

function hitsIn(line: string, telling: Telling): readonly string[] {
  if (line.length > 2000) return [];
  return [...new Set(tokensIn(line).flatMap(termsOf))].filter((term) => telling.has(term));
}

/** The start of the passage with most terms that does not overlap `other`. */
function bestStretch(hits: readonly (readonly string[])[], telling: Telling, other: number | null): number | null {
  let best: number | null = null;
  let most = 0;
  for (let start = 0; start < hits.length; start++) {
    if (hits[start]!.length === 0 || (other !== null && Math.abs(start - other) < maxLines + reach)) continue;
    const within = new Set(hits.slice(start, start + maxLines).flat());
    const own = hits[start]!.reduce((sum, term) => sum + telling.get(term)!, 0);
    const score = [...within].reduce((sum, term) => sum + telling.get(term)!, own / 2);
    if (score > most) [best, most] = [start, score];
  }
  return best;
}

function stretch(lines: readonly string[], start: number, symbols: readonly FileSymbol[]): readonly Snippet[] {
  const holder = symbols.findLast(({ line }) => line <= start + 1 && line > start + 1 - reach);
  const from = holder === undefined ? Math.max(0, start - 1) : holder.line - 1;
  // If the definition's end is known, the lines after it are unrelated.
  const isEndKnown = holder !== undefined && holder.end > Math.max(start, holder.line);
  const end = isEndKnown ? holder.end : lines.length;
  const to = Math.min(end, lines.length, from + maxLines);
  const last = lines.findLastIndex((line, at) => at < to && line.trim() !== "");
  const shown = lines.slice(from, last + 1).map((line) => line.slice(0, maxLineChars).toWellFormed());
  return [{ from: from + 1, to: last + 1, text: shown.join("\n") }];
}
