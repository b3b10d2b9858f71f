// Selects the session's files for a commit: only files whose difference from the base consists of the tasks' own changes.
import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { ok, type Result } from "../../contract/error.ts";
import type { FileChange, FileStamp } from "../../contract/message.ts";
import type { ToolContext } from "../../contract/tool.ts";
import type { PastPort, PastTask } from "../../contract/undo.ts";
import { repositoryAbove } from "../../platform/changes/above.ts";
import { type DiskEntry, readEntry } from "../../platform/files/entry.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { isWithin } from "../../platform/files/path.ts";
import { isFolderStamp, isLinkStamp, keyOf } from "../../platform/files/stamp.ts";
import {
  entriesOf,
  modeOf,
  objectOf,
  plainObject,
  type TreeEntries,
  type TreeEntry,
} from "../../platform/git/entries.ts";
import type { Git } from "../../platform/git/plumbing.ts";

/** The reasons are worded in `git.left.…`. */
type LeftWhy = "changed" | "mixed" | "others" | "staged" | "ignored" | "secret" | "filter" | "elsewhere" | "unkept";

export interface LeftOut {
  readonly path: string;
  readonly why: LeftWhy;
}

export interface ChosenFile {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly shown: string;
  readonly now: DiskEntry | null;
  readonly old: TreeEntry | null;
  /** The tasks with changes in it that the base lacks. */
  readonly owners: readonly PastTask[];
}

export interface Selection {
  readonly files: readonly ChosenFile[];
  readonly left: readonly LeftOut[];
}

/** `task`: only this task's changes. `base`: the parent of the new commit. */
export interface WantedFiles {
  readonly tasks: readonly PastTask[];
  readonly task: string | undefined;
  readonly base: string | null;
  readonly hasModes: boolean;
}

interface Step extends FileChange {
  readonly by: PastTask;
}

export function stepsByPath(tasks: readonly PastTask[]): ReadonlyMap<string, readonly Step[]> {
  const steps = tasks.flatMap((by) => by.changes.map((change) => ({ ...change, by })));
  return Map.groupBy(
    steps.filter(({ before, after }) => !isFolderStamp(before) && !isFolderStamp(after)),
    ({ real }) => real,
  );
}

export async function select(
  git: Git,
  wanted: WantedFiles,
  past: PastPort,
  ctx: ToolContext,
): Promise<Result<Selection>> {
  const byPath = stepsByPath(wanted.tasks);
  const own = new Set([...byPath.keys()].filter((real) => isOwn(real, git.top)));
  const base = await entriesOf(
    git,
    wanted.base,
    [...own].map((real) => pathOf(real, git)),
  );
  if (!base.ok) return base;
  const files: ChosenFile[] = [];
  const left: LeftOut[] = [];
  for (const [real, steps] of byPath) {
    const path = steps.at(-1)?.path ?? real;
    const judged = !own.has(real)
      ? "elsewhere"
      : steps.some(({ doubt }) => doubt !== undefined)
        ? "mixed"
        : await judge({ git, wanted, past, base: base.value }, real, steps);
    if (typeof judged === "string") left.push({ path, why: judged });
    else if (judged !== null && !judged.ok) return judged;
    else if (judged !== null) files.push({ ...judged.value, shown: path });
  }
  const owners = new Set(files.flatMap((file) => file.owners));
  const unkept = [...owners]
    .flatMap((task) => task.unkept.filter(({ why }) => why !== "others"))
    .map(({ path }): LeftOut => ({ path, why: "unkept" }));
  const kept = await withoutUnwanted(git, files, ctx);
  return kept.ok ? ok({ files: kept.value.files, left: [...left, ...unkept, ...kept.value.left] }) : kept;
}

export function pathOf(real: string, { top }: Git): string {
  return real.slice(top === "/" ? 1 : top.length + 1);
}

/** In this repository and not in a nested one. */
export function isOwn(real: string, top: string): boolean {
  if (!isWithin(real, top) || real.split("/").some((name) => name.toLowerCase() === ".git")) return false;
  return repositoryAbove(existingAbove(dirname(real))) === top;
}

function existingAbove(folder: string): string {
  try {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  } catch (error) {
    // Nothing exists below a plain file.
    if (errnoOf(error) !== "ENOTDIR") throw error;
  }
  return existingAbove(dirname(folder));
}

interface Looking {
  readonly git: Git;
  readonly wanted: WantedFiles;
  readonly past: PastPort;
  readonly base: TreeEntries;
}

type Judged = Result<Omit<ChosenFile, "shown">> | Exclude<LeftWhy, "elsewhere"> | null;

