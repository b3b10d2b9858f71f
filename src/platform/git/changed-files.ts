// Which files differ from a revision, without starting anything that a repository names: a diff would run its filters.
import { readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { isClean } from "../changes/content.ts";
import { blobId, openRepository, type Repository } from "../changes/repository.ts";
import { kindOf, stampAt } from "../changes/stat.ts";
import { errnoOf } from "../files/failure.ts";
import { openGit } from "./plumbing.ts";

/** Longer ones count as changed where their times say so. */
const maxReadBytes = 16 * 2 ** 20;

/** By their names below the folder, untracked ones too. What only may have changed is among them; `null` = that is not known. */
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
  const staged = await git.run("diff-index", ["--cached", "--name-only", "--no-renames", "-z", base, "--"]);
  const others = await git.run("ls-files", ["--others", "--exclude-standard", "-z"]);
  if (!staged.ok || !others.ok) return null;
  const edited = [...index.paths()].filter((path) => !isAsKnown(repository, path));
  const names = [
    ...[staged.value.out, others.value.out].flatMap((out) => out.toString().split("\0")),
    ...[...edited, ...index.unmerged].map((path) => Buffer.from(path, "latin1").toString()),
  ];
  const below = relative(git.top, folder);
  const start = below === "" ? "" : `${below}/`;
  const own = names.filter((name) => name !== "" && name.startsWith(start)).map((name) => name.slice(start.length));
  return [...new Set(own)].sort();
}

/** `path`: each byte as one character. */
function isAsKnown(repository: Repository, path: string): boolean {
  const known = repository.index?.get(path) ?? null;
  if (known === null || known.isAbsent) return true;
  const place = Buffer.from(join(Buffer.from(repository.top).toString("latin1"), path), "latin1");
  const stamp = stampAt(place as unknown as string);
  if (stamp === null) return false;
  if (isClean(known, stamp, repository, false)) return true;
  if (stamp.size > maxReadBytes || ((known.mode ^ stamp.mode) & 0o170100) !== 0) return false;
  try {
    const isLink = kindOf(stamp.mode) === "link";
    const bytes = isLink ? readlinkSync(place, { encoding: "buffer" }) : readFileSync(place);
    return blobId(bytes, repository.hash) === known.oid;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
