// Lines from the middle of a private key, without a marker: whole lines of base64 as wide as keys are wrapped.
import type { Span } from "./span.ts";
import { isEncodedText, shapeOf } from "./value.ts";

interface KeyLine extends Span {
  /** The whole line, with its prefix. */
  readonly line: Span;
}

/** PEM and PGP wrap at 64, OpenSSH at 70, mail at 76. */
const narrowest = 60;
const widest = 80;
/** Narrower lines count too, if several have the same width. */
const narrowBlock = 32;
const leastLines = 3;

const isBase64 = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 43;

/** Prefixes and suffixes that tools, programs and files add to a line. */
const prefix = String.raw`^(?:[^\s"]{1,160}[:-][0-9]{1,7}[:-]|[ \t]{0,12}[0-9]{1,7}[\t:|→ ])?[\s"'\x60,;+()\\[\]*#>|-]{0,40}`;
const head = new RegExp(`${prefix}$`);
const opening = new RegExp(prefix);
const tail = /^={0,2}[ \t\r"'`,;+)\]}\\]{0,20}$/;
const marker = /-{4,5} ?(BEGIN|END) ([A-Z0-9 ]{1,60}?)-{4,5}/g;

/** Sorted, without overlap. Each block includes the rest of a cut line before it and the short last line of the key. */
export function findKeyLines(text: string): readonly Span[] {
  const lines = bareLines(text);
  if (lines.length === 0) return [];
  const found: Span[] = [];
  for (const block of blocksOf(lines, text)) {
    const [first, last] = [block[0] as KeyLine, block.at(-1) as KeyLine];
    if (!isWrapped(block) || isPublic(text, first.from)) continue;
    const from = cutLineBefore(text, first.line.from) ?? first.from;
    found.push({ from, to: shortLineAfter(text, last.line.to) ?? last.to });
  }
  return found;
}

/** Where the trailing lines begin that may be the first lines of a key; the text's length if there are none. */
export function openKeyLines(text: string): number {
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  let from = text.length;
  for (let to = end; to > 0 && from > text.length - longestOpen; ) {
    const start = text.lastIndexOf("\n", to - 1) + 1;
    if (!mayBeKeyLine(text.slice(start, to))) break;
    from = start;
    to = start - 1;
  }
  return from;
}

const longestOpen = 65_536;

function mayBeKeyLine(line: string): boolean {
  const rest = line.slice(opening.exec(line)?.[0].length ?? 0);
  const run = /^[A-Za-z0-9+/]{16,80}/.exec(rest)?.[0] ?? "";
  return run !== "" && mayBeKeyRest(run) && tail.test(rest.slice(run.length));
}

/** Checks only every `narrowBlock`-th character: a run long enough contains one of them. */
function bareLines(text: string): readonly KeyLine[] {
  const lines: KeyLine[] = [];
  let done = 0;
  for (let at = narrowBlock - 1; at < text.length; at += narrowBlock) {
    if (at < done || !isBase64(text.charCodeAt(at))) continue;
    let from = at;
    while (from > done && isBase64(text.charCodeAt(from - 1))) from--;
    let to = at + 1;
    while (to < text.length && isBase64(text.charCodeAt(to))) to++;
    done = to;
    // The letter of an escaped line end belongs to its backslash.
    if (text[from - 1] === "\\" && /[nrt]/.test(text[from] as string)) from++;
    const line = bareLine(text, from, to);
    if (line !== null) lines.push(line);
  }
  return lines;
}

/** The run, if it is alone on its line. */
function bareLine(text: string, from: number, to: number): KeyLine | null {
  if (to - from < narrowBlock || to - from > widest || !isRandom(text.slice(from, to))) return null;
  const line = lineAround(text, from, to);
  const [before, behind] = [text.slice(line.from, from), text.slice(to, line.to)];
  // In a string with several lines, other values may precede its opening quote and follow its closing quote.
  const isFirst = /["'`]$/.test(before) && text.startsWith("\\n", line.to);
  const isLast = /^={0,2}\\{0,7}["'`]/.test(behind) && text.startsWith("\\n", line.from - 2);
  if (!(isFirst || head.test(before)) || !(isLast || tail.test(behind))) return null;
  return { from, to: to + (/^=*/.exec(text.slice(to, to + 2))?.[0].length ?? 0), line };
}

/** Longer lines are not lines of a key. */
const reach = 400;

function lineAround(text: string, from: number, to: number): Span {
  const before = text.slice(Math.max(0, from - reach), from);
  const behind = text.slice(to, to + reach);
  const start = Math.max(before.lastIndexOf("\n") + 1, before.lastIndexOf("\\n") + 2, 0);
  const end = behind.search(/\n|\\n/);
  const hasStart = before.includes("\n") || before.includes("\\n");
  return { from: from - before.length + (hasStart ? start : 0), to: end < 0 ? to + behind.length : to + end };
}

/** Alternates between small letters, capitals and digits: no path or name does. */
function isRandom(run: string): boolean {
  const { digits, changes, length } = shapeOf(run);
  return digits > 0 && changes * 3 >= length && /[a-z]/.test(run) && /[A-Z]/.test(run) && !isEncodedText(run);
}

/** Next to a key line, weaker evidence is enough. */
function mayBeKeyRest(run: string): boolean {
  return run.endsWith("=") || (run.length >= 6 && shapeOf(run).changes >= 3);
}

function blocksOf(lines: readonly KeyLine[], text: string): readonly (readonly KeyLine[])[] {
  const blocks: KeyLine[][] = [];
  for (const one of lines) {
    const last = blocks.at(-1)?.at(-1);
    if (last && /^(?:\r?\n|\\n)?$/.test(text.slice(last.line.to, one.line.from))) blocks.at(-1)?.push(one);
    else blocks.push([one]);
  }
  return blocks;
}

function isWrapped(block: readonly KeyLine[]): boolean {
  const width = (block[0] as KeyLine).to - (block[0] as KeyLine).from;
  if (block.some(({ from, to }) => to - from >= narrowest)) return true;
  return block.length >= leastLines && block.slice(0, -1).every(({ from, to }) => to - from === width);
}

/** Between the markers of a certificate, a public key or a signature. */
function isPublic(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - longestOpen), at);
  const last = [...before.matchAll(marker)].at(-1);
  return last?.[1] === "BEGIN" && !(last[2] ?? "").includes("PRIVATE");
}

/** The start of a preceding line of the key whose beginning is cut off. */
function cutLineBefore(text: string, lineStart: number): number | null {
  const end = lineStart - (text.startsWith("\\n", lineStart - 2) ? 2 : 1);
  if (end <= 0) return null;
  const line = lineAround(text, end, end);
  const whole = text.slice(line.from, end);
  const run = /[A-Za-z0-9+/]{4,80}={0,2}[ \t\r"'`,;+\\]{0,20}$/.exec(whole);
  if (run === null || !head.test(whole.slice(0, run.index)) || !mayBeKeyRest(run[0])) return null;
  return line.from + run.index;
}

/** The end of the short last line of a key. */
function shortLineAfter(text: string, lineEnd: number): number | null {
  const start = lineEnd + (text.startsWith("\\n", lineEnd) ? 2 : 1);
  if (start >= text.length) return null;
  const { to } = lineAround(text, start, start);
  const whole = text.slice(start, to);
  const from = opening.exec(whole)?.[0].length ?? 0;
  const run = /^[A-Za-z0-9+/]{1,79}={0,2}/.exec(whole.slice(from))?.[0] ?? "";
  const behind = whole.slice(from + run.length);
  const isEnd = tail.test(behind) || (text.startsWith("\\n", lineEnd) && /^\\{0,7}["'`]/.test(behind));
  return isEnd && mayBeKeyRest(run) ? start + from + run.length : null;
}
