// A second workspace beside the first, for a look at how things would be there.
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../failure.ts";
import { isWithin } from "../path.ts";

export interface CopyWish {
  readonly from: string;
  readonly to: string;
  /** Paths in `from` whose folders have to be folders of the copy's own. */
  readonly own: readonly string[];
  /** Files that are there and empty, paths that are not there at all. */
  readonly isEmpty: (path: string) => boolean;
  readonly isLeftOut: (path: string) => boolean;
  readonly signal: AbortSignal;
}

/** Folders in `from` that stand for themselves: installed packages, and what is too much to copy. */
export interface TreeCopy {
  readonly shared: readonly string[];
  /** In shared folders, those that programs write into while they run. */
  readonly caches: readonly string[];
}

/** Some seconds' worth. Beyond it, folders are not copied but shared. */
const maxFiles = 5_000;
const maxBytes = 256 * 2 ** 20;
/** Of those in one folder, of which none can be shared: then there is no copy. */
const maxAlone = 20_000;
const maxShared = 500;

const installed = new Set(["node_modules", "bower_components", ".pnpm-store", ".yarn"]);
/** Made anew by whoever needs them; of another state of the files they would be wrong. */
const made = new Set(["__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox"]);

/** `null`: it would be too much, or was cut. */
export async function copyTree(wish: CopyWish): Promise<TreeCopy | null> {
  const walk: Walk = { wish, shared: [], caches: [], files: 0, bytes: 0, paused: performance.now() };
  const isDone = await copyFolder(walk, wish.from, wish.to);
  return isDone && walk.shared.length <= maxShared ? walk : null;
}

interface Walk {
  readonly wish: CopyWish;
  readonly shared: string[];
  readonly caches: string[];
  files: number;
  bytes: number;
  paused: number;
}

async function copyFolder(walk: Walk, from: string, to: string): Promise<boolean> {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (performance.now() - walk.paused > 10) {
      await new Promise(setImmediate);
      walk.paused = performance.now();
    }
    if (walk.wish.signal.aborted || walk.files > maxAlone || walk.bytes > 5 * maxBytes) return false;
    const [path, place] = [join(from, entry.name), join(to, entry.name)];
    if (walk.wish.isLeftOut(path) || made.has(entry.name) || isBuilt(path)) continue;
    if (!entry.isDirectory()) copyEntry(walk, path, place);
    else if (isShared(walk, path, entry.name)) share(walk, path, place);
    else if (!(await copyFolder(walk, path, place))) return false;
  }
  return true;
}

/** As Cargo and others mark what they have built. */
function isBuilt(path: string): boolean {
  return existsSync(join(path, "CACHEDIR.TAG"));
}

function isShared({ wish, files, bytes }: Walk, path: string, name: string): boolean {
  if (wish.own.some((one) => isWithin(one, path))) return false;
  if (installed.has(name) || existsSync(join(path, "pyvenv.cfg"))) return true;
  return files > maxFiles || bytes > maxBytes;
}

function share(walk: Walk, path: string, place: string): void {
  mkdirSync(place, { recursive: true });
  walk.shared.push(path);
  const isCache = (name: string): boolean => name.startsWith(".") && ![".bin", ".pnpm", ".store"].includes(name);
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory() && isCache(entry.name)) walk.caches.push(join(path, entry.name));
}

function copyEntry(walk: Walk, path: string, place: string): void {
  try {
    const stat = lstatSync(path);
    walk.files += 1;
    if (stat.isSymbolicLink()) symlinkSync(readlinkSync(path), place);
    // Sockets and pipes have nothing to copy.
    else if (!stat.isFile()) return;
    else if (walk.wish.isEmpty(path)) closeSync(openSync(place, "w", 0o600));
    else {
      walk.bytes += stat.size;
      copyFileSync(path, place, constants.COPYFILE_FICLONE);
      // Build tools go by the time of files.
      utimesSync(place, stat.atime, stat.mtime);
    }
  } catch (error) {
    // Gone meanwhile, or not ours to read: then not the tests' either.
    if (errnoOf(error) === undefined) throw error;
  }
}
