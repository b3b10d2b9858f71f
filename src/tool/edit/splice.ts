import { isShiftedAlready, type Run, shifted } from "./indent.ts";
import { sameCount, withMarks } from "./marks.ts";
import { type Match, toLf } from "./match.ts";

/**
 * The replacement for the match. Leading and trailing lines of `new_string` that equal those of `old_string` stay as they are in the
 * file, byte for byte; the lines between get the file's line endings and indentation.
 */
export function replacement(text: string, match: Match, old: string, fresh: string): string {
  const region = text.slice(match.start, match.end);
  // Only the line endings differ, so changing them is the point of the edit.
  if (toLf(old) === toLf(fresh)) return fresh;
  const [oldLines, freshLines] = asInFile(match, linesOf(old, match), linesOf(fresh, match));
  const fileLines = region.split(/(?<=\n)/);
  if (region === "" || region.endsWith("\n")) fileLines.push("");
  const shortest = Math.min(oldLines.length, freshLines.length);
  const head = sameCount(shortest, (index) => oldLines[index] === freshLines[index]);
  const tail = sameCount(shortest - head, (index) => oldLines.at(-1 - index) === freshLines.at(-1 - index));
  const usual = endingNear(text, match);
  const out = freshLines.map((line, index) => {
    const isLast = index === freshLines.length - 1;
    const fromEnd = freshLines.length - index;
    const kept = index < head ? fileLines[index] : fromEnd <= tail ? fileLines.at(-fromEnd) : undefined;
    const replaced = index < fileLines.length - tail ? fileLines[index] : undefined;
    const ending = isLast ? "" : (endingOf(kept ?? replaced ?? "") ?? usual);
    return `${kept === undefined ? line : withoutEnding(kept)}${ending}`;
  });
  return out.join("");
}

/**
 * `return 1` matched after its indentation, and the new text begins with that indentation, or deeper and contains the old line: replace
 * from the start of the line, so that the indentation is not doubled. Not if only the depth changes, nor if lines are inserted before
 * the end of a block.
 */
export function fromLineStart(text: string, match: Match, old: string, fresh: string): Match {
  const indent = text.slice(text.lastIndexOf("\n", match.start - 1) + 1, match.start);
  if (indent === "" || indent.trim() !== "" || /^\s/.test(old) || !/^[\t ]+\S/.test(fresh)) return match;
  const [oldLines, freshLines] = [toLf(old).split("\n"), toLf(fresh).split("\n")];
  const [first = "", begin = ""] = [oldLines[0], freshLines[0]];
  const isKept = freshLines.includes(indent + first) || oldLines.indexOf(begin) > 0;
  const rest = begin.startsWith(indent) ? begin.slice(indent.length) : null;
  const isAsDeep = rest !== null && /^\S/.test(rest) && (!/^(?:[)\]}]|end\b)/.test(first) || rest[0] === first[0]);
  const isDeeper = rest !== null && /^\s/.test(rest);
  if (toLf(fresh).trim() === toLf(old).trim() || !(isAsDeep || ((isDeeper || rest === null) && isKept))) return match;
  return { ...match, start: match.start - indent.length, lead: indent };
}

type Lines = readonly string[];

/** Both texts with the characters and the indentation that the file has at this place. */
export function asInFile(
  { twin, shift }: Pick<Match, "twin" | "shift">,
  old: Lines,
  fresh: Lines,
  runs: readonly Run[] = [{ fresh, near: old.filter((line) => line.trim() !== "").slice(0, 1) }],
): [Lines, Lines] {
  const [plain, own] = [old.join("\n"), twin?.slice(0, old.join("\n").length)];
  const marked = own === undefined ? fresh : withMarks(plain, own, fresh.join("\n")).split("\n");
  const before = own === undefined ? old : own.split("\n");
  if (shift === undefined) return [before, marked];
  const isDone = isShiftedAlready(before, runs, shift);
  return [before.map((line) => shifted(line, shift)), isDone ? marked : marked.map((line) => shifted(line, shift))];
}

function linesOf(text: string, match: Match): readonly string[] {
  const plain = toLf(text);
  return (match.lacksBreak && plain.endsWith("\n") ? plain.slice(0, -1) : plain).split("\n");
}

function endingOf(line: string): string | undefined {
  if (!line.endsWith("\n")) return undefined;
  return line.endsWith("\r\n") ? "\r\n" : "\n";
}

function withoutEnding(line: string): string {
  return line.slice(0, line.length - (endingOf(line)?.length ?? 0));
}

/** The ending of the last line in the match, else of the line before it. */
function endingNear(text: string, { start, end }: Match): string {
  const inside = text.lastIndexOf("\n", end - 1);
  const after = text.indexOf("\n", end);
  const before = text.lastIndexOf("\n", start);
  const at = inside >= start && end > start ? inside : after !== -1 ? after : before;
  return text[at - 1] === "\r" ? "\r\n" : "\n";
}
