import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { ok } from "../../contract/error.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { sha256 } from "../../platform/files/hash.ts";
import type { InputHistory } from "../../surface/tui/app/deps.ts";

/** Beyond these it is made smaller, with something to spare, so that it is not written anew every time. */
const maxBytes = 2 ** 20;
const keptBytes = maxBytes * 0.75;
const maxEntries = 1_250;
const keptEntries = 1_000;
/** Of one entry: a longer one would push out too many others. */
const maxLine = 64 * 1024;

/**
 * What was sent from this workspace, a line of JSON each, in the words it was sent in, as the log has them. Best effort: whoever
 * cannot write it works on without it.
 */
export function inputHistory(home: string, workspace: string): InputHistory {
  const folder = join(home, "history");
  const file = join(folder, `${sha256(Buffer.from(workspace)).slice(0, 32)}.jsonl`);
  return {
    load: async () => {
      const lines = orNothing(() => linesIn(file)) ?? { all: [], bytes: 0 };
      if (lines.bytes > maxBytes || lines.all.length > maxEntries) await shrink(home, file);
      return newest(lines.all).map(({ text }) => text);
    },
    add: (text) => {
      const line = `${JSON.stringify({ text })}\n`;
      if (line.length > maxLine) return;
      orNothing(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        append(file, line);
      });
    },
  };
}

interface Entry {
  readonly text: string;
  readonly line: string;
}

/** Each text once, where it was sent last; as many as are kept. */
function newest(lines: readonly string[]): readonly Entry[] {
  const found = new Map<string, Entry>();
  let bytes = 0;
  for (const line of lines.toReversed()) {
    const text = textIn(line);
    if (text === null || found.has(text)) continue;
    bytes += Buffer.byteLength(line) + 1;
    if (found.size === keptEntries || bytes > keptBytes) break;
    found.set(text, { text, line });
  }
  return [...found.values()].toReversed();
}

/** A line that somebody was killed in says nothing. */
function textIn(line: string): string | null {
  try {
    const entry: unknown = JSON.parse(line);
    const text = entry !== null && typeof entry === "object" && "text" in entry ? entry.text : null;
    return typeof text === "string" ? text : null;
  } catch {
    return null;
  }
}

function linesIn(file: string): { readonly all: readonly string[]; readonly bytes: number } {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return { all: [], bytes: 0 };
    return { all: textFrom(fd, Math.max(0, stat.size - 2 * maxBytes)).split("\n"), bytes: stat.size };
  } finally {
    closeSync(fd);
  }
}

/** From there to the end. */
function textFrom(fd: number, start: number): string {
  const parts: Buffer[] = [];
  const piece = Buffer.alloc(256 * 1024);
  for (let at = start; ; ) {
    const count = readSync(fd, piece, 0, piece.length, at);
    if (count === 0) return Buffer.concat(parts).toString("utf8");
    parts.push(Buffer.from(piece.subarray(0, count)));
    at += count;
  }
}

const appending =
  constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** In one write, so that two at once stay two lines; again when the file was replaced meanwhile. */
function append(file: string, line: string): void {
  for (let attempt = 0; attempt < 5; attempt++) {
    const fd = openSync(file, appending, 0o600);
    try {
      const { ino, size } = fstatSync(fd);
      const end = Buffer.alloc(1);
      const isTorn = size > 0 && readSync(fd, end, 0, 1, size - 1) === 1 && end[0] !== 0x0a;
      writeSync(fd, isTorn ? `\n${line}` : line);
      if (lstatSync(file, { throwIfNoEntry: false })?.ino === ino) return;
    } finally {
      closeSync(fd);
    }
  }
}

/** One at a time. What others add to the old file meanwhile is taken over; what they add later they add to the new one. */
async function shrink(home: string, file: string): Promise<void> {
  const { whileLocked } = await import("../../config/file/write.ts");
  // A lock that cannot be had, or a full disk: then it is made smaller another time.
  await whileLocked(home, () => ok(orNothing(() => replace(file))));
}

function replace(file: string): void {
  const temp = `${file}.tmp`;
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = fstatSync(fd);
    if (size <= keptBytes && linesIn(file).all.length <= keptEntries) return;
    const kept = newest(linesIn(file).all).map(({ line }) => `${line}\n`);
    rmSync(temp, { force: true });
    const out = openSync(temp, "wx", 0o600);
    try {
      writeFileSync(out, kept.join(""));
    } finally {
      closeSync(out);
    }
    renameSync(temp, file);
    const late = textFrom(fd, size);
    if (late !== "") append(file, late);
  } finally {
    closeSync(fd);
  }
}

/** `undefined`: the disk refused. */
function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
