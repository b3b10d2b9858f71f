// Translates every failure of the disk or SQLite. SQLite's own texts stay in `cause`.
import { SQLiteError } from "bun:sqlite";
import { CoderError } from "../contract/error.ts";
import { type PhraseArgs, phrase, type TextKey } from "../contract/text/catalogue.ts";

/** How long SQLite waits for another process's transaction; ours take milliseconds. */
export const busySeconds = 5;

export function storeFault(text: TextKey, args: PhraseArgs, advice?: TextKey, cause?: unknown): CoderError {
  const details = advice === undefined ? {} : { advice: phrase(advice, args) };
  return new CoderError({ code: "E_STORE", text: phrase(text, args), ...details }, { cause });
}

/** Converts errors of SQLite and the file system to E_STORE. Anything else is a bug and stays as it is. */
export function asStoreFault(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (code === null) return error;
  const args = { path, code, seconds: busySeconds };
  if (code === "SQLITE_FULL" || code === "ENOSPC" || code === "EDQUOT")
    return storeFault("store.full", args, "store.full.advice", error);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return storeFault("store.damaged", args, "store.damaged.advice", error);
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return storeFault("store.busy", args, "store.busy.advice", error);
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code) || /^E(ACCES|PERM|ROFS|NOTDIR|EXIST|ISDIR)$/.test(code))
    return storeFault("store.unwritable", args, "store.unwritable.advice", error);
  if (code.startsWith("SQLITE_IOERR") || !code.startsWith("SQLITE_"))
    return storeFault("store.io", args, "store.io.advice", error);
  return storeFault("store.failed", args, undefined, error);
}

function codeOf(error: unknown): string | null {
  if (error instanceof SQLiteError) return error.code ?? `SQLITE_${error.errno}`;
  const isSystemError = error instanceof Error && "syscall" in error && "code" in error;
  return isSystemError ? String(error.code) : null;
}
