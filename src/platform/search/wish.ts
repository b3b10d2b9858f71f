// What both ways of searching share: the question, the answer, and what is said about what was left out.
import { fail } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";

export interface SearchPlace {
  /** Results are named relative to this. */
  readonly root: string;
  /** Real path of the folder or file to search. */
  readonly real: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly max: number;
}

export interface FileWish extends SearchPlace {
  readonly glob: string;
}

export interface TextWish extends SearchPlace {
  readonly pattern: string;
  readonly glob?: string;
  /** Files of which nothing may be shown, by path. */
  readonly isHidden?: (path: string) => boolean;
}

export interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface SearchResult<T> {
  readonly found: readonly T[];
  readonly more: boolean;
  /** Remarks for the reader: files that could not be read or were left out. */
  readonly notes: readonly string[];
}

export interface FoundFiles extends SearchResult<string> {
  /** All that fit. */
  readonly total: number;
}

export interface Omitted {
  /** Some files could not be read. */
  readonly isPartial?: boolean;
  /** Files that may hold secrets. */
  readonly hidden?: number;
  /** Files with matches that hold a NUL byte, which ends the search in them. */
  readonly binary?: number;
  /** Names that are not UTF-8. */
  readonly oddNames?: number;
  /** Files too big to be searched. */
  readonly tooBig?: number;
  /** Lines too long to be searched to their end. */
  readonly longLines?: number;
}

export function notesOn(omitted: Omitted): readonly string[] {
  const { isPartial, hidden = 0, binary = 0, oddNames = 0, tooBig = 0, longLines = 0 } = omitted;
  return [
    ...(isPartial ? ["some files or ignore rules could not be read"] : []),
    ...(hidden > 0 ? [`files left out because they may hold secrets: ${hidden}`] : []),
    ...(binary > 0 ? [`files with matches searched only up to their first NUL byte: ${binary}`] : []),
    ...(oddNames > 0 ? ["names with \ufffd are not UTF-8; reach those files by a shell command"] : []),
    ...(tooBig > 0 ? [`files too big to be searched without ripgrep: ${tooBig}`] : []),
    ...(longLines > 0 ? [`lines searched only at their start without ripgrep: ${longLines}`] : []),
  ];
}

export const maxLineChars = 400;

export function shownLine(text: string): string {
  const line = text.endsWith("\r") ? text.slice(0, -1) : text;
  if (line.length <= maxLineChars) return line.toWellFormed();
  // The hit may lie further on: then its surroundings are shown instead (search-around.ts).
  return `${line.slice(0, maxLineChars).toWellFormed()} [line cut at ${maxLineChars} characters]`;
}

export function cancelled() {
  return fail("E_CANCELLED", phrase("run.cancelled_call"), { sideEffect: "none" });
}

export function tooLong(timeoutMs: number) {
  return fail("E_TOOL_TIMEOUT", phrase("search.timeout", { seconds: timeoutMs / 1000 }), { sideEffect: "none" });
}
