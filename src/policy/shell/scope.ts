import type { ParsedScript } from "unbash";
import { phrase } from "../../contract/text/catalogue.ts";
import type {
  FoundKind,
  MentionWord,
  PathWord,
  RemovedWord,
  ShellFacts,
  Within,
  WriteWord,
} from "./verdict/judgement.ts";
import { against, cut, type Tally } from "./verdict/tally.ts";
import type { Variables } from "./word/variables.ts";

/** The output of a search in a pipe: names below `start`, which may contain any byte but zero. */
export interface Feed {
  readonly start: string;
  readonly found: FoundKind;
  /** Each name ends with a zero byte, so the reader gets it whole. Otherwise a name may split into other words. */
  readonly isExact: boolean;
  readonly within: Within;
  /** The files that a reader of contents opens: the names searched for, and everything below the start directories. */
  readonly read: readonly PathWord[];
}

export interface Input {
  readonly text: string | null;
  /** The input also comes from other descriptors than 0, or from several. */
  readonly hasMore?: true;
}

export const unknownInput: Input = { text: null };

/** The position in the command and what is known there. One per shell: a subshell gets a copy. */
export interface Scope {
  readonly facts: ShellFacts;
  readonly tally: Tally;
  readonly source: string;
  readonly variables: Variables;
  /** Standard input of the commands here; `undefined` = none, `text: null` = unknown. */
  readonly input?: Input | undefined;
  /** Directories the shell may be in, relative to its start; `""` = the start. Empty = unknown. */
  folders: readonly string[];
  /** Directories it may have been in before, where `cd -` may return to. */
  previousFolders?: readonly string[];
  readonly through: readonly string[];
  readonly depth: number;
  /** Judges a nested script: a substitution, the text of `bash -c`. */
  readonly enter: (script: ParsedScript, scope: Scope) => void;
}

/** Deeper than any real script; each level costs stack. */
export const maxDepth = 48;

export function subshell(scope: Scope, more: Partial<Scope> = {}): Scope {
  return { ...scope, variables: scope.variables.copy(), depth: scope.depth + 1, ...more };
}

/** Takes over the directories that a part of the line in the same shell has left. */
export function adoptFolders(scope: Scope, inner: Scope): void {
  scope.folders = inner.folders;
  if (inner.previousFolders) scope.previousFolders = inner.previousFolders;
}

export function addReads(scope: Scope, reads: readonly PathWord[]): void {
  for (const read of reads) {
    const paths = inEachFolder(scope, read);
    if (paths.length === 0) against(scope.tally, phrase("shell.unknown_path", { part: cut(read.path) }));
    scope.tally.reads.push(...paths);
  }
}

export function addWrite(scope: Scope, write: WriteWord): void {
  const paths = inEachFolder(scope, write);
  scope.tally.writes.push(...paths);
  if (!write.overwrites) return;
  scope.tally.removes.push(...paths.map(({ path, isGlob }) => ({ path, isGlob, isReplaced: true as const })));
}

export function addMentions(scope: Scope, mentions: readonly MentionWord[]): void {
  scope.tally.mentions.push(...mentions.flatMap((one) => inEachFolder(scope, one)));
}

export function addRemoved(scope: Scope, removed: readonly (RemovedWord | null)[]): void {
  for (const word of removed) {
    const paths = word === null || scope.tally.isInUnknownFolder ? [] : inEachFolder(scope, word);
    scope.tally.removes.push(...(paths.length > 0 ? paths : [null]));
  }
}

/** A relative path stands for one path per directory the shell may be in. */
function inEachFolder<Path extends PathWord>(scope: Scope, word: Path): readonly Path[] {
  if (/^[/~]/.test(word.path)) return [word];
  return scope.folders.map((folder) => (folder === "" ? word : { ...word, path: within(folder, word) }));
}

function within(folder: string, { path, isGlob }: PathWord): string {
  const start = isGlob ? escapeGlob(folder) : folder;
  return start.endsWith("/") ? start + path : `${start}/${path}`;
}

export function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]]/g, "\\$&");
}
