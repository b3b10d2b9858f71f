import { fail } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";

export interface FilePatch {
  readonly action: "create" | "change" | "delete";
  readonly path: string;
  readonly to: string | null;
  readonly hunks: readonly Hunk[];
  /** The executable bit; `null` = unchanged. */
  readonly isProgram: boolean | null;
}

export interface Hunk {
  /** The zero-based line it claims in the old file; `null` = none. */
  readonly line: number | null;
  /** Lines above the hunk, outermost first, used only to choose between possible places. */
  readonly anchors: readonly string[];
  readonly lines: readonly HunkLine[];
  /** Its `@@` is empty or missing. */
  readonly isBare: boolean;
  /** Whether the old and the new text end without a line break. */
  readonly oldLacksBreak: boolean;
  readonly newLacksBreak: boolean;
  /** Prefer the end of the file. */
  readonly isLast: boolean;
  /** The one-based line in the patch where it begins. */
  readonly at: number;
}

export interface HunkLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

export function oldLines(hunk: Hunk): readonly string[] {
  return hunk.lines.flatMap(({ sign, text }) => (sign === "+" ? [] : [text]));
}

export function addedLines({ hunks }: FilePatch): readonly string[] {
  return hunks.flatMap(({ lines }) => lines.flatMap(({ sign, text }) => (sign === "+" ? [text] : [])));
}

const shownChars = 120;

export type LineFault = "patch.bad_line" | "patch.bad_path" | "patch.unsupported" | "patch.no_file" | "patch.no_hunk";

export function badLine(lines: readonly string[], index: number, key: LineFault = "patch.bad_line") {
  const text = visible((lines[index] ?? "").slice(0, shownChars));
  return fail("E_INVALID_ARGS", phrase(key, { line: index + 1, text }), { advice: phrase("advice.patch_forms") });
}
