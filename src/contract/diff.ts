import type { ResultData } from "./result-data.ts";

/** The limit of paths in one diff request; with more, the whole diff is shown. */
export const maxPaths = 500;

export interface DiffFile {
  /** Relative to the workspace; for a deletion the old name. */
  readonly path: string;
  readonly change: "create" | "modify" | "delete";
  /** Line ranges in the new file, in the old one for a deletion. For removed lines, the lines next to them. */
  readonly lines: readonly (readonly [from: number, to: number])[];
}

export interface DiffData extends ResultData {
  readonly command: string;
  readonly exit_code: number | null;
  readonly stat: string;
  readonly diff: string;
  readonly files: readonly DiffFile[];
  readonly untracked: readonly string[];
  readonly truncated: boolean;
}
