// Finds secret files in visible folders. The first search walks the whole tree; later ones list only folders that changed.
import { type Dirent, type Stats, statSync } from "node:fs";
import { isSecretAtHome, isSecretPath } from "../../../contract/path/secret-path.ts";
import { isWithin } from "../../files/path.ts";
import { listEntries, orNull, realOf } from "../../files/probe.ts";
import { holdsKey, holdsLogin, isLikeSample, isSettings } from "./key-text.ts";

export interface SecretFile {
  readonly path: string;
  /** `settings`: shown without its logins, because tools need the rest. */
  readonly kind: "file" | "folder" | "settings";
}

/** Downloaded or generated, with many files that only look like secrets. */
const passedOver = new Set([
  ...["node_modules", "bower_components", "site-packages", "__pycache__", ".git", ".hg", ".svn", ".tox", ".nox"],
  ...[".mypy_cache", ".pytest_cache", ".ruff_cache", ".yarn", ".pnpm-store", "Pods", ".dart_tool"],
]);

/** Folders rechecked per command, at 3 µs each. Larger trees are rechecked in portions. */
const MOST_AT_ONCE = 500;
/** No real project has this many. Everything beyond is hidden. */
const MOST_FOLDERS = 200_000;
const PAUSE_MS = 10;
/** A folder listed right after a change may change again without a new timestamp. */
const FRESH_MS = 50;

interface SecretFolder {
  stamp: string;
  listedAt: number;
  inner: readonly string[];
  named: readonly string[];
}

const looks = new Map<string, Look>();

interface LookOptions {
  /** More names are secret in the home folder. */
  readonly home: string;
  /** Maximum depth. Absent for a chosen folder, which is searched whole, by names relative to it. */
  readonly depth?: number;
  /** For a command that reads everything: no folder is skipped or deferred. */
  readonly isWhole?: boolean;
}

export async function secretFilesIn(root: string, options: LookOptions): Promise<readonly SecretFile[]> {
  const key = options.isWhole ? `${root}/` : root;
  let look = looks.get(key);
  if (look === undefined) {
    look = new Look(root, options);
    looks.set(key, look);
  }
  return await look.now();
}

class Look {
  private readonly root: string;
  private readonly depth: number;
  private readonly isWhole: boolean;
  private readonly isSecret: (path: string) => boolean;
  private readonly folders = new Map<string, SecretFolder>();
  private readonly unknown = new Set<string>();
  private walking: Promise<void> | null = null;
  private next = 0;

  constructor(root: string, { home, depth = Number.POSITIVE_INFINITY, isWhole = false }: LookOptions) {
    this.root = root;
    this.isWhole = isWhole;
    this.depth = root.split("/").length + depth;
    // The user chose this folder, even if it lies in a secret place itself.
    const isByHome = depth < Number.POSITIVE_INFINITY || isWithin(home, root);
    this.isSecret = (path) =>
      isByHome && isWithin(path, home)
        ? isSecretAtHome(path.slice(home.length + 1))
        : isSecretPath(path.slice(root.length + 1));
  }

  async now(): Promise<readonly SecretFile[]> {
    if (this.folders.size === 0) this.walking ??= this.walk([this.root]);
    await this.walking;
    await this.again();
    const found = [...this.folders.values()].flatMap(({ named }) => named).flatMap((path) => this.secretAt(path));
    const unknown = [...this.unknown].map((path): SecretFile => ({ path, kind: "folder" }));
    return [...new Map([...found, ...unknown].map((one) => [one.path, one])).values()];
  }

  /** Always rechecks the first folders, because most new files appear near the top, and a portion of the others. */
  private async again(): Promise<void> {
    const all = [...this.folders.keys()];
    const isSmall = this.isWhole || all.length <= MOST_AT_ONCE;
    const half = MOST_AT_ONCE / 2;
    const portion = isSmall ? [] : [...all.slice(this.next), ...all.slice(half, this.next)].slice(0, half);
    this.next = isSmall || this.next + half >= all.length ? half : this.next + half;
    const changed = [...all.slice(0, isSmall ? all.length : half), ...portion].filter((path) => this.isChanged(path));
    if (changed.length > 0) await this.walk(changed);
  }

