/** A stretch of text, `from` included, `to` not. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

interface Marker extends Span {
  readonly isBegin: boolean;
}

// PEM, OpenSSH and PGP write five dashes, SSH.COM four and a space. Bounded, so that a wall of dashes costs nothing.
const marker = /-{4,5} ?(BEGIN|END) (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;
// The largest real key blocks (PGP with many subkeys) are smaller; further apart, two markers do not belong together.
const maxBlock = 65_536;
// Keys are wrapped at 64 or more; runs this long are rare in code and prose between two markers that are only mentioned.
const keyMaterial = /[A-Za-z0-9+/=]{24}/;
const keyLine = /[A-Za-z0-9+/=]{40}/;
const headerLine = /^[^A-Za-z]{0,20}(?:Proc-Type|DEK-Info|Version|Comment|Subject|Hash|Charset|MessageID): /;
// The rest of a key, after a line number or `file:12:` as reading and searching tools print them.
const shortLine =
  /^(?:\S{1,160}[:-][0-9]{1,6}[:-]|\s{0,12}[0-9]{1,6}[\t:|→ ])?[^\w+/]{0,20}[\w+/]{1,80}={0,2}[\s"',\\]{0,20}$/;
// A line ends as a line, or as the two characters that stand for it inside JSON and source code.
const lineEnd = /\r?\n|(?:\\r)?\\n/g;

/** Whole private keys, and what is left of one whose beginning or end was cut off. In order, without overlap. */
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
    const key = end ? wholeKey(text, here, end) : remains(text, here, free, next?.from ?? text.length);
    if (key) keys.push(key);
    else mentions.push(here, ...(end ? [end] : []));
    if (end) i++;
    free = key?.to ?? end?.to ?? here.to;
  }
  // Beside a key, bare markers go too: left behind, they would pair up anew when the result is looked at again.
  return keys.length === 0 ? [] : [...keys, ...mentions].sort((one, other) => one.from - other.from);
}

function toMarker(match: RegExpExecArray): Marker {
  return { from: match.index, to: match.index + match[0].length, isBegin: match[1] === "BEGIN" };
}

function wholeKey(text: string, begin: Marker, end: Marker): Span | null {
  return keyMaterial.test(text.slice(begin.to, end.from)) ? { from: begin.from, to: end.to } : null;
}

function remains(text: string, here: Marker, free: number, limit: number): Span | null {
  if (here.isBegin) {
    const length = leadingKey(text.slice(here.to, Math.min(limit, here.to + maxBlock)));
    return length > 0 ? { from: here.from, to: here.to + length } : null;
  }
  const length = trailingKey(text.slice(Math.max(free, here.from - maxBlock), here.from));
  return length > 0 ? { from: here.from - length, to: here.to } : null;
}

/** How many characters at the beginning belong to a key: headers and blank lines, full lines, one short last line. */
function leadingKey(text: string): number {
  let taken = 0;
  for (const line of linesOf(text)) {
    const body = text.slice(line.from, line.to);
    if (keyLine.test(body)) taken = line.to;
    else if (taken > 0) return shortLine.test(body) ? line.to : taken;
    else if (isCutShort(body)) return line.to;
    else if (/[A-Za-z0-9]/.test(body) && !headerLine.test(body)) return 0;
  }
  return taken;
}

/** How many characters at the end belong to a key: the full lines, and the short one after them, whatever it looks like. */
function trailingKey(text: string): number {
  let taken = 0;
  let sawOther = false;
  for (const line of linesOf(text).reverse()) {
    const body = text.slice(line.from, line.to);
    const isBlank = !/\S/.test(body);
    if (keyLine.test(body) || isCutShort(body)) taken = text.length - line.from;
    else if (!isBlank && (taken > 0 || sawOther)) break;
    else if (!isBlank) sawOther = true;
  }
  return taken;
}

/** All that a cut within a line left of a key. */
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
