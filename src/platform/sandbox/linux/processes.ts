// The kernel's limit of processes per user does not apply to root; there we use a control group where one can be created.
import { existsSync, mkdirSync, openSync, readdirSync, readlinkSync, rmdirSync, writeFileSync } from "node:fs";
import { release } from "node:os";
import { dirname, join } from "node:path";
import { orNull, readText } from "../../files/probe.ts";

/** More than any known build needs; a fork bomb below it leaves the machine usable. */
export const MOST_PROCESSES = 2048;

type ProcessLimit = "rlimit" | "cgroup" | "none";

interface Group {
  readonly folder: string;
  /** The file through which a thread (v1) or a process (v2) joins the group. */
  readonly door: "tasks" | "cgroup.procs";
}

let group: Group | null | undefined;
let allowed: number | undefined;

export function processLimit(): ProcessLimit {
  if (process.getuid?.() !== 0) return countsPerNamespace() ? "rlimit" : "none";
  return ownGroup() === null ? "none" : "cgroup";
}

/** Joins by writing `0`, because moving another process takes milliseconds. `null`: no group is needed. */
export function openGroup(most: number): number | null {
  // Somebody may have removed the empty group.
  if (group && !existsSync(group.folder)) [group, allowed] = [undefined, undefined];
  const found = processLimit() === "cgroup" ? ownGroup() : null;
  if (found === null) return null;
  if (allowed !== most) writeFileSync(join(found.folder, "pids.max"), String(most));
  allowed = most;
  return openSync(join(found.folder, found.door), "w");
}

/** Since Linux 5.14 the limit counts per user namespace; before, it counts all processes of the user. */
function countsPerNamespace(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

function ownGroup(): Group | null {
  if (group === undefined) {
    group = firstMade(candidates());
    if (group !== null) process.on("exit", () => group && removeEmpty(group.folder));
  }
  return group;
}

/** Possible parents for our group, in either version of control groups: the current group or the one above it. */
function candidates(): readonly Group[] {
  const lines = readText("/proc/self/cgroup", "latin1").split("\n");
  return lines.flatMap((line): readonly Group[] => {
    const [, controllers, path = ""] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === "pids") return [{ folder: join("/sys/fs/cgroup/pids", path), door: "tasks" }];
    if (controllers !== "") return [];
    // In v2 a group with processes in it cannot delegate controllers to children, unless it is the root.
    const own = join("/sys/fs/cgroup", path);
    const able = [dirname(own), own].filter((at) =>
      readText(join(at, "cgroup.subtree_control"), "latin1").includes("pids"),
    );
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
      // No permission or no pids controller: the next candidate may work.
      removeEmpty(folder);
    }
  }
  return null;
}

/** Removes groups of processes that exited without doing so. Pids of another namespace are not comparable. */
function removeStale(parent: string): void {
  const own = namespaceOf();
  for (const name of readdirSync(parent)) {
    const [, namespace, pid] = /^coder-(\d+)-(\d+)$/.exec(name) ?? [];
    if (namespace === own && !existsSync(`/proc/${pid}`)) removeEmpty(join(parent, name));
  }
}

function namespaceOf(): string {
  return /\d+/.exec(orNull(() => readlinkSync("/proc/self/ns/pid")) ?? "")?.[0] ?? "0";
}

/** Fails while its last process is not reaped: an empty group does no harm. */
const removeEmpty = (folder: string): unknown => orNull(() => rmdirSync(folder));
