import { closeSync, fstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../platform/files/failure.ts";
import { readAll } from "../../platform/files/open.ts";
import { decodeText } from "../../platform/files/text/encoding.ts";
import { openHeld } from "../../platform/search/held.ts";

/** A bigger file is indexed by its path only. */
const maxBytes = 512 * 1024;
const maxSideBytes = 64 * 1024;

export interface Content {
  readonly hash: string;
  /** Empty for binary, too big or generated files. */
  readonly text: string;
}

/** Reads a plain file without following links; `null` if it is missing or unreadable. */
export function contentAt(root: string, path: string, isSide: boolean): Content | null {
  const fd = openHeld(Buffer.from(join(root, path)));
  if (fd === null) return null;
  try {
    const { size, mtimeMs } = fstatSync(fd);
    if (size > (isSide ? maxSideBytes : maxBytes)) return { hash: `${size} ${mtimeMs}`, text: "" };
    const bytes = readOnce(fd, size) ?? readAll(fd, size);
    const text = bytes.length > maxBytes ? "" : (decodeText(bytes)?.text ?? "");
    return { hash: Bun.hash(bytes).toString(36), text: isMade(text) ? "" : text };
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  } finally {
    closeSync(fd);
  }
}

function readOnce(fd: number, size: number): Buffer | null {
  const bytes = Buffer.allocUnsafe(size + 1);
  const got = readSync(fd, bytes, 0, size + 1, 0);
  return got > size ? null : bytes.subarray(0, got);
}

/** Minified or generated: has hardly any lines. */
function isMade(text: string): boolean {
  if (text.length < 20_000) return false;
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return text.length / lines > 500;
}
