// Ends what a command left behind whose coder was killed.
import { type Ended, endTarget } from "./kill.ts";
import { isOwnChild } from "./orphans.ts";
import { hasProc, isBecoming, isDead, markerOf, type Proc, type ProcTable, readProc, readTable } from "./proc.ts";

export interface Survivor {
  readonly pid: number;
  /** As handed to `onSpawn`. */
  readonly startTime: string;
  readonly marker: string;
}

/** One that stays without a command line has taken it away itself. */
const maxLooks = 20;

/** Never touches a process that merely got the recorded pid later, nor the one asking, its own children and those above it. */
export async function endSurvivor(survivor: Survivor): Promise<Ended> {
  if (!hasProc() || survivor.startTime === "") return { ended: [], left: [] };
  const start = Number(survivor.startTime);
  const isMarked = (proc: Proc): boolean =>
    proc.start >= start && !isDead(proc) && markerOf(proc.pid) === survivor.marker;
  const isSameSession = hasKeptSession(survivor.pid, start, isMarked);
  const above = lineOf(process.pid);
  const ownSession = readProc(process.pid)?.session;
  const isSpared = (proc: Proc): boolean =>
    above.has(proc.pid) || proc.session === ownSession || isOwnChild(proc.pid) || isOwnChild(proc.session);
  const isRoot = (proc: Proc): boolean =>
    !isSpared(proc) && ((isSameSession && proc.session === survivor.pid) || isMarked(proc));
  let looks = 0;
  const isHiding = (table: ProcTable): boolean =>
    ++looks < maxLooks &&
    [...table.values()].some((proc) => proc.start >= start && !isDead(proc) && !isSpared(proc) && isBecoming(proc));
  return await endTarget({ isRoot, isGone: () => false, isHiding }, 0);
}

/** A session keeps its number from being given away. Without the shell, a marked member proves that it is the same one. */
function hasKeptSession(pid: number, start: number, isMarked: (proc: Proc) => boolean): boolean {
  let isKept = false;
  readTable((proc) => {
    if (proc.session !== pid) return;
    isKept ||= (proc.pid === pid && proc.start === start) || isMarked(proc);
  });
  return isKept;
}

/** A process and those above it. */
function lineOf(pid: number): ReadonlySet<number> {
  const line = new Set<number>();
  for (let proc = readProc(pid); proc !== null; proc = readProc(proc.ppid)) line.add(proc.pid);
  return line;
}
