import type { Span } from "./span.ts";

interface Marker extends Span {
  readonly isBegin: boolean;
}

// PEM, OpenSSH and PGP write five dashes, SSH.COM four and a space. Bounded, so that a wall of dashes costs nothing.
const marker = /-{4,5} ?(BEGIN|END) (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;
// The largest real key blocks (PGP with many subkeys) are smaller; markers further apart do not belong together.
const maxBlock = 65_536;
// Keys are wrapped at 64 or more; runs this long are rare in code and prose between two markers that are only mentioned.
const keyMaterial = /[A-Za-z0-9+/=]{24}/;
const keyRun = /[A-Za-z0-9+/=]{24,}/g;
const keyLine = /[A-Za-z0-9+/=]{40}/;
const headerLine = /^[^A-Za-z]{0,20}(?:Proc-Type|DEK-Info|Version|Comment|Subject|Hash|Charset|MessageID): /;
// The rest of a key, after a line number or `file:12:` as reading and searching tools print them.
const shortLine =
  /^(?:\S{1,160}[:-][0-9]{1,6}[:-]|\s{0,12}[0-9]{1,6}[\t:|→ ])?[^\w+/]{0,20}[\w+/]{1,80}={0,2}[\s"',\\]{0,20}$/;
// The next member of a JSON object. Its string was closed before, and redaction must not reopen it.
const otherValue = /[{}]|\\{0,7}"\s{0,200}:\s{0,200}(?:\\{0,7}["[{]|[-0-9tfn])/;
// A line end, or the two characters that stand for it inside JSON and source code.
const lineEnd = /\r?\n|(?:\\r)?\\n/g;

/** Whole private keys, and the remains of keys whose beginning or end is cut off. Sorted, without overlap. */
export function findPrivateKeys(text: string): readonly Span[] {
  if (!text.includes("PRIVATE KEY")) return [];
  const markers = [...text.matchAll(marker)].map(toMarker);
  const keys: Span[] = [];
  const mentions: Span[] = [];
  let free = 0;
  for (let i = 0; i < markers.length; i++) {
    const here = markers[i] as Marker;
    const next = markers[i + 1];
    const end = here.isBegin && next && !next.isBegin && next.from - here.to <= maxBlock ? next : null;
    const key = end ? wholeKey(text, here, end) : cutOffKey(text, here, free, next?.from ?? text.length);
    if (key) keys.push(key);
    else mentions.push(here, ...(end ? [end] : []));
    if (end) i++;
    free = key?.to ?? end?.to ?? here.to;
  }
  // Beside a key, bare markers go too: otherwise they would form new pairs in the next pass.
  return keys.length === 0 ? [] : [...keys, ...mentions].sort((one, other) => one.from - other.from);
}

/** Where a private key begins whose end has not arrived yet, or -1. */
export function openKeyStart(text: string): number {
  if (!text.includes("PRIVATE KEY")) return -1;
  const last = [...text.matchAll(marker)].map(toMarker).at(-1);
  if (!last?.isBegin) return -1;
  const whole = text.slice(last.to, text.lastIndexOf("\n") + 1);
  const isKey = linesOf(whole).every(({ from, to }) => isKeyLike(whole.slice(from, to)));
  return isKey ? last.from : -1;
}

function isKeyLike(line: string): boolean {
  return !/[A-Za-z0-9]/.test(line) || keyLine.test(line) || headerLine.test(line) || shortLine.test(line);
}

function toMarker(match: RegExpExecArray): Marker {
  return { from: match.index, to: match.index + match[0].length, isBegin: match[1] === "BEGIN" };
}

function wholeKey(text: string, begin: Marker, end: Marker): Span | null {
  const between = text.slice(begin.to, end.from);
  return keyMaterial.test(between) && !otherValue.test(between) ? { from: begin.from, to: end.to } : null;
}

function cutOffKey(text: string, here: Marker, free: number, limit: number): Span | null {
  if (here.isBegin) {
    const length = leadingKey(text.slice(here.to, Math.min(limit, here.to + maxBlock)));
    return length > 0 ? { from: here.from, to: here.to + length } : null;
  }
  const length = trailingKey(text.slice(Math.max(free, here.from - maxBlock), here.from));
  return length > 0 ? { from: here.from - length, to: here.to } : null;
}

/** How many characters at the beginning belong to a key: headers and blank lines, full lines, one short last line. */
function leadingKey(text: string): number {
  let keyLength = 0;
  for (const line of linesOf(text)) {
    const whole = text.slice(line.from, line.to);
    const start = linePrefix.exec(whole)?.[0].length ?? 0;
    const body = insideString(whole.slice(start));
    const end = line.from + start + endOfKey(body);
    // The name of the next value.
    if (/^\\*"\s{0,200}:/.test(whole.slice(start + body.length))) return keyLength;
    if (keyLine.test(body)) keyLength = end;
    else if (keyLength > 0) return shortLine.test(body) ? end : keyLength;
    else if (isCutShort(body)) return end;
    else if (/[A-Za-z0-9]/.test(body) && !headerLine.test(body)) return 0;
    if (otherValue.test(whole)) return keyLength;
  }
  return keyLength;
}

// In code, a key may be concatenated from one string per line.
const linePrefix = /^(?:[^\s"]{1,160}[:-][0-9]{1,6}[:-]|\s{0,12}[0-9]{1,6}[\t:|→ ])?[\s"',;+()\\[\]]{0,40}/;

/** Stops at the quote that ends a string. */
function insideString(text: string): string {
  const end = text.search(/\\*"/);
  return end < 0 ? text : text.slice(0, end);
}

/** How many characters at the end belong to a key: the full lines, and the short one after them, whatever it looks like. */
function trailingKey(text: string): number {
  let keyLength = 0;
  let sawOther = false;
  for (const line of linesOf(text).reverse()) {
    const start = line.from + stringStart(text.slice(line.from, line.to));
    const body = text.slice(start, line.to);
    const isBlank = !/\w/.test(body);
    if (keyLine.test(body) || isCutShort(body)) keyLength = text.length - start - startOfKey(body);
    else if (!isBlank && (keyLength > 0 || sawOther)) break;
    else if (!isBlank) sawOther = true;
    // The string began here: the text before it is another value.
    if (/[^\s"'+\\]/.test(text.slice(line.from, start))) break;
  }
  return keyLength;
}

/** After the quote that opens the last string of a line; skips the quote that closes it. */
function stringStart(line: string): number {
  let end = line.length;
  while (end > 0 && /[\s"',;+)\\\]]/.test(line[end - 1] ?? "")) end--;
  return line.lastIndexOf('"', end - 1) + 1;
}

/** Quotes and brackets around a key are not part of it: without them the JSON would be invalid. */
function endOfKey(line: string): number {
  const last = [...line.matchAll(keyRun)].at(-1);
  if (last) return last.index + last[0].length;
  let end = line.length;
  while (end > 0 && !/[\w+/=]/.test(line[end - 1] ?? "")) end--;
  return end;
}

function startOfKey(line: string): number {
  const start = line.search(keyMaterial);
  // The letter of an escaped tab belongs to its backslash.
  return line[start - 1] === "\\" && /[nrtbf]/.test(line[start] ?? "") ? start + 1 : start;
}

/** The rest of a key that was cut within a line. */
function isCutShort(line: string): boolean {
  return keyMaterial.test(line) && shortLine.test(line);
}

function linesOf(text: string): Span[] {
  const lines: Span[] = [];
  let from = 0;
  for (const end of text.matchAll(lineEnd)) {
    lines.push({ from, to: end.index });
    from = end.index + end[0].length;
  }
  lines.push({ from, to: text.length });
  return lines;
}
