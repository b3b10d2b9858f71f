import { type BigIntStats, existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../files/failure.ts";
import { bytesOf } from "./facts.ts";
import { type TrackedFile, trackedFiles } from "./index-file.ts";
import { gitFolderOf } from "./named.ts";

const looked = new Map<string, { readonly stamp: string; readonly files: readonly TrackedFile[] | null }>();

/** Tracked files whose names fit (every caller passes the same `fits`); `null`: unknown. */
export function trackedThatFit(workspace: string, fits: (name: string) => boolean): readonly TrackedFile[] | null {
  const folder = gitFolderOf(workspace);
  if (folder === null) return existsSync(join(workspace, ".git")) ? null : [];
  const path = join(folder, "index");
  const stat = statOf(path);
  if (stat === undefined) return [];
  const stamp = [stat.ino, stat.size, stat.ctimeNs].join(" ");
  const known = looked.get(path);
  if (known?.stamp === stamp) return known.files;
  const bytes = bytesOf(folder, "index");
  const all = bytes && (trackedFiles(bytes, 20) ?? trackedFiles(bytes, 32));
  const files = all?.filter(({ name }) => fits(name)) ?? null;
  looked.set(path, { stamp, files });
  return files;
}

/** Whether the file on the disk may differ from the index. A file as recent as the index may have changed since. */
export function mayBeChanged(workspace: string, { name, size, changedNs, touchedNs }: TrackedFile): boolean {
  const folder = gitFolderOf(workspace);
  const now = statOf(join(workspace, name));
  const index = folder === null ? undefined : statOf(join(folder, "index"));
  const isSame = now?.size === BigInt(size) && now.mtimeNs === changedNs && now.ctimeNs === touchedNs;
  return !isSame || changedNs >= (index?.mtimeNs ?? 0n);
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false, bigint: true });
  } catch (error) {
    if (errnoOf(error) !== "ENOTDIR") throw error;
    return undefined;
  }
}
