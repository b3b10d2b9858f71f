import { fail } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";

/** One file of a patch as it is written there: nothing has been looked up yet. */
export interface FilePatch {
  readonly action: "create" | "change" | "delete";
  readonly path: string;
  /** The new name of a file that is renamed. */
  readonly to: string | null;
  readonly hunks: readonly Hunk[];
  /** Whether it shall be a program; `null` = as it is. */
  readonly isProgram: boolean | null;
}

export interface Hunk {
  /** Where in the old file it says it belongs, from 0; `null` = it does not say. */
  readonly line: number | null;
  /** Lines above the place, outermost first. They only decide between places that fit. */
  readonly anchors: readonly string[];
  readonly lines: readonly HunkLine[];
  /** Its `@@` says nothing, or it has none. */
  readonly isBare: boolean;
  /** The old, the new text ends without a line break. */
  readonly oldLacksBreak: boolean;
  readonly newLacksBreak: boolean;
  /** Stands at the end of the file where it fits there. */
  readonly isLast: boolean;
  /** Where in the patch it begins, from 1. */
  readonly at: number;
}

export interface HunkLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

export function oldLines(hunk: Hunk): readonly string[] {
  return hunk.lines.flatMap(({ sign, text }) => (sign === "+" ? [] : [text]));
}

/** The texts a patch would put into files. */
export function addedLines({ hunks }: FilePatch): readonly string[] {
  return hunks.flatMap(({ lines }) => lines.flatMap(({ sign, text }) => (sign === "+" ? [text] : [])));
}

const shownChars = 120;

export type LineFault = "patch.bad_line" | "patch.bad_path" | "patch.unsupported" | "patch.no_file" | "patch.no_hunk";

/** `index`: of the faulty line, from 0. */
export function badLine(lines: readonly string[], index: number, key: LineFault = "patch.bad_line") {
  const text = visible((lines[index] ?? "").slice(0, shownChars));
  return fail("E_INVALID_ARGS", phrase(key, { line: index + 1, text }), { advice: phrase("advice.patch_forms") });
}
