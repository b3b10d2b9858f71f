import { fsync, fsyncSync, unlink } from "node:fs";
import { errnoOf } from "../failure.ts";
import { inFolder, isRefusal, type OpenFolder, syncFolder } from "../folder.ts";
import { removeIfThere } from "./temp.ts";

// Waiting for the disk dominates a change of many files: issued in groups, 100 files take a tenth of the time.

export interface Job {
  readonly what: string;
  readonly now: () => void;
  readonly later: () => Promise<void>;
}

/** A point where a kill leaves a different state behind: a name, or the gaps between the jobs of a group, in any order. */
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

/** `forgiven`: error codes to ignore; `null`: all system errors. */
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
      done(error);
    }
  });
}

/** Fewer than `Folders` keeps open: a file name is relative to an open folder until its job is done. */
const maxFolders = 8;

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

/** Runs each group in parallel. Reports a failure only after the whole group has ended. */
export async function together<T>(parts: Generator<Pause, T>): Promise<T> {
  let part = parts.next();
  while (!part.done) {
    const ended = typeof part.value === "string" ? [] : await Promise.allSettled(part.value.map((job) => job.later()));
    const failed = ended.find((one) => one.status === "rejected");
    part = failed ? parts.throw(failed.reason) : parts.next();
  }
  return part.value;
}
