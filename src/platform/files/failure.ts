import { CoderError, type ErrorInfo, fail } from "../../contract/error.ts";
import { phrase, type TextKey } from "../../contract/text/catalogue.ts";

/** `ENOENT`, `EACCES`… of a failed system call; `undefined` for anything else. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** What `work` returns, or `instead` if a system call in it fails. Anything else is a bug and is rethrown. */
export function orElse<T>(work: () => T, instead: T): T {
  try {
    return work();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return instead;
  }
}

const known: Readonly<Record<string, TextKey>> = {
  ENOENT: "file.missing",
  ENOTDIR: "file.parent_is_file",
  EACCES: "file.denied",
  EPERM: "file.denied",
  EBUSY: "file.busy",
  EROFS: "file.read_only_disk",
  ENOSPC: "file.no_space",
  EDQUOT: "file.no_space",
};

/** Advice other than to check the path. */
const advised: Readonly<Record<string, TextKey>> = {
  EBUSY: "advice.use_shell",
  EROFS: "advice.read_only_disk",
  ENOSPC: "advice.no_space",
  EDQUOT: "advice.no_space",
};

const passing = new Set(["EAGAIN", "EBUSY", "EINTR", "EIO", "EMFILE", "ENFILE", "ENOMEM", "ESTALE", "ETIMEDOUT"]);

/** Converts a failed system call to an expected failure; anything else is a bug and is rethrown. */
export function ioFailure(error: unknown, path: string): { ok: false; error: ErrorInfo } {
  // A Result that was thrown inside this room, so that one catch handles both.
  if (error instanceof CoderError) return { ok: false, error: error.info };
  const code = errnoOf(error);
  if (code === undefined) throw error;
  const more = {
    ...(passing.has(code) ? ({ transient: true } as const) : {}),
    ...(advised[code] ? { advice: phrase(advised[code]) } : {}),
  };
  return fail("E_IO", phrase(known[code] ?? "file.failed", { path, code }), more);
}
