import {
  frameIn,
  isForeign,
  isFrame,
  localPath,
  missingPackage,
  type Place,
  whereOf,
  withoutForeign,
} from "../place.ts";
import { clipContext, clipError, type Failure, type Scene } from "../reading.ts";

export interface FoundFailure {
  readonly failure: Failure;
  /** More than its name was found. */
  readonly hasDetails: boolean;
}

const idle = /^\s*(?:[-=─_~^*.]+|stack: ?\|?[-+]?|message:|stack:|trace:|diff:|throw new .*;|\{|\}|)\s*$/i;
const python = /^\s*Traceback \(most recent call last\)/;
/** node prints the error's fields below a stack, although the message has them already. */
const fields = /^\s+(?:generatedMessage|code|operator|diff|[a-z]+Message): .*,?$|^Node\.js v\d|^\s*at .* \{$/;

export function failureFrom(name: string | null, raw: readonly string[], { cwd, exists }: Scene): FoundFailure {
  const lines = raw.slice(0, lastOwn(raw));
  const isPython = lines.some((line) => python.test(line));
  const frames = lines.flatMap((line) => {
    const place = frameIn(line, cwd);
    return place === null || isForeign(place.file) ? [] : [place];
  });
  const place: Place | null = (isPython ? frames.at(-1) : frames[0]) ?? requiredBy(lines, cwd);
  const message = lines.filter((line) => isMessage(line, cwd, isPython));
  const error = clipError(dedented(message)) || name || "";
  const context = clipContext(contextOf(lines, cwd, isPython));
  const where = whereOf(place && { ...place, file: whole(place.file, exists) });
  const failure = { kind: kindOf(error), test: name, ...where, error, context };
  return { failure, hasDetails: message.length > 0 || frames.length > 0 };
}

/** node lists the requirers of a missing module below it: `- /project/a.js`. */
function requiredBy(lines: readonly string[], cwd: string): Place | null {
  const file = lines.map((line) => /^- (\/.+)$/.exec(line)?.[1]).find((path) => path !== undefined && !isForeign(path));
  return file === undefined ? null : { file: localPath(cwd, file), line: null };
}

/** Some runners cut off the folder and leave its slash. */
function whole(file: string, exists: Scene["exists"]): string {
  return file.startsWith("/") && exists?.(file.slice(1)) === true ? file.slice(1) : file;
}

/** node prints the error once more as an object, which begins at the brace after the last frame. */
function lastOwn(lines: readonly string[]): number {
  const at = lines.findIndex((line) => isFrame(line) && line.trimEnd().endsWith("{"));
  return at < 0 ? lines.length : at + 1;
}

function isMessage(line: string, cwd: string, isPython: boolean): boolean {
  if (idle.test(line) || python.test(line) || fields.test(line) || isFrame(line)) return false;
  // In a Python traceback the code stands below each frame; the exception itself is not indented.
  if (isPython && /^\s{4,}/.test(line)) return false;
  return !/^\s*(?:at: |[›»] |\S+:\d+$)/i.test(line) || frameIn(line, cwd) === null;
}

function contextOf(lines: readonly string[], cwd: string, isPython: boolean): readonly string[] {
  const own = withoutForeign(lines, cwd);
  if (!isPython) return [...new Set(own.filter((line) => frameIn(line, cwd) !== null).map((line) => line.trim()))];
  return dedented(own.filter((line) => isFrame(line) || (/^\s{4,}\S/.test(line) && !idle.test(line))));
}

function dedented(lines: readonly string[]): readonly string[] {
  const depth = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  const seen = new Set<string>();
  return lines
    .filter((line) => (line.trim().length < 8 || !seen.has(line.trim())) && seen.add(line.trim()))
    .map((line) => line.slice(depth));
}

function kindOf(error: string): Failure["kind"] {
  if (/^\s*(?:SyntaxError|IndentationError|TabError)\b/m.test(error)) return "build";
  const isMissing = missingPackage(error) !== null || /(?:^|\n)ModuleNotFoundError: No module named '/.test(error);
  return isMissing ? "missing" : "test";
}
