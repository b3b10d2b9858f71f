import { ok, type Result } from "../../contract/error.ts";
import type { FileStamp } from "../../contract/message.ts";
import { blobId } from "../changes/repository.ts";
import { isLinkStamp } from "../files/stamp.ts";
import type { Git } from "./plumbing.ts";

export interface TreeEntry {
  readonly mode: string;
  readonly oid: string;
}

/** `null`: does not exist. Paths are relative to the top. */
export interface PathEntry {
  readonly path: string;
  readonly entry: TreeEntry | null;
}

export type TreeEntries = ReadonlyMap<string, TreeEntry>;

/** Fits into one command line on every system. */
const chunkBytes = 60_000;

function* chunks(paths: readonly string[]): Generator<readonly string[]> {
  let chunk: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    bytes += Buffer.byteLength(path) + 1;
    if (bytes > chunkBytes && chunk.length > 0) {
      yield chunk;
      chunk = [];
      bytes = Buffer.byteLength(path) + 1;
    }
    chunk.push(path);
  }
  if (chunk.length > 0) yield chunk;
}

export async function entriesOf(
  git: Git,
  commit: string | null,
  paths: readonly string[],
): Promise<Result<TreeEntries>> {
  return commit === null ? ok(new Map()) : listed(git, paths, "ls-tree", ["-z", commit, "--"], / blob | commit /);
}

export function stagedEntries(git: Git, paths: readonly string[]): Promise<Result<TreeEntries>> {
  return listed(git, paths, "ls-files", ["-s", "-z", "--"], / /);
}

async function listed(
  git: Git,
  paths: readonly string[],
  command: "ls-tree" | "ls-files",
  args: readonly string[],
  kind: RegExp,
): Promise<Result<TreeEntries>> {
  const found = new Map<string, TreeEntry>();
  for (const chunk of chunks(paths)) {
    const ran = await git.run(command, [...args, ...chunk]);
    if (!ran.ok) return ran;
    for (const line of ran.value.out.toString("utf8").split("\0")) {
      const [head = "", path = ""] = split(line, "\t");
      // `mode type oid` of a tree, `mode oid stage` of the index.
      const [mode = "", second = "", third = ""] = head.split(" ");
      if (path !== "" && kind.test(head)) found.set(path, { mode, oid: command === "ls-tree" ? third : second });
    }
  }
  return ok(found);
}

function split(line: string, at: string): readonly string[] {
  const place = line.indexOf(at);
  return place === -1 ? [line] : [line.slice(0, place), line.slice(place + 1)];
}

/** The object id that git would give this content at this path, with its line ending conversion. `keep`: also stores the object. */
export async function objectOf(
  git: Git,
  path: string,
  { stamp, bytes }: { readonly stamp: FileStamp; readonly bytes: Uint8Array },
  keep: boolean,
): Promise<Result<string>> {
  const how = isLinkStamp(stamp) ? ["--no-filters"] : [`--path=${path}`];
  const ran = await git.run("hash-object", [...(keep ? ["-w"] : []), "--stdin", ...how], { stdin: bytes });
  return ran.ok ? ok(ran.value.out.toString("latin1").trim()) : ran;
}

/** The same without starting git; correct only where no conversion applies. */
export function plainObject(git: Git, bytes: Uint8Array): string {
  return blobId(bytes, git.hash);
}

/** `known`: git's entry, for file systems without file modes. */
export function modeOf(stamp: FileStamp, hasModes: boolean, known: TreeEntry | null): string {
  if (isLinkStamp(stamp)) return "120000";
  if (!hasModes) return known?.mode === "100755" ? "100755" : "100644";
  return (stamp.mode & 0o100) === 0 ? "100644" : "100755";
}

/** Input for `update-index -z --index-info`. Removals come first: a file may replace a folder and vice versa. */
export function indexInfo(git: Git, entries: readonly PathEntry[]): string {
  const none = zeros(git);
  return entries
    .toSorted((a, b) => Number(a.entry !== null) - Number(b.entry !== null))
    .map(({ path, entry }) => `${entry?.mode ?? "0"} ${entry?.oid ?? none}\t${path}\0`)
    .join("");
}

export function zeros({ hash }: Git): string {
  return "0".repeat(hash === "sha1" ? 40 : 64);
}
