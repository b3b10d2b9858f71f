// What a process holds at one moment. Linux only: everything is read from /proc and the disk.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface Sample {
  readonly seconds: number;
  readonly tasks: number;
  readonly events: number;
  readonly rssMiB: number;
  readonly threads: number;
  readonly fds: number;
  readonly children: number;
  readonly dbBytes: number;
  readonly walBytes: number;
  /** The workspace's `.coder`. */
  readonly coderBytes: number;
  readonly sessions: number;
}

export function sampleOf(
  pid: number,
  home: string,
  workspace: string,
  counted: Pick<Sample, "seconds" | "tasks" | "events" | "sessions">,
): Sample {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return {
    ...counted,
    rssMiB: field("VmRSS") / 1024,
    threads: field("Threads"),
    fds: readdirSync(`/proc/${pid}/fd`).length,
    children: childrenOf(pid),
    dbBytes: sizeOf(join(home, "coder.db")),
    walBytes: sizeOf(join(home, "coder.db-wal")),
    coderBytes: folderSize(join(workspace, ".coder")),
  };
}

function childrenOf(pid: number): number {
  const lists = readdirSync(`/proc/${pid}/task`).map((thread) => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8");
    } catch {
      return ""; // The thread ended while we looked.
    }
  });
  return lists.join(" ").split(" ").filter(Boolean).length;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function folderSize(path: string): number {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return 0;
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + sizeOf(join(entry.parentPath, entry.name)), 0);
}
