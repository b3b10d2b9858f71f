// How many processes a confined command may have. The kernel's limit per user does not hold for root: there a control
// group does, where one can be made.
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { release } from "node:os";
import { dirname, join } from "node:path";

/** More than any build we know takes; a bomb that stays below it leaves the machine usable. */
export const MOST_PROCESSES = 2048;

type ProcessLimit = "rlimit" | "cgroup" | "none";

interface Group {
  readonly folder: string;
  /** Who writes into it comes in: one thread, or in the second version only all of a process. */
  readonly door: "tasks" | "cgroup.procs";
}

let group: Group | null | undefined;
/** As written last. */
let allowed: number | undefined;

/** Which limit holds for this process's commands. */
export function processLimit(): ProcessLimit {
  if (process.getuid?.() !== 0) return countsPerNamespace() ? "rlimit" : "none";
  return ownGroup() === null ? "none" : "cgroup";
}

/**
 * A descriptor into which a process writes `0` to come under the limit; `null` where that needs no group. It moves itself: to
 * move another, the kernel waits for all processors, which takes some milliseconds.
 */
export function openGroup(most: number): number | null {
  // Somebody may have tidied up while nothing ran in it.
  if (group && !existsSync(group.folder)) [group, allowed] = [undefined, undefined];
  const found = processLimit() === "cgroup" ? ownGroup() : null;
  if (found === null) return null;
  if (allowed !== most) writeFileSync(join(found.folder, "pids.max"), String(most));
  allowed = most;
  return openSync(join(found.folder, found.door), "w");
}

/** Since 5.14 the limit counts within a user namespace; before, all processes of the person count. */
function countsPerNamespace(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

function ownGroup(): Group | null {
  if (group === undefined) {
    group = firstMade(candidates());
    if (group !== null) process.on("exit", removeGroup);
  }
  return group;
}

/** A group of our own beside or below the one we are in, in either version of control groups. */
function candidates(): readonly Group[] {
  const lines = readText("/proc/self/cgroup").split("\n");
  return lines.flatMap((line): readonly Group[] => {
    const [, controllers, path = ""] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === "pids") return [{ folder: join("/sys/fs/cgroup/pids", path), door: "tasks" }];
    if (controllers !== "") return [];
    // A group with processes in it cannot pass controllers on to groups below it, unless it is the root.
    const own = join("/sys/fs/cgroup", path);
    const able = [dirname(own), own].filter((at) => readText(join(at, "cgroup.subtree_control")).includes("pids"));
    return able.map((folder) => ({ folder, door: "cgroup.procs" }));
  });
}

function firstMade(parents: readonly Group[]): Group | null {
  for (const { folder: parent, door } of parents) {
    const folder = join(parent, `coder-${namespaceOf()}-${process.pid}`);
    try {
      if (!existsSync(folder)) mkdirSync(folder);
      writeFileSync(join(folder, "pids.max"), "max");
      removeStale(parent);
      return { folder, door };
    } catch {
      // Not ours to make, or without the controller: the next may be.
      removeFolder(folder);
    }
  }
  return null;
}

/** Those of processes that were killed, or ended before their last command was collected. In another namespace pids mean others. */
function removeStale(parent: string): void {
  const own = namespaceOf();
  for (const name of readdirSync(parent)) {
    const [, namespace, pid] = /^coder-(\d+)-(\d+)$/.exec(name) ?? [];
    if (namespace === own && !existsSync(`/proc/${pid}`)) removeFolder(join(parent, name));
  }
}

function namespaceOf(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0"; // A kernel without them.
  }
}

function removeGroup(): void {
  if (group) removeFolder(group.folder);
}

function removeFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not there, or the last process in it is not collected yet: an empty group does no harm.
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return ""; // Not on this machine.
  }
}
