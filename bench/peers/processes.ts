// Which processes an agent has left: those that carry our mark in their environment, or descend from the one that we started.
import { readdirSync, readFileSync } from "node:fs";

export const markName = "PEERS_MARK";

let serial = 0;

/** Of all marks of this run it is the beginning, and none is that of another one. */
export const runMark = `${process.pid}.`;

export function newMark(): string {
  return `${runMark}${++serial}.`;
}

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly isMarked: boolean;
}

export function processesOf(mark: string, root: number): readonly Running[] {
  const all = new Map<number, Running>();
  for (const name of readdirSync("/proc")) {
    const found = /^\d+$/.test(name) && Number(name) !== process.pid ? look(Number(name), mark) : null;
    if (found !== null) all.set(found.pid, found);
  }
  const isBelow = ({ pid, parent }: Running): boolean => {
    const above = all.get(parent);
    return pid === root || (above !== undefined && isBelow(above));
  };
  return [...all.values()].filter((one) => one.isMarked || isBelow(one));
}

function look(pid: number, mark: string): Running | null {
  try {
    const read = (file: string): string => readFileSync(`/proc/${pid}/${file}`, "utf8");
    const stat = read("stat");
    const [state = "", parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") return null;
    const command = read("cmdline").replaceAll("\0", " ").trim();
    return { pid, parent: Number(parent), command, isMarked: read("environ").includes(`${markName}=${mark}`) };
  } catch {
    // Ended meanwhile, or another person's.
    return null;
  }
}

export function endAll(mark: string, root: number): void {
  for (const { pid } of processesOf(mark, root)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Ended meanwhile.
    }
  }
}
