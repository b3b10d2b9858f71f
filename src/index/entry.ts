import type { Stamp } from "../platform/changes/file-stat.ts";
import type { IndexFile } from "./database.ts";
import { bagOf } from "./question/bag.ts";
import { symbolsByLook } from "./symbol/by-look.ts";
import { isSidePath, languageOf } from "./symbol/language.ts";
import { packNames } from "./symbol/names.ts";
import { type FileSymbol, packSymbols } from "./symbol/symbol.ts";
import { type Content, contentAt } from "./update/content.ts";
import type { Pace } from "./update/pace.ts";

export interface Entry {
  readonly path: string;
  readonly hash: string;
  readonly stamp: Stamp;
  readonly isFinal: boolean;
  readonly symbols: readonly FileSymbol[];
  readonly uses: Uint32Array;
  readonly words: { readonly path: string; readonly names: string; readonly notes: string; readonly body: string };
}

export function readContent(root: string, path: string): Content | null {
  return contentAt(root, path, isSidePath(path));
}

export function entryOf(path: string, { hash, text }: Content, stamp: Stamp, grammars: ReadonlySet<string>): Entry {
  const language = languageOf(path);
  const symbols = language === null || text === "" ? [] : symbolsByLook(text, language);
  const isFinal = text === "" || language === null || !grammars.has(language);
  return { path, hash, stamp, isFinal, symbols, ...wordsOf(path, text, symbols) };
}

export function withSymbols(entry: Entry, text: string, symbols: readonly FileSymbol[]): Entry {
  return { ...entry, isFinal: true, symbols, ...wordsOf(entry.path, text, symbols) };
}

function wordsOf(path: string, text: string, symbols: readonly FileSymbol[]): Pick<Entry, "words" | "uses"> {
  const { code, notes } = parted(text);
  const { text: body, uses } = bagOf(code);
  const names = symbols.map(({ name }) => name).join(" ");
  // The file name tells more than its folders, so it counts twice.
  const paths = `${path} ${path.slice(path.lastIndexOf("/") + 1)}`;
  return { uses, words: { path: bagOf(paths).text, names: bagOf(names).text, notes: bagOf(notes).text, body } };
}

/** Only inside a transaction. Words come last: before each undoable statement SQLite flushes them, which is three times slower. */
export async function putEntries(index: IndexFile, entries: readonly Entry[], slice: Pace): Promise<void> {
  const ids: number[] = [];
  for (const entry of entries) {
    ids.push(putFacts(index, entry));
    if (slice.isDue()) await slice.rest();
  }
  for (const [at, { words }] of entries.entries()) {
    const { path, names, notes, body } = words;
    index.run(putWords, ids[at]!, path, names, notes, body);
    if (slice.isDue()) await slice.rest();
  }
  // The commit flushes the words.
  await slice.rest();
}

const putWords = "insert or replace into words (rowid, path, names, notes, body) values (?, ?, ?, ?, ?)";

function putFacts(index: IndexFile, { path, hash, stamp, isFinal, symbols, uses }: Entry): number {
  const { mode, ino, size, ctime, ctimeNs, mtime, mtimeNs } = stamp;
  const times = [ctime, ctimeNs, mtime, mtimeNs];
  const [row] = index.rows<[number]>(putFile, path, hash, isFinal ? 1 : 0, mode, ino, size, ...times);
  if (row === undefined) throw new Error("a row that was put has no id");
  const defs = packNames(symbols, languageOf(path));
  index.run("insert or replace into facts values (?, ?, ?, ?)", row[0], packSymbols(symbols), defs, uses);
  return row[0];
}

const putFile = `insert into files (path, hash, is_final, mode, ino, size, ctime, ctime_ns, mtime, mtime_ns)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (path) do update set hash = excluded.hash, is_final = excluded.is_final,
  mode = excluded.mode, ino = excluded.ino, size = excluded.size, ctime = excluded.ctime, ctime_ns = excluded.ctime_ns,
  mtime = excluded.mtime, mtime_ns = excluded.mtime_ns returning id`;

/** For unchanged content with other times. Only inside a transaction. */
export function putStamp(index: IndexFile, path: string, stamp: Stamp): void {
  const { mode, ino, size, ctime, ctimeNs, mtime, mtimeNs } = stamp;
  const set = "mode = ?, ino = ?, size = ?, ctime = ?, ctime_ns = ?, mtime = ?, mtime_ns = ?";
  index.run(`update files set ${set} where path = ?`, mode, ino, size, ctime, ctimeNs, mtime, mtimeNs, path);
}

export function isKept(index: IndexFile, path: string, { size, ctime, ctimeNs }: Stamp): boolean {
  const sql = "select 1 from files where path = ? and size = ? and ctime = ? and ctime_ns = ?";
  return index.rows(sql, path, size, ctime, ctimeNs).length > 0;
}

/** Only inside a transaction. */
export function dropFile(index: IndexFile, path: string): void {
  const [row] = index.rows<[number]>("delete from files where path = ? returning id", path);
  if (row === undefined) return;
  for (const table of ["facts where id", "ranks where id", "words where rowid"]) {
    index.run(`delete from ${table} = ?`, row[0]);
  }
}

const marks = new Set(["/", "*", "#", "-"].map((mark) => mark.charCodeAt(0)));

function parted(text: string): { readonly code: string; readonly notes: string } {
  let code = "";
  let notes = "";
  /** Start of the lines that are not assigned yet. */
  let open = 0;
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next + 1;
    let at = start;
    while (at < end && text.charCodeAt(at) <= 0x20) at++;
    if (marks.has(text.charCodeAt(at)) && end - at > 3) {
      code += text.slice(open, start);
      notes += text.slice(at, end);
      open = end;
    }
    start = end;
  }
  return { code: code + text.slice(open), notes };
}
