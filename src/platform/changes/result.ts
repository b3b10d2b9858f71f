import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { FileChange, FileStamp } from "../../contract/message.ts";
import type { PlannedChange } from "../../contract/tool.ts";
import type { Unkept } from "../../contract/undo.ts";
import { sha256 } from "../files/hash.ts";
import { folderMode, linkMode } from "../files/stamp.ts";
import { writerFinder } from "../witness/held.ts";
import type { Compared, Difference, Side } from "./compare.ts";
import { onDisk } from "./content.ts";
import type { Looked, Sight } from "./look.ts";
import { type Repository, readBlobs } from "./repository.ts";
import { changedAt, kindOf, type Stamp } from "./stat.ts";
import { decoded, shown } from "./tree.ts";
import type { Whose } from "./whose.ts";

export interface LookTime {
  /** By the clock of the disk. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Whether another session has written to this real path meanwhile. */
  readonly isOthers: (real: string) => boolean;
  /** Whose a change is, and where it was moved from; `null` = all are those of the command that lie in its time. */
  readonly testimony: {
    readonly whose: (one: Difference) => Whose;
    readonly cameFrom: (one: Difference) => string | null;
  } | null;
  /** So many bytes may be kept of both sides together. */
  readonly room: number;
}

type Blobs = ReadonlyMap<Repository | null, ReadonlyMap<string, Buffer>>;
type Bytes = { readonly stamp: FileStamp; readonly bytes: Uint8Array } | null;

/** Differences as changes that can be taken back, and those that cannot, by name. */
export async function resultOf(compared: Compared, sight: Sight, time: LookTime): Promise<Looked> {
  const unkept: Unkept[] = [...compared.unkept];
  const hasWriter = time.testimony === null ? () => false : await writerFinder();
  const wanted: Difference[] = [];
  const notes = new Map<Difference, Pick<FileChange, "doubt" | "from">>();
  for (const one of compared.differences) {
    const whose = whoseOf(one, sight, time, hasWriter);
    const why = whose === "others" ? whose : refusal(one, sight);
    if (why === null) wanted.push(one);
    // Folders of others are nobody's loss.
    else if (why !== "others" || !isOfFolder(one)) unkept.push({ path: shown(one.path), why });
    const doubt = whose === "shared" || whose === "unclear" ? { doubt: whose } : {};
    const origin = one.after?.kind === "entry" ? (time.testimony?.cameFrom(one) ?? null) : null;
    notes.set(one, { ...doubt, ...(origin === null ? {} : { from: realOf(sight.root, shown(origin)) }) });
  }
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
    else changes.push(changeOf(path, sight.root, before, after, notes.get(one) ?? {}));
  }
  return { changes, unkept };
}

function changeOf(
  path: string,
  root: string,
  before: Bytes,
  after: Bytes,
  notes: Pick<FileChange, "doubt" | "from">,
): PlannedChange {
  const stamps = { before: before?.stamp ?? null, after: after?.stamp ?? null };
  const change = { path, real: realOf(root, path), ...stamps, ...notes };
  return { change, beforeBytes: before?.bytes ?? null, afterBytes: after?.bytes ?? null };
}

function realOf(root: string, path: string): string {
  return `${root === "/" ? "" : root}/${path}`;
}

/** Without a witness of the command, its time and what others leave behind are all there is. */
function whoseOf(one: Difference, { root }: Sight, time: LookTime, hasWriter: (real: string) => boolean): Whose {
  const real = `${root}/${shown(one.path)}`;
  const whose = time.testimony?.whose(one) ?? "ours";
  if (whose === "ours" && time.testimony !== null) return isFileNow(one) && hasWriter(real) ? "shared" : whose;
  if (time.isOthers(real)) return "others";
  if (isOfFolder(one)) return whose;
  if (!isInTime(one, time)) return "others";
  return isOpenInEditor(real) ? "unclear" : whose;
}

function isOfFolder({ before, after }: Difference): boolean {
  return (before ?? after)?.kind === "folder" && (after ?? before)?.kind === "folder";
}

function isFileNow({ after }: Difference): boolean {
  return after?.kind === "entry" && kindOf(after.entry.stamp.mode) === "file";
}

function isInTime({ before, after, above }: Difference, time: LookTime): boolean {
  // A file that was moved with its folder has the times it had.
  const stamps = [...(after?.kind === "entry" ? [after.entry.stamp] : []), ...(before && after ? [] : [above])];
  return stamps.length === 0 || stamps.some((stamp) => isWithin(stamp, time));
}

function refusal({ path, before, after }: Difference, sight: Sight): Unkept["why"] | null {
  if (decoded(path) === null) return "bad_name";
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
