import { constants, fstatSync, readlinkSync } from "node:fs";
import { readAll } from "../files/open.ts";
import { orNull, withOpen } from "../files/probe.ts";
import { changedAt, kindOf, type Stamp, slackOf, writtenAt } from "./file-stat.ts";
import { type Content, indexPath, joined, pathBytes, shown } from "./file-tree.ts";
import type { IndexEntry } from "./index-entries.ts";
import type { Keep } from "./keep.ts";
import { blobId, type Repository } from "./repository.ts";
import { isConverted } from "./rules.ts";
import type { Change } from "./tree-walk.ts";

export interface ReadOptions {
  readonly root: string;
  readonly maxFileBytes: number;
  readonly keep: Keep;
}

/** A file that git considers clean is not read, and content that is found in git's object store is not copied. */
export function contentOf(change: Change, options: ReadOptions): Content {
  const { folder, entry, old } = change;
  const { stamp } = entry;
  const path = joined(folder.path, entry.name);
  const kind = kindOf(stamp.mode);
  if (kind === "link") return linkContent(path, options);
  if (kind !== "file") return unkept("not_a_file");
  const { repository } = folder.place;
  const known = repository?.index?.get(indexPath(folder.place, path)) ?? null;
  const clean = known && cleanBlob(change, known, options.root);
  if (clean !== null) return clean;
  if (stamp.size > options.maxFileBytes) return unkept("too_large");
  const bytes = readHeld(path, stamp, options.root);
  if (typeof bytes === "string") return unkept(bytes);
  const ids = [known?.oid, old?.content?.kind === "blob" ? old.content.id : undefined];
  const id = repository !== null && ids.some((one) => one !== undefined) ? blobId(bytes, repository.hash) : null;
  return id !== null && ids.includes(id) ? { kind: "blob", id } : kept(bytes, options.keep);
}

/** The content if it is known without reading the file; otherwise `null`. */
export function cleanContent(change: Change, root: string): Content | null {
  const { folder, entry } = change;
  const path = joined(folder.path, entry.name);
  const known = folder.place.repository?.index?.get(indexPath(folder.place, path)) ?? null;
  return known !== null && kindOf(entry.stamp.mode) === "file" ? cleanBlob(change, known, root) : null;
}

function cleanBlob({ folder, entry }: Change, known: IndexEntry, root: string): Content | null {
  const { repository, attributes } = folder.place;
  if (repository === null || !isClean(known, entry.stamp, repository, entry.isFresh)) return null;
  const path = joined(folder.path, entry.name);
  const isPlain = attributes === null || !isConverted(attributes, `${root}/${shown(path)}`);
  return isPlain ? { kind: "blob", id: known.oid } : null;
}

/** Stricter than git: compares times to the nanosecond, and rejects entries nearly as recent as the index (git's "racy" ones). */
export function isClean(known: IndexEntry, stamp: Stamp, { indexStamp }: Repository, isFresh: boolean): boolean {
  return (
    known.isPlain &&
    !isFresh &&
    (known.mode & 0o170000) === (stamp.mode & 0o170000) &&
    known.size === stamp.size % 2 ** 32 &&
    known.mtime === stamp.mtime % 2 ** 32 &&
    known.mtimeNs === stamp.mtimeNs &&
    known.ctime === stamp.ctime % 2 ** 32 &&
    known.ctimeNs === stamp.ctimeNs &&
    known.ino === stamp.ino % 2 ** 32 &&
    indexStamp !== null &&
    // Anyone can set an `mtime`, the file's back and that of the index forward.
    Math.max(changedAt(stamp), writtenAt(stamp)) + slackOf(stamp) <
      Math.min(changedAt(indexStamp), writtenAt(indexStamp))
  );
}

function linkContent(path: string, { root, keep }: ReadOptions): Content {
  const read = (): Buffer => readlinkSync(pathBytes(root, path) as unknown as string, { encoding: "buffer" });
  return orNull(() => kept(read(), keep)) ?? unkept("unreadable");
}

function readHeld(path: string, stamp: Stamp, root: string): Buffer | "unreadable" | "maybe_not_ours" {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const read = (fd: number): Buffer | "maybe_not_ours" => {
    const bytes = readAll(fd, stamp.size);
    const { ino, ctimeNs } = fstatSync(fd, { bigint: true });
    const changed = BigInt(stamp.ctime) * 1_000_000_000n + BigInt(stamp.ctimeNs);
    return Number(ino) === stamp.ino && ctimeNs === changed ? bytes : "maybe_not_ours";
  };
  return orNull(() => withOpen(pathBytes(root, path), flags, read)) ?? "unreadable";
}

function kept(bytes: Uint8Array, keep: Keep): Content {
  const id = keep.add(bytes);
  return id === null ? unkept("too_much") : { kind: "kept", id };
}

function unkept(id: Extract<Content, { kind: "unkept" }>["id"]): Content {
  return { kind: "unkept", id };
}

/** A clean file's bytes from git's blob: the same, or with CR before every LF. The size tells which; `null`: neither fits. */
export function onDisk(blob: Buffer, size: number): Buffer | null {
  if (blob.length === size) return blob;
  if (blob.includes(0x0d)) return null;
  const text = blob.toString("latin1").replaceAll("\n", "\r\n");
  return text.length === size ? Buffer.from(text, "latin1") : null;
}
