import { lstatSync, readdirSync } from "node:fs";
import { kindOf } from "../changes/file-stat.ts";
import { errnoOf } from "../files/failure.ts";
import type { EntryKind, Listed } from "./where.ts";

/** Never follows a symlink; `null`: missing or unreachable. */
export function kindAt(path: Buffer): EntryKind | null {
  try {
    const stat = lstatSync(path as unknown as string, { throwIfNoEntry: false });
    return stat === undefined ? null : kindOf(stat.mode);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}

/** `null`: unreadable or gone. */
export function listFolder(path: Buffer): readonly Listed[] | null {
  try {
    // The declared types allow only strings; the runtime accepts bytes, and returns Latin-1.
    const found = readdirSync(path as unknown as string, { withFileTypes: true, encoding: "latin1" as "utf8" });
    return found.map((one) => {
      if (one.isDirectory()) return { name: one.name, kind: "folder" };
      if (one.isFile()) return { name: one.name, kind: "file" };
      if (one.isSymbolicLink()) return { name: one.name, kind: "link" };
      // Some file systems do not report the type.
      return { name: one.name, kind: kindAt(Buffer.concat([path, Buffer.from(`/${one.name}`, "latin1")])) ?? "other" };
    });
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}
