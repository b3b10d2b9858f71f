// System calls on paths that may be missing, unreadable or replaced at any moment: they answer with nothing instead of throwing.
import {
  accessSync,
  closeSync,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from "node:fs";
import { errnoOf } from "./failure.ts";

/** `null` if a system call fails. Other errors are bugs and pass through. */
export function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}

/** Also true for a dangling symlink. */
export function isThere(path: string): boolean {
  return (orNull(() => lstatSync(path, { throwIfNoEntry: false })) ?? null) !== null;
}

export function realOf(path: string | null): string | null {
  return path === null ? null : orNull(() => realpathSync.native(path));
}

export function isAccessible(path: string, mode: number): boolean {
  // A value of our own, because what `accessSync` returns on success depends on the runtime.
  const isAllowed = orNull(() => {
    accessSync(path, mode);
    return true;
  });
  return isAllowed === true;
}

export function readText(file: string, encoding: "utf8" | "latin1" = "utf8"): string {
  return orNull(() => readFileSync(file, encoding)) ?? "";
}

export function listNames(folder: string): readonly string[] {
  return orNull(() => readdirSync(folder)) ?? [];
}

export function listEntries(folder: string): readonly Dirent[] {
  return orNull(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}

/** Throws what the system says. The declared types of `openSync` allow only strings; the runtime accepts bytes. */
export function withOpen<T>(path: string | Buffer, flags: number, use: (fd: number) => T): T {
  const fd = openSync(path as string, flags);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}
