import type { ResultData } from "./result-data.ts";

/** That a diff is asked for by name; beyond these all that changed is looked at. */
export const maxPaths = 500;

/** What a diff says about one file. */
export interface DiffFile {
  /** Relative to the workspace; of a deleted file the name it had. */
  readonly path: string;
  readonly change: "create" | "modify" | "delete";
  /** Changed lines, from and to, as they are numbered now; of a deleted file as they were. Where lines only went, those next to them. */
  readonly lines: readonly (readonly [from: number, to: number])[];
}

/** `/diff` in JSON. */
export interface DiffData extends ResultData {
  readonly command: string;
  readonly exit_code: number | null;
  readonly stat: string;
  readonly diff: string;
  readonly files: readonly DiffFile[];
  readonly untracked: readonly string[];
  /** Something in the middle is missing. */
  readonly truncated: boolean;
}
