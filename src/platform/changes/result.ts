import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { FileStamp } from "../../contract/message.ts";
import type { PlannedChange } from "../../contract/tool.ts";
import type { Unkept } from "../../contract/undo.ts";
import { sha256 } from "../files/hash.ts";
import { folderMode, linkMode } from "../files/stamp.ts";
import type { Compared, Difference, Side } from "./compare.ts";
import { onDisk } from "./content.ts";
import type { Looked, Sight } from "./look.ts";
import { type Repository, readBlobs } from "./repository.ts";
import { changedAt, kindOf, type Stamp } from "./stat.ts";
import { decoded, shown } from "./tree.ts";

export interface LookTime {
  readonly startedAt: number;
  readonly endedAt: number;
  /** Whether another session has written to this real path meanwhile. */
  readonly isOthers: (real: string) => boolean;
  /** So many bytes may be kept of both sides together. */
  readonly room: number;
}

type Blobs = ReadonlyMap<Repository | null, ReadonlyMap<string, Buffer>>;
type Bytes = { readonly stamp: FileStamp; readonly bytes: Uint8Array } | null;

/** Differences as changes that can be taken back, and those that cannot, by name. */
export async function resultOf(compared: Compared, sight: Sight, time: LookTime): Promise<Looked> {
  const unkept: Unkept[] = [...compared.unkept];
  const wanted = compared.differences.filter((one) => {
    const why = refusal(one, sight, time);
    if (why !== null) unkept.push({ path: shown(one.path), why });
    return why === null;
  });
  const blobs = await blobsOf(wanted);
  const changes: PlannedChange[] = [];
  let left = Math.min(time.room, sight.limits.maxBytes);
  for (const one of wanted) {
    const [before, after] = [sideBytes(one.before, sight, blobs), sideBytes(one.after, sight, blobs)];
    const path = decoded(one.path) ?? "";
    if (typeof before === "string" || typeof after === "string") {
      unkept.push({ path, why: typeof before === "string" ? before : (after as Unkept["why"]) });
      continue;
    }
    if (before?.stamp.hash === after?.stamp.hash && before?.stamp.mode === after?.stamp.mode) continue;
    left -= (before?.bytes.length ?? 0) + (after?.bytes.length ?? 0);
    if (left < 0) unkept.push({ path, why: "too_much" });
    else changes.push(changeOf(path, sight.root, before, after));
  }
  return { changes, unkept };
}

function changeOf(path: string, root: string, before: Bytes, after: Bytes): PlannedChange {
  const real = `${root === "/" ? "" : root}/${path}`;
  const change = { path, real, before: before?.stamp ?? null, after: after?.stamp ?? null };
  return { change, beforeBytes: before?.bytes ?? null, afterBytes: after?.bytes ?? null };
}

function refusal({ path, before, after, above }: Difference, sight: Sight, time: LookTime): Unkept["why"] | null {
  const name = decoded(path);
  if (name === null) return "bad_name";
  const real = `${sight.root}/${name}`;
  const isFolder = (before ?? after)?.kind === "folder" && (after ?? before)?.kind === "folder";
  // A file that was moved with its folder has the times it had.
  const stamps = [...(after?.kind === "entry" ? [after.entry.stamp] : []), ...(before && after ? [] : [above])];
  if (!isFolder && stamps.length > 0 && !stamps.some((stamp) => isWithin(stamp, time))) return "maybe_not_ours";
  if (time.isOthers(real) || (!isFolder && isOpenInEditor(real))) return "maybe_not_ours";
  const sides = [before, after].filter((side) => side?.kind === "entry");
  const why = sides.map(({ entry }) => entry.content).find((content) => content?.kind === "unkept");
  if (why !== undefined) return why?.id as Unkept["why"];
  const isLarge = sides.some(({ entry: { stamp } }) => stamp.size > sight.limits.maxFileBytes);
  return isLarge ? "too_large" : null;
}

/** A tick of the kernel's clock, or the two seconds of a disk that knows no less. What is gone is as old as its folder. */
function isWithin(stamp: Stamp, { startedAt, endedAt }: LookTime): boolean {
  const at = changedAt(stamp);
  const slack = stamp.ctimeNs === 0 ? 2_000 : 20;
  return at >= startedAt - slack && at <= endedAt + slack;
}

/** The files by which vim, emacs and LibreOffice tell each other that somebody has it open. */
function isOpenInEditor(real: string): boolean {
  const [folder, name] = [dirname(real), basename(real)];
  return [`.${name}.swp`, `.#${name}`, `.~lock.${name}#`].some((lock) => existsSync(`${folder}/${lock}`));
}

async function blobsOf(wanted: readonly Difference[]): Promise<Blobs> {
  const ids = new Map<Repository | null, Set<string>>();
  for (const side of wanted.flatMap(({ before, after }) => [before, after])) {
    if (side?.kind !== "entry" || side.entry.content?.kind !== "blob") continue;
    const { repository } = side.folder.place;
    const known = ids.get(repository) ?? new Set();
    ids.set(repository, known.add(side.entry.content.id));
  }
  const found = new Map<Repository | null, ReadonlyMap<string, Buffer>>();
  for (const [repository, set] of ids) if (repository) found.set(repository, await readBlobs(repository, [...set]));
  return found;
}

/** The bytes with their stamp; why there are none; `null` where nothing was. */
function sideBytes(side: Side | null, { keep }: Sight, blobs: Blobs): Bytes | Unkept["why"] {
  if (side === null) return null;
  if (side.kind === "folder") return stamped(new Uint8Array(0), folderMode | (side.folder.stamp.mode & 0o7777));
  const { entry, folder } = side;
  const { content, stamp } = entry;
  const mode = kindOf(stamp.mode) === "link" ? linkMode : stamp.mode & 0o7777;
  if (content?.kind === "kept") {
    const bytes = keep.get(content.id);
    return bytes === null ? "too_much" : stamped(bytes, mode);
  }
  if (content?.kind !== "blob") return content?.id ?? "unreadable";
  const blob = blobs.get(folder.place.repository)?.get(content.id);
  if (blob === undefined) return "unreadable";
  const bytes = onDisk(blob, stamp.size);
  return bytes === null ? "unproved" : stamped(bytes, mode);
}

function stamped(bytes: Uint8Array, mode: number): Bytes {
  return { bytes, stamp: { hash: sha256(bytes), size: bytes.length, mode } };
}
