import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ok, type Result } from "../../contract/error.ts";
import type { ToolContext } from "../../contract/tool.ts";
import type { PastPort, PastTask } from "../../contract/undo.ts";
import { modeOf, objectOf, type PathEntry, stagedEntries, type TreeEntry } from "../../platform/git/entries.ts";
import { word } from "../../platform/git/make-commit.ts";
import { type Git, scratch } from "../../platform/git/plumbing.ts";
import { type FileStat, statOf } from "../../platform/git/stat.ts";
import { type ChosenFile, type LeftOut, select } from "./chosen-files.ts";

export interface Prepared {
  readonly entries: readonly PathEntry[];
  readonly staged: readonly PathEntry[];
  readonly left: readonly LeftOut[];
  readonly stats: readonly FileStat[];
  readonly tasks: readonly PastTask[];
}

export interface Preparing {
  readonly git: Git;
  readonly past: PastPort;
  readonly ctx: ToolContext;
  readonly folder: string;
  readonly base: string | null;
  readonly task?: string | undefined;
  readonly until?: string | undefined;
  /** The target is checked out, so the user's index matters. */
  readonly isCheckedOut: boolean;
  /** Write nothing into the repository. */
  readonly isOnlyProposed: boolean;
}

export async function prepare(wanted: Preparing): Promise<Result<Prepared>> {
  const { past, ctx, folder, base, task } = wanted;
  const objects = join(folder, "objects");
  mkdirSync(objects);
  const own = scratch(wanted.git, objects);
  const git = wanted.isOnlyProposed ? own : wanted.git;
  const modes = await flagOf(git, "core.fileMode", "true");
  if (!modes.ok) return modes;
  const hasModes = modes.value === "true";
  const tasks = tasksIn(wanted);
  const selected = await select(git, { tasks, task, base, hasModes }, past, ctx);
  if (!selected.ok) return selected;
  const staging = await staged(git, selected.value.files, hasModes, wanted.isCheckedOut);
  if (!staging.ok) return staging;
  const included = staging.value.filter(({ isFree }) => isFree);
  const excluded = staging.value.filter(({ isFree }) => !isFree);
  const entries = included.map(({ file: { path }, entry }): PathEntry => ({ path, entry }));
  const old = included.map(({ file }): PathEntry => ({ path: file.path, entry: file.old }));
  const stats = await statOf(own, old, entries, folder);
  if (!stats.ok) return stats;
  const owners = new Set(included.flatMap(({ file }) => file.owners));
  return ok({
    entries,
    staged: included.map(({ file: { path }, index }) => ({ path, entry: index })),
    left: [...selected.value.left, ...excluded.map(({ file }): LeftOut => ({ path: file.shown, why: "staged" }))],
    stats: stats.value,
    tasks: tasks.filter((one) => owners.has(one)),
  });
}

function tasksIn({ past, until }: Preparing): readonly PastTask[] {
  const all = past.tasks();
  const end = all.findIndex(({ taskId }) => taskId === until);
  return end === -1 ? all : all.slice(0, end + 1);
}

interface Staging {
  readonly file: ChosenFile;
  /** `entry`: for the commit. `index`: in the user's index. */
  readonly entry: TreeEntry | null;
  readonly index: TreeEntry | null;
  /** The user has staged no other version of it. */
  readonly isFree: boolean;
}

async function staged(
  git: Git,
  files: readonly ChosenFile[],
  hasModes: boolean,
  isCheckedOut: boolean,
): Promise<Result<readonly Staging[]>> {
  const paths = files.map(({ path }) => path);
  const known = isCheckedOut ? await stagedEntries(git, paths) : ok(new Map<string, TreeEntry>());
  if (!known.ok) return known;
  const found: Staging[] = [];
  for (const file of files) {
    const made = await entryFor(git, file, hasModes);
    if (!made.ok) return made;
    const index = known.value.get(file.path) ?? null;
    const isFree = !isCheckedOut || isEqual(index, file.old) || isEqual(index, made.value);
    found.push({ file, entry: made.value, index, isFree });
  }
  return ok(found);
}

async function entryFor(
  git: Git,
  { path, now, old }: ChosenFile,
  hasModes: boolean,
): Promise<Result<TreeEntry | null>> {
  if (now === null) return ok(null);
  const object = await objectOf(git, path, now, true);
  return object.ok ? ok({ mode: modeOf(now.stamp, hasModes, old), oid: object.value }) : object;
}

export async function flagOf(git: Git, key: string, fallback: string): Promise<Result<string>> {
  return word(await git.run("config", ["--type=bool", `--default=${fallback}`, key]));
}

function isEqual(one: TreeEntry | null, other: TreeEntry | null): boolean {
  return one?.mode === other?.mode && one?.oid === other?.oid;
}

/** A fresh temporary directory, after removing what a killed attempt of the same call left. */
export async function withFolder<T>(marker: string, work: (folder: string) => Promise<T>): Promise<T> {
  const prefix = `coder-git-${marker}-`;
  const remove = (path: string) => rmSync(path, { recursive: true, force: true });
  for (const name of readdirSync(tmpdir())) if (name.startsWith(prefix)) remove(join(tmpdir(), name));
  const folder = mkdtempSync(join(tmpdir(), prefix));
  try {
    return await work(folder);
  } finally {
    remove(folder);
  }
}
