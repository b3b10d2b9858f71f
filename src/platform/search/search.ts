import { isUtf8 } from "node:buffer";
import { ok, type Result } from "../../contract/error.ts";
import { byPath, smallest } from "../files/smallest.ts";
import { decodeText, encodeText } from "../files/text/encoding.ts";
import { globFilter } from "./glob.ts";
import { confirmed } from "./held.ts";
import { type Program, type RawHit, runRipgrep, splitHits, splitNames } from "./rg.ts";
import { type Scope, scopeOf } from "./scope.ts";
import {
  type FileWish,
  type FoundFiles,
  type Hit,
  maxLineChars,
  notesOn,
  type SearchPlace,
  type SearchResult,
  shownLine,
  type TextWish,
} from "./wish.ts";

// Hidden files are searched, .git is not.
const always = ["--no-config", "--no-messages", "--hidden", "--glob=!.git", "--color=never", "--null"];

/** The first files, in path order, whose path fits the glob; without ignored ones. */
export async function findFiles(wish: FileWish, rg?: Program): Promise<Result<FoundFiles>> {
  const filter = globFilter(wish.glob, wish);
  const scope = scopeOf(wish);
  const first = smallest<string>(wish.max, byPath);
  let oddNames = 0;
  const take = (raw: Buffer): void => {
    const path = plainPath(raw);
    if (!isSearched(path, scope, wish) || !filter.fits(path)) return;
    first.add(path);
    if (!isUtf8(raw)) oddNames++;
  };
  // Without --sort, which is single-threaded and takes 130 MB for a million names: the first ones are selected here.
  const argv = [...always, ...scope.flags, "--files", ...filter.flags, "--", placeOf(scope.start, wish.root)];
  const ended = await runRipgrep(rg, argv, wish, splitNames(take));
  if (ended === null) return (await import("./plain.ts")).plainFiles(wish, filter, scope);
  if (!ended.ok) return ended;
  const total = first.total();
  return ok({ found: first.take(), more: total > wish.max, total, notes: notesOn({ ...ended.value, oddNames }) });
}

export async function searchText(wish: TextWish, rg?: Program): Promise<Result<SearchResult<Hit>>> {
  const found = await searchOnce(wish, { pattern: wish.pattern, isWanted: () => true }, rg);
  if (found === null) {
    const { plainText } = await import("./plain.ts");
    return plainText(wish, globFilter(wish.glob ?? "", wish), scopeOf(wish));
  }
  const pattern = bytePattern(wish.pattern);
  if (!found.ok || pattern === null) return found;
  // Ripgrep assumes UTF-8: in other encodings the same words have other bytes.
  const others = await searchOnce(wish, { pattern, isWanted: (line) => !isUtf8(line) }, rg);
  if (others === null || !others.ok) return others ?? found;
  return ok(merged(found.value, others.value, wish.max));
}

async function searchOnce(
  wish: TextWish,
  once: { readonly pattern: string; readonly isWanted: (line: Buffer) => boolean },
  rg?: Program,
): Promise<Result<SearchResult<Hit>> | null> {
  const filter = globFilter(wish.glob ?? "", wish);
  const scope = scopeOf(wish);
  const reported: (RawHit & { readonly name: string })[] = [];
  const hidden = new Set<string>();
  let binary = 0;
  const take = ({ path: raw, line, text }: RawHit): boolean => {
    const path = plainPath(raw);
    if (!isSearched(path, scope, wish) || !filter.fits(path) || !once.isWanted(text)) return true;
    if (wish.isHidden?.(path)) {
      hidden.add(path);
      return true;
    }
    // Copies, because the next chunk overwrites the buffer.
    reported.push({ path: Buffer.from(raw), line, text: Buffer.from(text), name: path });
    return reported.length <= wish.max;
  };
  const argv = [...always, ...scope.flags, ...textFlags(wish.max), ...filter.flags, "-e", once.pattern];
  const ended = await runRipgrep(
    rg,
    [...argv, "--", placeOf(scope.start, wish.root)],
    wish,
    splitHits(take, () => binary++),
  );
  if (ended === null || !ended.ok) return ended;
  const held = confirmed(reported, wish.root);
  const oddNames = held.filter(({ path }) => !isUtf8(path)).length;
  const isPartial = ended.value.isPartial || held.length < reported.length;
  const notes = notesOn({ isPartial, hidden: hidden.size, oddNames, binary });
  const shown = held.slice(0, wish.max);
  const long = shown.filter(({ text }) => text.length > maxLineChars);
  const aroundHit = long.length === 0 ? null : await lookAround(long, wish, once.pattern, rg);
  const found = shown.map((hit): Hit => {
    const { name: path, line, text } = hit;
    return { path, line, text: aroundHit?.(hit) ?? textOf(text) };
  });
  return ok({ found, more: reported.length > wish.max, notes });
}

/** The surroundings of hits that the shortened line would not show. */
async function lookAround(long: readonly RawHit[], wish: TextWish, pattern: string, rg?: Program) {
  const { around } = await import("./around.ts");
  return await around(long, { ...wish, pattern }, rg);
}

function textFlags(max: number): readonly string[] {
  // A fixed order for equal searches on any number of cores. The cut only keeps the output small.
  const cut = ["--max-columns=1600", "--max-columns-preview", `--max-count=${max + 1}`];
  return ["--sort=path", "--line-number", "--no-heading", "--with-filename", "--crlf", "--engine=auto", ...cut];
}

function merged(a: SearchResult<Hit>, b: SearchResult<Hit>, max: number): SearchResult<Hit> {
  const all = [...a.found, ...b.found].sort((one, other) => byPath(one.path, other.path) || one.line - other.line);
  const notes = [...new Set([...a.notes, ...b.notes])];
  return { found: all.slice(0, max), more: a.more || b.more || all.length > max, notes };
}

/** A search that had to start further up also finds files outside of the wanted folder. */
function isSearched(path: string, scope: Scope, { root, real }: SearchPlace): boolean {
  return scope.start === real || path.startsWith(`${real.slice(root.length + 1)}/`);
}

/** Relative to the root, like the results; never mistaken for an option. */
function placeOf(start: string, root: string): string {
  if (start === root) return "./";
  return start.startsWith(`${root}/`) ? `./${start.slice(root.length + 1)}` : start;
}

function textOf(raw: Buffer): string {
  const bytes = Buffer.from(raw);
  return shownLine(decodeText(bytes)?.text ?? bytes.toString("latin1"));
}

function plainPath(bytes: Buffer): string {
  const path = bytes.toString("utf8");
  return path.startsWith("./") ? path.slice(2) : path;
}

/** Constructs that only PCRE supports, which cannot match bytes, and brackets, in which a character must stay a unit. */
const untouchable = /\[|\\[1-9pPk]|\(\?(?:[=!>|#P'&R0-9]|<[=!])/;

/** Replaces each character by its bytes in GBK or windows-1252; `null`: ASCII has the same bytes, or characters are unclear. */
function bytePattern(pattern: string): string | null {
  if (!/[^\u0000-\u007f]/.test(pattern) || untouchable.test(pattern)) return null;
  const bytes = pattern.replace(/[^\u0000-\u007f]/gu, (char) => {
    const forms = (["gb18030", "windows-1252"] as const).map((encoding) => encodeText(char, { encoding, bom: false }));
    return `(?:${forms
      .filter((form) => Buffer.isBuffer(form))
      .map(escaped)
      .join("|")})`;
  });
  return bytes.includes("(?:)") ? null : `(?-u:${bytes})`;
}

function escaped(bytes: Buffer): string {
  return bytes.toString("hex").replace(/../g, "\\x$&");
}
