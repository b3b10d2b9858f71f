// A lock between processes: a folder that holds its owner's pid. The owner may be killed, so a dead owner's lock is taken over.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const giveUpAfterMs = 15 * 60_000;

/** Runs `work` while no other process holds the lock at `path`. */
export async function withLock(path, work) {
  await acquire(path);
  try {
    return await work();
  } finally {
    moveAway(path, String(process.pid));
  }
}

async function acquire(path) {
  const deadline = Date.now() + giveUpAfterMs;
  let hasSpoken = false;
  while (!tryAcquire(path)) {
    const owner = ownerOf(path);
    if (owner !== undefined && !isAlive(owner)) {
      moveAway(path, owner);
      continue;
    }
    if (Date.now() > deadline) {
      const message = `Process ${owner} holds ${path} for too long. If it is not an installation of coder, remove that folder.`;
      throw Object.assign(new Error(message), { isForPeople: true });
    }
    if (!hasSpoken && owner !== undefined) {
      console.error(`Waiting for the installation by process ${owner} …`);
      hasSpoken = true;
    }
    await sleep(100);
  }
}

/** The folder is filled first and then renamed into place, so that a lock never exists without its pid. */
function tryAcquire(path) {
  const own = `${path}.${process.pid}`;
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own);
  writeFileSync(join(own, "pid"), String(process.pid));
  try {
    renameSync(own, path);
    return true;
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    if (error.code === "ENOTEMPTY" || error.code === "EEXIST") return false;
    throw error;
  }
}

function ownerOf(path) {
  try {
    return readFileSync(join(path, "pid"), "utf8");
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/**
 * Renamed before it is emptied: a half-emptied lock could be taken by another process and then be deleted under it.
 * Two waiters may judge the same owner dead; the slower one gives back what turns out to be the quicker one's new lock.
 */
function moveAway(path, owner) {
  const aside = `${path}.${process.pid}.old`;
  try {
    renameSync(path, aside);
    if (ownerOf(aside) !== owner) return renameSync(aside, path);
  } catch {
    // Somebody else moved it, or already holds a new one: either way it is no longer ours to move.
  }
  rmSync(aside, { recursive: true, force: true });
}
