// The shortest output that turns one screen line into another: the common start and end stay in place.
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
  if (visibleWidth(now) < visibleWidth(old)) return anew(now);
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
  return [...text.replace(style, "")];
}

/** The code that ends the style that `code` starts. */
function closes(code: string): string | null {
  if (code === "1" || code === "2") return "22";
  if (code === "3" || code === "4" || code === "7" || code === "9") return `2${code}`;
  if (/^(?:3[0-7]|38;|9[0-7])/.test(code)) return "39";
  return /^(?:4[0-7]|48;|10[0-7])/.test(code) ? "49" : null;
}

const style = /\x1b\[([\d;]*)m|\x1b\]8;[^;]*;([^\x07]*)\x07/g;

/** Characters whose width is the same in all terminals: ASCII, and wide Chinese, Japanese and Korean characters. */
const sure = /^[\x00-\x7f\u3000-\u3029\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*/;

function sameUntil(old: string, now: string): number {
  const most = Math.min(old.length, now.length, sure.exec(now)?.[0].length ?? 0);
  let same = 0;
  while (same < most && old.charCodeAt(same) === now.charCodeAt(same)) same++;
  // A combining mark may belong to the character before it.
  const isJoined = [old, now].some((text) => text.charCodeAt(same) >= 0x80);
  return neutralUntil(now, isJoined ? Math.max(0, same - 1) : same);
}

/** The last index up to `end` where no style is open and no escape sequence is split. */
function neutralUntil(line: string, end: number): number {
  const open = new Set<string>();
  let isLinked = false;
  let neutral = 0;
  style.lastIndex = 0;
  for (let found = style.exec(line); found !== null && found.index < end; found = style.exec(line)) {
    if (open.size === 0 && !isLinked) neutral = found.index;
    const [whole, code, url] = found;
    if (found.index + whole.length > end) return neutral;
    if (url !== undefined) isLinked = url !== "";
    else follow(open, code ?? "");
    if (open.size === 0 && !isLinked) neutral = found.index + whole.length;
  }
  return open.size === 0 && !isLinked ? end : neutral;
}

function follow(open: Set<string>, code: string): void {
  if (code === "" || code === "0") {
    open.clear();
    return;
  }
  const closing = closes(code);
  if (closing === null) open.delete(code);
  else open.add(closing);
}

function isClosed(line: string): boolean {
  return !line.includes("\x1b") || neutralUntil(line, line.length) === line.length;
}

/** The first index from `from` on where no style is open. */
function closedFrom(line: string, from: number): number {
  if (neutralUntil(line, from) === from) return from;
  style.lastIndex = 0;
  for (let found = style.exec(line); found !== null; found = style.exec(line)) {
    const behind = found.index + found[0].length;
    const at = style.lastIndex;
    if (behind >= from && neutralUntil(line, behind) === behind) return behind;
    style.lastIndex = at;
  }
  return line.length;
}
