import type { IndexFile } from "../database.ts";
import { type Question, readQuestion } from "../question/question.ts";
import { pace } from "../update/pace.ts";
import { fullText, type Scores, type Telling } from "./fulltext.ts";
import { type Fused, fuse, type Ranked, type ScoredPath, type SourceName } from "./fuse.ts";
import { isWhole } from "./known.ts";
import { type Snippet, snippetsOf } from "./snippets.ts";
import { byGrep, byPathWords, bySymbol, filesById, type KnownFile, mentionedFiles, type Workspace } from "./sources.ts";

export interface SearchOptions {
  readonly mentioned?: readonly string[];
  readonly budget: number;
  readonly signal: AbortSignal;
}

interface FoundFile {
  readonly path: string;
  readonly why: readonly SourceName[];
  readonly snippets: readonly Snippet[];
}

export interface Retrieval {
  readonly files: readonly FoundFile[];
  readonly failed: readonly SourceName[];
  /** The question hardly tells its subject ("go on"), so the result is arbitrary. */
  readonly isVague: boolean;
}

export interface Retriever extends Workspace {
  readonly tokens: (text: string) => number;
  readonly hasSecret: (text: string) => boolean;
  /** Aborts when nobody waits for the answer any more. */
  readonly closing: AbortSignal;
}

const maxFiles = 10;

export async function retrieve(
  text: string,
  { mentioned = [], budget, signal }: SearchOptions,
  index: IndexFile | null,
  at: Retriever,
): Promise<Retrieval> {
  const question = readQuestion(text);
  const asked = index === null ? null : await askIndex(index, question, at.closing);
  const named = mentionedFiles(mentioned, question, index, at);
  // Exact names are worth a search in the files; without a complete index every word is.
  const isEnough = index !== null && isWhole(index);
  const words = isEnough ? question.exact : [...question.exact, ...question.words];
  const grepped = await byGrep(words, at, signal);
  const lists: Ranked[] = [
    { source: "mentioned", places: named.map(whole) },
    ...(asked?.lists ?? []),
    { source: "grep", places: grepped.ok ? grepped.value.map(whole) : [] },
  ];
  const failed: SourceName[] = [
    ...(asked === null ? (["symbols", "paths", "text"] as const) : []),
    ...(grepped.ok ? [] : (["grep"] as const)),
  ];
  const isAboutTests = /\btests?\b|测试/i.test(text);
  const best = fuse(lists, { isAboutTests }).filter(({ path }) => !at.isLeftOut(path));
  const telling = asked?.telling ?? question.terms;
  const files = await shown(best, asked?.known ?? new Map(), telling, { budget, at });
  return { files, failed, isVague: named.length === 0 && isVague(question) };
}

const fewTerms = 2;

function isVague({ terms, exact }: Question): boolean {
  const weighty = terms.values().filter((weight) => weight >= 0.5);
  return exact.length === 0 && [...weighty].length < fewTerms;
}

function whole(path: string): ScoredPath {
  return { path, share: 1 };
}

interface Asked extends Pick<Scores, "telling"> {
  readonly lists: readonly Ranked[];
  readonly known: ReadonlyMap<string, KnownFile>;
}

async function askIndex(index: IndexFile, question: Question, closing: AbortSignal): Promise<Asked> {
  const { path, names, body, telling } = await fullText(index, question, closing);
  const [byPath, byName, byText] = [path, names, body].map((ids) => filesById(index, ids));
  const known = new Map([...byPath!, ...byName!, ...byText!].map((file) => [file.path, file]));
  return {
    telling,
    known,
    lists: [
      { source: "symbols", places: bySymbol(byName!, telling) },
      { source: "paths", places: byPathWords(byPath!, telling) },
      { source: "text", places: byText!.map((file) => whole(file.path)) },
    ],
  };
}

async function shown(
  files: readonly Fused[],
  known: ReadonlyMap<string, KnownFile>,
  telling: Telling,
  { budget, at }: { readonly budget: number; readonly at: Retriever },
): Promise<readonly FoundFile[]> {
  const { root, hasSecret } = at;
  const slice = pace(at.closing);
  const found: FoundFile[] = [];
  let left = budget;
  for (const { path, why } of files) {
    if (found.length === maxFiles) break;
    const symbols = known.get(path)?.symbols ?? [];
    const snippets = snippetsOf({ root, path, symbols, hasSecret, isQuoted: left > 0 }, telling);
    // Big files take a while, and a request may be waiting meanwhile.
    if (slice.isDue()) await slice.rest();
    if (snippets === null) continue;
    const fitting = snippets.filter((snippet) => {
      const cost = at.tokens(snippet.text);
      if (cost > left) return false;
      left -= cost;
      return true;
    });
    found.push({ path, why, snippets: fitting });
  }
  return found;
}
