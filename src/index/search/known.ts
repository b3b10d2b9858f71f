import type { Stamp } from "../../platform/changes/file-stat.ts";
import { type IndexFile, mustBe } from "../database.ts";
import { pace } from "../update/pace.ts";

interface Known {
  readonly hash: string;
  readonly stamp: Stamp;
  seen: number;
}

export interface Catalogue {
  readonly files: Map<string, Known>;
  /** SQLite's data version at that time: other processes write too. */
  version: number;
}

type KnownRow = [id: number, path: string, hash: string, ...numbers: number[]];

const columns = "id, path, hash, mode, ino, size, ctime, ctime_ns, mtime, mtime_ns";
const perRead = 2000;

/** How many files changed since the last ranking; `null` until all files were read once. */
export function unrankedIn(index: IndexFile): number | null {
  return index.rows<[number]>("select value from notes where key = 'unranked'")[0]?.[0] ?? null;
}

export function isWhole(index: IndexFile): boolean {
  return unrankedIn(index) !== null;
}

export function versionOf(index: IndexFile): number {
  return index.rows<[number]>("pragma data_version")[0]?.[0] ?? 0;
}

export async function readCatalogue(index: IndexFile): Promise<Catalogue> {
  const files = new Map<string, Known>();
  const version = versionOf(index);
  const slice = pace();
  for (let last = 0; ; ) {
    const rows = index.rows<KnownRow>(`select ${columns} from files where id > ? order by id limit ${perRead}`, last);
    for (const [id, path, hash, ...numbers] of rows) {
      mustBe(typeof path === "string" && typeof hash === "string" && numbers.every(Number.isFinite));
      files.set(path, { hash, stamp: stampOf(numbers), seen: 0 });
      last = id;
    }
    if (rows.length < perRead) return { files, version };
    if (slice.isDue()) await slice.rest();
  }
}

export function stampOf(numbers: readonly number[]): Stamp {
  const [mode = 0, ino = 0, size = 0, ctime = 0, ctimeNs = 0, mtime = 0, mtimeNs = 0] = numbers;
  return { mode, ino, size, ctime, ctimeNs, mtime, mtimeNs };
}
