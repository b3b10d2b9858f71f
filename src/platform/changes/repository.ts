import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { gitConfig } from "../environment.ts";
import { orNull } from "../files/probe.ts";
import { findProgram, foreignPath } from "../find-program.ts";
import { type GitSetting, parseGitConfig } from "../git/config-file.ts";
import { type Stamp, stampAt } from "./file-stat.ts";
import { type Index, noEntries, readIndex } from "./index-entries.ts";
import { personalFiles, textOf } from "./rules.ts";

/** A repository as read from its own files, without starting git. */
export interface Repository {
  readonly top: string;
  readonly gitDir: string;
  /** For a linked worktree the main repository's folder; else the same. */
  readonly commonDir: string;
  readonly hash: "sha1" | "sha256";
  /** `null`: not understood, so nothing is known to be clean. */
  readonly index: Index | null;
  readonly indexStamp: Stamp | null;
  /** Folders with tracked files, relative to the top, in Latin-1. */
  readonly folders: ReadonlySet<string>;
  readonly personal: { readonly ignore: string; readonly attributes: string };
  /** Changes with any of the files that affect all others. */
  readonly token: string;
}

/** Enough for a million files; beyond that, copying files is cheaper. */
const maxIndexBytes = 256 * 2 ** 20;

/** `null`: no readable repository. Returns `old` itself if nothing has changed. */
export function openRepository(top: string, old: Repository | null): Repository | null {
  return orNull(() => {
    const gitDir = gitDirOf(top);
    if (gitDir === null) return null;
    const commonDir = commonDirOf(gitDir);
    const configs = [join(commonDir, "config"), join(gitDir, "config.worktree")];
    const settings = configs.flatMap((path) => parseGitConfig(textOf(path)) ?? [refusedConfig]);
    const personal = personalFiles(settings);
    const deciding = [
      ...configs,
      ...["info/exclude", "info/attributes"].map((name) => join(commonDir, name)),
      ...[join(gitDir, "index"), personal.ignore, personal.attributes],
    ];
    const token = JSON.stringify(deciding.map((path) => [path, stampAt(path)]));
    if (old?.token === token) return old;
    return { top, gitDir, commonDir, personal, token, ...contentsOf(gitDir, settings) };
  });
}

const refusedConfig: GitSetting = { section: "core", subsection: null, key: "worktree", value: null };

function contentsOf(gitDir: string, settings: readonly GitSetting[]) {
  const has = (section: string, key: string, value?: string): boolean =>
    settings.some((one) => one.section === section && one.key === key && (value === undefined || one.value === value));
  const hash: "sha1" | "sha256" = has("extensions", "objectformat", "sha256") ? "sha256" : "sha1";
  const path = join(gitDir, "index");
  const indexStamp = stampAt(path);
  // With `core.worktree` the index belongs to another working tree.
  const isRead = (indexStamp?.size ?? 0) <= maxIndexBytes && !has("core", "worktree");
  const index = !isRead
    ? null
    : indexStamp === null
      ? noEntries
      : readIndex(readFileSync(path), hash === "sha1" ? 20 : 32);
  return { hash, indexStamp, index, folders: foldersOf(index) };
}

function gitDirOf(top: string): string | null {
  const path = join(top, ".git");
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile()) {
    const named = /^gitdir: ([^\0]+?)\n?$/.exec(textOf(path))?.[1];
    return named === undefined ? null : realpathSync.native(isAbsolute(named) ? named : join(top, named));
  }
  return stat === undefined ? null : realpathSync.native(path);
}

function commonDirOf(gitDir: string): string {
  const named = textOf(join(gitDir, "commondir")).replace(/\n$/, "");
  if (named === "") return gitDir;
  return realpathSync.native(isAbsolute(named) ? named : join(gitDir, named));
}

function foldersOf(index: Index | null): ReadonlySet<string> {
  const folders = new Set<string>([""]);
  for (const path of index?.paths() ?? []) {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = path.slice(0, slash);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

const blobTimeoutMs = 60_000;

/** Reads objects with git, without filters, hooks or the user's config. Accepts only matching hashes; buffers are valid during `take`. */
export async function readBlobs(
  { gitDir, hash, top }: Repository,
  oids: readonly string[],
  take: (oid: string, bytes: Buffer) => void,
): Promise<void> {
  const path = foreignPath(process.env.PATH ?? "/usr/bin:/bin", [top]);
  const git = findProgram(["git"], path, [top]);
  if (git === null || oids.length === 0) return;
  const child = Bun.spawn([git, "cat-file", "--batch"], {
    cwd: "/",
    env: { ...alone, PATH: path, GIT_DIR: gitDir },
    stdin: Buffer.from(`${oids.join("\n")}\n`),
    stdout: "pipe",
    stderr: "ignore",
    timeout: blobTimeoutMs,
  });
  const batch = new Batch((oid, bytes) => {
    if (blobId(bytes, hash) === oid) take(oid, bytes);
  });
  for await (const chunk of child.stdout) batch.add(chunk);
  await child.exited;
}

export const withoutHelpers: Readonly<Record<string, string>> = {
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_TERMINAL_PROMPT: "0",
  ...gitConfig({ "core.fsmonitor": "", "core.hooksPath": "/dev/null" }),
};

const alone = { ...withoutHelpers, HOME: "/", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

/** Parses the output of `git cat-file --batch`: a line about each object, then its bytes and a line feed. */
class Batch {
  private readonly take: (oid: string, bytes: Buffer) => void;
  private line = "";
  private open: { readonly oid: string; readonly bytes: Buffer; filled: number } | null = null;

  constructor(take: (oid: string, bytes: Buffer) => void) {
    this.take = take;
  }

  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) at += this.open === null ? this.readLine(chunk, at) : this.fill(chunk, at);
  }

  private readLine(chunk: Uint8Array, at: number): number {
    const end = chunk.indexOf(0x0a, at);
    this.line += Buffer.from(chunk.subarray(at, end < 0 ? chunk.length : end)).toString("latin1");
    if (end < 0) return chunk.length - at;
    const [oid = "", type, size = ""] = this.line.split(" ");
    this.line = "";
    // Missing, or not a blob, which nobody asked for: no bytes follow.
    if (type !== "blob") return end + 1 - at;
    const after = end + 1 + Number(size) + 1;
    if (after > chunk.length) {
      this.open = { oid, bytes: Buffer.allocUnsafe(Number(size) + 1), filled: 0 };
      return end + 1 - at;
    }
    // Most blobs are small and arrive whole: these are not copied.
    this.take(oid, Buffer.from(chunk.buffer, chunk.byteOffset + end + 1, Number(size)));
    return after - at;
  }

  private fill(chunk: Uint8Array, at: number): number {
    const { open } = this;
    if (open === null) return 0;
    const piece = chunk.subarray(at, at + open.bytes.length - open.filled);
    open.bytes.set(piece, open.filled);
    open.filled += piece.length;
    if (open.filled === open.bytes.length) {
      this.open = null;
      this.take(open.oid, open.bytes.subarray(0, -1));
    }
    return piece.length;
  }
}

export function blobId(bytes: Uint8Array, hash: Repository["hash"]): string {
  // Reused after each digest: every hasher holds memory until it is collected.
  hashers[hash] ??= new Bun.CryptoHasher(hash);
  return hashers[hash].update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

const hashers: Partial<Record<Repository["hash"], Bun.CryptoHasher>> = {};
