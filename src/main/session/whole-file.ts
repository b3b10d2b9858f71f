import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fail, ok, type Result } from "../../contract/error.ts";
import type { Exported } from "../../contract/export.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { isWriterGone, writerForm, writerName } from "../../platform/identity.ts";

/** The time between yields to the event loop. */
const sliceMs = 20;

/**
 * Writes a private file atomically, even if we are killed. `replace` is only for names that are ours; a file of somebody else is never
 * overwritten.
 */
export async function writeWhole(path: string, pieces: Iterable<string>, replace: boolean): Promise<Result<Exported>> {
  const exists = fail("E_CONFLICT", phrase("export.exists", { path }), { advice: phrase("export.exists.advice") });
  if (!replace && lstatSync(path, { throwIfNoEntry: false })) return exists;
  const temp = join(dirname(path), `.${basename(path)}.${writerName()}.tmp`);
  try {
    removeStale(dirname(path), basename(path));
    const bytes = await fill(temp, pieces);
    try {
      if (replace) renameSync(temp, path);
      else putNew(temp, path);
    } finally {
      rmSync(temp, { force: true });
    }
    return ok({ path, bytes });
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined || code.startsWith("SQLITE")) throw error;
    if (code === "EEXIST") return exists;
    return fail("E_IO", phrase("export.unwritten", { path, code }), { advice: phrase("export.unwritten.advice") });
  }
}

/** A hard link fails if the name was taken meanwhile; a rename would replace it. */
function putNew(temp: string, path: string): void {
  try {
    linkSync(temp, path);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP"].includes(errnoOf(error) ?? "")) throw error;
    renameSync(temp, path);
  }
}

async function fill(temp: string, pieces: Iterable<string>): Promise<number> {
  const encoder = new TextEncoder();
  const fd = openSync(temp, "wx", 0o600);
  let bytes = 0;
  try {
    let sliceEnd = performance.now() + sliceMs;
    for (const piece of pieces) {
      const chunk = encoder.encode(piece);
      for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
      bytes += chunk.length;
      if (performance.now() < sliceEnd) continue;
      await new Promise<void>((resolve) => setImmediate(resolve));
      sliceEnd = performance.now() + sliceMs;
    }
    fsyncSync(fd);
    return bytes;
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

const tempEnd = new RegExp(`^(${writerForm})\\.tmp$`);

/** Removes what killed exports of the same name left behind. */
function removeStale(folder: string, name: string): void {
  for (const found of readdirSync(folder)) {
    if (!found.startsWith(`.${name}.`)) continue;
    const writer = tempEnd.exec(found.slice(name.length + 2))?.[1];
    const since = lstatSync(join(folder, found), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (writer !== undefined && isWriterGone(writer, since)) rmSync(join(folder, found), { force: true });
  }
}
