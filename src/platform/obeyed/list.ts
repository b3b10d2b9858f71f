import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { kindOf } from "../changes/file-stat.ts";
import { orNull } from "../files/probe.ts";
import type { EntryKind, Listed } from "./where.ts";

/** Never follows a symlink; `null`: missing or unreachable. */
export function kindAt(path: Buffer): EntryKind | null {
  const stat = orNull(() => lstatSync(path as unknown as string, { throwIfNoEntry: false }));
  return stat ? kindOf(stat.mode) : null;
}

/** `null`: unreadable or gone. */
export function listFolder(path: Buffer): readonly Listed[] | null {
  // The declared types allow only strings; the runtime accepts bytes, and returns Latin-1.
  const options = { withFileTypes: true, encoding: "latin1" as "utf8" } as const;
  const found = orNull(() => readdirSync(path as unknown as string, options));
  return found?.map((one) => ({ name: one.name, kind: kindOfEntry(one, path) })) ?? null;
}

function kindOfEntry(one: Dirent, folder: Buffer): EntryKind {
  if (one.isDirectory()) return "folder";
  if (one.isFile()) return "file";
  if (one.isSymbolicLink()) return "link";
  // Some file systems do not report the type.
  return kindAt(Buffer.concat([folder, Buffer.from(`/${one.name}`, "latin1")])) ?? "other";
}
