// The shortest output that turns one screen line into another: the common start and end stay in place.
import { after, escapes } from "./escapes.ts";
import { visibleWidth } from "./width.ts";

/** No line may leak colours or a link into the next. */
const RESET = "\x1b[0m\x1b]8;;\x07";
/** The whole line: some terminals (tmux) count cells that were erased only at the end when they wrap it. */
const ERASE_LINE = "\x1b[2K";

/** A line for an empty row. */
export function fresh(line: string): string {
  return isClosed(line) ? line : `${line}${RESET}`;
}

/** A line for a row with any content. */
export function anew(line: string): string {
  return `${ERASE_LINE}${fresh(line)}`;
}

export function changed(old: string, now: string): string {
  if (old === now) return "";
  const same = sameUntil(old, now);
  const skipped = visibleWidth(now.slice(0, same));
  const skip = skipped > 0 ? `\x1b[${skipped}C` : "";
  const left = sameAtEnd(old, now, same);
  if (left > 0) return `${skip}${now.slice(same, now.length - left)}`;
  const mayBeShorter = visibleWidth(now) < visibleWidth(old) || !(isCertain(old) && isCertain(now));
  if (mayBeShorter && !now.startsWith(old)) return anew(now);
  return `${skip}${fresh(now.slice(same))}`;
}

/** The number of characters at the end that can stay: the part before has the same width in both, and no style is open there. */
function sameAtEnd(old: string, now: string, same: number): number {
  const most = Math.min(old.length, now.length) - same;
  let count = 0;
  while (count < most && old[old.length - 1 - count] === now[now.length - 1 - count]) count++;
  const start = closedFrom(now, now.length - count);
  count = now.length - start;
  if (count <= 0 || closedFrom(old, old.length - count) !== old.length - count) return 0;
  if (mayJoin(now, start)) return 0;
  return isAsWide(old.slice(same, old.length - count), now.slice(same, start)) ? count : 0;
}

/** In every terminal: each character is the same, or of the same kind. */
function isAsWide(old: string, now: string): boolean {
  const [before, after] = [stripped(old), stripped(now)];
  return (
    before.length === after.length &&
    before.every((one, at) => {
      const [a, b] = [one.codePointAt(0) ?? 0, after[at]?.codePointAt(0) ?? 0];
      return a === b || (a < 0x80 && b < 0x80) || (a >> 8 === 0x28 && b >> 8 === 0x28);
    })
  );
}

function stripped(text: string): readonly string[] {
  return [...text.replace(escapes, "")];
}

/** Characters whose width is the same in all terminals, and that join no other: ASCII, and wide Chinese, Japanese and Korean characters. */
const sure = String.raw`\x00-\x7f\u3000-\u3029\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60`;
const sureStart = new RegExp(`^[${sure}]*`);
/** With the lines and dots that we draw. */
const single = String.raw`[${sure}\xb7\u2026\u2500-\u257f\u2800-\u28ff]`;
const singleStart = new RegExp(`^${single}`);
const onlySingle = new RegExp(`^${single}*$`);

/** All terminals agree on its width. */
function isCertain(line: string): boolean {
  return onlySingle.test(line);
}

function sameUntil(old: string, now: string): number {
  const most = Math.min(old.length, now.length, sureStart.exec(now)?.[0].length ?? 0);
  let same = 0;
  while (same < most && old.charCodeAt(same) === now.charCodeAt(same)) same++;
  let at = neutralUntil(now, same);
  while (at > 0 && (mayJoin(now, at) || mayJoin(old, at))) at = neutralUntil(now, at - 1);
  return at;
}

/** The character there may be a mark that belongs to the one before it. */
function mayJoin(text: string, at: number): boolean {
  if (text.charCodeAt(at) < 0x80 && text[at] !== "\x1b") return false;
  const [first = ""] = stripped(text.slice(at));
  return first !== "" && !singleStart.test(first);
}

/** The last index up to `end` where no style is open and no escape sequence is split. */
function neutralUntil(line: string, end: number): number {
  let [open, neutral] = [0, 0];
  escapes.lastIndex = 0;
  for (let found = escapes.exec(line); found !== null && found.index < end; found = escapes.exec(line)) {
    if (open === 0) neutral = found.index;
    const behind = found.index + found[0].length;
    if (behind > end) return neutral;
    open = after(open, found[0]);
    if (open === 0) neutral = behind;
  }
  return open === 0 ? end : neutral;
}

function isClosed(line: string): boolean {
  return !line.includes("\x1b") || neutralUntil(line, line.length) === line.length;
}

/** The first index from `from` on where no style is open. */
function closedFrom(line: string, from: number): number {
  let open = 0;
  escapes.lastIndex = 0;
  for (let found = escapes.exec(line); found !== null; found = escapes.exec(line)) {
    if (open === 0 && found.index >= from) return from;
    open = after(open, found[0]);
    const behind = found.index + found[0].length;
    if (open === 0 && behind >= from) return behind;
  }
  return open === 0 ? from : line.length;
}
