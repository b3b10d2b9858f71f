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

/** The file shrinks to the smaller limits, so that it is not rewritten every time. */
const maxBytes = 2 ** 20;
const keptBytes = maxBytes * 0.75;
const maxEntries = 1_250;
const keptEntries = 1_000;
/** Longer entries would push out too many others. */
const maxLine = 64 * 1024;

/** Stores the inputs of a workspace as JSON lines, in their original words like the log. Best effort: failures are ignored. */
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

/** The newest occurrence of each text, within the limits. */
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

/** `null` for a line torn by a kill. */
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

/** Appends in a single write, so that concurrent lines stay separate; retries if the file was replaced meanwhile. */
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

/** Under a lock. Lines that others append to the old file meanwhile are copied; later ones go to the new file. */
async function shrink(home: string, file: string): Promise<void> {
  const { whileLocked } = await import("../../config/file/write.ts");
  // Without a lock, or on a full disk, it shrinks another time.
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

function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
