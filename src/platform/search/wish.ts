import { fail } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";

export interface SearchPlace {
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
  /** Files whose content must not be shown, by path. */
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
  /** Notes for the reader: files that were unreadable or left out. */
  readonly notes: readonly string[];
}

export interface FoundFiles extends SearchResult<string> {
  readonly total: number;
}

export interface Omitted {
  readonly isPartial?: boolean;
  readonly hidden?: number;
  /** Number of files with matches and a NUL byte, which ends the search in them. */
  readonly binary?: number;
  readonly oddNames?: number;
  readonly tooBig?: number;
  /** Number of lines too long to be searched completely. */
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
  // If the hit is further on, its surroundings are shown instead (around.ts).
  return `${line.slice(0, maxLineChars).toWellFormed()} [line cut at ${maxLineChars} characters]`;
}

export function cancelled() {
  return fail("E_CANCELLED", phrase("run.cancelled_call"), { sideEffect: "none" });
}

export function tooLong(timeoutMs: number) {
  return fail("E_TOOL_TIMEOUT", phrase("search.timeout", { seconds: timeoutMs / 1000 }), { sideEffect: "none" });
}