  private isChanged(path: string): boolean {
    const known = this.folders.get(path);
    const stat = statOf(path);
    if (stat === null) this.forget(path);
    return stat !== null && (known?.stamp !== stampOf(stat) || stat.mtimeMs > known.listedAt - FRESH_MS);
  }

  private forget(path: string): void {
    for (const inner of this.folders.get(path)?.inner ?? []) this.forget(inner);
    this.folders.delete(path);
    this.unknown.delete(path);
  }

  private async walk(from: readonly string[]): Promise<void> {
    const open = [...from];
    let paused = performance.now();
    for (const path of open) {
      const old = this.folders.get(path);
      if (old === undefined && this.folders.size >= MOST_FOLDERS) {
        this.unknown.add(path);
        continue;
      }
      const folder = this.list(path);
      this.folders.set(path, folder);
      for (const inner of old?.inner ?? []) if (!folder.inner.includes(inner)) this.forget(inner);
      for (const inner of folder.inner) if (!this.folders.has(inner)) open.push(inner);
      if (performance.now() - paused < PAUSE_MS) continue;
      await new Promise(setImmediate);
      paused = performance.now();
    }
  }

  private list(path: string): SecretFolder {
    const listedAt = Date.now();
    const stat = statOf(path);
    const entries = listEntries(path);
    // A virtual environment, whatever its name.
    const isMade = !this.isWhole && entries.some(({ name }) => name === "pyvenv.cfg");
    const below = isMade ? [] : entries.map((entry) => ({ entry, at: `${path}/${entry.name}` }));
    const isEntered = (name: string): boolean => this.isWhole || !passedOver.has(name);
    const folders = below.filter(({ entry }) => entry.isDirectory() && isEntered(entry.name));
    // For a folder, asks whether everything in it is secret.
    const secret = below.filter(
      ({ entry, at }) => (this.isWhole && isSpecial(entry)) || this.isSecret(entry.isDirectory() ? `${at}/x` : at),
    );
    const isDeep = path.split("/").length + 1 >= this.depth;
    return {
      stamp: stat === null ? "" : stampOf(stat),
      listedAt,
      inner: isDeep ? [] : folders.filter((one) => !secret.includes(one)).map(({ at }) => at),
      named: secret.map(({ at }) => at),
    };
  }

  private secretAt(path: string): readonly SecretFile[] {
    const real = realOf(path);
    const stat = real === null ? null : statOf(real);
    if (real === null || stat === null) return [];
    if (stat.isDirectory()) return [{ path: real, kind: "folder" }];
    if (!stat.isFile()) return this.isWhole ? [{ path: real, kind: "file" }] : [];
    const kind = isSettings.test(path) ? "settings" : "file";
    return isSecretByContent(real, stat, kind) ? [{ path: real, kind }] : [];
  }
}

/** Opening a pipe takes data that another process should get. */
function isSpecial(entry: Dirent): boolean {
  return entry.isFIFO() || entry.isSocket() || entry.isCharacterDevice() || entry.isBlockDevice();
}

const judged = new Map<string, { readonly stamp: string; readonly isSecret: boolean }>();

/** Decides by content where the name is not enough; cached per state of the file. */
function isSecretByContent(path: string, stat: Stats, kind: "file" | "settings"): boolean {
  const stamp = `${stampOf(stat)} ${stat.size}`;
  const known = judged.get(path);
  if (known?.stamp === stamp) return known.isSecret;
  const isSecret = kind === "settings" ? holdsLogin(path) : holdsKey(path) && !isLikeSample(path);
  judged.set(path, { stamp, isSecret });
  return isSecret;
}

/** For a file with the name of a secret that was judged without a look inside. */
export function holdsSecret(path: string): boolean {
  const stat = statOf(path);
  return stat === null || !stat.isFile() || isSecretByContent(path, stat, isSettings.test(path) ? "settings" : "file");
}

function stampOf({ ino, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${mtimeMs} ${ctimeMs}`;
}

function statOf(path: string): Stats | null {
  return orNull(() => statSync(path, { throwIfNoEntry: false })) ?? null;
}
