// Lists files that differ from a revision, without starting anything that the repository names: `git diff` would run its filters.
import { readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { isClean } from "../changes/content.ts";
import { kindOf, stampAt } from "../changes/file-stat.ts";
import { blobId, openRepository, type Repository } from "../changes/repository.ts";
import { orNull } from "../files/probe.ts";
import { openGit } from "./plumbing.ts";

/** Larger files count as changed if their times differ. */
const maxReadBytes = 16 * 2 ** 20;

/** Names relative to the folder, including untracked files and files that may have changed; `null`: unknown. */
export async function changedFiles(
  folder: string,
  base: string,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const opened = openGit(folder, signal);
  const repository = opened.ok ? openRepository(opened.value.top, null) : null;
  if (!opened.ok || repository === null || repository.index === null) return null;
  const { index } = repository;
  const git = opened.value;
  const staged = await git.run("diff-index", ["--cached", "--raw", "--no-abbrev", "--no-renames", "-z", base, "--"]);
  const others = await git.run("ls-files", ["--others", "--exclude-standard", "-z"]);
  if (!staged.ok || !others.ok) return null;
  const before = basesIn(staged.value.out.toString("latin1"));
  const edited = [...index.paths()].filter((path) => !isAsKnown(repository, path));
  // A file whose change was staged and then reverted on the disk is unchanged.
  const changed = [...before.keys(), ...edited].filter((path) => !isAs(repository, path, before.get(path)));
  const names = [
    ...others.value.out.toString().split("\0"),
    ...[...changed, ...index.unmerged].map((path) => Buffer.from(path, "latin1").toString()),
  ];
  const below = relative(git.top, folder);
  const start = below === "" ? "" : `${below}/`;
  const own = names.filter((name) => name !== "" && name.startsWith(start)).map((name) => name.slice(start.length));
  return [...new Set(own)].sort();
}

interface Was {
  readonly mode: number;
  readonly oid: string;
}

/** `:MODE MODE OID OID LETTER`, then the path: the base versions of files with staged changes. */
function basesIn(raw: string): ReadonlyMap<string, Was> {
  const fields = raw.split("\0");
  const found = new Map<string, Was>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [mode = "", , oid = ""] = fields[at]?.slice(1).split(" ") ?? [];
    found.set(fields[at + 1] ?? "", { mode: Number.parseInt(mode, 8), oid });
  }
  return found;
}

function isAsKnown(repository: Repository, path: string): boolean {
  const known = repository.index?.get(path) ?? null;
  if (known === null || known.isAbsent) return true;
  const stamp = stampAt(placeOf(repository, path) as unknown as string);
  return (stamp !== null && isClean(known, stamp, repository, false)) || isAs(repository, path, known);
}

function isAs(repository: Repository, path: string, was: Was | undefined): boolean {
  if (was === undefined) return false;
  const place = placeOf(repository, path);
  const stamp = stampAt(place as unknown as string);
  if (stamp === null) return was.mode === 0;
  if (stamp.size > maxReadBytes || ((was.mode ^ stamp.mode) & 0o170100) !== 0) return false;
  const isLink = kindOf(stamp.mode) === "link";
  const bytes = orNull(() => (isLink ? readlinkSync(place, { encoding: "buffer" }) : readFileSync(place)));
  return bytes !== null && blobId(bytes, repository.hash) === was.oid;
}

function placeOf({ top }: Repository, path: string): Buffer {
  return Buffer.from(join(Buffer.from(top).toString("latin1"), path), "latin1");
}
