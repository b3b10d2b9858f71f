// Puts back what was not allowed. Nothing is deleted: what is in the way may be the person's own, made in the same moment.
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { joined } from "../changes/file-tree.ts";
import { errnoOf } from "../files/failure.ts";
import { isMovedWhole, type ObeyedDifference } from "./differences.ts";
import type { Obeyed } from "./obeyed-entry.ts";
import { type At, within } from "./within.ts";

export interface Reverted {
  /** New, or changed: now `NAME.set-aside`. */
  readonly aside: readonly string[];
  /** As they were. */
  readonly restored: readonly string[];
}

/** Paths in the answer are relative to the root, one character for each byte. */
export function revert(root: string, found: readonly ObeyedDifference[]): Reverted {
  const aside: string[] = [];
  const restored: string[] = [];
  // Where that cannot be done, it is set aside like a new one.
  const moved = movedIn(found).filter(([from, to]) => moveBack(root, from.path, to.path));
  restored.push(...moved.map(([, to]) => to.path));
  // What was in it is looked at again, where it belongs.
  const isMoved = ({ path }: ObeyedDifference): boolean =>
    moved.some((pair) => pair.some((one) => path === one.path || path.startsWith(`${one.path}/`)));
  // What lies above comes first, so that a folder is there again before what was in it.
  const inOrder = found.toSorted((a, b) => a.path.length - b.path.length);
  for (const one of inOrder) {
    try {
      if (isMoved(one)) continue;
      const isAside = one.after !== null && setAside(root, one.after, one.before);
      const isBack = one.before !== null && restore(root, one.before, one.after);
      if (isAside) aside.push(isBare(one.after) ? joined(one.path, "HEAD") : one.path);
      if (isBack) restored.push(one.path);
    } catch (error) {
      // Gone with what it lay in, or nothing that we could move: whoever called looks again.
      if (errnoOf(error) === undefined) throw error;
    }
  }
  return { aside, restored };
}

/** Repositories that were there before and are elsewhere now, with where they were. */
function movedIn(
  found: readonly ObeyedDifference[],
): readonly (readonly [from: ObeyedDifference, to: ObeyedDifference])[] {
  const gone = found.filter(({ before, after }) => before?.kind === "git" && after?.kind !== "git");
  return gone.flatMap((old) => {
    const isIt = ({ before, after }: ObeyedDifference): boolean =>
      before === null && after?.kind === "git" && after.stamp.ino === old.before?.stamp.ino;
    const now = found.find(isIt);
    return now ? [[now, old] as const] : [];
  });
}

function moveBack(root: string, from: string, to: string): boolean {
  try {
    return within(root, from, (at, name) =>
      within(root, to, (there, free) => {
        // Over an empty folder, or nothing at all; not over anything else.
        const now = lstatSync(there(free), { throwIfNoEntry: false });
        if (now !== undefined && !now.isDirectory()) renameSync(there(free), there(freeName(there, free)));
        renameSync(at(name), there(free));
        return true;
      }),
    );
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

/**
 * A folder with a longer path than can be looked at comes to the top, where that can be done: a gitlink leads git to any depth.
 * `null`: it cannot; otherwise what it is called now, or "" if it is gone.
 */
export function lift(root: string, path: string): string | null {
  try {
    return within(root, path, (at, name) =>
      within(root, name, (there) => {
        const to = freeName(there, name);
        renameSync(at(name), there(to));
        return to;
      }),
    );
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return errnoOf(error) === "ENOENT" ? "" : null;
  }
}

function isBare(one: Obeyed | null): boolean {
  return one?.kind === "git" && !isMovedWhole(one);
}

/** A file that differs in its rights alone need not make room. */
function isSameContent(before: Obeyed | null, after: Obeyed): boolean {
  const isFile = before?.kind === "file" && after.kind === "file";
  return isFile && before.content !== null && after.content !== null && before.content.equals(after.content);
}

function setAside(root: string, after: Obeyed, before: Obeyed | null): boolean {
  if (isSameContent(before, after)) return false;
  if (isBare(after)) return defuse(root, after.path);
  return within(root, after.path, (at, name) => {
    const to = freeName(at, name);
    renameSync(at(name), at(to));
    // Under the other name it would still be one, for whoever goes there.
    if (after.kind === "git") defuse(root, joined(parentOf(after.path), to));
    return true;
  });
}

/** Git takes no folder without it for a repository. Not where the disk tells letter case: then another spelling is harmless. */
function defuse(root: string, path: string): boolean {
  return within(root, joined(path, "HEAD"), (at, name) => {
    if (lstatSync(at(name), { throwIfNoEntry: false }) === undefined) return false;
    renameSync(at(name), at(freeName(at, name)));
    return true;
  });
}

/** Whether it is as it was. What lay in a folder that is gone as a whole is not brought back. */
function restore(root: string, before: Obeyed, after: Obeyed | null): boolean {
  if (before.kind === "git" || before.kind === "other") return false;
  const mode = before.stamp.mode & 0o7777;
  try {
    return within(root, before.path, (at, name) => {
      // In the place of a file a folder is obeyed by nobody, and in the way.
      const isFolder = lstatSync(at(name), { throwIfNoEntry: false })?.isDirectory() === true;
      if (isFolder && before.kind !== "folder") renameSync(at(name), at(freeName(at, name)));
      if (before.kind === "folder") return isMade(() => mkdirSync(at(name), { mode }));
      const { content } = before;
      if (content === null) return false;
      if (before.kind === "link") return isMade(() => symlinkSync(content as unknown as string, at(name)));
      if (after !== null && isSameContent(before, after)) chmodSync(at(name), mode);
      else return isMade(() => writeNew(at(name), content, mode));
      return true;
    });
  } catch (error) {
    const isGone = ["ENOENT", "ENOTDIR", "ELOOP"].includes(errnoOf(error) ?? "");
    if (!isGone) throw error;
    return false;
  }
}

/** Somebody else may have put another there since. */
function isMade(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    return false;
  }
}

function writeNew(path: string, content: Buffer, mode: number): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    for (let done = 0; done < content.length; ) done += writeSync(fd, content, done);
    fchmodSync(fd, mode);
  } catch (error) {
    // Half of it would be another file.
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Longer names than this have no room for the ending. */
const maxName = 200;

function freeName(at: At, name: string): string {
  for (let n = 1; ; n++) {
    const to = `${name.slice(0, maxName)}.set-aside${n === 1 ? "" : `-${n}`}`;
    if (lstatSync(at(to), { throwIfNoEntry: false }) === undefined) return to;
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
