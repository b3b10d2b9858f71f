import { fsync, fsyncSync, unlink } from "node:fs";
import { errnoOf } from "../failure.ts";
import { inFolder, isRefusal, type OpenFolder, syncFolder } from "../folder.ts";
import { removeIfThere } from "./temp.ts";

// Waiting for the disk takes most of the time of a change of many files. What need not be done one after the other is handed out in
// groups, so that the disk is asked for all of it at once: 100 files are on it in a tenth of the time.

export interface Job {
  readonly what: string;
  readonly now: () => void;
  readonly later: () => Promise<void>;
}

/** Where a kill leaves something different behind: between any two jobs of a group, whichever is first. */
export type Pause = string | readonly Job[];

export function syncJob(fd: number): Job {
  return { what: "temp file synced", now: () => fsyncSync(fd), later: () => called((done) => fsync(fd, done)) };
}

export function folderJob(folder: OpenFolder): Job {
  const later = (): Promise<void> => called((done) => fsync(folder.fd, done), ["EINVAL", "ENOTSUP", "EBADF"]);
  return { what: "folder synced", now: () => syncFolder(folder), later };
}

export function removeJob(folder: OpenFolder, name: string, what: string): Job {
  const later = (): Promise<void> => called((done) => unlink(inFolder(folder, name), done), null);
  return { what, now: () => removeIfThere(folder, name), later };
}

/** `forgiven`: what the disk may answer without being wrong; `null` = whatever it likes. */
function called(
  start: (done: (error: unknown) => void) => void,
  forgiven: readonly string[] | null = [],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error: unknown): void => {
      const isFine = forgiven === null ? isRefusal(error) : forgiven.includes(errnoOf(error) ?? "");
      if (!error || isFine) resolve();
      else reject(error);
    };
    try {
      start(done);
    } catch (error) {
      // The folder could not be opened again, or is another by now.
      done(error);
    }
  });
}

/** Fewer than `Folders` holds open: the name of a file is one in an open folder until it is done. */
const maxFolders = 8;

/** Groups of what lies in a few folders. */
export function* inGroups(jobs: readonly (readonly [OpenFolder, Job])[]): Generator<readonly Job[], void> {
  if (jobs.length <= maxFolders) {
    if (jobs.length > 0) yield jobs.map(([, job]) => job);
    return;
  }
  const byFolder = [...Map.groupBy(jobs, ([folder]) => folder).values()];
  for (let at = 0; at < byFolder.length; at += maxFolders) {
    yield byFolder.slice(at, at + maxFolders).flatMap((group) => group.map(([, job]) => job));
  }
}

/** One after the other, in the order given. */
export function* oneByOne<T>(parts: Generator<Pause, T>): Generator<string, T> {
  let part = parts.next();
  while (!part.done) {
    try {
      if (typeof part.value === "string") yield part.value;
      else {
        for (const { now, what } of part.value) {
          now();
          yield what;
        }
      }
    } catch (error) {
      part = parts.throw(error);
      continue;
    }
    part = parts.next();
  }
  return part.value;
}

/** Each group at once. What has failed is told when all of it has ended. */
export async function together<T>(parts: Generator<Pause, T>): Promise<T> {
  let part = parts.next();
  while (!part.done) {
    const ended = typeof part.value === "string" ? [] : await Promise.allSettled(part.value.map((job) => job.later()));
    const failed = ended.find((one) => one.status === "rejected");
    part = failed ? parts.throw(failed.reason) : parts.next();
  }
  return part.value;
}
