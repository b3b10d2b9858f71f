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

/** What a search prints into a pipe: names below `start`, which hold anything but a zero byte. */
export interface Feed {
  readonly start: string;
  readonly found: FoundKind;
  /** Each name ends with a zero byte: the reader gets it whole. Else a name may fall apart into other words. */
  readonly isExact: boolean;
  readonly within: Within;
  /** What a reader of content opens: the names it asked for, and all below the folders it began in. */
  readonly read: readonly PathWord[];
}

export interface Input {
  readonly text: string | null;
  /** It comes by another descriptor than the first one, or by several. */
  readonly hasMore?: true;
}

export const unknownInput: Input = { text: null };

/** Where in the command we are, and what is known there. One per shell: a subshell gets a copy. */
export interface Scope {
  readonly facts: ShellFacts;
  readonly tally: Tally;
  /** The text that positions point into. */
  readonly source: string;
  /** What the line itself has set. */
  readonly variables: Variables;
  /** What commands here read from their standard input; `undefined` = nothing, `text: null` = not known. */
  readonly input?: Input | undefined;
  /** Folders the shell may be in, relative to where it began; `""` = there. None: not known. */
  folders: readonly string[];
  /** Folders it may have been in before, where `cd -` leads back. */
  left?: readonly string[];
  readonly through: readonly string[];
  readonly depth: number;
  /** Judges a script within this one: a substitution, the text of `bash -c`. */
  readonly enter: (script: ParsedScript, scope: Scope) => void;
}

/** Deeper than anybody writes; each level costs stack. */
export const maxDepth = 48;

export function subshell(scope: Scope, more: Partial<Scope> = {}): Scope {
  return { ...scope, variables: scope.variables.copy(), depth: scope.depth + 1, ...more };
}

/** What a part of the line that runs in the same shell has left of its folders. */
export function follow(scope: Scope, inner: Scope): void {
  scope.folders = inner.folders;
  if (inner.left) scope.left = inner.left;
}

export function addReads(scope: Scope, reads: readonly PathWord[]): void {
  for (const read of reads) {
    const paths = placed(scope, read);
    if (paths.length === 0) against(scope.tally, phrase("shell.unknown_path", { part: cut(read.path) }));
    scope.tally.reads.push(...paths);
  }
}

export function addWrite(scope: Scope, write: WriteWord): void {
  const paths = placed(scope, write);
  scope.tally.writes.push(...paths);
  if (!write.overwrites) return;
  scope.tally.removes.push(...paths.map(({ path, isGlob }) => ({ path, isGlob, isReplaced: true as const })));
}

export function addMentions(scope: Scope, mentions: readonly MentionWord[]): void {
  scope.tally.mentions.push(...mentions.flatMap((one) => placed(scope, one)));
}

export function addRemoved(scope: Scope, removed: readonly (RemovedWord | null)[]): void {
  for (const word of removed) {
    const paths = word === null || scope.tally.isAstray ? [] : placed(scope, word);
    scope.tally.removes.push(...(paths.length > 0 ? paths : [null]));
  }
}

/** A relative path stands for one in each folder the shell may be in. */
function placed<Path extends PathWord>(scope: Scope, word: Path): readonly Path[] {
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
