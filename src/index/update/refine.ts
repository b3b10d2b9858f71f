import type { Stamp } from "../../platform/changes/file-stat.ts";
import { type IndexFile, mustBe } from "../database.ts";
import { type Entry, entryOf, putEntries, readContent, withSymbols } from "../entry.ts";
import { stampOf } from "../search/known.ts";
import { symbolsByGrammar } from "../symbol/by-grammar.ts";
import { type GrammarName, grammarNames, parserFor } from "../symbol/grammar.ts";
import { languageOf } from "../symbol/language.ts";
import { pace } from "./pace.ts";

const perBatch = 50;
/** So few files that their order does not matter. */
const few = 500;

interface Waiting {
  readonly path: string;
  readonly hash: string;
  readonly stamp: Stamp;
}

/** Finds symbols by grammar, the most important files first; returns the number of files. */
export async function refine(index: IndexFile, root: string, signal: AbortSignal): Promise<number> {
  const slice = pace();
  const next = waitingIn(index);
  let count = 0;
  for (let batch = next(); batch.length > 0 && !signal.aborted; batch = next()) {
    const done: Waiting[] = [];
    const refined: Entry[] = [];
    for (const one of batch) {
      if (signal.aborted) break;
      const entry = await exactly(root, one);
      if (entry !== null) refined.push(entry);
      done.push(one);
      if (slice.isDue()) await slice.rest();
    }
    await index.transact(async () => {
      // Files that could not be refined are not tried again before they change.
      for (const { path, hash } of done)
        index.run("update files set is_final = 1 where path = ? and hash = ?", path, hash);
      await putEntries(index, refined, slice);
    });
    count += refined.length;
    await slice.rest();
  }
  return count;
}

const columns = "id, rank, path, hash, mode, ino, size, ctime, ctime_ns, mtime, mtime_ns";
const anyOf = `select ${columns.replace("rank", "0")} from files
  where is_final = 0 and id > ? order by id limit ${perBatch}`;
// `cross join` fixes the order of the tables: by itself SQLite sorts all waiting files for each batch.
export const bestOf = `select ${columns} from ranks cross join files using (id) where (rank, id) < (?, ?) and is_final = 0
  order by rank desc, id desc limit ${perBatch}`;

type WaitingRow = [id: number, rank: number, path: string, hash: string, ...numbers: number[]];

function waitingIn(index: IndexFile): () => readonly Waiting[] {
  const [[waiting = 0] = []] = index.rows<[number]>("select count(*) from files where is_final = 0");
  let isOrdered = waiting > few;
  let lowest: readonly [rank: number, id: number] = [Number.MAX_VALUE, 0];
  let highest = 0;
  // Continues after the last batch: files that cannot be marked as done must not come again forever.
  return () => {
    let rows = isOrdered ? index.rows<WaitingRow>(bestOf, ...lowest) : [];
    if (rows.length === 0) {
      isOrdered = false;
      rows = index.rows<WaitingRow>(anyOf, highest);
      highest = rows.at(-1)?.[0] ?? highest;
    } else lowest = [rows.at(-1)![1], rows.at(-1)![0]];
    return rows.map(([, , path, hash, ...numbers]) => {
      mustBe(typeof path === "string" && numbers.every(Number.isFinite));
      return { path, hash, stamp: stampOf(numbers) };
    });
  };
}

async function exactly(root: string, { path, hash, stamp }: Waiting): Promise<Entry | null> {
  const language = languageOf(path);
  const parser = isGrammar(language) ? await parserFor(language) : null;
  if (parser === null || !isGrammar(language)) return null;
  const content = readContent(root, path);
  if (content === null || content.hash !== hash) return null;
  const symbols = await symbolsByGrammar(content.text, language, parser);
  return symbols === null ? null : withSymbols(entryOf(path, content, stamp, grammarNames), content.text, symbols);
}

function isGrammar(language: string | null): language is GrammarName {
  return language !== null && grammarNames.has(language);
}