/** `null` = the base already has it. */
async function judge(looking: Looking, real: string, steps: readonly Step[]): Promise<Judged> {
  const { git, wanted, base } = looking;
  const path = pathOf(real, git);
  const now = readEntry(real);
  const last = steps.at(-1);
  const old = base.get(path) ?? null;
  if (now === undefined || !last || !isSame(now?.stamp ?? null, last.after)) {
    // A file that was committed and then changed by somebody else is not ours to report.
    const isCommitted = last !== undefined && (await holds(looking, path, old, last.after, null));
    return isCommitted === true ? null : "changed";
  }
  const chain = steps.slice(chainStart(steps));
  const states = [...chain.map(({ before }) => before), last.after];
  for (const [at, stamp] of [...states.entries()].toReversed()) {
    const found = await holds(looking, path, old, stamp, now);
    if (typeof found !== "boolean") return found;
    if (!found) continue;
    if (at === states.length - 1) return null;
    const owners = [...new Set(chain.slice(at).map(({ by }) => by))];
    if (wanted.task !== undefined && owners.some(({ taskId }) => taskId !== wanted.task)) {
      return owners.some(({ taskId }) => taskId === wanted.task) ? "others" : null;
    }
    return ok({ path, now, old, owners });
  }
  return "mixed";
}

/** The index from which each change starts where the previous one ended. */
function chainStart(steps: readonly Step[]): number {
  for (let at = steps.length - 1; at > 0; at--) {
    if (!isSame(steps[at]?.before ?? null, steps[at - 1]?.after ?? null)) return at;
  }
  return 0;
}

/** Equal in content, kind and executable bit, which is all that git stores. */
function isSame(one: FileStamp | null, other: FileStamp | null): boolean {
  const isRun = (stamp: FileStamp | null) => stamp !== null && !isLinkStamp(stamp) && (stamp.mode & 0o100) !== 0;
  return keyOf(one) === keyOf(other) && isRun(one) === isRun(other);
}

async function holds(
  { git, wanted, past }: Looking,
  path: string,
  entry: TreeEntry | null,
  stamp: FileStamp | null,
  now: DiskEntry | null,
): Promise<boolean | Extract<Judged, { ok: false }>> {
  if (entry === null || stamp === null) return entry === null && stamp === null;
  if (entry.mode !== modeOf(stamp, wanted.hasModes, entry)) return false;
  const bytes = now?.stamp.hash === stamp.hash ? now.bytes : past.bytes(stamp.hash);
  if (bytes === null) return false;
  if (plainObject(git, bytes) === entry.oid) return true;
  const object = await objectOf(git, path, { stamp, bytes }, false);
  return object.ok ? object.value === entry.oid : object;
}

/** Leaves out new files that git ignores or that hold secrets, and files that a filter program would have to convert. */
export async function withoutUnwanted(
  git: Git,
  files: readonly ChosenFile[],
  ctx: ToolContext,
): Promise<Result<Selection>> {
  if (files.length === 0) return ok({ files, left: [] });
  const stdin = files.map(({ path }) => `${path}\0`).join("");
  // check-ignore rejects literal pathspecs; a leading `./` disables pathspec magic.
  const ignored = await git.run("check-ignore", ["-z", "--stdin"], {
    stdin: files.map(({ path }) => `./${path}\0`).join(""),
    accepts: [0, 1],
    env: { GIT_LITERAL_PATHSPECS: "0" },
  });
  if (!ignored.ok) return ignored;
  const attributes = await git.run("check-attr", ["-z", "--stdin", "filter"], { stdin });
  if (!attributes.ok) return attributes;
  const isIgnored = new Set(ignored.value.out.toString("utf8").split("\0"));
  const filtered = filteredIn(attributes.value.out.toString("utf8"));
  const whyNot = ({ path, old, now, shown }: ChosenFile): LeftWhy | null => {
    if (old === null && isIgnored.has(`./${path}`)) return "ignored";
    if (old === null && ctx.isSecret?.(shown)) return "secret";
    return now !== null && !isLinkStamp(now.stamp) && filtered.has(path) ? "filter" : null;
  };
  return ok({
    files: files.filter((file) => whyNot(file) === null),
    left: files.flatMap((file) => {
      const why = whyNot(file);
      return why === null ? [] : [{ path: file.shown, why }];
    }),
  });
}

function filteredIn(out: string): ReadonlySet<string> {
  const words = out.split("\0");
  const found = new Set<string>();
  for (let at = 0; at + 2 < words.length; at += 3) {
    if (!["unspecified", "unset"].includes(words[at + 2] ?? "")) found.add(words[at] ?? "");
  }
  return found;
}
