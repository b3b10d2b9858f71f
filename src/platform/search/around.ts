// Shows the surroundings of a hit in a line that is too long, instead of the line's beginning.
import { closeSync, readSync } from "node:fs";
import { decodeText } from "../files/text/encoding.ts";
import { brokenEnd, brokenStart } from "../process/border.ts";
import { openHeld, realOf } from "./held.ts";
import { type Program, runRipgrep } from "./rg.ts";
import { maxLineChars, type SearchPlace } from "./wish.ts";

export interface LongHit {
  readonly path: Buffer;
  readonly line: number;
}

/** A hit nearer to the beginning of its line than this is visible in the shortened line. */
const nearBytes = 300;
const beforeBytes = 120;
const afterBytes = 280;
/** Limit for ripgrep's output of positions: nobody reads the last of so many matches. */
const maxOutput = 64 * 2 ** 20;
const maxFiles = 50;

const keyOf = ({ path, line }: LongHit): string => `${line} ${path.toString("latin1")}`;

/** The text around the first match in each line, by `keyOf`. Reads the file at its real path and never trusts ripgrep's bytes. */
export async function around(
  hits: readonly LongHit[],
  { pattern, ...place }: SearchPlace & { readonly pattern: string },
  rg?: Program,
): Promise<(hit: LongHit) => string | null> {
  const files = [...Map.groupBy(hits, ({ path }) => path.toString("latin1")).values()].slice(0, maxFiles);
  const wanted = new Map(files.flat().map((hit) => [keyOf(hit), hit]));
  const shown = new Map<string, string>();
  if (wanted.size === 0) return () => null;
  const take = (hit: LongHit, offset: number): boolean => {
    const key = keyOf(hit);
    if (wanted.has(key) && !shown.has(key)) shown.set(key, textAt(realOf(hit.path, place.root), offset) ?? "");
    return shown.size < wanted.size;
  };
  const flags = ["--no-config", "--no-messages", "--hidden", "--no-ignore", "--color=never", "--null", "--engine=auto"];
  const where = ["--only-matching", "--byte-offset", "--line-number", "--no-heading", "--with-filename", "--crlf"];
  // A name that is not UTF-8 cannot be passed as an argument.
  const names = files.map(([hit]) => hit?.path.toString("utf8") ?? "").filter((name) => !name.includes("\ufffd"));
  const argv = [...flags, ...where, "--max-columns=1", "-e", pattern, "--", ...names];
  await runRipgrep(rg, argv, place, splitPlaces(take));
  return (hit) => shown.get(keyOf(hit)) || null;
}

/** Records are `path NUL line:offset:…`, one per line. */
function splitPlaces(take: (hit: LongHit, offset: number) => boolean): (chunk: Buffer) => boolean {
  let open: Buffer = Buffer.alloc(0);
  let total = 0;
  return (chunk) => {
    total += chunk.length;
    let bytes = open.length === 0 ? chunk : Buffer.concat([open, chunk]);
    for (;;) {
      const middle = bytes.indexOf(0);
      const end = middle === -1 ? -1 : bytes.indexOf(10, middle);
      if (end === -1) break;
      const [, line, offset] =
        /^(\d+):(\d+):/.exec(bytes.toString("latin1", middle + 1, Math.min(end, middle + 50))) ?? [];
      const path = Buffer.from(bytes.subarray(0, middle));
      if (line !== undefined && !take({ path, line: Number(line) }, Number(offset))) return false;
      bytes = bytes.subarray(end + 1);
    }
    open = Buffer.from(bytes);
    return total < maxOutput;
  };
}

/** Within one line, and never from the middle of a word: half a secret is not recognised as one. */
function textAt(real: Buffer, offset: number): string | null {
  const fd = openHeld(real);
  if (fd === null) return null;
  try {
    const from = Math.max(0, offset - nearBytes);
    const bytes = Buffer.alloc(offset - from + afterBytes);
    const read = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
    const head = read.subarray(0, offset - from);
    // The beginning of the line is near enough to show the hit.
    if (from === 0 || head.includes(10)) return null;
    return together(head.subarray(-beforeBytes), read.subarray(offset - from));
  } finally {
    closeSync(fd);
  }
}

/** This much of a word whose beginning is cut off: enough to see the hit, too little of a key to be of use. */
const ofWord = /^([\w.~+/=%-]{40})[\w.~+/=%-]+/;

function together(before: Buffer, after: Buffer): string {
  const head = before.subarray(brokenStart(before, before.length));
  const tail = tailText(after);
  return `… ${text(head)}${head.length === 0 ? tail.replace(ofWord, "$1…") : tail}`;
}

function tailText(bytes: Buffer): string {
  const end = bytes.indexOf(10);
  if (end !== -1) return text(bytes.subarray(0, end)).replace(/\r$/, "");
  if (bytes.length < afterBytes) return text(bytes);
  return `${text(bytes.subarray(0, bytes.length - brokenEnd(bytes, afterBytes / 2)))} …`;
}

function text(bytes: Buffer): string {
  return (decodeText(Buffer.from(bytes))?.text ?? bytes.toString("latin1")).toWellFormed();
}

export function shownAround(line: string, at: number): string | null {
  if (line.length <= maxLineChars || at < nearBytes) return null;
  return together(Buffer.from(line.slice(at - beforeBytes, at)), Buffer.from(line.slice(at, at + afterBytes)));
}
