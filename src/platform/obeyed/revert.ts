// Reverts forbidden changes. Deletes nothing: a file in the way may be the user's own, created at the same moment.
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
import { orNull } from "../files/probe.ts";
import { isMovedWhole, type ObeyedDifference } from "./differences.ts";
import type { Obeyed } from "./obeyed-entry.ts";
import type { SetAside } from "./watch.ts";
import { type At, within } from "./within.ts";

/** Returned paths are relative to the root, in Latin-1. */
export function revert(root: string, found: readonly ObeyedDifference[]): Pick<SetAside, "aside" | "restored"> {
  const aside: string[] = [];
  const restored: string[] = [];
  // A repository that cannot be moved back is set aside like a new one.
  const moved = movedIn(found).filter(([from, to]) => moveBack(root, from.path, to.path));
  restored.push(...moved.map(([, to]) => to.path));
  // The next comparison looks at its content again, in the right place.
  const isMoved = ({ path }: ObeyedDifference): boolean =>
    moved.some((pair) => pair.some((one) => path === one.path || path.startsWith(`${one.path}/`)));
  // Parents first, so that a folder is restored before its content.
  const inOrder = found.toSorted((a, b) => a.path.length - b.path.length);
  for (const one of inOrder) {
    try {
      if (isMoved(one)) continue;
      const isAside = one.after !== null && setAside(root, one.after, one.before);
      const isBack = one.before !== null && restore(root, one.before, one.after);
      if (isAside) aside.push(isBare(one.after) ? joined(one.path, "HEAD") : one.path);
      if (isBack) restored.push(one.path);
    } catch (error) {
      // Gone with its folder, or not movable for us: the caller compares again.
      if (errnoOf(error) === undefined) throw error;
    }
  }
  return { aside, restored };
}

/** Moved repositories: their new place, and their old one. */
function movedIn(
  found: readonly ObeyedDifference[],
): readonly (readonly [from: ObeyedDifference, to: ObeyedDifference])[] {
  const gone = found.filter(({ before, after }) => before?.kind === "git" && after?.kind !== "git");
  return gone.flatMap((old) => {
    const isSameRepository = ({ before, after }: ObeyedDifference): boolean =>
      before === null && after?.kind === "git" && after.stamp.ino === old.before?.stamp.ino;
    const now = found.find(isSameRepository);
    return now ? [[now, old] as const] : [];
  });
}

function moveBack(root: string, from: string, to: string): boolean {
  const isMoved = orNull(() =>
    within(root, from, (at, name) =>
      within(root, to, (there, free) => {
        // The target may be an empty folder or missing; anything else is set aside first.
        const now = lstatSync(there(free), { throwIfNoEntry: false });
        if (now !== undefined && !now.isDirectory()) renameSync(there(free), there(freeName(there, free)));
        renameSync(at(name), there(free));
        return true;
      }),
    ),
  );
  return isMoved === true;
}

/** Moves a folder with too long a path to the top. Returns its new name, `""` if it is gone, or `null` if that fails. */
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

/** A file that differs only in its mode can stay in place. */
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
    // Under its new name it would still be a repository.
    if (after.kind === "git") defuse(root, joined(parentOf(after.path), to));
    return true;
  });
}

/** Without HEAD git does not take a folder for a repository. On a case-sensitive file system another spelling is harmless. */
function defuse(root: string, path: string): boolean {
  return within(root, joined(path, "HEAD"), (at, name) => {
    if (lstatSync(at(name), { throwIfNoEntry: false }) === undefined) return false;
    renameSync(at(name), at(freeName(at, name)));
    return true;
  });
}

/** Returns whether it was restored. The content of a folder that is gone as a whole is not restored. */
function restore(root: string, before: Obeyed, after: Obeyed | null): boolean {
  if (before.kind === "git" || before.kind === "other") return false;
  const mode = before.stamp.mode & 0o7777;
  try {
    return within(root, before.path, (at, name) => {
      // Nothing obeys a folder in the place of a file, but it is in the way.
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

/** False if somebody else has created another one meanwhile. */
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
    // Half of the content would be a different file.
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

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
