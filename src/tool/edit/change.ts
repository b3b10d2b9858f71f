import { isAscii } from "node:buffer";
import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { type ErrorInfo, fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ChangePlan, ToolContext } from "../../contract/tool.ts";
import { ioFailure } from "../../platform/files/failure.ts";
import { type LoadedFile, loadFile, maxWholeBytes, stampOf, tooBig } from "../../platform/files/open.ts";
import type { LocatedPath } from "../../platform/files/path.ts";
import {
  decodeText,
  detectForm,
  type Encoding,
  encodeText,
  newFileForm,
  type TextForm,
} from "../../platform/files/text/encoding.ts";
import { isBinary } from "../../platform/files/text/page.ts";

/** An existing file that this session has read and that nobody has changed since. */
export function loadForChange(at: LocatedPath, ctx: ToolContext): Result<LoadedFile> {
  const loaded = loadFile(at);
  if (!loaded.ok) return loaded;
  const unknown = unknownTo(ctx, at, loaded.value);
  return unknown === null ? loaded : { ok: false, error: unknown };
}

/** Why the file must be read (again) before it may be changed. */
export function unknownTo(ctx: ToolContext, at: LocatedPath, { bytes, stamp }: LoadedFile): ErrorInfo | null {
  const unknown = ctx.readsByItself ? null : conflictOf(ctx.knownHash(at.real), stamp.hash, at);
  // Advising the model to read a binary file would lead nowhere.
  return unknown !== null && decodeText(bytes) === null ? isBinary(at, bytes, bytes.length).error : unknown;
}

function conflictOf(known: string | undefined, current: string, at: LocatedPath): ErrorInfo | null {
  if (known === current) return null;
  const key = known === undefined ? "file.never_read" : "file.changed";
  return fail("E_CONFLICT", phrase(key, { path: visible(at.shown) }), { advice: phrase("advice.read_first") }).error;
}

/** A new file needs a parent directory, or a path on which directories can be created. */
export function checkParent(at: LocatedPath): Result<null> {
  try {
    for (let folder = dirname(at.real); ; folder = dirname(folder)) {
      const stat = lstatSync(folder, { throwIfNoEntry: false });
      if (stat?.isDirectory()) return ok(null);
      if (stat !== undefined) return fail("E_IO", phrase("file.parent_is_file", { path: visible(at.shown) }));
    }
  } catch (error) {
    return ioFailure(error, visible(at.shown));
  }
}

export function encodeFor(at: LocatedPath, text: string, form: TextForm): Result<Buffer> {
  const bytes = encodeText(text, form);
  if (Buffer.isBuffer(bytes)) return bytes.length > maxWholeBytes ? tooBig(at, bytes.length) : ok(bytes);
  return misfit(at, bytes.misfit, form.encoding);
}

/** Any change of one file, said as a call of `write`. */
export function inFull(path: string, content: string) {
  return { tool: "write", input: { path, content } };
}

/** Rejects lone surrogates: some encodings could store them, but no program could read them back. */
export function checkWhole(at: LocatedPath, text: string): Result<null> {
  return text.isWellFormed() ? ok(null) : misfit(at, "\ufffd", newFileForm.encoding);
}

function misfit(at: LocatedPath, char: string, encoding: Encoding) {
  return fail("E_INVALID_ARGS", phrase("file.misfit", { char: visible(char), encoding, path: visible(at.shown) }));
}

/** The bytes are right in the file's encoding, but a program that guesses the encoding, as we do, may now guess another one. */
export function formNotes(bytes: Buffer, { encoding }: TextForm): readonly string[] {
  if (isAscii(bytes)) return [];
  const now = detectForm(bytes)?.encoding;
  if (now === encoding || (now !== undefined && narrower[encoding] === now)) return [];
  return [`(written in ${encoding}, as before; the new content alone looks like ${now ?? "binary data"})`];
}

/** What the file is detected as once it loses the last character that the narrower encoding lacks. */
const narrower: Partial<Record<Encoding, Encoding>> = {
  gb18030: "gbk",
  "windows-1252": "latin-1",
  "utf-8 with stray bytes": "utf-8",
};

export function refuseElision(line: string, path: string) {
  const text = phrase("file.elision", { path, line: visible(line) });
  return fail("E_INVALID_ARGS", text, { advice: phrase("advice.write_out") });
}

export function planOf(
  at: LocatedPath,
  old: LoadedFile | null,
  bytes: Buffer,
  report: { text: string; data: object },
): ChangePlan {
  const mode = old?.stamp.mode ?? 0o666 & ~process.umask();
  const change = { path: at.shown, real: at.real, before: old?.stamp ?? null, after: stampOf(bytes, mode) };
  return {
    changes: [{ change, beforeBytes: old?.bytes ?? null, afterBytes: bytes }],
    text: [report.text, ...(old === null ? [] : notesOn(old))].join("\n"),
    data: { path: at.shown, bytes: bytes.length, ...report.data },
  };
}

/** Properties of the old file that writing by rename cannot keep. */
export function notesOn(old: LoadedFile): readonly string[] {
  const user = process.geteuid?.() ?? 0;
  return [
    ...(old.links > 1 ? [`(the file had ${old.links} hard links; its other names keep the old content)`] : []),
    ...(user !== 0 && old.owner !== user ? ["(the file belonged to another user and is now owned by this one)"] : []),
  ];
}

export function lineCount(text: string): number {
  return text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0);
}
